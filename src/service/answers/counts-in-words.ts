/**
 * How many rows a message says are in, and how many are not: `2 of 3 transactions added`, `saved 2, failed 1`. Its one
 * rule: a number counts where it is one of rows, and something was done with them or refused.
 */
import { partsOf, rowsNamed } from './parts-of-text.ts';
import { isNo, longestText, type Word } from './words-of-answer.ts';

export interface CountsInWords {
  /** `null` when no number is told. */
  readonly rowsIn: number | null;
  readonly out: number | null;
  /** Whether one row at least is not in, by errors, several of which may be about one, or by its own number. */
  readonly oneIsOut: boolean;
}

/** `Row 2 of 3` and `batch 3` are one thing and its number. */
const aNumber =
  '(?<!\\b(?:transaction|record|row|item|entry|payment|line|batch|page|part|request) (?:no\\.? ?|number )?)(?<![\\d.#/-])(\\d{1,9})';
const partOfWhole = new RegExp(
  `${aNumber}(?: (?:out )?of (?:the |all |your )*|/(?=\\d+ ${rowsNamed}\\b)|(?<=^\\s*(?:\\p{L}+ )?\\d+)/(?=\\d+(?: \\p{L}+)?\\s*$))(\\d{1,9})\\b`,
  'iu',
);
/** A payment plan is no payment. */
const otherThing = '(?! (?:plan|method|schedule|fee|account|profile)s?\\b)';
const numberOfRows = new RegExp(`${aNumber} (?:of (?:the |your |these )?)?(?:new )?${rowsNamed}\\b${otherThing}`, 'i');
const numberOfErrors = /(?<![\d.#/-])(\d{1,9}) (?:\p{L}+ )?(?:errors?|problems?|duplicates)\b/iu;
/** `Partially imported`, `completed with errors`, `all but row 2`; a deal may well be partially paid. */
const toldOfPart =
  /\bnot (?:all|every)\b|\ball (?:but|except)\b|\bexcept (?:for )?(?:row|record|item|transaction|payment|\d)|^\s*only (?:\d|the first\b)|\b(?:partial(?:ly)?|partly) (?:success|succe|fail|import|load|sav|process|complet|accept|creat|add)|\b(?:complet|finish|process|import|load|sav|done)\p{L}* with (?:some )?(?:errors|failures|rejections)\b/iu;
/** `One or more rows failed`, `the last row was rejected` */
const someRows = new RegExp(
  `\\b(?:some|several|few|many|most|more|a|an|another|last|first|second|third|at least (?:one|1)) (?:of (?:the |your )?)?${rowsNamed}\\b`,
  'i',
);
const oneRow = '\\b(?:transaction|record|row|item|entry|payment) (?:no\\.? ?|number |#)?\\d{1,9}\\b';
const rowNamed = new RegExp(oneRow, 'i');
const onlyRowNamed = new RegExp(`^\\s*${oneRow}\\s*$`, 'i');
/** `1 failed`, `1 with errors`, `1 could not be saved` */
const numberAndWord =
  /^\s*(\d{1,9}) (?:(?:was|were|is|are|has|have|had|been|be|could|not|with|in|already|duplicates?|invalid|validation) )*\p{L}+(?: back)?\s*$/u;
/** `At most 2 transactions can be added`, and `2 records were found`: nothing was done. */
const notDone =
  /\b(?:can|could(?! not)|may|must|should|most|least|up to|max|maximum|limit|allowed|expected|per|found)\b/i;
/** Says less of rows than that they are in: `3 processed, 2 saved`. */
const saysLess = /\b(?:processed|passed|valid|0 (?:\p{L}+ )?updated)\b/iu;
/** Words of a yes where rows are counted; of one thing, they are a state that it may be in. */
const doneWithRows = /\b(?:recorded|posted|booked|written|loaded|registered|uploaded)\b/gi;
const noneOf = /^\s*(?:no|none|nothing|zero)\b/i;
const oneOf = /^\s*one\b/i;

/** @param wordOf  what a part of the text says */
export function countsInWords(text: string, rows: number, wordOf: (part: string) => Word): CountsInWords {
  // A message about one row may tell of any others.
  if (rows === 1) return { rowsIn: partOf(text, rows), out: null, oneIsOut: false };
  let rowsIn: number | null = null;
  let atMostIn: number | null = null;
  let out: number | null = null;
  let oneIsOut = false;
  let before = '';
  for (const part of partsOf(text.slice(0, longestText))) {
    const counting = part.replace(noneOf, '0').replace(oneOf, '1').replace(doneWithRows, 'saved');
    // `Row 2: invalid date`
    const isTrouble = tellsOfTrouble(onlyRowNamed.test(before) ? `${before} ${counting}` : counting, wordOf);
    before = part;
    oneIsOut ||= isTrouble;
    if (isTrouble) continue;
    const number = notDone.test(counting) ? null : numberIn(counting, rows);
    if (number === null) continue;
    // The number itself turns no word round here: `0 rows saved` is told in it. But `3 rows with 0 errors` is a yes.
    const word = wordOf(counting.replace(/\d+/g, (digits) => (number > 0 && digits === '0' ? digits : ' ')));
    if (isNo(word)) out = Math.max(out ?? 0, number);
    else if (word === 'yes' && saysLess.test(counting)) atMostIn ??= number;
    else if (word === 'yes' || partOfWhole.test(counting)) rowsIn ??= number;
  }
  return { rowsIn: rowsIn ?? atMostIn, out, oneIsOut };
}

function tellsOfTrouble(part: string, wordOf: (part: string) => Word): boolean {
  const [, number = '0'] = numberOfErrors.exec(part) ?? [];
  if (Number(number) > 0 || toldOfPart.test(part)) return true;
  const isOfSome = someRows.test(part) || (rowNamed.test(part) && !partOfWhole.test(part));
  return isOfSome && isNo(wordOf(part.replace(/\d+|\bsome\b/gi, ' ')));
}

function numberIn(part: string, rows: number): number | null {
  if (partOfWhole.test(part)) return partOf(part, rows);
  const [, number] = numberOfRows.exec(part) ?? numberAndWord.exec(part) ?? [];
  return number === undefined ? null : Number(number);
}

function partOf(text: string, rows: number): number | null {
  const [, part, whole] = partOfWhole.exec(text) ?? [];
  return Number(whole) === rows ? Number(part) : null;
}
