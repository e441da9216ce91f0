/**
 * Amounts and days of last month's file as an export writes them. A spreadsheet program writes them into CSV as its cells show
 * them (`57,071.43`, `57.071,43`, `01.11.2026`). Its one rule: what can be two values is refused, for half an amount or none
 * would be compared in its place.
 */
import { DealsheetError } from '../../errors.ts';
import { looksLikeAmount, readMoney, readPercent } from '../../mapping/values/amounts.ts';
import type { DateOrder } from '../../mapping/values/date-order.ts';
import { readDate } from '../../mapping/values/dates.ts';
import { type DecimalMark, decimalMarkShownBy, isPointOfThousands } from '../../mapping/values/decimal-marks.ts';
import { dateOrderShownBy } from '../../mapping/values/numeric-dates.ts';
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
/** Looks that a spreadsheet program shows with marks of thousands. */
const grouped: readonly ColumnLook[] = ['money', 'integer'];
const days: readonly ColumnLook[] = ['date', 'date-time'];
/** A number as an export writes it. */
export const exactNumber = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;
/** A cell that is too narrow for what it holds (`####`), or holds an error (`#REF!`). */
const showsNoValue = /^\s*#/;
const likeDay = /^\d{1,4}([-/. ])\d{1,2}\1\d{1,4}\b/;

/** @throws DealsheetError `unreadable-source` with the first cell that can be two values, or none */
export function readPreviousValues(file: PreviousFile, columns: readonly ColumnOfBoth[]): void {
  const { name, rows } = file;
  const numberColumns = columns.filter(({ column }) => numbers.includes(column.look));
  const dayColumns = columns.filter(({ column }) => days.includes(column.look));
  const isWritten = ({ values }: PreviousRow) =>
    numberColumns.some(({ before }) => isWrittenNumber(values[before])) ||
    dayColumns.some(({ before }) => isWrittenDay(values[before]));
  const signs: FileSigns = {
    isWritten: rows.some(isWritten),
    isShown: file.isShown,
    saysBalances: file.saysBalances,
    decimal: onlyOne(rows, numberColumns, (text) => (looksLikeAmount(text) ? decimalMarkShownBy(text) : null)),
    order: onlyOne(rows, dayColumns, dateOrderShownBy),
    ungrouped: new Set(numberColumns.filter(({ before }) => rows.some(({ values }) => isUngrouped(values[before])))),
  };
  if (!signs.isWritten && file.saysBalances) return;
  for (const row of rows) {
    const values = [...row.values];
    const read = (one: ColumnOfBoth, plain: PlainReader) => {
      const text = values[one.before] ?? '';
      const value = text.trim() === '' ? text : plain(text, one, signs);
      if (value === null) throw unclear(name, { row, ...one }, text);
      values[one.before] = value;
    };
    for (const one of numberColumns) read(one, plainNumber);
    for (const one of dayColumns) read(one, plainDay);
    row.values = values;
  }
}

/** What the whole file tells of how its values are written. */
interface FileSigns extends Pick<PreviousFile, 'isShown' | 'saysBalances'> {
  /** Whether any number or day is not as an export writes it. */
  readonly isWritten: boolean;
  readonly decimal: DecimalMark | null;
  readonly order: DateOrder | null;
  /** Columns with a number of a thousand or more without a mark of thousands. */
  readonly ungrouped: ReadonlySet<ColumnOfBoth>;
}

type PlainReader = (text: string, one: ColumnOfBoth, signs: FileSigns) => string | null;

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

/** The number as digits, the text itself when it holds no number, or `null` when nobody can tell which number it is. */
function plainNumber(text: string, one: ColumnOfBoth, signs: FileSigns): string | null {
  const { decimal, isWritten, isShown } = signs;
  if (!looksLikeAmount(text)) return isExactAsStored(text, signs) || mayStandAsText(text, one, signs) ? text : null;
  const isExact = exactNumber.test(text);
  if (isExact && decimal === 'point') return text;
  if (isExact && !isWritten && !(isShown && mayBeThousands(text, one, signs))) return text;
  if (decimal === null && /[.,]/.test(text)) return null;
  const reading = (one.column.look === 'percent' ? readPercent : readMoney)(text, decimal ?? 'point');
  return reading.ok ? String(reading.value) : null;
}

/** `5.707143E4` is the whole number in a workbook; where cells are shown, digits have been dropped in front of the `E`. */
function isExactAsStored(text: string, { isShown }: FileSigns): boolean {
  return !isShown && exactNumber.test(text);
}

/**
 * A text beside numbers, such as `pending`. Among amounts, one with digits may be an amount that is not understood
 * (`CHF 57,071.43`, `57K`) and would be compared as none, where neither this month nor the workbook itself tells that such
 * texts belong there; elsewhere it is told as it stands. `####` is no text of anybody's.
 */
function mayStandAsText(text: string, { column }: ColumnOfBoth, { saysBalances }: FileSigns): boolean {
  if (saysBalances || column.holdsTexts) return true;
  return !showsNoValue.test(text) && !(column.look === 'money' && /\p{Nd}/u.test(text));
}

/** `57.071` is as likely shown without its cents, where no other number of the column has a thousand without a mark. */
function mayBeThousands(text: string, one: ColumnOfBoth, { ungrouped }: FileSigns): boolean {
  return grouped.includes(one.column.look) && isPointOfThousands(text) && !ungrouped.has(one);
}

function isUngrouped(text = ''): boolean {
  return /^-?\d{4,}$/.test(text);
}

function plainDay(text: string, _one: ColumnOfBoth, { order }: FileSigns): string | null {
  if (showsNoValue.test(text)) return null;
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
