/** The first sheet of a results workbook: which run it was, what became of the rows, and totals that tie it out. */
import { type RowState, rowStates } from '../contract/row-state.ts';
import type { OutputCell, SheetWriter } from '../sheets/sheet-writer.ts';
import { integer, money, SummaryPage, styled, summarySheetName } from './summary-page.ts';

export interface SheetTotals {
  readonly name: string;
  readonly kind: string;
  readonly rows: number;
  readonly byState: Readonly<Partial<Record<RowState, number>>>;
  /** Exact sums of the amounts as decimal digits, or `null` for a sheet without amounts. */
  readonly amounts: AmountTotals | null;
}

export interface AmountTotals {
  /** The header of the amount column. */
  readonly label: string;
  readonly source: string;
  readonly byState: Readonly<Partial<Record<RowState, string>>>;
  /** Rows whose amount cannot be read: they are in no sum. */
  readonly unreadable: number;
  /** The sum of the rows that are left out, such as totals: it stands in no other. */
  readonly leftOut: string;
}

/** What the first cell says. By it our Summary is told from a sheet of the person's own with that name. */
export const summaryTitles = { load: 'Results of a load', check: 'Check of a file: nothing was sent' } as const;

/** The name of the fact by which the address is found that the rows went to. */
export const serviceFact = 'Service';

export type SummaryTitle = (typeof summaryTitles)[keyof typeof summaryTitles];

export interface ResultsSummary {
  readonly title: SummaryTitle;
  /** Name and value, such as `Run` and its id. */
  readonly facts: readonly (readonly [string, OutputCell])[];
  readonly sheets: readonly SheetTotals[];
  /** What the person should know or do, as whole sentences. */
  readonly notices: readonly string[];
}

/** Whether a sheet can be our Summary, by its name. */
export function isSummaryName(name: string): boolean {
  return new RegExp(`^${summarySheetName}( \\(\\d+\\))?$`).test(name);
}

export async function addSummary(
  writer: SheetWriter,
  { title, facts, sheets, notices }: ResultsSummary,
): Promise<void> {
  const states = statesIn(sheets);
  const names = states.map((state) => rowStates[state].status);
  const widths = [26, 22, 12, ...states.map(() => 20), 20];
  const page = await SummaryPage.begin(writer, { name: summarySheetName, title, widths }, facts);
  await page.beginTable('Rows', ['Sheet', 'Kind', 'In the source', ...names], 2);
  for (const { name, kind, rows, byState } of sheets)
    await page.add(name, kind, integer(rows), ...states.map((state) => integer(byState[state] ?? 0)));
  if (sheets.length > 1) await page.add(...totalRow(sheets, states));
  await addAmounts(
    page,
    sheets,
    states.filter((state) => state !== 'left-out'),
  );
  await page.addNotices(notices);
}

async function addAmounts(
  page: SummaryPage,
  sheets: readonly SheetTotals[],
  states: readonly RowState[],
): Promise<void> {
  const withAmounts = sheets.flatMap((sheet) => (sheet.amounts === null ? [] : [{ ...sheet, amounts: sheet.amounts }]));
  if (withAmounts.length === 0) return;
  const names = states.map((state) => rowStates[state].status);
  await page.beginTable(
    'Control totals: the sum in the source is the sum of all states',
    ['Sheet', 'Amount', 'In the source', ...names, 'Not readable'],
    2,
  );
  for (const { name, amounts } of withAmounts) {
    const sums = states.map((state) => money(amounts.byState[state] ?? '0'));
    await page.add(name, amounts.label, money(amounts.source), ...sums, integer(amounts.unreadable));
  }
  for (const { name, byState, amounts } of withAmounts)
    if (byState['left-out'] !== undefined)
      await page.add(`${name}: left out, and in no sum above`, amounts.label, money(amounts.leftOut));
}

function totalRow(sheets: readonly SheetTotals[], states: readonly RowState[]): OutputCell[] {
  const sum = (count: (sheet: SheetTotals) => number) => sheets.reduce((total, sheet) => total + count(sheet), 0);
  return [
    styled('All', 'header'),
    null,
    integer(sum((sheet) => sheet.rows)),
    ...states.map((state) => integer(sum((sheet) => sheet.byState[state] ?? 0))),
  ];
}

/** The states that occur, in the order of the results sheet's contract. */
function statesIn(sheets: readonly SheetTotals[]): readonly RowState[] {
  const all = Object.keys(rowStates) as RowState[];
  return all.filter((state) => sheets.some((sheet) => (sheet.byState[state] ?? 0) > 0));
}
