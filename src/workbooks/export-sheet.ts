/** The table of an export as a sheet: header, records, totals, and what a person should see at a glance. */
import type { OutputCell, OutputValue, SheetWriter, StyleName } from '../sheets/sheet-writer.ts';
import { columnName } from '../sheets/xlsx/cell-reference.ts';
import type { ColumnLook, ExportColumn, ExportRow } from './export-column.ts';

export interface ExportSheet {
  readonly name: string;
  readonly columns: readonly ExportColumn[];
  readonly rows: Iterable<ExportRow>;
  /** The exact sum of a column's values, asked for when all rows have been written. */
  readonly totalOf: (column: number) => string;
  /** The day of the export, `YYYY-MM-DD`: what was due before it is overdue. */
  readonly day: string;
  /** At the foot of every printed page. */
  readonly footer: string;
  /** Columns that stay in view. */
  readonly frozenColumns: number;
}

/** How the label of a totals row begins: such a row is no record when the file is read again. */
export const totalLabel = 'Total';
export const firstDataRow = 2;

/** @returns the number of records written */
export async function addExportSheet(writer: SheetWriter, sheet: ExportSheet): Promise<number> {
  const { columns } = sheet;
  const rows = sheet.rows[Symbol.iterator]();
  let next = rows.next();
  const hasTotals = next.done !== true && columns.some(({ isSummed }) => isSummed);
  const output = await writer.addSheet({
    name: sheet.name,
    columns: columns.map(({ width }) => ({ width })),
    frozenRows: 1,
    frozenColumns: Math.min(sheet.frozenColumns, columns.length),
    filterRow: 1,
    place: 'last',
    ...(hasTotals ? { hasTotals } : {}),
    footer: sheet.footer,
  });
  await output.addRow(columns.map(headerOf));
  const dress = dressedCells(columns, sheet.day);
  let count = 0;
  for (; next.done !== true; next = rows.next()) {
    count += 1;
    await output.addRow(dress(next.value));
  }
  const lastRow = firstDataRow + count - 1;
  if (hasTotals) await output.addRow(columns.map((column, index) => totalCell(column, index, lastRow, sheet.totalOf)));
  const balance = balanceColumn(columns);
  if (count > 0 && balance !== null) output.addDataBar({ column: balance, firstRow: firstDataRow, lastRow });
  return count;
}

/** A header stands above its values: to the right above numbers. */
export function headerOf({ label, look }: ExportColumn): OutputCell {
  return { value: label, style: look === 'text' || look === 'yes-no' ? 'header-left' : 'header-right' };
}

/** The one column that the table is about: the balance, or nothing. */
export function balanceColumn(columns: readonly ExportColumn[]): number | null {
  const balances = columns.flatMap((column, index) => (column.meaning === 'balance' ? [index] : []));
  const plain = balances.find((index) => /^(current |outstanding )?balance$/i.test(columns[index]?.label ?? ''));
  return plain ?? balances[0] ?? null;
}

/** The amount of a cell as a number, for a look at its sign and size; `null` for what is no number. */
function amountIn(value: OutputValue | undefined): number | null {
  if (typeof value === 'number') return value;
  return typeof value === 'object' && value !== null && 'digits' in value ? Number(value.digits) : null;
}

const styleOfLook: Readonly<Record<ColumnLook, StyleName>> = {
  money: 'money',
  percent: 'percent',
  integer: 'integer',
  number: 'number',
  date: 'date',
  'date-time': 'date-time',
  'yes-no': 'plain',
  text: 'text',
};

/** Statuses of loans that somebody should look at. */
const alarming =
  /default|overdue|past.?due|late\b|delinquen|charge.?off|charged.?off|collection|bankrupt|written.?off/i;

/**
 * Gives the cells of a row their looks.
 *
 * @param day  the day of the export, `YYYY-MM-DD`
 */
export function dressedCells(columns: readonly ExportColumn[], day: string): (row: ExportRow) => readonly OutputCell[] {
  const balance = balanceColumn(columns);
  return (row) => {
    const owes = balance === null ? 0 : (amountIn(row[balance]) ?? 0);
    return columns.map((column, index) => dressed(row[index] ?? null, column, { day, owes }));
  };
}

function dressed(
  value: OutputValue,
  column: ExportColumn,
  { day, owes }: { readonly day: string; readonly owes: number },
): OutputCell {
  if (value === null) return null;
  const isNumeric = column.look === 'money' || column.look === 'integer' || column.look === 'percent';
  if (isNumeric && typeof value === 'string') return { value, style: 'warning' };
  const amount = column.meaning === 'overdue' && column.look === 'money' ? amountIn(value) : null;
  if (amount !== null && amount > 0) return { value, style: 'money-bad' };
  if (column.meaning === 'due-date' && typeof value === 'object' && 'day' in value) {
    return { value, style: value.day < day && owes > 0 ? 'date-bad' : 'date' };
  }
  if (column.meaning === 'status' && typeof value === 'string' && alarming.test(value)) return { value, style: 'bad' };
  const style = styleOfLook[column.look];
  return style === 'plain' || typeof value === 'boolean' ? value : { value, style };
}

/** Excel's number for it: the totals follow the filter. */
const sumOfRowsInView = 109;

function totalCell(
  column: ExportColumn,
  index: number,
  lastRow: number,
  totalOf: (column: number) => string,
): OutputCell {
  if (!column.isSummed) return { value: index === 0 ? totalLabel : null, style: 'total' };
  return sumInView(index, lastRow, totalOf(index));
}

/** @param digits  the sum of all rows, for those who do not calculate */
export function sumInView(column: number, lastRow: number, digits: string): OutputCell {
  const name = columnName(column);
  const formula = `SUBTOTAL(${sumOfRowsInView},${name}${firstDataRow}:${name}${lastRow})`;
  return { value: { formula, digits }, style: 'total-money' };
}
