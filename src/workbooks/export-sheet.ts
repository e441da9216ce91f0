/** The table of an export as a sheet: header, records, totals, and what a person should see at a glance. */

import { columnName } from '../sheets/excel-limits.ts';
import type { OutputCell, OutputValue, SheetWriter } from '../sheets/sheet-writer.ts';
import { integer, money, type Summary, type SummaryTable, writeSummary } from './summary.ts';

/** How the values of a column are read and shown; percentage points as the service gave them: 12.5 is shown as 12.5%. */
export const columnLooks = ['money', 'percent', 'integer', 'number', 'date', 'date-time', 'yes-no', 'text'] as const;
export type ColumnLook = (typeof columnLooks)[number];

export interface ExportColumn {
  readonly label: string;
  readonly look: ColumnLook;
  readonly width: number;
  /** Of no use to the eye. */
  readonly hidden?: true;
}

/** The values of one record, one for each column; a cell with a style of its own keeps it. */
export type ExportRow = readonly OutputCell[];

export interface ExportSheet {
  readonly name: string;
  readonly columns: readonly ExportColumn[];
  readonly rows: Iterable<ExportRow>;
  /** The label of the row of totals, and the exact sum of a column, asked for when all rows have been written; `null` for no totals. */
  readonly totals: { readonly label: string; readonly of: (column: number) => string } | null;
  readonly frozenColumns: number;
}

/** How the label of a totals row begins: such a row is no record when the file is read again. */
export const totalLabel = 'Total';
const firstDataRow = 2;

export async function addExportSheet(writer: SheetWriter, sheet: ExportSheet): Promise<void> {
  const { columns, totals } = sheet;
  const rows = sheet.rows[Symbol.iterator]();
  let next = rows.next();
  const hasTotals = totals !== null && next.done !== true && columns.some(isSummed);
  const output = await writer.addSheet({
    name: sheet.name,
    columns: columns.map(({ width, hidden }) => ({ width, ...(hidden && { hidden }) })),
    frozenRows: 1,
    frozenColumns: Math.min(sheet.frozenColumns, columns.length),
    filterRow: 1,
    place: 'last',
    ...(hasTotals ? { hasTotals } : {}),
  });
  await output.addRow(columns.map(headerOf));
  let lastRow = firstDataRow - 1;
  for (; next.done !== true; next = rows.next()) {
    lastRow += 1;
    const { value: row } = next;
    await output.addRow(columns.map((column, index) => dressed(row[index] ?? null, column)));
  }
  if (hasTotals) {
    await output.addRow(
      columns.map((column, index): OutputCell => {
        if (!isSummed(column)) return { value: index === 0 ? totals.label : null, style: 'total' };
        const name = columnName(index);
        const formula = `SUBTOTAL(${sumOfRowsInView},${name}${firstDataRow}:${name}${lastRow})`;
        return { value: { formula, digits: totals.of(index) }, style: 'total-money' };
      }),
    );
  }
}

export function isSummed({ look }: ExportColumn): boolean {
  return look === 'money';
}

/** The place of the one amount that the table is about: the balance, or the first. */
export function mainAmount(columns: readonly ExportColumn[]): number | null {
  const amounts = columns.flatMap((column, index) => (isSummed(column) ? [index] : []));
  return amounts.find((index) => /^balance\b/i.test(columns[index]?.label ?? '')) ?? amounts[0] ?? null;
}

/** Excel's number for it: the totals follow the filter. */
const sumOfRowsInView = 109;

function headerOf({ label, look }: ExportColumn): OutputCell {
  return { value: label, style: look === 'text' || look === 'yes-no' ? 'header-left' : 'header-right' };
}

/** An amount that no number holds stands as text, and is marked. */
function dressed(value: OutputCell, { look }: ExportColumn): OutputCell {
  if (value === null || typeof value === 'boolean' || isStyled(value)) return value;
  const isNumeric = look === 'money' || look === 'integer' || look === 'percent';
  return { value, style: isNumeric && typeof value === 'string' ? 'warning' : look === 'yes-no' ? 'plain' : look };
}

function isStyled(value: OutputCell): value is Exclude<OutputCell, OutputValue> {
  return typeof value === 'object' && value !== null && 'style' in value;
}

export interface ExportSummary extends Omit<Summary, 'tables'> {
  /** The name of the sheet with the records, and how many there are. */
  readonly sheet: string;
  readonly records: number;
  readonly columns: readonly ExportColumn[];
  readonly totals: readonly ColumnTotal[];
  readonly groups: readonly GroupTable[];
  readonly changes: ChangeCounts | null;
}

export interface ColumnTotal {
  readonly column: number;
  readonly sum: string;
}

/** Counts by the values of a column, with the sums of another one. */
export interface GroupTable {
  readonly label: string;
  readonly sumLabel: string | null;
  readonly rows: readonly { readonly name: string; readonly count: number; readonly sum: string }[];
}

export interface ChangeCounts {
  readonly before: string;
  readonly added: number;
  readonly gone: number;
  readonly changed: number;
  readonly same: number;
  /** Label, sum before, sum now, exact difference. */
  readonly amounts: readonly (readonly [label: string, before: string, now: string, difference: string])[];
}

const widths = [30, 20, 20, 20, 20];

export async function addExportSummary(writer: SheetWriter, summary: ExportSummary): Promise<void> {
  const { totals, groups, changes } = summary;
  const tables = [
    ...(totals.length > 0 ? [totalsTable(summary)] : []),
    ...groups.map(groupTable),
    ...(changes === null ? [] : changeTables(changes)),
  ];
  await writeSummary(writer, widths, { ...summary, tables });
}

function totalsTable({ sheet, records, columns, totals }: ExportSummary): SummaryTable {
  const rows = totals.map(({ column, sum }): readonly OutputCell[] => {
    const name = columnName(column);
    const formula = `SUM('${sheet}'!${name}${firstDataRow}:${name}${firstDataRow + records - 1})`;
    return [columns[column]?.label ?? '', { value: { formula, digits: sum }, style: 'money' }];
  });
  return { title: 'Totals', headers: ['Amount', 'Total'], wordColumns: 1, rows };
}

function groupTable({ label, sumLabel, rows }: GroupTable): SummaryTable {
  return {
    title: `By ${/^[A-Z]{2}/.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1)}`,
    headers: [label, 'Records', ...(sumLabel === null ? [] : [sumLabel])],
    wordColumns: 1,
    rows: rows.map(({ name, count, sum }) => [name, integer(count), ...(sumLabel === null ? [] : [money(sum)])]),
  };
}

function changeTables({ before, added, gone, changed, same, amounts }: ChangeCounts): readonly SummaryTable[] {
  const counts = ['Records', ...[added, gone, changed, same].map(integer)];
  const sums = amounts.map(([label, ...digits]) => [label, ...digits.map(money)]);
  return [
    { title: `Since ${before}`, headers: ['', 'New', 'Gone', 'Changed', 'The same'], wordColumns: 1, rows: [counts] },
    ...(sums.length === 0
      ? []
      : [{ title: null, headers: ['Amount', 'Before', 'Now', 'Change'], wordColumns: 1, rows: sums }]),
  ];
}
