/** The first sheet of an export: as of when, from where, how many, how much, and by what. */

import { columnName } from '../sheets/excel-limits.ts';
import type { OutputCell, SheetWriter } from '../sheets/sheet-writer.ts';
import { type ExportColumn, firstDataRow } from './export-sheet.ts';
import { integer, money, type Summary, type SummaryTable, writeSummary } from './summary-page.ts';

export interface ExportSummary extends Omit<Summary, 'tables'> {
  /** The name of the sheet with the records, and how many there are. */
  readonly sheet: string;
  readonly records: number;
  readonly columns: readonly ExportColumn[];
  readonly totals: readonly ColumnTotal[];
  readonly groups: readonly GroupTable[];
  /** Since last month, or `null`. */
  readonly changes: ChangeCounts | null;
}

export interface ColumnTotal {
  /** Among the columns of the sheet. */
  readonly column: number;
  /** The exact sum in plain digits. */
  readonly sum: string;
}

/** Counts by the values of a column, with the sums of another one. */
export interface GroupTable {
  readonly label: string;
  /** `null` where nothing is summed. */
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
