/** What a number format shows for a number: a date, a percentage, or digits and words (`INV-0012`, `1.3M`). */
import Big from 'big.js';
import { excelDigits } from '../excel-limits.ts';
import type { NumberCell } from '../row.ts';

export type NumberLook = {
  /** The currency sign, if it is not the dollar. */
  readonly currency?: string | undefined;
} & Form;

type Form =
  /** `form`: a fraction or a power of ten. `duration`: hours beyond a day, such as `[h]:mm`. */
  | { readonly kind: 'plain' | 'percent' | 'form' | 'duration' }
  /** Longer than Excel allows, so it is not evaluated. */
  | { readonly kind: 'too long' }
  /** A date, whose format may show only a month, a year or the time, or no year. */
  | { readonly kind: 'date'; readonly shows?: 'no day' | 'no year' | 'time alone' }
  /** More than the number: `00-0000000`, `"INV-"0000`, `#,##0.00" DR"`, thousands, or another sign. */
  | { readonly kind: 'sections'; readonly sections: readonly FormatSection[]; readonly isOfZeroAlone: boolean };

const date: NumberLook = { kind: 'date' };
const dateWithoutDay: NumberLook = { kind: 'date', shows: 'no day' };
const dateWithoutYear: NumberLook = { kind: 'date', shows: 'no year' };
const timeAlone: NumberLook = { kind: 'date', shows: 'time alone' };

/** The built-in formats, each up to this id (ECMA-376 18.8.30). Those from 27 on are East Asian. */
const builtIn: readonly (readonly [number, NumberLook])[] = [
  [8, { kind: 'plain' }],
  [10, { kind: 'percent' }],
  [13, { kind: 'form' }],
  [15, date],
  [16, dateWithoutYear],
  [17, dateWithoutDay],
  [21, timeAlone],
  [22, date],
  [26, { kind: 'plain' }],
  [36, date],
  [44, { kind: 'plain' }],
  [45, timeAlone],
  [46, { kind: 'duration' }],
  [47, timeAlone],
  [48, { kind: 'form' }],
  [49, { kind: 'plain' }],
  [58, date],
];

export function builtInLook(id: number): NumberLook {
  return builtIn.find(([last]) => id <= last)?.[1] ?? { kind: 'plain' };
}

const longestCode = 255;
/** A format that shows these unchanged shows every number unchanged. */
const samples = [1_234_567.891, 12, 0, -12, -1_234_567.891];

export function lookOfCode(code: string): NumberLook {
  if (code.length > longestCode) return { kind: 'too long' };
  const section = (code.split(';')[0] ?? '').replace(/\[(?!h+\]|m+\]|s+\])[^[\]]*\]/gi, '');
  const bare = section.replace(/"[^"]*"|\\.|_.|\*./g, '');
  if (/\[(?:h+|m+|s+)\]/i.test(bare)) return { kind: 'duration' };
  const letters = bare.replace(/general/gi, '').replace(/e[+-]/gi, '');
  if (/[ymdhs]/i.test(letters)) return dateLook(letters, code);
  if (bare.includes('%')) return { kind: 'percent' };
  if (/[#0?](?:e[+-]|\/[#0?\d])/i.test(bare)) return { kind: 'form' };
  const sections = sectionsOf(code);
  const currency = currencyIn(code);
  const others = samples.filter((value) => Object.keys(shownNumber(value, sections)).length > 0);
  if (others.length === 0) return { kind: 'plain', currency };
  return { kind: 'sections', currency, sections, isOfZeroAlone: others.every((value) => value === 0) };
}

/** `[$€-407]`, `[$kr.-406]`, `"EUR"`, `"CA$"`, or a bare sign. */
function currencyIn(code: string): string | undefined {
  const [, ...currencies] =
    /\[\$([^\]-]+)|"\s*([A-Z]{3})\s*"|((?<!\p{L})\p{Lu}\p{L}{0,2}\$|[^\P{Sc}$])/u.exec(code) ?? [];
  return currencies.find((sign) => sign !== undefined && !/^(?:USD?)?\$?$/.test(sign));
}

/** `e` and `b` are years of other calendars, and `[$-F800]` shows the long date of the system. */
function dateLook(letters: string, code: string): NumberLook {
  if (/(?<!d)d{1,2}(?!d)/i.test(letters)) return /[yeb]/i.test(letters) || /-F800/i.test(code) ? date : dateWithoutYear;
  return /[hs]/i.test(letters) && !/[yd]|mmm/i.test(letters) ? timeAlone : dateWithoutDay;
}

/** A symbol of the code, or a literal. `general` is the number without a format. */
type FormatToken =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'place'; readonly mark: string }
  | { readonly kind: 'point' | 'comma' | 'general' | 'other' };

