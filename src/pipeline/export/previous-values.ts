/**
 * Amounts and days of last month's file as an export writes them. A spreadsheet program writes them into CSV as its cells show
 * them (`57,071.43`, `57.071,43`, `01.11.2026`). Its one rule: what can be two values is refused, for half an amount or none
 * would be compared in its place.
 */
import { DealsheetError } from '../../errors.ts';
import {
  type DecimalMark,
  decimalMarkShownBy,
  looksLikeAmount,
  readMoney,
  readPercent,
} from '../../mapping/values/amounts.ts';
import { type DateOrder, dateOrderShownBy, readDate } from '../../mapping/values/dates.ts';
import { columnName } from '../../sheets/xlsx/cell-reference.ts';
import type { ColumnLook, ExportColumn } from '../../workbooks/export-column.ts';
import type { PreviousFile, PreviousRow } from './previous-file.ts';
import { isoDate, isoMoment } from './record-shape.ts';

/** A column of both months. */
export interface ColumnOfBoth {
  readonly column: ExportColumn;
  /** Its place in last month's file. */
  readonly before: number;
}

const numbers: readonly ColumnLook[] = ['money', 'percent', 'integer', 'number'];
const days: readonly ColumnLook[] = ['date', 'date-time'];
const exactNumber = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;
const likeDay = /^\d{1,4}([-/. ])\d{1,2}\1\d{1,4}\b/;

/** @throws DealsheetError `unreadable-source` with the first cell that can be two values, or none */
export function readPreviousValues({ name, rows }: PreviousFile, columns: readonly ColumnOfBoth[]): void {
  const numberColumns = columns.filter(({ column }) => numbers.includes(column.look));
  const dayColumns = columns.filter(({ column }) => days.includes(column.look));
  const isWritten = ({ values }: PreviousRow) =>
    numberColumns.some(({ before }) => isWrittenNumber(values[before])) ||
    dayColumns.some(({ before }) => isWrittenDay(values[before]));
  if (!rows.some(isWritten)) return;
  const decimal = onlyOne(rows, numberColumns, (text) => (looksLikeAmount(text) ? decimalMarkShownBy(text) : null));
  const order = onlyOne(rows, dayColumns, dateOrderShownBy);
  for (const row of rows) {
    const values = [...row.values];
    const read = ({ column, before }: ColumnOfBoth, plain: string | null) => {
      if (plain === null) throw unclear(name, { row, column, before }, values[before] ?? '');
      values[before] = plain;
    };
    for (const one of numberColumns) read(one, plainNumber(values[one.before] ?? '', one.column.look, decimal));
    for (const one of dayColumns) read(one, plainDay(values[one.before] ?? '', order));
    row.values = values;
  }
}

function isWrittenNumber(text = ''): boolean {
  return !exactNumber.test(text) && looksLikeAmount(text);
}

function isWrittenDay(text = ''): boolean {
  return !isoDate.test(text) && !isoMoment.test(text) && likeDay.test(text);
}

/** What the texts of all columns say together, for a program writes all of a file alike; `null` where they say nothing or two things. */
function onlyOne<Sign extends string>(
  rows: readonly PreviousRow[],
  columns: readonly ColumnOfBoth[],
  shownBy: (text: string) => Sign | null,
): Sign | null {
  const shown = new Set<Sign>();
  for (const { values } of rows) {
    for (const { before } of columns) {
      const sign = shownBy(values[before] ?? '');
      if (sign !== null) shown.add(sign);
    }
  }
  const [sign] = shown;
  return shown.size === 1 ? (sign ?? null) : null;
}

/** The number as digits, the text itself when it is no number, or `null` when nobody can tell which number it is. */
function plainNumber(text: string, look: ColumnLook, decimal: DecimalMark | null): string | null {
  if (!looksLikeAmount(text)) return text;
  if (decimal === 'point' && exactNumber.test(text)) return text;
  if (decimal === null && /[.,]/.test(text)) return null;
  const reading = (look === 'percent' ? readPercent : readMoney)(text, decimal ?? 'point');
  return reading.ok ? String(reading.value) : null;
}

function plainDay(text: string, order: DateOrder | null): string | null {
  if (!isWrittenDay(text)) return text;
  const reading = readDate(text, order ?? 'unknown');
  return reading.ok ? String(reading.value) : null;
}

interface Place extends ColumnOfBoth {
  readonly row: PreviousRow;
}

function unclear(name: string, { row, column, before }: Place, text: string): DealsheetError {
  return new DealsheetError(
    'unreadable-source',
    `${name}: ${column.label} "${text}" in ${columnName(before)}${row.number} can be more than one value, or none: the months cannot be compared by it.`,
    'Give the workbook (.xlsx) that the export has written, as it is. A spreadsheet program writes amounts and days into CSV as its cells show them: there, only amounts like 57071.43 and days like 2026-11-01 are plain whatever the rest says.',
  );
}
