/** The first sheet of an export: as of when, from where, how many, how much, and by what. */
import Big from 'big.js';
import type { OutputCell, SheetWriter, StyleName } from '../sheets/sheet-writer.ts';
import { columnName } from '../sheets/xlsx/cell-reference.ts';
import { type ExportColumn, firstDataRow, totalLabel } from './export-sheet.ts';
import { integer, money, SummaryPage, styled, summarySheetName } from './summary-page.ts';

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
  /** Exact sums in plain digits. */
  readonly sum: string;
  readonly negatives: number;
  readonly negativeSum: string;
  readonly blanks: number;
}

export interface GroupTable {
  readonly label: string;
  /** The columns whose sums stand beside the counts, the main one first. */
  readonly sums: readonly string[];
  readonly rows: readonly GroupRow[];
}

export interface GroupRow {
  readonly name: string;
  readonly count: number;
  /** In the order of the table's sums. */
  readonly sums: readonly string[];
  /** Of the main sum, from 0 to 100, or `null` where there is none. */
  readonly share: number | null;
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

const nameWidth = 30;
const valueWidth = 20;

export async function addExportSummary(writer: SheetWriter, summary: ExportSummary): Promise<void> {
  const { title, facts, totals, groups, changes } = summary;
  const widest = Math.max(4, ...groups.map(({ sums }) => sums.length + 2));
  const widths = [nameWidth, ...Array.from({ length: widest }, () => valueWidth)];
  const page = await SummaryPage.begin(writer, { name: summarySheetName, title, widths, footer: title }, facts);
  if (totals.length > 0) await addTotals(page, summary);
  for (const group of groups) await addGroup(page, group);
  if (changes !== null) await addChanges(page, changes);
  await page.addNotices(summary.notices);
}

async function addTotals(page: SummaryPage, { sheet, records, columns, totals }: ExportSummary): Promise<void> {
  await page.beginTable('Totals', ['Amount', 'Total', 'Negative', 'Sum of the negative', 'Blank'], 1);
  for (const { column, sum, negatives, negativeSum, blanks } of totals) {
    const name = columnName(column);
    const formula = `SUM('${sheet}'!${name}${firstDataRow}:${name}${firstDataRow + records - 1})`;
    const total: OutputCell = { value: { formula, digits: sum }, style: 'money' };
    await page.add(columns[column]?.label ?? '', total, integer(negatives), money(negativeSum), integer(blanks));
  }
}

async function addGroup(page: SummaryPage, { label, sums, rows }: GroupTable): Promise<void> {
  const hasShares = rows.some(({ share }) => share !== null);
  const title = `By ${/^[A-Z]{2}/.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1)}`;
  await page.beginTable(title, [label, 'Records', ...sums, ...(hasShares ? ['Share'] : [])], 1);
  const firstRow = page.row + 1;
  for (const row of rows) {
    const share: OutputCell[] = hasShares ? [{ value: row.share, style: 'percent' }] : [];
    await page.add(row.name, integer(row.count), ...row.sums.map(money), ...share);
  }
  const lastRow = page.row;
  const totalOf = (index: number, figures: readonly (string | number)[], style: StyleName): OutputCell => {
    const name = columnName(index);
    const digits = figures.reduce<Big>((sum, each) => sum.plus(each), new Big(0)).toFixed();
    return { value: { formula: `SUM(${name}${firstRow}:${name}${lastRow})`, digits }, style };
  };
  const counts = rows.map(({ count }) => count);
  await page.add(
    styled(totalLabel, 'total'),
    totalOf(1, counts, 'total-integer'),
    ...sums.map((_, index) =>
      totalOf(
        index + 2,
        rows.map((row) => row.sums[index] ?? '0'),
        'total-money',
      ),
    ),
    ...(hasShares ? [styled('', 'total')] : []),
  );
}

async function addChanges(page: SummaryPage, changes: ChangeCounts): Promise<void> {
  const { before, added, gone, changed, same, amounts } = changes;
  await page.beginTable(`Since ${before}`, ['', 'New', 'Gone', 'Changed', 'The same'], 1);
  await page.add('Records', ...[added, gone, changed, same].map(integer));
  if (amounts.length === 0) return;
  await page.beginTable(null, ['Amount', 'Before', 'Now', 'Change'], 1);
  for (const [label, ...sums] of amounts) await page.add(label, ...sums.map(money));
}
