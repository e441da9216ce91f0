/** A number as its format shows it, where that is more than digits: `INV-0012`, `1,250.00 DR`, `1.3M`. */
import Big from 'big.js';
import type { FormatAddition } from '../cell.ts';
import { excelDigits } from '../excel-digits.ts';
import type { FormatSection, FormatToken } from './format-sections.ts';
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
  if (!section.saysMore) return null;
  const { words, thousands, isOther } = section;
  const adds: FormatAddition | null =
    thousands > 0 ? { kind: 'scale', words } : words === '' ? null : { kind: 'words', words };
  if (isOther) return { shown: String(value), adds };
  return { shown: textIn(section, value), adds };
}

function textIn(section: FormatSection, value: number): string {
  const sign = value < 0 && !section.isNegative ? '-' : '';
  return sign + digitsIn(section, Math.abs(value)).trim();
}

function digitsIn({ tokens, isGrouped, thousands }: FormatSection, value: number): string {
  const point = tokens.findIndex(({ kind }) => kind === 'point');
  const end = point === -1 ? tokens.length : point;
  const wholePlaces = tokens.slice(0, end).filter(isPlace);
  const partPlaces = tokens.slice(end).filter(isPlace);
  const exact = new Big(value.toPrecision(excelDigits));
  const scaled = exact.div(new Big(10).pow(groupLength * thousands));
  const [whole = '', part = ''] = scaled.toFixed(partPlaces.length).split('.');
  const firstZero = wholePlaces.findIndex(({ mark }) => mark === '0');
  const fewest = firstZero === -1 ? 0 : wholePlaces.length - firstZero;
  const digits = (whole === '0' ? '' : whole).padStart(fewest, '0');
  const fraction = [...part];
  while (fraction.at(-1) === '0' && partPlaces[fraction.length - 1]?.mark !== '0') fraction.pop();
  let left = wholePlaces.length;
  let text = '';
  for (const token of tokens) {
    if (token.kind === 'literal') text += token.text;
    else if (token.kind === 'point') text += wholePlaces.length === 0 ? `${digits}.` : '.';
    else if (token.kind === 'general') text += exact.toFixed();
    else if (left > 0) {
      const from = left === wholePlaces.length ? 0 : Math.max(0, digits.length - left);
      text += grouped(digits, from, Math.max(0, digits.length - left + 1), isGrouped);
      left -= 1;
    } else text += fraction.shift() ?? '';
  }
  return text;
}

function isPlace(token: FormatToken): token is Extract<FormatToken, { kind: 'place' }> {
  return token.kind === 'place';
}

/** The digits of one place: the first has all those that are too many for the format. */
function grouped(digits: string, from: number, to: number, isGrouped: boolean): string {
  let text = '';
  for (let index = from; index < to; index += 1) {
    const behind = digits.length - 1 - index;
    text += digits.charAt(index) + (isGrouped && behind > 0 && behind % groupLength === 0 ? ',' : '');
  }
  return text;
}
