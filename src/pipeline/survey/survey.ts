/**
 * The first reading of a source: every row is checked, nothing is sent. It learns what rows tell about each other (the
 * order of dates, refs, sums), so that each later reading judges every row in the same way.
 */
import { asExported } from '../../ledger/kept-sentences.ts';
import type { CheckedRow } from '../../mapping/checked-row.ts';
import { EvidenceCollector } from '../../mapping/column-evidence.ts';
import type { RowShape } from '../../mapping/mapping-file/row-shape.ts';
import { type MappingSettings, type RowMapper, rowMapper } from '../../mapping/row-mapper.ts';
import { problemOfValue, type RowProblem } from '../../mapping/row-problem.ts';
import type { SheetRow } from '../../sheets/cell.ts';
import { free, type HeldRows, type Standing } from '../rows/held-rows.ts';
import { dataRows, needAllRows, noRows } from '../source/data-rows.ts';
import { columnOf, type PlannedSheet } from '../source/planned-sheet.ts';
import { refuseSecondHeaders } from '../source/rows-around-headers.ts';
import type { SourcePlan } from '../source/source-plan.ts';
import { attachmentFault } from './attachment-files.ts';
import { type Claim, type Saying, sayingOf } from './claims.ts';
import { type DuplicateFinder, Duplicates } from './duplicates.ts';
import { exampleRows } from './example-rows.ts';
import { HiddenOrderFinder, type HiddenOrders, keptOrders } from './hidden-orders.ts';
import type { JudgedRow } from './judged-row.ts';
import type { KeptRows, KeptSheet } from './kept-rows.ts';
import { LongRows } from './long-rows.ts';
import { type EarlierRefs, ReferenceIndex } from './reference-index.ts';
import { rowsOfNobody } from './rows-of-nobody.ts';
import { rowsWithoutAmount } from './rows-without-amount.ts';
import { StrayCells } from './stray-cells.ts';
import { SurveyTally, type Tally } from './survey-tally.ts';
import { type TotalFinder, totalFinder } from './total-rows.ts';
import { comparisonOf } from './unchanged-cells.ts';
import { type WordsFinder, wordsFinder } from './words-for-ids.ts';

export type Judge = (row: SheetRow) => JudgedRow;

/** A sheet whose rows can be judged one by one, each in the same way however often it is read. */
export interface SurveyedSheet extends PlannedSheet, Tally {
  readonly judge: Judge;
  /** Judges a row that went out: a results sheet would say of it by now that it is in, and nothing of its cells. */
  readonly judgeAsSent: Judge;
  /** The companies to which its updates give other values than an earlier one. */
  readonly contradicted: ReadonlySet<string>;
  /** What its hidden dates tell those that are corrected in its results. */
  readonly hiddenOrders: HiddenOrders;
  /** All of its rows as they were judged, as often as they are wanted. */
  readonly judgedRows: () => AsyncIterable<JudgedRow> | Iterable<JudgedRow>;
}

export interface Survey {
  readonly plan: SourcePlan;
  /** In the order in which the kinds are loaded. */
  readonly sheets: readonly SurveyedSheet[];
  readonly references: ReferenceIndex;
  readonly notices: readonly string[];
  /** The rows that have their fingerprints from an earlier run, by a results sheet. */
  readonly claims: readonly Claim[];
}

export interface SurveyOptions extends Omit<MappingSettings, 'decimals'> {
  /** The folder that file cells may name. */
  readonly attachmentsFolder: string;
  /** Where refs of earlier loads are looked up, or `null` when no service is chosen. */
  readonly earlierRefs: EarlierRefs | null;
  /** What the own columns of a results sheet say, or `null` when no service is chosen: then they say nothing. */
  readonly heldRows: HeldRows | null;
  /** What the hidden dates of a results sheet told when they could be seen. */
  readonly hiddenOrders: HiddenOrders;
  /** The identity of the service that the rows would go to, or `null` when none is chosen. */
  readonly service: string | null;
  /** Where rows are kept that will be gone through again, or `null` when they will not. */
  readonly keptRows: KeptRows | null;
  /** Told every thousand rows. */
  readonly onProgress: (rows: number) => void;
}

