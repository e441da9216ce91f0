/**
 * Digits and marks that a format puts among those of the number: `0"."00` shows 125050 as `1250.50`, and `0"000"` shows 12 as
 * `12000`. People keep cents or thousands so, and see amounts.
 */
import type { FormatToken } from './format-token.ts';

/** Stand for what is the number's own. */
const place = '\u0001';
const point = '\u0002';

/** `0"000"`, but not `0".00"`, which shows cents that are none. */
const digitsBehind = new RegExp(`${place}(?![.,]0{1,2}(?!\\d))[.,]?\\d`);
/** `"1"000` and `"0."00`, but not `"0"000`, which has no more than a zero in front. */
const digitsInFront = new RegExp(`(?:[1-9]\\d*|\\d[.,])${place}`);
const behindMark = new RegExp(`(?<=${place}[.,])${place}+`, 'g');
/** `##\,##\,##0`: India has two digits in each group in front of the last three. */
const indianGroups = new RegExp(`,${place}{2}(?=(?:,${place}{2})*,${place}{3}(?!${place}))`, 'g');
const thousandsGroup = 3;

/** Whether what is shown is another number by its digits or its marks, whatever the words are beside it. */
export function showsOtherDigits(tokens: readonly FormatToken[]): boolean {
  if (!tokens.some((token) => token.kind === 'literal' && /[\d.,]/.test(token.text))) return false;
  const written = tokens.map(writtenAs).join('');
  const groups = written.replace(indianGroups, '').match(behindMark) ?? [];
  return (
    digitsBehind.test(written) ||
    digitsInFront.test(written) ||
    groups.some(({ length }) => length % thousandsGroup !== 0)
  );
}

function writtenAs(token: FormatToken): string {
  if (token.kind === 'literal') return token.text;
  return token.kind === 'point' ? point : place;
}
