/** The first sheet of a results workbook: which run it was, what became of the rows, and totals that tie it out. */
import { type RowState, rowStates } from '../contract/row-state.ts';
import type { OutputCell, SheetWriter } from '../sheets/sheet-writer.ts';
import {
  integer,
  money,
  type Summary,
  type SummaryTable,
  styled,
  summarySheetName,
  writeSummary,
} from './summary-page.ts';

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
  /** Rows without an amount, or with one that cannot be read: they are in no sum. */
  readonly unreadable: number;
  /** The sum of the rows that are left out, such as totals: it stands in no other. */
  readonly leftOut: string;
}

/** What the first cell says. By it our Summary is told from a sheet of the person's own with that name. */
export const summaryTitles = { load: 'Results of a load', check: 'Check of a file: nothing was sent' } as const;

/** The name of the fact by which the address is found that the rows went to. */
export const serviceFact = 'Service';

export type SummaryTitle = (typeof summaryTitles)[keyof typeof summaryTitles];

export interface ResultsSummary extends Omit<Summary, 'title' | 'tables'> {
  readonly title: SummaryTitle;
  readonly sheets: readonly SheetTotals[];
}

/** Whether a sheet can be our Summary, by its name. */
export function isSummaryName(name: string): boolean {
  return new RegExp(`^${summarySheetName}( \\(\\d+\\))?$`).test(name);
}

export async function addSummary(writer: SheetWriter, { sheets, ...summary }: ResultsSummary): Promise<void> {
  const states = statesIn(sheets);
  const rows: SummaryTable = {
    title: 'Rows',
    headers: ['Sheet', 'Kind', 'In the source', ...states.map(statusOf)],
    wordColumns: 2,
    rows: [
      ...sheets.map(({ name, kind, rows, byState }) => [
        name,
        kind,
        integer(rows),
        ...states.map((state) => integer(byState[state] ?? 0)),
      ]),
      ...(sheets.length > 1 ? [totalRow(sheets, states)] : []),
    ],
  };
  const widths = [32, 26, 14, ...states.map(() => 20), 20];
  await writeSummary(writer, widths, { ...summary, tables: [rows, ...amountTables(sheets, states)] });
}

function amountTables(sheets: readonly SheetTotals[], all: readonly RowState[]): readonly SummaryTable[] {
  const withAmounts = sheets.flatMap((sheet) => (sheet.amounts === null ? [] : [{ ...sheet, amounts: sheet.amounts }]));
  if (withAmounts.length === 0) return [];
  const states = all.filter((state) => state !== 'left-out');
  const sums = withAmounts.map(({ name, amounts }) => [
    name,
    amounts.label,
    money(amounts.source),
    ...states.map((state) => money(amounts.byState[state] ?? '0')),
    integer(amounts.unreadable),
  ]);
  const leftOut = withAmounts.flatMap(({ name, byState, amounts }) =>
    byState['left-out'] === undefined ? [] : [[name, amounts.label, money(amounts.leftOut)]],
  );
  const title = 'Control totals: the sum in the source is the sum of all states';
  const headers = ['Sheet', 'Amount', 'In the source', ...states.map(statusOf), 'Rows without one'];
  const controls = { title, headers, wordColumns: 2, rows: sums };
  if (leftOut.length === 0) return [controls];
  const apart = { title: 'Left out, and in no sum above', headers: ['Sheet', 'Amount', 'Sum'], wordColumns: 2 };
  return [controls, { ...apart, rows: leftOut }];
}

function statusOf(state: RowState): string {
  return rowStates[state].status;
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
