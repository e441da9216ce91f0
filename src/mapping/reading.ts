/** What reading one cell gives: a value, perhaps with a word on what was changed, or the reason why there is none. */
import Big from 'big.js';
import type { Cell, FormatAddition } from '../sheets/cell.ts';
import { excelDigits, roundToExcel } from '../sheets/excel-digits.ts';
import { type Remark, remark, remarks } from './remark.ts';
import { isSpreadsheetError } from './spreadsheet-errors.ts';

export type FilledCell = Exclude<Cell, null>;

export type Reading =
  | { readonly ok: true; readonly value: unknown; readonly note: Remark | null }
  | { readonly ok: false; readonly fault: Remark };

export type ValueReader = (cell: FilledCell) => Reading;

export function value(value: unknown): Reading {
  return { ok: true, value, note: null };
}

export function changed(value: unknown, note: Remark): Reading {
  return { ok: true, value, note };
}

/** The same reading with one more thing to say of its value, which goes on from "It …". */
export function noted(reading: Extract<Reading, { ok: true }>, said: Remark): Reading {
  return { ...reading, note: reading.note === null ? said : remarks([reading.note, remark`It ${said}`]) };
}

export function fault(fault: Remark): Reading {
  return { ok: false, fault };
}

/** Whether nothing is to be seen in a cell. */
export function isBlank(cell: Cell | undefined): boolean {
  return cell === null || cell === undefined || (typeof cell === 'string' && cell.trim() === '');
}

/** What is seen of a cell, without blanks around it; empty for a blank one. */
export function trimmedText(cell: Cell | undefined): string {
  return cell === null || cell === undefined ? '' : shownText(cell).trim();
}

/**
 * What comes along from web pages and address books: blanks of no width, and marks of the direction of writing. An id with one is
 * another id, and a person sees no difference.
 */
export const unseenCharacters = String.raw`\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff`;
const unseen = new RegExp(`[${unseenCharacters}]`, 'g');

export function withoutUnseen(text: string): string {
  return text.replace(unseen, '');
}

/** In characters: what is longer is free text, and no value of any other kind. */
export const longestValue = 1000;

export function isTooLong(cell: Cell): boolean {
  return typeof cell === 'string' && cell.length > longestValue;
}

/** What a person sees in the cell: the text, the number in its format, the day. */
export function shownText(cell: FilledCell): string {
  if (typeof cell === 'string') return cell;
  switch (cell.kind) {
    case 'number':
      return cell.percent ? `${plainDecimal(cell.value * percentScale)}%` : cell.shown;
    case 'date':
      return cell.time === null ? cell.day : `${cell.day} ${cell.time}`;
    case 'boolean':
      return cell.value ? 'TRUE' : 'FALSE';
    case 'error':
      return cell.text;
    case 'formula-without-value':
      return `=${cell.formula}`;
  }
}

/**
 * The text of a cell for a field of text. A date is told, and a time: a spreadsheet makes one of many a text, such as the house
 * number 3-4. So is a formula: a file that is text has it in place of what a spreadsheet would show.
 */
export function textOfCell(cell: FilledCell, text: string): Reading {
  if (typeof cell === 'string')
    return text.startsWith('=') && formula.test(text) ? changed(text, asFormula) : value(text);
  if (cell.kind === 'date') return changed(text, remark`is a date in the file, ${sentAsText(text)}`);
  const form = cell.kind === 'number' && cell.adds !== undefined ? formsOfText[cell.adds.kind] : undefined;
  return form === undefined ? value(text) : changed(text, remark`${form} in the file, ${sentAsText(text)}`);
}

/** What a spreadsheet makes of `12:30`, `60:40`, `12E4` and `12 1/2`, whoever typed them as texts; and what nobody sees. */
const formsOfText: Readonly<Partial<Record<FormatAddition['kind'], Remark>>> = {
  time: remark`is a time of day`,
  duration: remark`is a duration`,
  scientific: remark`is a number in scientific form`,
  fraction: remark`is a fraction`,
  unseen: remark`is hidden by the format of its cell`,
};

const formula = /^=\s*[-+("$@\p{L}\d]/u;
const asFormula = remark`begins like a formula, and is sent as the text that it is. If its result is meant, put that into the cell.`;

function sentAsText(text: string): Remark {
  return remark`and is sent as the text ${text}. Format the cell as text if it is none.`;
}

/** The faults that every field has in common: an error value, a formula that nobody has calculated, lost digits. */
export function faultOfAnyField(cell: FilledCell): Remark | null {
  if (typeof cell === 'string') return cell.startsWith('#') ? faultOfHashes(cell) : null;
  if (cell.kind === 'error') return errorFault;
  if (cell.kind === 'formula-without-value') {
    return remark`is a formula whose result is not in the file. Open the file in a spreadsheet program, save it, and try again.`;
  }
  return cell.kind === 'number' && hasLostDigits(cell) ? lostDigitsFault : null;
}

const lostDigitsFault = remark`has more digits than a number can carry exactly (15): a spreadsheet may have rounded it. Check it and write it with fewer digits, or format the column as text and put the whole digits in again.`;

/** Half of a tenth of a cent: what is added up in binary is further off only in numbers of trillions. */
export const leastLoss = 0.0005;

/** Whether digits of the file are lost that are more than noise of the binary form, as in 1234.5600000000001. */
function hasLostDigits({ stored, value }: Extract<FilledCell, { kind: 'number' }>): boolean {
  if (stored.length <= excelDigits) return false;
  const written = new Big(
    stored
      .replace(/^\+/, '')
      .replace(/\.(?=e|$)/i, '')
      .replace(/^(-?)\./, '$10.'),
  );
  return written.minus(roundToExcel(value)).abs().gte(leastLoss);
}

const percentScale = 100;

/** A double as Excel shows it: at most 15 significant digits, no exponent. */
function plainDecimal(number: number): string {
  return String(roundToExcel(number));
}

function faultOfHashes(text: string): Remark | null {
  if (isSpreadsheetError(text)) return errorFault;
  return /^#{3,}$/.test(text) ? tooNarrowFault : null;
}

const tooNarrowFault = remark`is what a spreadsheet shows where a column is too narrow for its numbers. Widen the column there, and export the file again.`;
const errorFault = remark`is an error value of the spreadsheet, not data. Put the value itself into the cell, or empty it.`;
