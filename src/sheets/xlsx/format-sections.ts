/** The code of a number format, taken apart: which of its sections is for which number, and what stands in each. */
import { isCurrency } from './currency-words.ts';
import type { FormatToken } from './format-token.ts';
import { showsOtherDigits } from './literal-digits.ts';

export interface FormatSection {
  /** Whether the number is one of the section's. */
  readonly takes: (value: number) => boolean;
  /** Whether the section alone says of its numbers that they are negative. */
  readonly isNegative: boolean;
  /** Whether a condition, such as `[>=1000]`, says which numbers go into which section. */
  readonly isByCondition: boolean;
  readonly isColoured: boolean;
  readonly tokens: readonly FormatToken[];
  readonly isGrouped: boolean;
  /** How many times the number is divided by a thousand before it is shown. */
  readonly thousands: number;
  /** Whether digits or marks that are not the number's own make another number of it, as 125050 in `0"."00`. */
  readonly hasOtherDigits: boolean;
  /** The words beside the digits that are no currency, such as `DR`; empty for none. */
  readonly words: string;
  /** Whether it shows more than the number: words, marks around zeros as in the number of an invoice, or thousands alone. */
  readonly saysMore: boolean;
  /** Whether something in it is shown otherwise than place by place: an exponent, a fraction, text. */
  readonly isOther: boolean;
}

const piece = /\[[^[\]]*\]|"[^"]*"?|\\.|_.|\*.|general|e[+-]|./gis;
const mostSections = 3;

/** @param code  of a format that is no date */
export function sectionsOf(code: string): readonly FormatSection[] {
  const sections: string[][] = [[]];
  for (const [found] of code.matchAll(piece)) {
    if (found === ';') sections.push([]);
    else sections.at(-1)?.push(found);
  }
  const numeric = sections.slice(0, mostSections);
  const conditions = numeric.map(conditionIn);
  const isByCondition = conditions.some((condition) => condition !== null);
  return numeric.map((pieces, index) => {
    const usual = usualPlace(index, numeric.length, isByCondition);
    const isNegative = usual === isBelowZero;
    const isColoured = pieces.some((each) => colour.test(each));
    return { ...contentOf(pieces), takes: conditions[index] ?? usual, isNegative, isByCondition, isColoured };
  });
}

/** `[Red]`, `[Color 10]`, in whatever language. */
const colour = /^\[\p{L}+\s?\d*\]$/u;

const isBelowZero = (value: number) => value < 0;
const isAny = () => true;

/** One section is for every number; of two, the second is for those below zero; of three, the third is for zero. */
function usualPlace(index: number, count: number, isByCondition: boolean): (value: number) => boolean {
  const isSecond = index === 1;
  if (isByCondition) return isSecond && count === mostSections ? isBelowZero : isAny;
  if (isSecond) return isBelowZero;
  const isFirstOfSeveral = index === 0 && count > 1;
  if (!isFirstOfSeveral) return isAny;
  return count === mostSections ? (value) => value > 0 : (value) => value >= 0;
}

type Comparison = '<' | '<=' | '>' | '>=' | '=' | '<>';

const comparisons: Readonly<Record<Comparison, (bound: number) => (value: number) => boolean>> = {
  '<': (bound) => (value) => value < bound,
  '<=': (bound) => (value) => value <= bound,
  '>': (bound) => (value) => value > bound,
  '>=': (bound) => (value) => value >= bound,
  '=': (bound) => (value) => value === bound,
  '<>': (bound) => (value) => value !== bound,
};

/** `[>=1000]` */
function conditionIn(pieces: readonly string[]): ((value: number) => boolean) | null {
  for (const each of pieces) {
    const [, comparison, written] = /^\[(<=|>=|<>|<|>|=)\s*(-?[\d.]+)\]$/.exec(each) ?? [];
    if (comparison === undefined) continue;
    return comparisons[comparison as Comparison](Number(written));
  }
  return null;
}

type Content = Omit<FormatSection, 'takes' | 'isNegative' | 'isByCondition' | 'isColoured'>;

function contentOf(pieces: readonly string[]): Content {
  const tokens: FormatToken[] = [];
  let text = '';
  let isOther = false;
  let isGrouped = false;
  // Commas before another place are marks of thousands; at the end of the places, or before the point, they take thousands off.
  let commas = 0;
  let commasAtPoint: number | null = null;
  for (const each of pieces) {
    const token = tokenOf(each);
    if (token === null) continue;
    if (token === 'comma') commas += 1;
    else if (token === 'other') isOther = true;
    else {
      if (token.kind === 'place') isGrouped ||= commas > 0 && commasAtPoint === null;
      if (token.kind === 'point') commasAtPoint = commas;
      if (token.kind !== 'literal') commas = 0;
      const isWord = token.kind === 'literal' && !each.startsWith('[');
      text += isWord ? token.text : ' ';
      tokens.push(token);
    }
  }
  const words = wordsIn(text);
  const thousands = commas + (commasAtPoint ?? 0);
  const hasOtherDigits = !isOther && showsOtherDigits(tokens);
  const saysMore = words !== '' || thousands > 0 || hasOtherDigits || (!isOther && hasMarkedZeros(tokens));
  return { tokens, words, isOther, isGrouped, thousands, hasOtherDigits, saysMore };
}

function hasMarkedZeros(tokens: readonly FormatToken[]): boolean {
  const zeros = tokens.filter((token) => token.kind === 'place' && token.mark === '0').length;
  const literals = tokens.flatMap((token) => (token.kind === 'literal' ? [token.text] : []));
  const marks = literals.join('');
  if (zeros + literals.length < tokens.length || zeros === 0 || /[\p{Sc}%]/u.test(marks)) return false;
  return zeros > 1 || beyondSigns.test(marks);
}

/** Beside one zero, brackets and signs are those of a number. */
const beyondSigns = /[^\s()+-]/;

function tokenOf(written: string): FormatToken | 'comma' | 'other' | null {
  switch (written.charAt(0)) {
    case '0':
    case '#':
    case '?':
      return { kind: 'place', mark: written as '0' | '#' | '?' };
    case '.':
      return { kind: 'point' };
    case ',':
      return 'comma';
    case '"':
      return { kind: 'literal', text: written.replaceAll('"', '') };
    case '\\':
      return { kind: 'literal', text: written.slice(1) };
    case '_':
      return { kind: 'literal', text: ' ' };
    case '*':
      return null;
    case '[': {
      const currency = /^\[\$([^-\]]*)/.exec(written)?.[1] ?? '';
      return currency === '' ? null : { kind: 'literal', text: currency };
    }
    case '/':
    case '@':
    case '%':
      return 'other';
    default:
      if (/^general$/i.test(written)) return { kind: 'general' };
      return /^e[+-]$/i.test(written) ? 'other' : { kind: 'literal', text: written };
  }
}

function wordsIn(text: string): string {
  return text
    .split(/\s+/)
    .filter((word) => /\p{L}/u.test(word) && !isCurrency(word))
    .join(' ');
}