/** @throws DealsheetError `unreadable-source` when there is no row below the headers; `unmatched-columns` for values without a header */
export async function survey(
  plan: SourcePlan,
  kindOrder: readonly PlannedSheet[],
  options: SurveyOptions,
): Promise<Survey> {
  const references = new ReferenceIndex(options.earlierRefs);
  const across = { references, duplicates: new Duplicates(), saying: sayingOf(references) };
  const progress = { rows: 0, tell: options.onProgress };
  const firstReadings: FirstReading[] = [];
  for (const sheet of kindOrder) firstReadings.push(await readFirst(sheet, options, across, progress));
  const sheets: SurveyedSheet[] = [];
  for (const reading of firstReadings) {
    sheets.push(
      isReadAgain(reading, references, options)
        ? await readWithEvidence(reading, options, across.saying)
        : surveyed(reading),
    );
  }
  across.duplicates.forgetFirsts();
  if (sheets.every((sheet) => sheet.rows === 0)) throw noRows();
  return {
    plan,
    sheets,
    references,
    notices: [...plan.notices, ...firstReadings.flatMap(noticesOf)],
    claims: sheets.flatMap(({ claims }) => claims),
  };
}

/** Whether rows below have told something of one that was judged before. */
function isReadAgain(
  { collector, finders }: FirstReading,
  references: ReferenceIndex,
  { heldRows }: SurveyOptions,
): boolean {
  if (collector.matters || finders.totals.isTotalFirst) return true;
  return references.hasDuplicates || heldRows?.hasCopies === true;
}

const progressStep = 1000;

interface Progress {
  rows: number;
  readonly tell: (rows: number) => void;
}

/** What rows tell about each other. */
interface AcrossRows {
  readonly references: ReferenceIndex;
  readonly duplicates: Duplicates;
  readonly saying: Saying;
}

/** What tells of a row by the rows above it. */
interface Finders {
  readonly duplicates: DuplicateFinder;
  readonly totals: TotalFinder;
  readonly words: WordsFinder;
}

/** Adds to the checks of one row by itself those that need other rows or the disk. */
type Completer = (row: CheckedRow, source: SheetRow) => JudgedRow;

interface FirstReading {
  readonly sheet: PlannedSheet;
  readonly collector: EvidenceCollector;
  readonly map: RowMapper;
  readonly complete: Completer;
  readonly completeAsSent: Completer;
  readonly finders: Finders;
  readonly tally: SurveyTally;
  readonly strays: StrayCells;
  readonly orders: HiddenOrderFinder;
  readonly kept: KeptSheet | null;
}

async function readFirst(
  sheet: PlannedSheet,
  options: SurveyOptions,
  across: AcrossRows,
  progress: Progress,
): Promise<FirstReading> {
  const collector = new EvidenceCollector(sheet.columns, keptOrders(options.hiddenOrders, sheet.name));
  const map = mapperOf(sheet, options, new Map());
  const words = wordsFinder(sheet);
  const finders = { duplicates: across.duplicates.finderOf(sheet), totals: totalFinder(sheet, words), words };
  const complete = completerOf(sheet, across.references, finders, options);
  const completeAsSent = completerOf(sheet, across.references, finders, { ...options, heldRows: null });
  const tally = new SurveyTally(sheet, across.saying);
  const strays = new StrayCells(sheet);
  const longRows = new LongRows(sheet);
  const orders = new HiddenOrderFinder(sheet, options.hiddenOrders);
  const kept = options.keptRows?.begin(sheet) ?? null;
  for await (const row of dataRows(sheet)) {
    refuseSecondHeaders(sheet, row);
    const shaped = sheet.shape?.reshape(row) ?? row;
    collector.look(shaped);
    strays.look(row);
    longRows.look(row);
    const mapped = map(row);
    across.references.add(mapped);
    lookAt(finders, mapped, row);
    const judged = complete(mapped, row);
    tally.add(judged, row);
    if (judged.isValid) orders.look(shaped);
    kept?.add(judged);
    progress.rows += 1;
    if (progress.rows % progressStep === 0) progress.tell(progress.rows);
  }
  longRows.refuse();
  strays.refuse();
  return { sheet, collector, map, complete, completeAsSent, finders, tally, strays, orders, kept };
}

