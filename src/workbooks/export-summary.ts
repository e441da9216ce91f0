/** The first sheet of an export: as of when, from where, how many, how much, and by what. */
import type { OutputCell, SheetWriter } from '../sheets/sheet-writer.ts';
import { columnName } from '../sheets/xlsx/cell-reference.ts';
import { type ExportColumn, firstDataRow } from './export-sheet.ts';
import { integer, money, SummaryPage, summarySheetName } from './summary-page.ts';

export interface ExportSummary {
  readonly title: string;
  readonly facts: readonly (readonly [name: string, value: OutputCell])[];
  /** The name of the sheet with the records, and how many there are. */
  readonly sheet: string;
  readonly records: number;
  readonly columns: readonly ExportColumn[];
  readonly totals: readonly ColumnTotal[];
  readonly groups: readonly GroupTable[];
  /** Since last month, or `null`. */
  readonly changes: ChangeCounts | null;
  /** Whole sentences. */
  readonly notices: readonly string[];
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
  const { title, facts, totals, groups, changes } = summary;
  const page = await SummaryPage.begin(writer, { name: summarySheetName, title, widths }, facts);
  if (totals.length > 0) await addTotals(page, summary);
  for (const group of groups) await addGroup(page, group);
  if (changes !== null) await addChanges(page, changes);
  await page.addNotices(summary.notices);
}

async function addTotals(page: SummaryPage, { sheet, records, columns, totals }: ExportSummary): Promise<void> {
  await page.beginTable('Totals', ['Amount', 'Total'], 1);
  for (const { column, sum } of totals) {
    const name = columnName(column);
    const formula = `SUM('${sheet}'!${name}${firstDataRow}:${name}${firstDataRow + records - 1})`;
    await page.add(columns[column]?.label ?? '', { value: { formula, digits: sum }, style: 'money' });
  }
}

async function addGroup(page: SummaryPage, { label, sumLabel, rows }: GroupTable): Promise<void> {
  const title = `By ${/^[A-Z]{2}/.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1)}`;
  await page.beginTable(title, [label, 'Records', ...(sumLabel === null ? [] : [sumLabel])], 1);
  for (const { name, count, sum } of rows)
    await page.add(name, integer(count), ...(sumLabel === null ? [] : [money(sum)]));
}

async function addChanges(page: SummaryPage, changes: ChangeCounts): Promise<void> {
  const { before, added, gone, changed, same, amounts } = changes;
  await page.beginTable(`Since ${before}`, ['', 'New', 'Gone', 'Changed', 'The same'], 1);
  await page.add('Records', ...[added, gone, changed, same].map(integer));
  if (amounts.length === 0) return;
  await page.beginTable(null, ['Amount', 'Before', 'Now', 'Change'], 1);
  for (const [label, ...sums] of amounts) await page.add(label, ...sums.map(money));
}
