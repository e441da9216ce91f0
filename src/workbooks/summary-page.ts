/** A Summary, the first sheet of a workbook: a title, facts, tables, and what a person should know. */
import type { OutputCell, SheetWriter, StyleName } from '../sheets/sheet-writer.ts';

/** The name of the sheet; one of the person's own with that name keeps it, and ours gives way. */
export const summarySheetName = 'Summary';

export interface SummaryTable {
  readonly title: string | null;
  readonly headers: readonly string[];
  /** How many columns say what a row is of; all others hold numbers, which stand at the right. */
  readonly wordColumns: number;
  readonly rows: readonly (readonly OutputCell[])[];
}

export interface Summary {
  readonly title: string;
  /** Name and value, such as `Run` and its id. */
  readonly facts: readonly (readonly [name: string, value: OutputCell])[];
  readonly tables: readonly SummaryTable[];
  /** What the person should know or do, as whole sentences. */
  readonly notices: readonly string[];
}

export async function writeSummary(writer: SheetWriter, widths: readonly number[], summary: Summary): Promise<void> {
  const { title, facts, tables, notices } = summary;
  const sheet = await writer.addSheet({
    name: summarySheetName,
    columns: widths.map((width) => ({ width })),
    frozenRows: 0,
    frozenColumns: 0,
    filterRow: null,
    place: 'first',
  });
  const titled = (text: string | null) => (text === null ? [[]] : [[], [styled(text, 'title')]]);
  const rows: readonly (readonly OutputCell[])[] = [
    [styled(title, 'title')],
    [],
    ...facts.map(([name, value]) => [styled(name, 'total'), value]),
    ...tables.flatMap((table) => [
      ...titled(table.title),
      table.headers.map((name, index) => styled(name, index < table.wordColumns ? 'header' : 'header-right')),
      ...table.rows,
    ]),
    ...(notices.length === 0 ? [] : titled('To know')),
    ...notices.map((notice) => [notice]),
  ];
  for (const row of rows) await sheet.addRow(row);
}

export function styled(text: string, style: StyleName): OutputCell {
  return { value: text, style };
}

export function integer(count: number): OutputCell {
  return { value: count, style: 'integer' };
}

const moreThanCents = /\.\d{3}/;

/** Rounded to the cent in sight alone, sums would seem not to tie. */
export function money(digits: string): OutputCell {
  return { value: { digits }, style: moreThanCents.test(digits) ? 'money-exact' : 'money' };
}
