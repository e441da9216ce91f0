/**
 * The parts of a text that tells of rows: `3 created, 0 failed` has two. Its one rule: a part that counts has its number
 * first, so that `Created: 0, failed: 3` says what `0 created, 3 failed` does.
 */

export const rowsNamed = '(?:transactions?|records?|rows?|items?|entry|entries|payments?)';
/** `3 row(s)` */
const pluralInBrackets = /(?<=\p{L})\((e?s)\)/gu;
const numberWords = ['two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const numberInWords = new RegExp(`\\b(?:${numberWords.join('|')})\\b`, 'gi');
const markOfThousands = /(\d)[, \u00a0\u202f](?=\d{3}\b)/g;
/** `created=0 failed=3` */
const pairWithoutEnd = /([:=]\s*\d+)\s+(?=\p{L}[\p{L} ]*[:=])/gu;
/** `Created 0 Failed 3`, `0 created 3 failed` */
const onlyPairs = /^\s*(?:(?:\p{L}+ \d+\s*){2,}|(?:\d+ (?!of )\p{L}+\s*){2,})$/u;
const pair = /(\p{L}+ \d+|\d+ \p{L}+)/gu;
/** `Created: 11, 12, 13` are ids. */
const listOfNumbers = /\d\s*(?:,|and)\s*\d+\s*(?:[,.;]|and\b|$)/i;
const ends = /[,;!()|\n]|\.(?=\s|$)|\s[/–-]\s|\b(?:and|but)\b/;
/** `Row 2` and `Error 3` are one thing and its number. */
const notCounted = '(?!(?:transaction|record|row|item|entry|payment|error\\b.*[1-9]|fault)\\b)';
const noneOrSome = '(\\d{1,9}|none|no|zero)';
const labelled = new RegExp(
  `^\\s*(?:(?:total|number of|${rowsNamed}) )*${notCounted}(\\p{L}+)(?:(?: (?:count|total|${rowsNamed}))?\\s*[:=]\\s*|\\s)${noneOrSome}(?: ${rowsNamed})?\\s*$`,
  'iu',
);

export function partsOf(text: string): readonly string[] {
  const plain = text
    .replace(pluralInBrackets, '$1')
    .replace(numberInWords, (word) => String(numberWords.indexOf(word.toLowerCase()) + 2))
    .replace(markOfThousands, '$1')
    .replace(pairWithoutEnd, '$1; ');
  const parts = (onlyPairs.test(plain) ? plain.replace(pair, '$1;') : plain).split(ends);
  const isList = listOfNumbers.test(plain);
  const plainParts = parts.flatMap((part) =>
    labelled.test(part) && !isList ? part.replace(labelled, '$2 $1') : part.split(':'),
  );
  // `0: OK`
  const told = plainParts.filter((part) => /\p{L}/u.test(part));
  return told.length === 0 ? plainParts : told;
}

const ofRows = `(?: (?:of|the|them|these|your|all|new|existing|\\d{1,9}|${rowsNamed}|was|were|is|are|has|have|had|been|with))*`;
const nothing = new RegExp(`^\\s*(?:0|no|zero|none|nothing)${ofRows} (?=\\p{L})`, 'iu');

/** What is counted as nothing: `created` of `no rows were created`; `null` where there is no such count. */
export function countedAsNothing(part: string): string | null {
  return nothing.test(part) ? part.replace(nothing, '') : null;
}

/** `row 0`, `transactions[0]`, and a code behind words: none of it is a number of anything. */
const numberOfOne =
  /\b(?:transaction|record|row|item|entry|payment|line) #?\d+\b|\[\d+\]|#\d+|(?<=\p{L}\s*)\s\d+\s*$/giu;

export function withoutNumbersOfOne(part: string): string {
  return part.replace(numberOfOne, ' ');
}
