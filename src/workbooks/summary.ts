/** Writes a Summary, the first sheet of a workbook: a title, facts, tables and notes. */

import { allStates, type RowState, rowStates } from '../contract/row-state.ts';
import { isStyled, type OutputCell, type SheetWriter, type StyleName } from '../tables/sheet-writer.ts';

/** If the person's own sheet has this name, Dealsheet's gets another. */
const summarySheetName = 'Summary';

export interface SummaryTable {
  readonly title: string | null;
  readonly headers: readonly string[];
  /** Numbers have a style and are aligned right. */
  readonly rows: readonly (readonly OutputCell[])[];
}

export interface Summary {
  readonly title: string;
  /** Name and value, such as `Run` and its id. */
  readonly facts: readonly (readonly [name: string, value: OutputCell])[];
  readonly tables: readonly SummaryTable[];
  readonly notices: readonly string[];
}

export async function writeSummary(writer: SheetWriter, widths: readonly number[], summary: Summary): Promise<void> {
  const { title, facts, tables, notices } = summary;
  const columns = widths.map((width) => ({ width }));
  const sheet = await writer.addSheet({ name: summarySheetName, columns, isSummary: true });
  const filled = tables.filter(({ rows }) => rows.length > 0);
  const titled = (text: string | null) => (text === null ? [[]] : [[], [styled(text, 'title')]]);
  const rows: readonly (readonly OutputCell[])[] = [
    [styled(title, 'title')],
    [],
    ...facts.map(([name, value]) => [styled(name, 'total'), value]),
    ...filled.flatMap((table) => [
      ...titled(table.title),
      table.headers.map((name, index) =>
        styled(name, isStyled(table.rows[0]?.[index] ?? null) ? 'header-right' : 'header'),
      ),
      ...table.rows,
    ]),
    ...(notices.length === 0 ? [] : titled('Notes')),
    ...notices.map((notice) => [notice]),
  ];
  for (const row of rows) await sheet.addRow(row);
}

function styled(text: string, style: StyleName): OutputCell {
  return { value: text, style };
}

export function integer(count: number): OutputCell {
  return { value: count, style: 'integer' };
}

const moreThanCents = /\.\d{3}/;

/** Shows fractions of a cent, because rounded amounts would not seem to add up. */
export function money(digits: string): OutputCell {
  return { value: { digits }, style: moreThanCents.test(digits) ? 'money-exact' : 'money' };
}

export interface SheetTotals {
  readonly name: string;
  readonly kind: string;
  readonly rows: number;
  readonly byState: Readonly<Partial<Record<RowState, number>>>;
  /** Exact sums as decimal digits, or `null` for a sheet without amounts. */
  readonly amounts: AmountTotals | null;
}

export interface AmountTotals {
  readonly label: string;
  readonly source: string;
  readonly byState: Readonly<Partial<Record<RowState, string>>>;
  /** Rows without a readable amount. They are in no sum. */
  readonly unreadable: number;
  /** The sum of the rows that are left out, such as totals. It is in no other sum. */
  readonly leftOut: string;
  /** Rows that are left out without a readable amount, which that sum does not have. */
  readonly leftOutUnreadable: number;
}

/** The text of the first cell. It distinguishes a Summary of Dealsheet from the person's own sheet of that name. */
export const summaryTitles = { load: 'Results of a load', check: 'Check of a file: nothing was sent' } as const;

/** The name of the fact that holds the service's address. */
export const serviceFact = 'Service';

/** The first columns of the table of sheets: the name of each, and its record kind. */
export const kindColumns = ['Sheet', 'Kind'] as const;

export interface ResultsSummary extends Omit<Summary, 'title' | 'tables'> {
  readonly title: (typeof summaryTitles)[keyof typeof summaryTitles];
  readonly sheets: readonly SheetTotals[];
  /** Whether the source has more rows than are here. */
  readonly isPart: boolean;
}

export function addSummary(writer: SheetWriter, { sheets, isPart, ...summary }: ResultsSummary): Promise<void> {
  const sum = (count: (sheet: SheetTotals) => number) => sheets.reduce((total, sheet) => total + count(sheet), 0);
  const states = allStates.filter((state) => sum(({ byState }) => byState[state] ?? 0) > 0);
  const counted = ({ rows, byState }: Pick<SheetTotals, 'rows' | 'byState'>) => [
    integer(rows),
    ...states.map((state) => integer(byState[state] ?? 0)),
  ];
  const byState = Object.fromEntries(states.map((state) => [state, sum((sheet) => sheet.byState[state] ?? 0)]));
  const all = [styled('All', 'total'), null, ...counted({ rows: sum(({ rows }) => rows), byState })];
  const each = sheets.map((sheet) => [sheet.name, sheet.kind, ...counted(sheet)]);
  const whole = isPart ? 'Here' : 'In the source';
  const headers = [...kindColumns, whole, ...states.map(statusOf)];
  const rows = { title: 'Rows', headers, rows: sheets.length > 1 ? [...each, all] : each };
  const widths = [32, 26, 14, ...states.map(() => 24), 24];
  return writeSummary(writer, widths, { ...summary, tables: [rows, ...amountTables(sheets, states, whole)] });
}

function amountTables(
  sheets: readonly SheetTotals[],
  all: readonly RowState[],
  whole: string,
): readonly SummaryTable[] {
  const withAmounts = sheets.flatMap((sheet) => (sheet.amounts === null ? [] : [{ ...sheet, amounts: sheet.amounts }]));
  const states = all.filter((state) => state !== 'left-out');
  const sums = withAmounts.map(({ name, amounts }) => [
    name,
    amounts.label,
    money(amounts.source),
    ...states.map((state) => money(amounts.byState[state] ?? '0')),
    integer(amounts.unreadable),
  ]);
  const leftOut = withAmounts.flatMap(({ name, byState: { 'left-out': rows }, amounts }) => {
    const { label, leftOut, leftOutUnreadable: unreadable } = amounts;
    // Nothing that could be read is no sum of 0.
    return rows === undefined ? [] : [[name, label, unreadable === rows ? null : money(leftOut), integer(unreadable)]];
  });
  const title = `Control totals: the sum ${whole.toLowerCase()} is the sum of all statuses`;
  const headers = ['Sheet', 'Amount', whole, ...states.map(statusOf), 'Rows without an amount'];
  const apart = {
    title: 'Left out, and in no sum above',
    headers: ['Sheet', 'Amount', 'Sum', 'Rows without an amount'],
  };
  return [
    { title, headers, rows: sums },
    { ...apart, rows: leftOut },
  ];
}

function statusOf(state: RowState): string {
  return rowStates[state].status;
}
