/** A number as its format shows it, where that is more than digits: `INV-0012`, `1,250.00 DR`, `1.3M`, `(1,250.00)`. */
import Big from 'big.js';
import type { NumberCell } from '../cell.ts';
import { excelDigits } from '../excel-digits.ts';
import type { FormatSection, FormatToken } from './format-sections.ts';

/** @returns what the format shows and adds, where it says more of the number than its digits */
export function shownNumber(
  value: number,
  sections: readonly FormatSection[],
): Partial<Pick<NumberCell, 'shown' | 'adds'>> {
  const section = sections.find(({ takes }) => takes(value));
  if (section === undefined) return {};
  if (turnsSign(sections, value)) return { adds: { kind: 'sign', shown: textIn(section, value) } };
  if (showsNothing(section)) return { adds: { kind: 'unseen' } };
  const { words, thousands, hasOtherDigits, hasMarkedZeros, isOther, saysMore } = section;
  const isOfPlaces = Number.isInteger(value) && value >= 0;
  if (!saysMore || (words === '' && hasMarkedZeros && !isOfPlaces)) return {};
  const shown = isOther ? String(value) : textIn(section, value);
  if (thousands > 0 || hasOtherDigits) return { shown, adds: { kind: 'scale', words } };
  return words === '' ? { shown } : { shown, adds: { kind: 'words', words } };
}

/** `;;;`: neither digits nor a mark, not even a dash. */
export function showsNothing({ tokens }: FormatSection): boolean {
  return tokens.every((token) => token.kind === 'literal' && token.text.trim() === '');
}

const minus = /^[-\u2010\u2011\u2013\u2212]$/;
/** What says below zero where a section is for such numbers alone: `△1,250` in Japan, `▼1,250`. */
const triangle = /^[△▲▽▼]$/;

/**
 * Whether a number above zero is shown as one below, or the other way round: `(#,##0)` on 1250. Reports are turned so, in which
 * money out is kept as a positive number. Red is a sign of its own.
 */
export function turnsSign(sections: readonly FormatSection[], value: number): boolean {
  const section = sections.find(({ takes }) => takes(value));
  if (section === undefined || value === 0) return false;
  if (section.words !== '' || section.isOther || section.isByCondition) return false;
  const [, before, after] = /^(\D*)\d.*?([^\d]*)$/s.exec(textIn(section, value)) ?? [];
  if (before === undefined || after === undefined) return false;
  const [front, back] = [marksIn(before), marksIn(after)];
  const isNegative = minus.test(front) || (front.includes('(') && back.includes(')'));
  if (value > 0 || isNegative) return value > 0 && isNegative;
  // `1250.-` has a dash for no cents.
  const isNegativeBehind = minus.test(back) && !after.startsWith('.');
  return !section.isColoured && !isNegativeBehind && !triangle.test(front) && !(front === '<' && back === '>');
}

/** What stands there beside a currency and blanks. */
function marksIn(text: string): string {
  return text.replace(/[\p{L}\p{Sc}\s.,']/gu, '');
}

type Place = Extract<FormatToken, { kind: 'place' }>;

function isPlace(token: FormatToken): token is Place {
  return token.kind === 'place';
}

const groupLength = 3;

/** The tokens of a section in their order, each place with its digits. */
function textIn({ tokens, isGrouped, thousands, isNegative }: FormatSection, value: number): string {
  const point = tokens.findIndex(({ kind }) => kind === 'point');
  const end = point === -1 ? tokens.length : point;
  const [wholePlaces, partPlaces] = [tokens.slice(0, end).filter(isPlace), tokens.slice(end).filter(isPlace)];
  const size = Math.abs(value);
  const exact = new Big(Number.isInteger(size) ? size : size.toPrecision(excelDigits));
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
  return (value < 0 && !isNegative ? '-' : '') + text.trim();
}

/** What stands in each place before the point: one digit, and in the first all that are too many for the format. */
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

/** What stands in each place behind the point: zeros at the end only where the format wants them. */
function partTexts(part: string, places: readonly Place[]): string[] {
  let length = part.length;
  while (part.charAt(length - 1) === '0' && places[length - 1]?.mark !== '0') length -= 1;
  return places.map((_, index) => (index < length ? part.charAt(index) : ''));
}
