/**
 * Writes the results: the person's own rows, each with its outcome in front. Works row by row, as CSV or as a workbook
 * with a Summary.
 */
import { type RecordReference, type RowState, rowStates } from '../contract/row-state.ts';
import { isStyled, type OutputCell, type SheetWriter, unstyled } from '../tables/sheet-writer.ts';
import { addSummary, type ResultsSummary } from './summary.ts';

/** Dealsheet's own columns, in front of the person's. Their order is a contract. */
export const resultColumns = ['Status', 'Problems', 'ID', 'Link', 'Company ID', 'Run'] as const;
export type ResultColumn = (typeof resultColumns)[number];

/** The workbook property that marks results, so that a later import knows them. */
export const resultsProperty = 'dealsheet-results';

export interface ResultRow extends RecordReference {
  readonly state: RowState;
  readonly problems: readonly string[];
  /** `RUN#Sheet!12`: the key that identifies the row when the sheet is imported again. */
  readonly key: string;
  /** The person's own cells, masked where required. */
  readonly cells: readonly OutputCell[];
  readonly marks: readonly ResultMark[];
}

export interface ResultMark {
  readonly column: number;
  readonly severity: 'error' | 'warning';
  readonly note: string;
}

export interface ResultSheet {
  readonly name: string;
  readonly headers: readonly OutputCell[];
  /** The largest number of the person's cells in a row. Some may be to the right of the headers. */
  readonly mostCells: number;
  readonly widths: readonly number[];
  readonly rows: AsyncIterable<ResultRow>;
}

/** @param summary called after the last row; `null` for a format with one sheet */
export async function writeResults(
  writer: SheetWriter,
  sheets: readonly ResultSheet[],
  summary: (() => ResultsSummary) | null,
): Promise<void> {
  try {
    for (const sheet of sheets) await writeSheet(writer, sheet);
    if (summary !== null) await addSummary(writer, summary());
    await writer.finish();
  } catch (error) {
    await writer.abandon();
    throw error;
  }
}

/** As narrow as their texts allow, so that a row's name, its message and its red cells fit on one screen. */
const ownWidths: Readonly<Record<ResultColumn, number>> = {
  Status: 22,
  Problems: 48,
  ID: 13,
  Link: 7,
  'Company ID': 13,
  // The key `2026-11-20-01-abcd#Deals!1204` without the name of the sheet.
  Run: 24,
};

const linkWord = 'Open';

async function writeSheet(writer: SheetWriter, sheet: ResultSheet): Promise<void> {
  const output = await writer.addSheet({
    name: sheet.name,
    columns: [
      ...resultColumns.map((column) => ({ width: ownWidths[column] + (column === 'Run' ? sheet.name.length : 0) })),
      ...sheet.widths.map((width) => ({ width })),
    ],
    // The person's first column usually names the row.
    frozenColumns: resultColumns.length + 1,
  });
  const headers = [...resultColumns, ...sheet.headers];
  const ownCells = Math.max(sheet.headers.length, sheet.mostCells);
  const shown = headers.map((cell): OutputCell => ({ value: unstyled(cell), style: 'header' }));
  await output.addRow(padded(shown, resultColumns.length + ownCells));
  for await (const row of sheet.rows) await output.addRow(cellsOf(row, ownCells));
}

/** In CSV, equal numbers of cells and headers show that no cell was split or lost. */
function padded(cells: readonly OutputCell[], length: number): readonly OutputCell[] {
  return cells.length >= length ? cells : [...cells, ...Array<null>(length - cells.length).fill(null)];
}

function cellsOf(row: ResultRow, ownCells: number): readonly OutputCell[] {
  const problems = row.problems.join('\n');
  const cells: OutputCell[] = [
    { value: rowStates[row.state].status, style: rowStates[row.state].look },
    problems === '' ? null : { value: problems, style: 'note' },
    // As text, so that a number that a person types there stays as typed.
    row.state === 'in-doubt' ? { value: row.record, style: 'text' } : row.record,
    row.url === null ? null : { value: { link: row.url, text: linkWord }, style: 'link' },
    row.company,
    row.key,
  ];
  const own = row.marks.length === 0 ? row.cells : marked(row.cells, row.marks);
  return cells.concat(padded(own, ownCells));
}

function marked(cells: readonly OutputCell[], marks: readonly ResultMark[]): readonly OutputCell[] {
  const copy = [...cells];
  for (const mark of marks) {
    while (copy.length <= mark.column) copy.push(null);
    const cell = copy[mark.column] ?? null;
    const isProblem = mark.severity === 'error' || (isStyled(cell) && cell.style === 'problem');
    copy[mark.column] = { value: unstyled(cell), style: isProblem ? 'problem' : 'warning' };
  }
  return copy;
}
