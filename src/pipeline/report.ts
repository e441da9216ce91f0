/** The results of a run, made from the source and the ledger alone: so they can be made again at any time. */
import { basename } from 'node:path';
import { type Counts, emptyCounts, type RowState, rowStates } from '../contract/row-state.ts';
import { DealsheetError } from '../errors.ts';
import { isUnknown } from '../ledger/entry-state.ts';
import type { Entry, RowPosition, RowWithRefInUse, RunRecord, RunRow } from '../ledger/ledger.ts';
import { masked } from '../mapping/masking.ts';
import { shownText } from '../mapping/reading.ts';
import type { RowProblem } from '../mapping/row-problem.ts';
import type { Cell, SheetRow } from '../sheets/cell.ts';
import type { OutputCell, SheetWriter } from '../sheets/sheet-writer.ts';
import { type ResultMark, type ResultRow, type ResultSheet, writeResults } from '../workbooks/results.ts';
import type { ResultsSummary, SheetTotals, SummaryTitle } from '../workbooks/results-summary.ts';
import { ChangedRows } from './changed-rows.ts';
import type { EarlierLoad } from './earlier-loads.ts';
import { type HeldRow, type Standing, textOfKey } from './held-rows.ts';
import { amountOf, type JudgedRow } from './judged-row.ts';
import type { PlannedSheet } from './planned-sheet.ts';
import { NotesOfRefs, noteOfRef } from './refs-in-use.ts';
import { StateTally } from './state-tally.ts';
import { dataRows, needAllRows, type Survey, type SurveyedSheet } from './survey.ts';
import { notCreatedMark } from './typed-ids.ts';

/** Which cells of sensitive columns (SSN, date of birth) are shown as stars. */
export type MaskMode = 'rows that are in' | 'all' | 'none';

export interface ReportOptions {
  /** The run, or `null` for a check, which has none. */
  readonly run: string | null;
  /** The entries of a sheet in the order of their rows. */
  readonly entriesOf: (sheet: string) => Iterable<ReportedEntry>;
  /** What is known of a row of the source by its earlier loads, or `null` when there were none. */
  readonly cameFrom: (position: RowPosition) => EarlierLoad | null;
  /** The rows of a sheet that were sent under the ref of another record, in their order. */
  readonly refsInUse: (sheet: string) => Iterable<RowWithRefInUse>;
  readonly mask: MaskMode;
  readonly facts: readonly (readonly [string, OutputCell])[];
  readonly title: SummaryTitle;
  /** CSV has room for one sheet alone. */
  readonly withSummary: boolean;
}

/** What the ledger knows of a row, or would be told of it. */
export interface ReportedEntry extends Entry {
  /** Of a load that was not begun: the row of an earlier one by which this row is in, or may be. */
  readonly holder?: RunRow | null;
}

export interface Reported {
  readonly counts: Counts;
  /** Counts and exact sums of each sheet by what became of its rows. */
  readonly totals: readonly SheetTotals[];
  /** What is to be said of rows that are in and say something else by now, or `null`. */
  readonly changedRows: string | null;
}

