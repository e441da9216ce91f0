/**
 * How many rows a message says are in, and how many are not: `2 of 3 transactions added`, `2 rows saved, 1 failed`. Its one
 * rule: a number counts where it is one of rows, and something was done with them or refused.
 */
import { isNo, longestText, type Word } from './words-of-answer.ts';

export interface CountsInWords {
  /** `null` when no number is told. */
  readonly rowsIn: number | null;
  readonly out: number | null;
}

const rowsNamed = '(?:transactions?|records?|rows?|items?|entry|entries|payments?)';
/** `Row 2 of 3` and `batch 3` are one thing and its number. */
const aNumber =
  '(?<!\\b(?:transaction|record|row|item|entry|payment|line|batch|page|part|request) (?:no\\.? ?|number )?)(?<![\\d.#-])(\\d{1,9})';
const partOfWhole = new RegExp(`${aNumber} (?:out )?of (?:the |all )?(\\d{1,9})\\b`, 'i');
const numberOfRows = new RegExp(`${aNumber} (?:new )?${rowsNamed}\\b`, 'i');
/** `1 failed` */
const numberAndWord = /^\s*(\d{1,9}) (?:(?:was|were|have been) )?(?:not )?\p{L}+\s*$/u;
/** `At most 2 transactions can be added`, and `2 records were found`: nothing was done. */
const notDone =
  /\b(?:can|could(?! not)|may|must|should|most|least|up to|max|maximum|limit|allowed|expected|per|found)\b/i;
const markOfThousands = /(\d),(?=\d{3}\b)/g;
const clauseEnds = /[,;:!()]|\.(?=\s|$)|\b(?:and|but)\b/;

/** @param wordOf  what a part of the text says */
export function countsInWords(text: string, rows: number, wordOf: (part: string) => Word): CountsInWords {
  // A message about one row may tell of any others.
  if (rows === 1) return { rowsIn: partOf(text, rows), out: null };
  let rowsIn: number | null = null;
  let out: number | null = null;
  for (const clause of text.slice(0, longestText).replace(markOfThousands, '$1').split(clauseEnds)) {
    const number = notDone.test(clause) ? null : numberIn(clause, rows);
    if (number === null) continue;
    // A zero turns no word round here: `0 rows saved` is told in their number.
    const word = wordOf(clause.replace(/\d+/g, ' '));
    if (isNo(word)) out ??= number;
    else if (word === 'yes' || partOfWhole.test(clause)) rowsIn ??= number;
  }
  return { rowsIn, out };
}

function numberIn(clause: string, rows: number): number | null {
  if (partOfWhole.test(clause)) return partOf(clause, rows);
  const [, number] = numberOfRows.exec(clause) ?? numberAndWord.exec(clause) ?? [];
  return number === undefined ? null : Number(number);
}

function partOf(text: string, rows: number): number | null {
  const [, part, whole] = partOfWhole.exec(text) ?? [];
  return Number(whole) === rows ? Number(part) : null;
}
