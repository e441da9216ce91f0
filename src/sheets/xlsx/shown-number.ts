/** A number as its format shows it, where that is more than digits: `INV-0012`, `1,250.00 DR`, `1.3M`. */
import Big from 'big.js';
import type { FormatAddition } from '../cell.ts';
import { excelDigits } from '../excel-digits.ts';
import type { FormatSection } from './format-sections.ts';
import type { FormatToken } from './format-token.ts';
import { turnsSign } from './shown-sign.ts';

export interface ShownNumber {
  /** `null` where the plain number says as much. */
  readonly shown: string | null;
  /** What the format adds to the digits; `null` where it adds marks alone. */
  readonly adds: FormatAddition | null;
}

const groupLength = 3;

/** @returns `null` where the format says no more of the number than its digits */
export function shownNumber(value: number, sections: readonly FormatSection[]): ShownNumber | null {
  const section = sections.find(({ takes }) => takes(value));
  if (section === undefined) return null;
  if (turnsSign(section, value)) return { shown: null, adds: { kind: 'sign', shown: textIn(section, value) } };
  if (showsNothing(section)) return { shown: null, adds: { kind: 'unseen' } };
  if (!section.saysMore) return null;
  const { words, thousands, hasOtherDigits, isOther } = section;
  const adds: FormatAddition | null =
    thousands > 0 || hasOtherDigits ? { kind: 'scale', words } : words === '' ? null : { kind: 'words', words };
  if (isOther) return { shown: String(value), adds };
  return { shown: textIn(section, value), adds };
}

/** `;;;`: neither digits nor a mark, not even a dash. */
export function showsNothing({ tokens, isOther }: FormatSection): boolean {
  return !isOther && tokens.every((token) => token.kind === 'literal' && token.text.trim() === '');
}

function textIn(section: FormatSection, value: number): string {
  const sign = value < 0 && !section.isNegative ? '-' : '';
  return sign + digitsIn(section, Math.abs(value)).trim();
}

/** The tokens of a section in their order, each place with its digits. */
function digitsIn({ tokens, isGrouped, thousands }: FormatSection, value: number): string {
  const point = tokens.findIndex(({ kind }) => kind === 'point');
  const end = point === -1 ? tokens.length : point;
  const [wholePlaces, partPlaces] = [tokens.slice(0, end).filter(isPlace), tokens.slice(end).filter(isPlace)];
  const exact = new Big(value.toPrecision(excelDigits));
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
  return text;
}

type Place = Extract<FormatToken, { kind: 'place' }>;

function isPlace(token: FormatToken): token is Place {
  return token.kind === 'place';
}

/** What stands in each place before the point: one digit, and in the first all that are too many for the format. */
function wholeTexts(whole: string, places: readonly Place[], isGrouped: boolean): string[] {
  const firstZero = places.findIndex(({ mark }) => mark === '0');
  const fewest = firstZero === -1 ? 0 : places.length - firstZero;
  const digits = whole.padStart(fewest, '0');
  return places.map((_, index) => {
    const to = Math.max(0, digits.length - (places.length - 1 - index));
    return grouped(digits, index === 0 ? 0 : Math.max(0, to - 1), to, isGrouped);
  });
}

/** What stands in each place behind the point: zeros at the end only where the format wants them. */
function partTexts(part: string, places: readonly Place[]): string[] {
  let length = part.length;
  while (part.charAt(length - 1) === '0' && places[length - 1]?.mark !== '0') length -= 1;
  return places.map((_, index) => (index < length ? part.charAt(index) : ''));
}

/** Some of the digits, each that has whole groups of three behind it with a mark of thousands. */
function grouped(digits: string, from: number, to: number, isGrouped: boolean): string {
  let text = '';
  for (let index = from; index < to; index += 1) {
    const behind = digits.length - 1 - index;
    text += digits.charAt(index) + (isGrouped && behind > 0 && behind % groupLength === 0 ? ',' : '');
  }
  return text;
}