export interface FormatSection {
  readonly takes: (value: number) => boolean;
  /** Whether the section itself marks its numbers as negative, so that they need no minus. */
  readonly hasOwnSign: boolean;
  readonly tokens: readonly FormatToken[];
  readonly isGrouped: boolean;
  /** How many times the number is divided by 1,000. */
  readonly thousands: number;
}

/** @returns what the format shows, or nothing if it shows just the number */
export function shownNumber(
  value: number,
  sections: readonly FormatSection[],
): Partial<Pick<NumberCell, 'shown' | 'inOtherForm'>> {
  const section = sections.find(({ takes }) => takes(value));
  if (section === undefined || section.tokens.some(({ kind }) => kind === 'other')) return {};
  const shown = textIn(section, value);
  if (shown === '') return { inOtherForm: true };
  if (showsNumber(shown, value) && !/^[^\d.]*0\d/.test(shown)) return {};
  // A format of zeros only is for whole numbers of at least 0. For any other number it would show a different value.
  const places = section.tokens.filter(isPlace);
  const isOfDigits = places.length > 1 && places.every(({ mark }) => mark === '0') && !/[\p{L}.]/u.test(shown);
  return isOfDigits && !(Number.isInteger(value) && value >= 0) ? {} : { shown };
}

const piece = /\[[^[\]]*\]|"[^"]*"?|\\.|_.|\*.|general|e[+-]|./gis;
const mostSections = 3;
/** `[Red]` or `[Color 10]`, in any language. The color takes the place of a minus, which text cannot show. */
const colour = /^\[\p{L}+\s?\d*\]$/u;

function sectionsOf(code: string): readonly FormatSection[] {
  const all: string[][] = [[]];
  for (const [found] of code.matchAll(piece)) {
    if (found === ';') all.push([]);
    else all.at(-1)?.push(found);
  }
  const numeric = all.slice(0, mostSections);
  const conditions = numeric.map(conditionIn);
  const isByCondition = conditions.some((condition) => condition !== null);
  return numeric.map((pieces, index) => {
    const usual = usualPlace(index, numeric.length, isByCondition);
    const tokens = pieces.map(tokenOf);
    // Commas after the last place or before the point divide by thousands. Literals between them do not count.
    const marks = tokens
      .map(({ kind }) => ({ place: '0', general: '0', point: '.', comma: ',' })[kind as string] ?? '')
      .join('');
    return {
      takes: conditions[index] ?? usual,
      hasOwnSign: usual === isBelowZero && !pieces.some((each) => colour.test(each)),
      tokens: tokens.filter(({ kind }) => kind !== 'comma'),
      isGrouped: /^[^.]*,+[^.,]/.test(marks),
      thousands: (marks.match(/,+(?=\.|$)/g) ?? []).join('').length,
    };
  });
}

const isBelowZero = (value: number) => value < 0;

