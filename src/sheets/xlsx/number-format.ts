/** What a number format shows for a number: a date, a percentage, or digits and words (`INV-0012`, `1.3M`). */
import Big from 'big.js';
import { format, formatColor, isValidFormat } from 'numfmt';
import { exactSize, type NumberCell, showsNumber } from '../cell.ts';
import { roundToExcel } from '../excel-limits.ts';

export type NumberLook = {
  /** The currency sign, if it is not the dollar. */
  readonly currency?: string | undefined;
} & Form;

type Form =
  /** `form`: a fraction or a power of ten. `duration`: hours beyond a day, such as `[h]:mm`. */
  | { readonly kind: 'plain' | 'percent' | 'form' | 'duration' }
  /** Longer than Excel allows, so it is not evaluated. */
  | { readonly kind: 'too long' }
  /** A date, whose format may show only a month, a year or the time. */
  | { readonly kind: 'date'; readonly shows?: 'no day' | 'time alone' }
  /** More than the number: `00-0000000`, `"INV-"0000`, `#,##0.00" DR"`, thousands, or another sign. */
  | { readonly kind: 'sections'; readonly sections: string; readonly isOfZeroAlone: boolean };

const date: NumberLook = { kind: 'date' };
const dateWithoutDay: NumberLook = { kind: 'date', shows: 'no day' };
const timeAlone: NumberLook = { kind: 'date', shows: 'time alone' };

/** The built-in formats, each up to this id (ECMA-376 18.8.30). Those from 27 on are East Asian. */
const builtIn: readonly (readonly [number, NumberLook])[] = [
  [8, { kind: 'plain' }],
  [10, { kind: 'percent' }],
  [13, { kind: 'form' }],
  [16, date],
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
  if (/[ymdhs]/i.test(letters)) return dateLook(letters);
  if (bare.includes('%')) return { kind: 'percent' };
  if (/[#0?](?:e[+-]|\/[#0?\d])/i.test(bare)) return { kind: 'form' };
  const sections = canonical(code);
  const currency = currencyIn(code);
  if (!isValidFormat(sections) || /[%/]/.test(withoutTexts(sections))) return { kind: 'plain', currency };
  const others = samples.filter((value) => Object.keys(shownNumber(value, sections)).length > 0);
  if (others.length === 0) return { kind: 'plain', currency };
  return { kind: 'sections', currency, sections, isOfZeroAlone: others.every((value) => value === 0) };
}

/** `[$€-407]`, `[$kr.-406]`, `"EUR"`, or a bare sign. */
function currencyIn(code: string): string | undefined {
  const [, ...currencies] = /\[\$([^\]-]+)|"\s*([A-Z]{3})\s*"|([^\P{Sc}$])/u.exec(code) ?? [];
  return currencies.find((sign) => sign !== undefined && !/^(?:(?:US)?\$|USD)$/.test(sign));
}

function dateLook(letters: string): NumberLook {
  if (/(?<!d)d{1,2}(?!d)/i.test(letters)) return date;
  return /[hs]/i.test(letters) && !/[yd]|mmm/i.test(letters) ? timeAlone : dateWithoutDay;
}

/** @returns what the format shows, or nothing if it shows just the number */
export function shownNumber(value: number, code: string): Partial<Pick<NumberCell, 'shown' | 'inOtherForm'>> {
  const text = textIn(code, value);
  if (text === overflow || /\dE[+-]\d/.test(text)) return {};
  if (text === '') return { inOtherForm: true };
  const lacksMinus = value < 0 && formatColor(code, value) !== undefined && !/^\D*[-(]/.test(text);
  const shown = lacksMinus ? `-${text}` : text;
  if (showsNumber(shown, roundToExcel(value)) && !/^[^\d.]*0\d/.test(shown)) return {};
  // A format of zeros only is for whole numbers of at least 0. For any other number it would show a different value.
  const isOfDigits = ofZeros.test(withoutTexts(code)) && !/[\p{L}.]/u.test(shown);
  return isOfDigits && !(Number.isInteger(value) && value >= 0) ? {} : { shown };
}

/** Excel shortens a number without a format to the width of its column. Here it has all its digits. */
function textIn(code: string, value: number): string {
  const text = format(code, value).trim();
  if (!code.includes(general)) return text;
  const exact = new Big(exactSize(value)).toFixed();
  const filled = () => code.replace(anyText, (part) => (part === general ? `"${exact}"` : part));
  return text.includes(exact) ? text : format(filled(), value).trim();
}

/** What is shown where no section takes a number. */
const overflow = '######';
const general = 'General';
const anyText = /\\.|"[^"]*"|General/g;
const withoutTexts = (code: string) => code.replace(/\\.|"[^"]*"|\[[^\]]*\]/g, '');

/** A section with two places or more, all of them zeros. */
const ofZeros = /(?:^|;)[^#.;0]*0[^#.;0]*0[^#.;]*(?:;|$)/;

const piece = /\[[^[\]]*\]|"[^"]*"?|\\.|_.|\*.|general|e[+-]|,+\.[#0?]*|./gis;
/** `[Red]` or `[Color 10]`, in any language. The color takes the place of a minus, which text cannot show. */
const colour = /^\[\p{L}+\s?\d*\]$/u;

/** Quotes all that is shown as it stands. Languages and calendars are left out, since they do not change the number. */
function canonical(code: string): string {
  const quoted = (text: string) => (text === '"' ? '\\"' : `"${text}"`);
  return code.replace(piece, (written) => {
    switch (written.charAt(0)) {
      case '"':
        return quoted(written.replaceAll('"', ''));
      case '\\':
        return quoted(written.slice(1));
      case '_':
        return quoted(' ');
      case '*':
        return '';
      case '?':
        return '#';
      case ',':
        // Commas before the point divide by thousands, as those behind the last place do.
        return written.replace(/^(,+)(.*)/, '$2$1').replaceAll('?', '#');
      case '[':
        // Without a text, a section of a condition alone would show the number.
        if (/^\[[<>=]/.test(written)) return `${written}""`;
        // The currency of a locale is a sign, not a word.
        return /^\[\$[^-\]]/.test(written) ? quoted('$') : colour.test(written) ? '[Red]' : '';
      default:
        if (/^general$/i.test(written)) return general;
        return /^(?:[0#.;/@%]|e[+-])$/i.test(written) ? written : quoted(written);
    }
  });
}
