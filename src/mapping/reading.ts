/** The result of reading one cell: a value with notes on what was changed, or faults. */
import Big from 'big.js';
import type { Message } from '../messages/message.ts';
import { messageOf } from '../messages/text.ts';
import { oncePerText } from '../once.ts';
import { excelDigits, longestCell, roundToExcel } from '../tables/excel-limits.ts';
import type { Cell, NumberCell } from '../tables/row.ts';

export type FilledCell = Exclude<Cell, null>;

export type Reading<Value = unknown> =
  | { readonly ok: true; readonly value: Value; readonly notes: readonly Message[] }
  | { readonly ok: false; readonly faults: readonly Message[] };

export type ValueReader = (cell: FilledCell) => Reading;

/** V8 cuts a longer text out of the piece of the file that it stands in, and keeps all of that. */
const longestRepeated = 12;

/** Columns repeat short texts: states, statuses, days. Each is read once. */
export function readOnce<Read>(read: (cell: FilledCell) => Read): (cell: FilledCell) => Read {
  const known = oncePerText(read);
  return (cell) => (typeof cell === 'string' && cell.length <= longestRepeated ? known(cell) : read(cell));
}

const nothing: readonly Message[] = [];

export function value<Value>(value: Value): Reading<Value> {
  return { ok: true, value, notes: nothing };
}

export function changed<Value>(value: Value, note: Message): Reading<Value> {
  return { ok: true, value, notes: [note] };
}

export function noted<Read extends Extract<Reading, { ok: true }>>(reading: Read, note: Message): Read {
  return { ...reading, notes: [...reading.notes, note] };
}

export function fault(...faults: readonly Message[]): Reading<never> {
  return { ok: false, faults };
}

export function isBlank(cell: Cell | undefined): boolean {
  return cell === null || cell === undefined || (typeof cell === 'string' && cell.trim() === '');
}

export function trimmedText(cell: Cell | undefined): string {
  return cell === null || cell === undefined ? '' : shownText(cell).trim();
}

/** Controls, soft hyphens, zero-width blanks and direction marks come from web pages. They are invisible, but make another id. */
export const unseenCharacters = String.raw`\u0000-\u0008\u000e-\u001f\u007f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff`;
/** Programs write `'=x` so that no spreadsheet calculates it. With a second apostrophe behind a word, it is a quotation. */
const unseen = new RegExp(`^'(?=[-=+@])(?!.*(?<!s)'(?!\\p{L}))|[${unseenCharacters}]`, 'gu');

export function withoutUnseen(text: string): string {
  return text.replace(unseen, '');
}

/** In characters. Anything longer can only be free text. */
export const longestValue = 1000;

export function isTooLong(cell: Cell): boolean {
  return typeof cell === 'string' && cell.length > longestValue;
}

/** Whether a text has the length at which spreadsheets, and our results, cut a cell off: one less if half a character went. */
export function isPerhapsCut({ length }: string): boolean {
  return length === longestCell || length === longestCell - 1;
}

export function shownText(cell: FilledCell): string {
  if (typeof cell === 'string') return cell;
  switch (cell.kind) {
    case 'number':
      return cell.percent ? `${roundToExcel(cell.value * percentScale)}%` : cell.shown;
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

/** The text of a cell. Dates, times and formulas get a note: a spreadsheet turns the house number 3-4 into a date. */
export function textOfCell(cell: FilledCell, text: string): Reading {
  if (typeof cell === 'string')
    return text.startsWith('=') && formula.test(text) ? changed(text, messageOf('like-a-formula')) : value(text);
  const form = formOf(cell);
  return form === null ? value(text) : changed(text, messageOf('sent-as-text', { form, text }));
}

/** What a cell is, if its text may differ from what was typed; `null` for any other cell. */
export function formOf(cell: Exclude<FilledCell, string>): Message | null {
  if (cell.kind === 'date') return messageOf('form-date');
  if (cell.kind !== 'number' || cell.inOtherForm === undefined) return null;
  return messageOf(showsTime(cell) ? 'form-time' : 'form-number');
}

/** `https://crm.example/deals/7`, `file:///C:/june.pdf`. */
export function isAddress(text: string): boolean {
  return /^[a-z][a-z\d+.-]+:\/\//i.test(text);
}

export function hasLetterOrDigit(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

export const wordsOfFormats = /\p{L}+[.:]?/gu;

export function showsTime({ inOtherForm, shown }: NumberCell): boolean {
  return inOtherForm === true && shown.includes(':');
}

const formula = /^=\s*[-+("$@\p{L}\d]/u;

/** Faults that every field can have: a text cut off, an error value, a formula without a result, lost letters or digits. */
export function faultOfAnyField(cell: FilledCell): Message | null {
  if (typeof cell === 'string' && isPerhapsCut(cell)) return messageOf('perhaps-cut');
  if (typeof cell === 'string') return cell.includes('\ufffd') ? messageOf('letters-lost') : faultOfHashes(cell);
  if (cell.kind === 'error') return messageOf('error-value');
  if (cell.kind === 'formula-without-value') return messageOf('formula-without-value');
  return cell.kind === 'number' && hasLostDigits(cell) ? messageOf('too-many-digits') : null;
}

/** Half of a tenth of a cent. Binary sums are off by more only for numbers in the trillions. */
export const leastLoss = 0.0005;

/** Whether digits of the file are lost. Binary noise, as in 1234.5600000000001, does not count. */
function hasLostDigits({ stored, value }: Extract<FilledCell, { kind: 'number' }>): boolean {
  if (stored.length <= excelDigits) return false;
  return exactNumber(stored).minus(roundToExcel(value)).abs().gte(leastLoss);
}

/** Parses a number that may begin with a plus, or lack digits on one side of its point. */
export function exactNumber(text: string): Big {
  const digits = text.replace(/^\+/, '').replace(/\.(?=e|$)/i, '');
  return new Big(digits.replace(/^(-?)\./, '$10.'));
}

export const percentScale = 100;

/** `#N/A`, `#REF!`, `#NAME?`, `#DIV/0!` and the like, in any language; `Err:522` in LibreOffice. */
const errorValue = /^(?:#(?:[¡¿]?[\p{Lu}/\d_]+[!?]|N\/[A-Z]|NV|GETTING_DATA)|Err:\d{3})$/u;

/** What is wrong with a text that a spreadsheet shows in place of a value, or `null` for any other text. */
export function faultOfHashes(text: string): Message | null {
  if (errorValue.test(text)) return messageOf('error-value');
  return /^#{3,}$/.test(text) ? messageOf('column-too-narrow') : null;
}