function lookAt({ duplicates, totals, words }: Finders, row: CheckedRow, source: SheetRow): void {
  duplicates.look(row);
  words.look(row);
  totals.look(row, source);
}

/** Once all cells have been seen, those that hang on the others are read for good. */
async function readWithEvidence(reading: FirstReading, options: SurveyOptions, saying: Saying): Promise<SurveyedSheet> {
  const { sheet, complete, finders } = reading;
  const map = mapperOf(sheet, options, reading.collector.evidence());
  const tally = new SurveyTally(sheet, saying);
  const kept = options.keptRows?.begin(sheet) ?? null;
  finders.duplicates.forget();
  finders.totals.forget();
  const orders = new HiddenOrderFinder(sheet, options.hiddenOrders);
  for await (const row of dataRows(sheet)) {
    const mapped = map(row);
    lookAt(finders, mapped, row);
    const judged = complete(mapped, row);
    tally.add(judged, row);
    if (judged.isValid) orders.look(sheet.shape?.reshape(row) ?? row);
    kept?.add(judged);
  }
  needAllRows({ ...sheet, rows: reading.tally.result.rows }, tally.result.rows);
  return surveyed({ ...reading, map, tally, orders, kept });
}

function surveyed({ sheet, map, complete, completeAsSent, finders, tally, orders, kept }: FirstReading): SurveyedSheet {
  const judge: Judge = (row) => complete(map(row), row);
  const judgeAsSent: Judge = (row) => completeAsSent(map(row), row);
  const counted = { ...sheet, ...tally.result };
  const judgedRows = () => kept?.rows() ?? judgedOf(counted, judge);
  return {
    ...counted,
    judge,
    judgeAsSent,
    judgedRows,
    contradicted: finders.duplicates.contradicted,
    hiddenOrders: orders.found,
  };
}

async function* judgedOf(sheet: PlannedSheet & Tally, judge: Judge): AsyncGenerator<JudgedRow> {
  let rows = 0;
  for await (const row of dataRows(sheet)) {
    rows += 1;
    yield judge(row);
  }
  needAllRows(sheet, rows);
}

function mapperOf(
  sheet: PlannedSheet,
  options: SurveyOptions,
  evidence: ReturnType<EvidenceCollector['evidence']>,
): RowMapper {
  const { shape, kind, columns, name } = sheet;
  const { word } = sheet;
  const settings = { ...options, ...word, dateOrder: options.dateOrder ?? word.dateOrder };
  const map = rowMapper({ kind, sheet: name, columns }, settings, evidence);
  if (shape !== null) return (row) => atOrigins(map(shape.reshape(row)), shape, shape.notesOf(row));
  const compare = comparisonOf(sheet, options.service);
  if (compare === null) return map;
  return (row) => {
    const compared = compare(row);
    const mapped = map(compared.row);
    const { problems } = compared;
    if (compared.isUnchanged) return { ...mapped, problems, isValid: true, reading: 'whole' };
    if (problems.length === 0) return mapped;
    const isValid = mapped.isValid && !problems.some(({ severity }) => severity === 'error');
    return { ...mapped, problems: [...mapped.problems, ...problems], isValid };
  };
}

/** Problems are told at the cells that the person knows. */
function atOrigins(row: CheckedRow, shape: RowShape, notes: readonly RowProblem[]): CheckedRow {
  if (row.problems.length === 0 && notes.length === 0) return row;
  const problems = row.problems.map((problem) =>
    problem.column === null ? problem : { ...problem, column: shape.originsOf(problem.column)[0] ?? null },
  );
  const isValid = row.isValid && !notes.some(({ severity }) => severity === 'error');
  return { ...row, problems: [...problems, ...notes], isValid };
}

