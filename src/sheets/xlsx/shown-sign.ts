/**
 * The sign that a person sees of a number, where its format shows another than the number has: `(#,##0)` on 1250. Reports are
 * turned so, in which money out is kept as a positive number.
 */
import type { FormatSection } from './format-sections.ts';
import type { FormatToken } from './format-token.ts';

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
  const { inFront, behind, isOfAccounts } = signsOf(tokens);
  return value > 0 ? inFront : isNegative && !isColoured && !inFront && !behind && !isOfAccounts;
}

interface Signs {
  /** A minus, or brackets around the digits. */
  readonly inFront: boolean;
  readonly behind: boolean;
  /** What says below zero where a section is for such numbers alone: `△1,250` in Japan, `▼1,250`, `<1,250>`. */
  readonly isOfAccounts: boolean;
}

function signsOf(tokens: readonly FormatToken[]): Signs {
  const front = marksIn(tokens.slice(0, tokens.findIndex(isDigit)));
  const last = tokens.findLastIndex(isDigit);
  const back = marksIn(tokens.slice(last + 1));
  const isBracketed = front.includes('(') && back.includes(')');
  return {
    inFront: isBracketed || minus.test(front),
    // `1250.-` has a dash for no cents.
    behind: tokens[last]?.kind !== 'point' && minus.test(back),
    isOfAccounts: triangle.test(front) || (front === '<' && back === '>'),
  };
}

const minus = /^[-\u2010\u2011\u2013\u2212]$/;
const triangle = /^[△▲▽▼]$/;

function isDigit({ kind }: FormatToken): boolean {
  return kind !== 'literal';
}

/** What stands there beside a currency and blanks. */
function marksIn(tokens: readonly FormatToken[]): string {
  const text = tokens.map((token) => (token.kind === 'literal' ? token.text : '')).join('');
  return text.replace(/[\p{L}\p{Sc}\s.']/gu, '');
}
