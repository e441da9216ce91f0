/** The code of a number format, taken apart: which of its sections is for which number, and what stands in each. */

/** One sign of the code, or a text in it; `general` is the number as it is without a format. */
export type FormatToken =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'place'; readonly mark: '0' | '#' | '?' }
  | { readonly kind: 'point' | 'comma' | 'general' | 'other' };

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
  /** Whether zeros stand between marks or more of them side by side, as in the number of an invoice. */
  readonly hasMarkedZeros: boolean;
  /** The words beside the digits that are no currency, such as `DR`; empty for none. */
  readonly words: string;
  /** Whether it shows more than the number: words, marked zeros, other digits, or thousands alone. */
  readonly saysMore: boolean;
  /** Whether something in it is shown otherwise than place by place: an exponent, a fraction, text. */
  readonly isOther: boolean;
}

const piece = /\[[^[\]]*\]|"[^"]*"?|\\.|_.|\*.|general|e[+-]|./gis;
const mostSections = 3;
/** `[Red]`, `[Color 10]`, in whatever language. */
const colour = /^\[\p{L}+\s?\d*\]$/u;

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
    const isColoured = pieces.some((each) => colour.test(each));
    const takes = conditions[index] ?? usual;
    return { ...contentOf(pieces), takes, isNegative: usual === isBelowZero, isByCondition, isColoured };
  });
}

const isBelowZero = (value: number) => value < 0;
const isAny = () => true;

/** One section is for every number; of two, the second is for those below zero; of three, the third is for zero. */
function usualPlace(index: number, count: number, isByCondition: boolean): (value: number) => boolean {
  if (index === 1 && (!isByCondition || count === mostSections)) return isBelowZero;
  if (isByCondition || index > 0 || count === 1) return isAny;
  return count === mostSections ? (value) => value > 0 : (value) => value >= 0;
}

const comparisons: Readonly<Record<string, (value: number, bound: number) => boolean>> = {
  '<': (value, bound) => value < bound,
  '<=': (value, bound) => value <= bound,
  '>': (value, bound) => value > bound,
  '>=': (value, bound) => value >= bound,
  '=': (value, bound) => value === bound,
  '<>': (value, bound) => value !== bound,
};

/** `[>=1000]` */
function conditionIn(pieces: readonly string[]): ((value: number) => boolean) | null {
  for (const each of pieces) {
    const [, comparison = '', bound] = /^\[([<>=]+)\s*(-?[\d.]+)\]$/.exec(each) ?? [];
    const holds = comparisons[comparison];
    if (holds !== undefined) return (value) => holds(value, Number(bound));
  }
  return null;
}

type Content = Omit<FormatSection, 'takes' | 'isNegative' | 'isByCondition' | 'isColoured'>;

function contentOf(pieces: readonly string[]): Content {
  const all = pieces.map(tokenOf);
  const tokens = all.flatMap((token) => (token === null || token.kind === 'comma' ? [] : token));
  const marks = all.map((token) => (token === null ? '' : (codes[token.kind] ?? ''))).join('');
  // Commas at the end of the places, or before the point, take thousands off; those before another place are marks of thousands.
  const thousands = (marks.match(/,+(?=\.|$)/g) ?? []).join('').length;
  const isGrouped = /^[^.]*,+[^.,]/.test(marks);
  const isOther = tokens.some(({ kind }) => kind === 'other');
  const texts = all.map((token, index) =>
    token?.kind === 'literal' && !pieces[index]?.startsWith('[') ? token.text : token === null ? '' : ' ',
  );
  const words = texts.join('').split(/\s+/).filter(isWord).join(' ');
  const hasOtherDigits = !isOther && showsOtherDigits(tokens);
  const hasMarkedZeros = areMarkedZeros(tokens);
  const saysMore = words !== '' || thousands > 0 || hasOtherDigits || hasMarkedZeros;
  return { tokens, words, isOther, isGrouped, thousands, hasOtherDigits, hasMarkedZeros, saysMore };
}

/** What counts where commas stand: literals do not. */
const codes: Readonly<Partial<Record<FormatToken['kind'], string>>> = {
  place: '0',
  point: '.',
  comma: ',',
  general: 'G',
};

function tokenOf(written: string): FormatToken | null {
  switch (written.charAt(0)) {
    case '0':
    case '#':
    case '?':
      return { kind: 'place', mark: written as '0' | '#' | '?' };
    case '.':
      return { kind: 'point' };
    case ',':
      return { kind: 'comma' };
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
      return { kind: 'other' };
    default:
      if (/^general$/i.test(written)) return { kind: 'general' };
      return /^e[+-]$/i.test(written) ? { kind: 'other' } : { kind: 'literal', text: written };
  }
}

let currencies: ReadonlySet<string> | null = null;

/** Not `USD` or `US$`, but what else stands beside digits, such as `DR` or `INV-`. */
function isWord(text: string): boolean {
  if (!/\p{L}/u.test(text) || /\p{Sc}/u.test(text)) return false;
  currencies ??= new Set(Intl.supportedValuesOf('currency'));
  return !currencies.has(text.replace(/\.$/, ''));
}

/** Beside one zero, brackets and signs are those of a number. */
const beyondSigns = /[^\s()+-]/;

function areMarkedZeros(tokens: readonly FormatToken[]): boolean {
  const zeros = tokens.filter((token) => token.kind === 'place' && token.mark === '0').length;
  const literals = tokens.flatMap((token) => (token.kind === 'literal' ? [token.text] : []));
  const marks = literals.join('');
  if (zeros + literals.length < tokens.length || zeros === 0 || /[\p{Sc}%]/u.test(marks)) return false;
  return zeros > 1 || beyondSigns.test(marks);
}

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

/**
 * Whether digits and marks of the format make another number: `0"."00` shows 125050 as `1250.50`, and `0"000"` shows 12 as
 * `12000`. People keep cents or thousands so, and see amounts.
 */
function showsOtherDigits(tokens: readonly FormatToken[]): boolean {
  if (!tokens.some((token) => token.kind === 'literal' && /[\d.,]/.test(token.text))) return false;
  const written = tokens
    .map((token) => (token.kind === 'literal' ? token.text : token.kind === 'point' ? point : place))
    .join('');
  const groups = written.replace(indianGroups, '').match(behindMark) ?? [];
  return (
    digitsBehind.test(written) ||
    digitsInFront.test(written) ||
    groups.some(({ length }) => length % thousandsGroup !== 0)
  );
}
