/** The first sheet of an export: as of when, from where, how many, how much, and by what. */
import Big from 'big.js';
import type { OutputCell, OutputSheet, SheetWriter, StyleName } from '../sheets/sheet-writer.ts';
import { columnName } from '../sheets/xlsx/cell-reference.ts';
import type { ExportColumn } from './export-column.ts';
import { firstDataRow, totalLabel } from './export-sheet.ts';
import { headers, integer, money, styled, summarySheetName } from './summary-cells.ts';

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

/** The columns of a table that say what a row is of. */
const columnsInWords = 1;
const nameWidth = 30;
const valueWidth = 20;

export async function addExportSummary(writer: SheetWriter, summary: ExportSummary): Promise<void> {
  const widest = Math.max(3, ...summary.groups.map(({ sums }) => sums.length + 2));
  const output = await writer.addSheet({
    name: summarySheetName,
    columns: [{ width: nameWidth }, ...Array.from({ length: widest }, () => ({ width: valueWidth }))],
    frozenRows: 0,
    frozenColumns: 0,
    filterRow: null,
    place: 'first',
    footer: summary.title,
  });
  const page = new Page(output);
  await page.add(styled(summary.title, 'title'));
  await page.add();
  for (const [name, value] of summary.facts) await page.add(styled(name, 'total'), value);
  if (summary.totals.length > 0) await addTotals(page, summary);
  for (const group of summary.groups) await addGroup(page, group);
  if (summary.changes !== null) await addChanges(page, summary.changes);
  if (summary.notices.length > 0) {
    await page.add();
    await page.add(styled('To know', 'title'));
    for (const notice of summary.notices) await page.add(notice);
  }
}

/** A sheet that knows which row it is at. */
class Page {
  readonly #output: OutputSheet;
  row = 0;

  constructor(output: OutputSheet) {
    this.#output = output;
  }

  async add(...cells: OutputCell[]): Promise<void> {
    this.row += 1;
    await this.#output.addRow(cells);
  }

  addBar(column: number, firstRow: number): void {
    if (this.row >= firstRow) this.#output.addDataBar({ column, firstRow, lastRow: this.row });
  }
}

async function addTotals(page: Page, summary: ExportSummary): Promise<void> {
  await page.add();
  await page.add(styled('Totals', 'title'));
  await page.add(...headers(['Amount', 'Total', 'Negative', 'Sum of the negative', 'Blank'], columnsInWords));
  const lastRow = firstDataRow + summary.records - 1;
  for (const total of summary.totals) {
    const name = columnName(total.column);
    const formula = `SUM('${summary.sheet}'!${name}${firstDataRow}:${name}${lastRow})`;
    await page.add(
      summary.columns[total.column]?.label ?? '',
      { value: { formula, digits: total.sum }, style: 'money' },
      integer(total.negatives),
      money(total.negativeSum),
      integer(total.blanks),
    );
  }
}

async function addGroup(page: Page, group: GroupTable): Promise<void> {
  await page.add();
  await page.add(styled(`By ${lowered(group.label)}`, 'title'));
  const hasShares = group.rows.some(({ share }) => share !== null);
  await page.add(...headers([group.label, 'Records', ...group.sums, ...(hasShares ? ['Share'] : [])], columnsInWords));
  const firstRow = page.row + 1;
  for (const row of group.rows) {
    const share: OutputCell[] = hasShares ? [{ value: row.share, style: 'percent' }] : [];
    await page.add(row.name, integer(row.count), ...row.sums.map(money), ...share);
  }
  page.addBar(group.sums.length > 0 ? 2 : 1, firstRow);
  const lastRow = page.row;
  const sumOf = (index: number, digits: string, style: StyleName): OutputCell => {
    const name = columnName(index);
    return { value: { formula: `SUM(${name}${firstRow}:${name}${lastRow})`, digits }, style };
  };
  const count = group.rows.reduce((sum, row) => sum + row.count, 0);
  const sums = group.sums.map((_, index) =>
    sumOf(index + 2, exactSum(group.rows.map((row) => row.sums[index] ?? '0')), 'total-money'),
  );
  const blank: OutputCell[] = hasShares ? [styled('', 'total')] : [];
  await page.add(styled(totalLabel, 'total'), sumOf(1, String(count), 'total-integer'), ...sums, ...blank);
}

async function addChanges(page: Page, changes: ChangeCounts): Promise<void> {
  await page.add();
  await page.add(styled(`Since ${changes.before}`, 'title'));
  const { added, gone, changed, same } = changes;
  await page.add(...headers(['', 'New', 'Gone', 'Changed', 'The same'], columnsInWords));
  await page.add('Records', ...[added, gone, changed, same].map(integer));
  if (changes.amounts.length === 0) return;
  await page.add();
  await page.add(...headers(['Amount', 'Before', 'Now', 'Change'], columnsInWords));
  for (const [label, before, now, difference] of changes.amounts) {
    await page.add(label, money(before), money(now), money(difference));
  }
}

function exactSum(digits: readonly string[]): string {
  return digits.reduce((sum, each) => sum.plus(each), new Big(0)).toFixed();
}

function lowered(label: string): string {
  return /^[A-Z]{2}/.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1);
}
