/** Writes the table of an export as a sheet: header, records and totals. */

import { columnName } from '../tables/excel-limits.ts';
import { isStyled, type OutputCell, type SheetWriter } from '../tables/sheet-writer.ts';

/** How a column's values are read and shown. Percentages are points, as the service gave them: 12.5 shows as 12.5%. */
export const columnLooks = ['money', 'percent', 'integer', 'number', 'date', 'date-time', 'yes-no', 'text'] as const;
export type ColumnLook = (typeof columnLooks)[number];

export interface ExportColumn {
  readonly label: string;
  readonly look: ColumnLook;
  readonly width: number;
  /** Hides a column that is not for people. */
  readonly hidden?: true;
}

export type ExportRow = readonly OutputCell[];

export interface ExportSheet {
  readonly name: string;
  readonly columns: readonly ExportColumn[];
  readonly rows: Iterable<ExportRow>;
  /** The exact sum of a column, called after the last row; `null` for no totals row. */
  readonly totals: ((column: number) => string) | null;
  readonly frozenColumns: number;
}

/** The start of a totals row's label, by which a later load knows that the row is not a record. */
const totalLabel = 'Total';
const firstDataRow = 2;

export async function addExportSheet(writer: SheetWriter, sheet: ExportSheet): Promise<void> {
  const { columns, totals } = sheet;
  const rows = sheet.rows[Symbol.iterator]();
  let next = rows.next();
  const hasTotals = totals !== null && next.done !== true && columns.some(isSummed);
  const output = await writer.addSheet({
    name: sheet.name,
    columns,
    frozenColumns: Math.min(sheet.frozenColumns, columns.length),
    ...(hasTotals && { hasTotals }),
  });
  await output.addRow(columns.map(headerOf));
  let lastRow = firstDataRow - 1;
  for (; next.done !== true; next = rows.next()) {
    lastRow += 1;
    const { value: row } = next;
    await output.addRow(columns.map((column, index) => dressed(row[index] ?? null, column)));
  }
  if (hasTotals) {
    const labelled = columns.findIndex((column) => !isSummed(column));
    await output.addRow(
      columns.map((column, index): OutputCell => {
        if (!isSummed(column)) return { value: index === labelled ? totalLabel : null, style: 'total' };
        const name = columnName(index);
        const formula = `SUBTOTAL(${sumOfRowsInView},${name}${firstDataRow}:${name}${lastRow})`;
        return { value: { formula, digits: totals(index) }, style: 'total-money' };
      }),
    );
  }
}

export function isSummed({ look }: ExportColumn): boolean {
  return look === 'money';
}

/** The column of the main amount: the balance, or the first amount. */
export function mainAmount(columns: readonly ExportColumn[]): number | null {
  const amounts = columns.flatMap((column, index) => (isSummed(column) ? [index] : []));
  return amounts.find((index) => /^balance\b/i.test(columns[index]?.label ?? '')) ?? amounts[0] ?? null;
}

/** Excel's function number for a sum of visible rows, so that the totals follow the filter. */
const sumOfRowsInView = 109;

function headerOf({ label, look }: ExportColumn): OutputCell {
  return { value: label, style: look === 'text' || look === 'yes-no' ? 'header' : 'header-right' };
}

/** Marks an amount that does not fit a number, which is written as text. */
function dressed(value: OutputCell, { look }: ExportColumn): OutputCell {
  if (value === null || typeof value === 'boolean' || isStyled(value)) return value;
  const isNumeric = look === 'money' || look === 'integer' || look === 'percent';
  return { value, style: isNumeric && typeof value === 'string' ? 'warning' : look === 'yes-no' ? 'plain' : look };
}

/** A formula for the sum of a column in a sheet of records, with its result. */
export function sumIn(sheet: string, column: number, records: number, digits: string): OutputCell {
  const name = columnName(column);
  const formula = `SUM('${sheet}'!${name}${firstDataRow}:${name}${firstDataRow + records - 1})`;
  return { value: { formula, digits }, style: 'money' };
}