function completerOf(
  sheet: PlannedSheet,
  references: ReferenceIndex,
  { duplicates, totals, words }: Finders,
  options: SurveyOptions,
): Completer {
  const refColumn = columnOf(sheet, 'ref');
  const fileColumn = sheet.kind.sending === 'form' ? columnOf(sheet, 'file') : null;
  const heldRows = sheet.ownColumns === 0 ? null : options.heldRows;
  const compare = comparisonOf(sheet, options.service);
  const nobodys = rowsOfNobody(sheet);
  const withoutAmount = rowsWithoutAmount(sheet);
  const examples = exampleRows(sheet, options.service);
  return (row, source) => {
    const standing = heldRows?.standingOf(row, source) ?? free;
    // What went in with an earlier load, or may have, is told so also where its cells were put back since.
    if (standing.kind !== 'held' && compare?.(source).isUnchanged === true)
      return { ...row, standing: unchanged(row), twin: null };
    if (standing.kind === 'held') return { ...row, problems: [], isValid: true, standing, twin: null };
    const contradictions = standing.kind === 'contradiction' ? [contradiction(standing.message)] : [];
    const further = [
      ...references.problemsOf(row, refColumn),
      ...duplicates.problemsOf(row),
      ...noneOf(words.problemsOf(row), totals.problemsOf(row)),
      ...nobodys(row),
      ...withoutAmount(row),
      ...examples(row),
    ];
    if (fileColumn !== null) further.push(...fileProblem(row, fileColumn, options.attachmentsFolder));
    if (further.length + contradictions.length === 0) return { ...row, standing, twin: null };
    const isValid = row.isValid && contradictions.length === 0 && !further.some(isError);
    const twin = duplicates.twinOf(row);
    const said = isValid ? further : further.filter(({ saysSent }) => saysSent !== true);
    // What is wrong with the cells of a row that may be a copy, or be in, comes second.
    return { ...row, problems: [...contradictions, ...row.problems, ...said], isValid, standing, twin };
  };
}

/** What tells that a row is no record: of words that are an error, that alone, and else of a total that is one. */
function noneOf(ofWords: readonly RowProblem[], ofTotals: readonly RowProblem[]): readonly RowProblem[] {
  if (ofWords.some(isError)) return ofWords;
  return ofTotals.some(isError) ? ofTotals : [...ofWords, ...ofTotals];
}

function isError({ severity }: RowProblem): boolean {
  return severity === 'error';
}

/** A row of an exported template in which nothing was changed is in as it stands. */
function unchanged(row: CheckedRow): Standing {
  const { pathId: id } = row;
  const held = { id, companyId: null, url: null, message: asExported, settles: null };
  return { kind: 'held', row: { state: 'already-loaded', ...held }, earlier: null };
}

function contradiction(message: string): RowProblem {
  return {
    severity: 'error',
    column: null,
    label: null,
    message,
    reason: 'The first six cells contradict what is known.',
  };
}

function fileProblem(row: CheckedRow, column: number, folder: string): RowProblem[] {
  const name = row.body.file;
  const fault = typeof name === 'string' ? attachmentFault(folder, name) : null;
  if (fault === null) return [];
  const said = { text: fault, hidden: fault };
  return [problemOfValue('error', column, { label: 'File', sensitive: false }, { value: String(name), said })];
}

function noticesOf({ sheet, tally, strays }: FirstReading): string[] {
  const { hiddenRows } = tally.result;
  const hidden =
    hiddenRows === 0
      ? []
      : [
          `${sheet.name}: ${hiddenRows === 1 ? '1 hidden row is' : `${hiddenRows} hidden rows are`} read like the others.`,
        ];
  return [...hidden, ...strays.notices()];
}