/** Writes the results and counts what became of the rows. */
export async function report(survey: Survey, writer: SheetWriter, options: ReportOptions): Promise<Reported> {
  const tallies = new Map<string, StateTally>();
  const changed = new ChangedRows();
  const moved: string[] = [];
  const refs = new NotesOfRefs();
  const sheets: ResultSheet[] = [];
  for (const planned of survey.plan.sheets) {
    const surveyed = survey.sheets.find((sheet) => sheet.name === planned.name);
    if (surveyed === undefined) continue;
    const tally = new StateTally(surveyed);
    tallies.set(surveyed.name, tally);
    sheets.push(await resultSheet(surveyed, { tally, changed, refs, moved }, options));
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
export async function countStates(survey: Survey, entriesOf: (sheet: string) => Iterable<Entry>): Promise<Reported> {
  const tallies: StateTally[] = [];
  for (const sheet of survey.sheets) {
    const tally = new StateTally(sheet);
    const known = { entriesOf, cameFrom: () => null, refsInUse: () => [] };
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

interface ReportedRow {
  readonly source: SheetRow;
  readonly problems: readonly RowProblem[];
  readonly amount: number | null;
  readonly entry: ReportedEntry | null;
  readonly state: RowState;
  /** What its results sheet says of a row that this run has not come to, or `null`. */
  readonly standing: Standing | null;
  /** What its earlier loads say of a row that this run has not come to, or `null`. */
  readonly earlier: EarlierLoad | null;
}

/**
 * Joins the rows of a sheet with their entries: both come in the order of row numbers.
 *
 * @throws DealsheetError when the rows are not those that were counted, or one that has an entry is not among them: results
 *   without it would look whole
 */
async function* reportedRows(
  sheet: SurveyedSheet,
  { entriesOf, cameFrom, refsInUse }: Pick<ReportOptions, 'entriesOf' | 'cameFrom' | 'refsInUse'>,
): AsyncGenerator<ReportedRow> {
  const iterator = entriesOf(sheet.name)[Symbol.iterator]();
  const refs = refsInUse(sheet.name)[Symbol.iterator]();
  let nextRef = refs.next();
  const factOf = sheet.facts.reader();
  let next = iterator.next();
  let rows = 0;
  for await (const source of dataRows(sheet)) {
    rows += 1;
    if (next.done !== true && next.value.row < source.number) throw rowMissing(next.value);
    const entry = next.done !== true && next.value.row === source.number ? next.value : null;
    if (entry !== null) next = iterator.next();
    const earlier = entry === null ? cameFrom({ sheet: sheet.name, row: source.number }) : null;
    const refInUse = nextRef.done !== true && nextRef.value.row === source.number ? nextRef.value : null;
    if (refInUse !== null) nextRef = refs.next();
    const fact = factOf(source.number);
    if (fact?.isPlain === true && refInUse === null) {
      const state = stateOfEntry(entry) ?? stateOfEarlier(earlier) ?? 'not-sent';
      yield { source, problems: [], amount: fact.amount, entry, state, standing: null, earlier };
    } else {
      const row = wasSentNow(entry) ? sheet.judgeAsSent(source) : sheet.judge(source);
      const state = stateOfEntry(entry) ?? stateWithoutEntry(row, earlier);
      const standing = entry === null ? row.standing : null;
      const problems = refInUse === null ? row.problems : [...row.problems, noteOfRef(sheet, row, refInUse)];
      yield { source, problems, amount: amountOf(row), entry, state, standing, earlier };
    }
  }
  needAllRows(sheet, rows);
  if (next.done !== true) throw rowMissing(next.value);
}

function rowMissing({ sheet, row }: Entry): DealsheetError {
  return new DealsheetError(
    'output-failed',
    `The ledger has what became of ${sheet}!${row}, and the source has no such row as it is read now.`,
    'What became of each row is safe in the ledger. Read the source as it was read when it was loaded, with the same version of dealsheet.',
  );
}

/** By the run that is reported, and not by an earlier one that it only met. */
function wasSentNow(entry: ReportedEntry | null): boolean {
  return entry !== null && entry.attempts > 0;
}

function stateOfEntry(entry: Entry | null): RowState | null {
  if (entry === null) return null;
  return entry.state === 'sending' ? 'in-doubt' : entry.state;
}

/** A row whose turn did not come is in all the same when an earlier load of the source brought it in. */
function stateOfEarlier(earlier: EarlierLoad | null): RowState | null {
  const standing = earlier?.standing ?? null;
  if (standing === null) return null;
  return isUnknown(standing.state) ? 'in-doubt' : 'already-loaded';
}

/** A valid row that the ledger does not know has not been sent. What its own results sheet says of a row goes first. */
function stateWithoutEntry({ standing, isValid }: JudgedRow, earlier: EarlierLoad | null): RowState {
  if (standing.kind === 'held') return standing.row.settles === null ? standing.row.state : 'in-doubt';
  const known = standing.kind === 'free' ? stateOfEarlier(earlier) : null;
  if (known !== null) return known;
  if (!isValid) return 'invalid';
  return standing.kind === 'not-created' ? 'in-doubt' : 'not-sent';
}

/** What is known of a row: what this run has written, or else what is known of it by its results sheet. */
function knownOf({ entry, standing, earlier }: ReportedRow): Pick<Entry, 'id' | 'companyId' | 'url' | 'message'> {
  if (entry !== null) return entry;
  if (standing?.kind === 'held') return standing.row.settles === null ? standing.row : notSettledYet(standing.row);
  if (earlier !== null && earlier.standing !== null && (standing === null || standing.kind === 'free')) {
    const { state, id, companyId, url, run, message } = earlier.standing;
    return {
      id,
      companyId,
      url,
      message: isUnknown(state) ? (message ?? `In doubt since the run ${run}.`) : `In since the run ${run}.`,
    };
  }
  return { ...nothingKnown, id: standing?.kind === 'not-created' ? notCreatedMark : null };
}

/** An id that was typed for a doubt goes into the ledger when its row is come to. */
function notSettledYet({ id, companyId, url, settles }: HeldRow) {
  const message = `In doubt since the run ${settles?.row.run}. This load did not come to the row, so its ID was not taken yet: import this sheet again.`;
  return { id, companyId, url, message };
}

const nothingKnown = { id: null, companyId: null, url: null, message: null } as const;

/** A row that this run has not come to keeps the key with which it came: without it, nobody could tell that it is the same row. */
function keyOf({ source, entry, standing, earlier }: ReportedRow, { name }: PlannedSheet, run: string | null): string {
  const row = entry === null ? (standing?.earlier?.row ?? earlier?.row ?? null) : (entry.holder ?? null);
  return row === null ? `${run === null ? '' : `${run}#`}${name}!${source.number}` : textOfKey(row);
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
      if (judged.state === 'already-loaded') changed.look(sheet.name, judged.source.number, knownOf(judged).message);
      yield resultRow(judged, sheet, sensitive, options);
    }
  }
  return {
    name: sheet.name,
    headers: sheet.header.headers.slice(sheet.ownColumns),
    widths: await widthsOf(sheet),
    rows: rows(),
  };
}

function resultRow(
  judged: ReportedRow,
  sheet: PlannedSheet,
  sensitive: ReadonlySet<number>,
  options: ReportOptions,
): ResultRow {
  const { problems, state, source } = judged;
  const isMasked = options.mask === 'all' || (options.mask === 'rows that are in' && rowStates[state].isIn);
  const { id, companyId, url, message } = knownOf(judged);
  const own = message === null ? [] : [message];
  return {
    state,
    id,
    companyId,
    url,
    problems: [...own, ...inWords(problems)],
    key: keyOf(judged, sheet, options.run),
    cells: source.cells.map((cell, index) => outputOf(cell, isMasked && sensitive.has(index))).slice(sheet.ownColumns),
    marks: problems.flatMap((problem): ResultMark[] =>
      problem.column === null
        ? []
        : [{ column: problem.column - sheet.ownColumns, severity: problem.severity, note: problem.message }],
    ),
  };
}

/** What is wrong comes first: of a cell with several lines, a person sees the first. */
function inWords(problems: readonly RowProblem[]): readonly string[] {
  const errors = problems.filter(({ severity }) => severity === 'error');
  const notes = problems.filter(({ severity }) => severity === 'warning');
  return [...errors.map(({ message }) => message), ...notes.map(({ message }) => `Note: ${message}`)];
}

/** A cell of the person's own, as it stands. What only its format showed (the zero in front of a ZIP) becomes text. */
function outputOf(cell: Cell, isMasked: boolean): OutputCell {
  if (cell === null) return null;
  if (isMasked) return masked(shownText(cell));
  if (typeof cell === 'string') return cell;
  switch (cell.kind) {
    case 'number': {
      const shown = shownText(cell);
      return Number(shown) === cell.value && !/^-?0\d/.test(shown) ? { digits: cell.stored } : shown;
    }
    case 'date':
      return cell.time === null ? { day: cell.day } : { day: cell.day, time: cell.time };
    case 'boolean':
      return cell.value;
    default:
      return shownText(cell);
  }
}

function sensitiveColumns(sheet: PlannedSheet): ReadonlySet<number> {
  const columns = sheet.columns.filter((column) => column.use === 'field' && column.field.facts.sensitive === true);
  return new Set(columns.flatMap(({ index }) => sheet.shape?.originsOf(index) ?? [index]));
}

/** In a results sheet the headers stand in the first row, and no row is blank. */
const headerRow = 1;

const rowsToMeasure = 100;
const narrowest = 9;
const widest = 44;
/** Room for the filter button beside a header. */
const filterButton = 3;

async function widthsOf(sheet: PlannedSheet): Promise<readonly number[]> {
  const widths = sheet.header.headers.map((header) => (header?.length ?? 0) + filterButton);
  let count = 0;
  for await (const row of dataRows(sheet)) {
    row.cells.forEach((cell, index) => {
      if (cell !== null) widths[index] = Math.max(widths[index] ?? 0, shownText(cell).length + 1);
    });
    count += 1;
    if (count === rowsToMeasure) break;
  }
  return widths.slice(sheet.ownColumns).map((width) => Math.min(widest, Math.max(narrowest, width)));
}

/** What the Summary says of a run. */
export function runFacts(run: RunRecord): readonly (readonly [string, OutputCell])[] {
  return [
    ['Run', run.id],
    ['Service', run.serviceUrl],
    ['File', run.sourcePath],
    ['Began', minuteOf(run.startedAt)],
    ['Ended', run.endedAt === null ? 'not yet' : minuteOf(run.endedAt)],
  ];
}

/** `2026-11-21T22:46:46.409Z` to `2026-11-21 22:46 UTC` */
function minuteOf(moment: string): string {
  return `${moment.slice(0, 'YYYY-MM-DDTHH:MM'.length).replace('T', ' ')} UTC`;
}

/** The same when nothing was sent. */
export function nothingSentFacts(serviceUrl: string, sourcePath: string): readonly (readonly [string, OutputCell])[] {
  return [
    ['Run', 'none: nothing was sent'],
    ['Service', serviceUrl],
    ['File', sourcePath],
  ];
}

/** `deals.xlsx` to `deals.results.xlsx`, beside the source; `X.results.xlsx` to `X.results-2.xlsx`. */
export function defaultResultsName(sourceName: string): string {
  const stem = basename(sourceName).replace(/\.(csv|xlsx|txt|tsv)$/i, '');
  const numbered = /^(.*\.results)(?:-(\d+))?$/.exec(stem);
  if (numbered === null) return `${stem}.results.xlsx`;
  return `${numbered[1]}-${Number(numbered[2] ?? 1) + 1}.xlsx`;
}
