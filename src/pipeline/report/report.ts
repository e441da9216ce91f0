/** The results of a load or a check: every row of the source with what became of it, and the counts that tie it out. */
import { type Counts, emptyCounts } from '../../contract/row-state.ts';
import { isKnownIn } from '../../ledger/entry-state.ts';
import type { OutputCell, SheetWriter } from '../../sheets/sheet-writer.ts';
import { type ResultRow, type ResultSheet, writeResults } from '../../workbooks/results.ts';
import type { ResultsSummary, SheetTotals, SummaryTitle } from '../../workbooks/results-summary.ts';
import { ChangedRows } from '../decisions/changed-rows.ts';
import { NotesOfRefs } from '../foresight/refs-in-use.ts';
import type { Survey, SurveyedSheet } from '../survey/survey.ts';
import { widthsOf } from './column-widths.ts';
import { type KnownOfRows, reportedRows } from './reported-rows.ts';
import { knownOf, type ResultRowOptions, resultRow, sensitiveColumns } from './result-row.ts';
import { StateTally } from './state-tally.ts';

export interface ReportOptions extends KnownOfRows, ResultRowOptions {
  readonly facts: readonly (readonly [string, OutputCell])[];
  readonly title: SummaryTitle;
  /** CSV has room for one sheet alone. */
  readonly withSummary: boolean;
}

export interface Reported {
  readonly counts: Counts;
  /** Counts and exact sums of each sheet by what became of its rows. */
  readonly totals: readonly SheetTotals[];
  /** What is to be said of rows that are in and say something else by now, or `null`. */
  readonly changedRows: string | null;
}

/** Writes the results and counts what became of the rows. What was written is taken away again where they cannot be whole. */
export async function report(survey: Survey, writer: SheetWriter, options: ReportOptions): Promise<Reported> {
  const tallies = new Map<string, StateTally>();
  const changed = new ChangedRows();
  const moved: string[] = [];
  const refs = new NotesOfRefs();
  const sheets: ResultSheet[] = [];
  try {
    for (const matched of survey.matched.sheets) {
      const surveyed = survey.sheets.find((sheet) => sheet.name === matched.name);
      if (surveyed === undefined) continue;
      const tally = new StateTally(surveyed);
      tallies.set(surveyed.name, tally);
      sheets.push(await resultSheet(surveyed, { tally, changed, refs, moved }, options));
    }
  } catch (error) {
    await writer.abandon();
    throw error;
  }
  const summary = (): ResultsSummary => ({
    title: options.title,
    facts: options.facts,
    sheets: [...tallies.values()].map((tally) => tally.totals()),
    notices: [...[changed.told, refs.told].filter((told) => told !== null), ...moved, ...survey.notices],
  });
  await writeResults(writer, sheets, options.withSummary ? summary : null);
  return reported([...tallies.values()], changed.told);
}

/** Counts what became of the rows without writing anything. */
export async function countStates(survey: Survey, entriesOf: KnownOfRows['entriesOf']): Promise<Reported> {
  const tallies: StateTally[] = [];
  for (const sheet of survey.sheets) {
    const tally = new StateTally(sheet);
    const known = { entriesOf, cameFrom: () => null, refsInUse: () => [], left: 'ready' as const };
    for await (const { state, amount } of reportedRows(sheet, known)) tally.add(state, amount);
    tallies.push(tally);
  }
  return reported(tallies, null);
}

function reported(tallies: readonly StateTally[], changedRows: string | null): Reported {
  return {
    counts: tallies.reduce((counts, tally) => tally.addTo(counts), emptyCounts()),
    totals: tallies.map((tally) => tally.totals()),
    changedRows,
  };
}

/** What is learned of a sheet while its rows are written. */
interface Findings {
  readonly tally: StateTally;
  readonly changed: ChangedRows;
  readonly refs: NotesOfRefs;
  /** Sheets whose rows stand elsewhere than in the source: whole sentences. */
  readonly moved: string[];
}

async function resultSheet(
  sheet: SurveyedSheet,
  { tally, changed, refs, moved }: Findings,
  options: ReportOptions,
): Promise<ResultSheet> {
  const sensitive = sensitiveColumns(sheet);
  async function* rows(): AsyncGenerator<ResultRow> {
    let place = headerRow;
    let isMoved = false;
    for await (const judged of reportedRows(sheet, options)) {
      place += 1;
      if (!isMoved && judged.source.number !== place) {
        isMoved = true;
        moved.push(
          `${sheet.name}: rows are named by their numbers in the file, as in the Run column: its row ${judged.source.number} stands in row ${place} here.`,
        );
      }
      tally.add(judged.state, judged.amount);
      refs.look(judged.problems);
      if (isKnownIn(judged.state)) changed.look(sheet.name, judged.source.number, knownOf(judged).message);
      yield resultRow(judged, sheet, sensitive, options);
    }
  }
  return {
    name: sheet.name,
    headers: sheet.header.headers.slice(sheet.ownColumns),
    mostCells: sheet.mostCells - sheet.ownColumns,
    widths: await widthsOf(sheet),
    rows: rows(),
  };
}

/** In a results sheet the headers stand in the first row, and no row is blank. */
const headerRow = 1;
