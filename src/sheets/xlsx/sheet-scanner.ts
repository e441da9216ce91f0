/**
 * The rows of a sheet, found by a scanner made for them: it knows rows and cells alone, takes nothing else for granted,
 * and refuses what it does not know, so that no row is ever lost in silence.
 */
import type { Cell, SheetRow } from '../cell.ts';
import { inPattern, type NumberLook } from './number-format.ts';
import { dateOfSerial } from './serial-date.ts';
import type { SharedStrings } from './shared-strings.ts';
import { decoded, elementText } from './string-item.ts';
import { damaged } from './zip-entries.ts';

export interface SheetContext {
  readonly part: string;
  readonly strings: SharedStrings;
  readonly looks: readonly NumberLook[];
  readonly date1904: boolean;
}

const mostRows = 1_048_576;
const mostColumns = 16_384;
const longestRow = 64 * 1024 ** 2;

/** @throws DealsheetError `unreadable-source` for a sheet that ends early or is not what a sheet is */
export async function* scanRows(pieces: AsyncIterable<string>, context: SheetContext): AsyncGenerator<SheetRow> {
  let text = '';
  let tags: Tags | null = null;
  let isEnded = false;
  let lastRow = 0;
  let tail = '';
  for await (const piece of pieces) {
    if (isEnded) {
      tail = (tail + piece).slice(-tailLength);
      continue;
    }
    text += piece;
    if (tags === null) {
      const found = sheetDataOf(text);
      if (found === null) continue;
      tags = found.tags;
      text = text.slice(found.end);
      if (found.isEmpty) {
        isEnded = true;
        tail = text.slice(-tailLength);
        continue;
      }
    }
    const taken = takeRows(text, tags, lastRow, context);
    for (const row of taken.rows) if (row.cells.length > 0) yield row;
    lastRow = taken.lastRow;
    text = taken.rest;
    if (taken.isEnded) {
      isEnded = true;
      tail = text.slice(-tailLength);
    }
    if (text.length > longestRow) throw damaged(`a row of ${context.part} after row ${lastRow} has no end`);
  }
  if (!isEnded || tags === null || !tail.trimEnd().endsWith(tags.endOfSheet))
    throw damaged(`${context.part} ends early, after row ${lastRow}`);
}

const tailLength = 200;

interface Tags {
  readonly row: string;
  readonly endOfRow: string;
  readonly cell: string;
  readonly endOfCell: string;
  readonly prefix: string;
  readonly endOfRows: string;
  readonly endOfSheet: string;
}

function sheetDataOf(text: string): { tags: Tags; end: number; isEmpty: boolean } | null {
  const match = /<((?:[\w.-]+:)?)sheetData\s*(\/?)>/.exec(text);
  if (match === null) return null;
  const prefix = match[1] ?? '';
  const tags = {
    row: `<${prefix}row`,
    endOfRow: `</${prefix}row>`,
    cell: `<${prefix}c`,
    endOfCell: `</${prefix}c>`,
    prefix,
    endOfRows: `</${prefix}sheetData>`,
    endOfSheet: `</${prefix}worksheet>`,
  };
  return { tags, end: match.index + match[0].length, isEmpty: match[2] === '/' };
}

interface TakenRows {
  readonly rows: readonly SheetRow[];
  readonly rest: string;
  readonly lastRow: number;
  readonly isEnded: boolean;
}

function takeRows(text: string, tags: Tags, before: number, context: SheetContext): TakenRows {
  const rows: SheetRow[] = [];
  let lastRow = before;
  let start = 0;
  for (;;) {
    start = skipSpace(text, start);
    if (text.startsWith(tags.endOfRows, start)) {
      return { rows, rest: text.slice(start + tags.endOfRows.length), lastRow, isEnded: true };
    }
    const head = text.indexOf('>', start);
    if (head === -1) break;
    if (!isTag(text, start, tags.row))
      throw damaged(`${context.part} holds something else than rows after row ${lastRow}`);
    const isEmpty = text[head - 1] === '/';
    const end = isEmpty ? head + 1 : text.indexOf(tags.endOfRow, head);
    if (end === -1) break;
    const attributes = text.slice(start + tags.row.length, head);
    const number = rowNumber(attributes, lastRow, context);
    const cells = isEmpty ? [] : takeCells(text, head + 1, end, tags, number, context);
    if (cells.length > 0) rows.push({ number, cells, hidden: /\shidden="(?:1|true)"/.test(attributes) });
    lastRow = number;
    start = isEmpty ? end : end + tags.endOfRow.length;
  }
  return { rows, rest: text.slice(start), lastRow, isEnded: false };
}

function rowNumber(attributes: string, before: number, context: SheetContext): number {
  const written = attribute(attributes, 'r');
  const number = written === null ? before + 1 : Number(written);
  if (!Number.isInteger(number) || number <= before || number > mostRows)
    throw damaged(`${context.part} has its rows out of order after row ${before}`);
  return number;
}

