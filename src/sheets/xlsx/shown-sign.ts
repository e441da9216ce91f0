/**
 * The sign that a person sees of a number, where its format shows another than the number has: `(#,##0)` on 1250. Reports are
 * turned so, in which money out is kept as a positive number.
 */
import type { FormatSection, FormatToken } from './format-sections.ts';

/** Whether one of the sections shows a number above zero as one below, or the other way round. */
export function mayTurnSign(sections: readonly FormatSection[]): boolean {
  return [1, -1].some((value) => {
    const section = sections.find(({ takes }) => takes(value));
    return section !== undefined && turnsSign(section, value);
  });
}

/** Whether the section, which takes the number, shows it with the other sign. Red is a sign of its own. */
export function turnsSign(section: FormatSection, value: number): boolean {
  const { tokens, words, isOther, isByCondition, isNegative, isColoured } = section;
  if (value === 0 || words !== '' || isOther || isByCondition || !tokens.some(isDigit)) return false;
  const { inFront, behind } = signsOf(tokens);
  return value > 0 ? inFront : isNegative && !isColoured && !inFront && !behind;
}

interface Signs {
  /** A minus, or brackets around the digits. */
  readonly inFront: boolean;
  readonly behind: boolean;
}

function signsOf(tokens: readonly FormatToken[]): Signs {
  const front = marksIn(tokens.slice(0, tokens.findIndex(isDigit)));
  const last = tokens.findLastIndex(isDigit);
  const back = marksIn(tokens.slice(last + 1));
  const isBracketed = front.includes('(') && back.includes(')');
  // `1250.-` has a dash for no cents.
  return { inFront: isBracketed || minus.test(front), behind: tokens[last]?.kind !== 'point' && minus.test(back) };
}

const minus = /^[-\u2013\u2212]$/;

function isDigit({ kind }: FormatToken): boolean {
  return kind !== 'literal';
}

/** What stands there beside a currency and blanks. */
function marksIn(tokens: readonly FormatToken[]): string {
  const text = tokens.map((token) => (token.kind === 'literal' ? token.text : '')).join('');
  return text.replace(/[\p{L}\p{Sc}\s.']/gu, '');
}