/** One section covers all numbers. The second of two covers negative numbers, the third of three covers zero. */
function usualPlace(index: number, count: number, isByCondition: boolean): (value: number) => boolean {
  if (index === 1 && (!isByCondition || count === mostSections)) return isBelowZero;
  if (isByCondition || index > 0 || count === 1) return () => true;
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

function tokenOf(written: string): FormatToken {
  const literal = (text: string): FormatToken => ({ kind: 'literal', text });
  switch (written.charAt(0)) {
    case '0':
    case '#':
    case '?':
      return { kind: 'place', mark: written };
    case '.':
      return { kind: 'point' };
    case ',':
      return { kind: 'comma' };
    case '"':
      return literal(written.replaceAll('"', ''));
    case '\\':
      return literal(written.slice(1));
    case '_':
      return literal(' ');
    case '*':
      return literal('');
    case '[':
      // The currency of a locale is a sign, not a word.
      return literal(/^\[\$[^-\]]/.test(written) ? '$' : '');
    case '/':
    case '@':
    case '%':
      return { kind: 'other' };
    default:
      if (/^general$/i.test(written)) return { kind: 'general' };
      return /^e[+-]$/i.test(written) ? { kind: 'other' } : literal(written);
  }
}

type Place = Extract<FormatToken, { kind: 'place' }>;

function isPlace(token: FormatToken): token is Place {
  return token.kind === 'place';
}

const groupLength = 3;

/** Replaces each place in a section with its digits. */
function textIn({ tokens, isGrouped, thousands, hasOwnSign }: FormatSection, value: number): string {
  const point = tokens.findIndex(({ kind }) => kind === 'point');
  const end = point === -1 ? tokens.length : point;
  const [wholePlaces, partPlaces] = [tokens.slice(0, end).filter(isPlace), tokens.slice(end).filter(isPlace)];
  const exact = new Big(exactSize(value));
  const scaled = exact.div(new Big(10).pow(groupLength * thousands));
  const [whole = '', part = ''] = scaled.toFixed(partPlaces.length).split('.');
  const digits = whole === '0' ? '' : whole;
  const texts = [...wholeTexts(digits, wholePlaces, isGrouped), ...partTexts(part, partPlaces)];
  let text = '';
  for (const token of tokens) {
    if (token.kind === 'literal') text += token.text;
    else if (token.kind === 'general') text += exact.toFixed();
    else if (token.kind === 'place') text += texts.shift() ?? '';
    else text += wholePlaces.length === 0 ? `${digits}.` : '.';
  }
  const hasMinus = value < 0 && !hasOwnSign && !/^\D*[-(]/.test(text);
  return (hasMinus ? '-' : '') + text.trim();
}

/** The digits of each place before the point. The first place also takes those that exceed the format. */
function wholeTexts(whole: string, places: readonly Place[], isGrouped: boolean): string[] {
  const firstZero = places.findIndex(({ mark }) => mark === '0');
  const fewest = firstZero === -1 ? 0 : places.length - firstZero;
  const digits = whole.padStart(fewest, '0');
  const withMark = (digit: string, index: number) => {
    const behind = digits.length - 1 - index;
    return isGrouped && behind > 0 && behind % groupLength === 0 ? `${digit},` : digit;
  };
  const all = [...digits].map(withMark);
  return places.map((_, index) => {
    const to = Math.max(0, all.length - (places.length - 1 - index));
    return all.slice(index === 0 ? 0 : Math.max(0, to - 1), to).join('');
  });
}

/** The digits of each place after the point. Trailing zeros only where the format requires them. */
function partTexts(part: string, places: readonly Place[]): string[] {
  let length = part.length;
  while (part.charAt(length - 1) === '0' && places[length - 1]?.mark !== '0') length -= 1;
  return places.map((_, index) => (index < length ? part.charAt(index) : ''));
}

const minus = /[-\u2010\u2011\u2013\u2212]/;
/** Marks of negative numbers in sections for these alone: `△1,250` in Japan, `<1,250>`. */
const otherMinus = /[△▲▽▼<]/;
/** Characters around the digits: currencies, brackets, signs, blanks, and marks for no cents as in `1250.-`. */
const besideNumbers = /[\p{Sc}\s()<>+\-\u2010\u2011\u2013\u2212△▲▽▼%.,'_]/gu;
let currencies: ReadonlySet<string> | null = null;

export function showsNumber(text: string, value: number): boolean {
  const [, front = '', body = '', back = ''] = /^(\D*?)(\.?\d(?:.*\d)?)?(\D*)$/s.exec(text) ?? [];
  if (!areOfCurrencies(front + back)) return false;
  if (body === '') return value === 0 && text.trim() !== '';
  const isNegative = minus.test(front) || (front.includes('(') && back.includes(')'));
  const isSigned = isNegative || otherMinus.test(front) || (minus.test(back) && !back.startsWith('.'));
  return (value > 0 ? !isNegative : value === 0 || isSigned) && areDigitsOf(body, new Big(exactSize(value)));
}

/** Excel shows 15 digits of a number. The rest is binary noise. */
function exactSize(value: number): string | number {
  const size = Math.abs(value);
  return Number.isInteger(size) ? size : size.toPrecision(excelDigits);
}

/** Whether the words and signs around a number are only currencies, such as `USD` or `US$`. */
function areOfCurrencies(around: string): boolean {
  const words = around.split(/\s+/).filter((word) => !/\p{Sc}/u.test(word));
  const left = words.map((word) => word.replace(besideNumbers, '')).filter((word) => word !== '');
  if (left.length === 0) return true;
  currencies ??= new Set(Intl.supportedValuesOf('currency'));
  return left.every((word) => currencies?.has(word));
}

const lastMark = /^(.*)([.,])(\d*)$/s;
/** Groups of three, or of two before the last three, as in India. */
const grouped = /^\d+$|^\d{1,3}(?:[.,'\s]\d{2,3})*[.,'\s]\d{3}$/;

/** The last mark may precede decimals or thousands, unless it also separates thousands elsewhere. */
function areDigitsOf(body: string, size: Big): boolean {
  const digits = (text: string) => text.replace(/[.,'\s]/g, '');
  if (grouped.test(body) && size.round(0, Big.roundHalfUp).eq(digits(body))) return true;
  const [, whole = '', mark = '', decimals = ''] = lastMark.exec(body) ?? [];
  if (mark === '' || whole.includes(mark) || (whole !== '' && !grouped.test(whole))) return false;
  return size.round(decimals.length, Big.roundHalfUp).eq(`${digits(whole) || '0'}.${decimals}`);
}