function takeCells(text: string, from: number, to: number, tags: Tags, row: number, context: SheetContext): Cell[] {
  const cells: Cell[] = [];
  let start = from;
  let lastColumn = -1;
  for (;;) {
    start = skipSpace(text, start);
    if (start >= to) break;
    const head = text.indexOf('>', start);
    if (!isTag(text, start, tags.cell) || head === -1 || head > to)
      throw damaged(`row ${row} of ${context.part} holds something else than cells`);
    const isEmpty = text.charCodeAt(head - 1) === slash;
    const attributes = text.slice(start + tags.cell.length, isEmpty ? head - 1 : head);
    const close = isEmpty ? head : text.indexOf(tags.endOfCell, head);
    if (close === -1 || close > to) throw damaged(`a cell in row ${row} of ${context.part} has no end`);
    const column = columnOf(attributes, lastColumn, row, context);
    lastColumn = column;
    const cell = isEmpty ? null : cellOf(attributes, text.slice(head + 1, close), tags.prefix, context, row);
    if (cell !== null) {
      while (cells.length < column) cells.push(null);
      cells.push(cell);
    }
    start = isEmpty ? head + 1 : close + tags.endOfCell.length;
  }
  return cells;
}

const slash = 0x2f;

function columnOf(attributes: string, before: number, row: number, context: SheetContext): number {
  const reference = attribute(attributes, 'r');
  if (reference === null) return before + 1;
  let column = 0;
  let index = 0;
  for (; index < reference.length; index += 1) {
    const code = reference.charCodeAt(index);
    if (code < 65 || code > 90) break;
    column = column * 26 + code - 64;
  }
  if (Number(reference.slice(index)) !== row || column - 1 <= before || column > mostColumns) {
    throw damaged(`row ${row} of ${context.part} has a cell out of its place (${reference})`);
  }
  return column - 1;
}

function cellOf(attributes: string, xml: string, prefix: string, context: SheetContext, row: number): Cell {
  const type = attribute(attributes, 't') ?? 'n';
  if (type === 'inlineStr') {
    const inside = between(xml, `${prefix}is`);
    return inside === null ? null : textOrBlank(elementText(inside, context.part));
  }
  const stored = between(xml, `${prefix}v`);
  if (stored === null) return withoutValue(xml, prefix, context);
  switch (type) {
    case 's':
      return sharedString(stored, context, row);
    case 'str':
      return textOrBlank(decoded(stored, context.part));
    case 'b':
      return { kind: 'boolean', value: stored.trim() === '1' || stored.trim() === 'true' };
    case 'e':
      return { kind: 'error', text: decoded(stored, context.part) };
    case 'd':
      return isoDate(stored, context, row);
    case 'n':
      return numberCell(stored.trim(), attributes, context, row);
    default:
      throw damaged(`row ${row} of ${context.part} has a cell of the unknown type ${type}`);
  }
}

function withoutValue(xml: string, prefix: string, context: SheetContext): Cell {
  if (!xml.includes(`<${prefix}f`)) return null;
  const formula = between(xml, `${prefix}f`) ?? '';
  return { kind: 'formula-without-value', formula: decoded(formula, context.part) };
}

function sharedString(stored: string, context: SheetContext, row: number): Cell {
  const text = context.strings.at(Number(stored));
  if (text === undefined) throw damaged(`row ${row} of ${context.part} names a string that is not in the workbook`);
  return textOrBlank(text);
}

function isoDate(stored: string, context: SheetContext, row: number): Cell {
  const match = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}:\d{2})(?:\.\d+)?Z?)?$/.exec(stored.trim());
  if (match === null) throw damaged(`row ${row} of ${context.part} has a date that is none (${stored})`);
  const time = match[2] ?? null;
  return { kind: 'date', day: match[1] ?? '', time: time === '00:00:00' ? null : time };
}

function numberCell(stored: string, attributes: string, context: SheetContext, row: number): Cell {
  if (stored === '') return null;
  const value = Number(stored);
  if (!Number.isFinite(value) || !/^[+-]?[\d.]/.test(stored))
    throw damaged(`row ${row} of ${context.part} has a number that is none (${stored})`);
  const style = attribute(attributes, 's');
  const look = style === null ? undefined : context.looks[Number(style)];
  if (look?.kind === 'date') {
    const date = dateOfSerial(value, context.date1904);
    if (date !== null) return date;
  }
  const shown = look?.kind === 'digits' ? inPattern(value, look.pattern) : plainDigits(value);
  return { kind: 'number', value, stored, shown, percent: look?.kind === 'percent' };
}

const largestPlain = 1e21;

/** A number without an exponent where that is exact. */
function plainDigits(value: number): string {
  const text = String(value);
  return text.includes('e') && Number.isInteger(value) && Math.abs(value) < largestPlain
    ? BigInt(value).toString()
    : text;
}

function textOrBlank(text: string): Cell {
  return text === '' ? null : text;
}

/** The text inside the first element of this name, or `null`. */
function between(xml: string, name: string): string | null {
  const start = xml.indexOf(`<${name}`);
  if (start === -1) return null;
  const head = xml.indexOf('>', start);
  if (xml.charCodeAt(head - 1) === slash) return null;
  const end = xml.indexOf(`</${name}>`, head);
  return end === -1 ? null : xml.slice(head + 1, end);
}

function attribute(attributes: string, name: string): string | null {
  const start = attributes.indexOf(` ${name}="`);
  if (start !== -1) {
    const from = start + name.length + 3;
    return attributes.slice(from, attributes.indexOf('"', from));
  }
  return new RegExp(`\\s${name}\\s*=\\s*["']([^"']*)["']`).exec(attributes)?.[1] ?? null;
}

function isTag(text: string, at: number, tag: string): boolean {
  if (!text.startsWith(tag, at)) return false;
  const next = text.charCodeAt(at + tag.length);
  return next === 0x20 || next === 0x3e || next === slash || next === 0x0a || next === 0x0d || next === 0x09;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) break;
    at += 1;
  }
  return at;
}
