/** The table of an export as a sheet: header, records, totals, and what a person should see at a glance. */

import { columnName } from '../sheets/excel-limits.ts';
import { isStyled, type OutputCell, type SheetWriter } from '../sheets/sheet-writer.ts';

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

export type ExportRow = readonly OutputCell[];

export interface ExportSheet {
  readonly name: string;
  readonly columns: readonly ExportColumn[];
  readonly rows: Iterable<ExportRow>;
  /** The exact sum of a column, asked for when all rows have been written; `null` for no row of totals. */
  readonly totals: ((column: number) => string) | null;
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
    header: 'filters',
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
    await output.addRow(
      columns.map((column, index): OutputCell => {
        if (!isSummed(column)) return { value: index === 0 ? totalLabel : null, style: 'total' };
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

/** The sum of a column of records in a sheet, as a formula with its value. */
export function sumIn(sheet: string, column: number, records: number, digits: string): OutputCell {
  const name = columnName(column);
  const formula = `SUM('${sheet}'!${name}${firstDataRow}:${name}${firstDataRow + records - 1})`;
  return { value: { formula, digits }, style: 'money' };
}
