/**
 * The first reading of a source: every row is checked, nothing is sent. It learns what rows tell about each other (the
 * order of dates, refs, sums), so that each later reading judges every row in the same way.
 */
import { FirstRows } from '../../checks/first-rows.ts';
import { SheetChecks } from '../../checks/sheet-checks.ts';
import { DealsheetError } from '../../errors.ts';
import type { CheckedRow } from '../../mapping/checked-row.ts';
import { EvidenceCollector, type SheetEvidence } from '../../mapping/column-evidence.ts';
import type { RowMapper } from '../../mapping/row-mapper.ts';
import { findingText, isError } from '../../messages/finding.ts';
import type { SheetRow } from '../../sheets/cell.ts';
import { problemsSaidBy } from '../rows/own-columns.ts';
import { dataRows, needAllRows, noRows } from '../source/data-rows.ts';
import { type MatchedSheet, originsOf } from '../source/matched-sheet.ts';
import type { MatchedSource } from '../source/matched-source.ts';
import { passedOverBelow, refuseSecondHeaders } from '../source/rows-around-headers.ts';
import { type Claim, type Saying, sayingOf } from './claims.ts';
import { HiddenOrderFinder, type HiddenOrders, keptOrders } from './hidden-orders.ts';
import type { JudgedRow } from './judged-row.ts';
import type { KeptSheet } from './kept-rows.ts';
import { ReferenceIndex } from './reference-index.ts';
import { type Completer, completerOf } from './row-completion.ts';
import { sheetMapper } from './sheet-mapper.ts';
import type { SurveyOptions } from './survey-options.ts';
import { SurveyTally, type Tally } from './survey-tally.ts';

export type Judge = (row: SheetRow) => JudgedRow;

/** A sheet whose rows can be judged one by one, each in the same way however often it is read. */
export interface SurveyedSheet extends MatchedSheet, Tally {
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
  readonly matched: MatchedSource;
  /** In the order in which the kinds are loaded. */
  readonly sheets: readonly SurveyedSheet[];
  readonly references: ReferenceIndex;
  readonly notices: readonly string[];
  /** The rows that have their fingerprints from an earlier run, by a results sheet. */
  readonly claims: readonly Claim[];
}

/** @throws DealsheetError `unreadable-source` when there is no row below the headers; `unmatched-columns` for values without a header */
export async function survey(
  matched: MatchedSource,
  kindOrder: readonly MatchedSheet[],
  options: SurveyOptions,
): Promise<Survey> {
  const references = new ReferenceIndex(options.earlierRefs);
  const across = { references, first: new FirstRows(), saying: sayingOf(references) };
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
  across.first.clear();
  if (sheets.every((sheet) => sheet.rows === 0)) throw noRows();
  return {
    matched,
    sheets,
    references,
    notices: [...matched.notices, ...firstReadings.flatMap((reading) => reading.notices)],
    claims: sheets.flatMap(({ claims }) => claims),
  };
}

/** Whether rows below have told something of one that was judged before. */
function isReadAgain(
  { collector, checks }: FirstReading,
  references: ReferenceIndex,
  { heldRows }: SurveyOptions,
): boolean {
  return collector.matters || checks.tellsOfRowsAbove || references.hasDuplicates || heldRows?.hasCopies === true;
}

const progressStep = 1000;

interface Progress {
  rows: number;
  readonly tell: (rows: number) => void;
}

/** What rows tell about each other. */
interface AcrossRows {
  readonly references: ReferenceIndex;
  readonly first: FirstRows;
  readonly saying: Saying;
}

/** How the rows of a sheet are judged, and what comes of them in one reading. */
interface SheetReading extends OwnOfReading {
  readonly sheet: MatchedSheet;
  readonly complete: Completer;
  readonly completeAsSent: Completer;
  readonly checks: SheetChecks;
}

/** What each reading has anew. */
interface OwnOfReading {
  readonly map: RowMapper;
  readonly tally: SurveyTally;
  readonly orders: HiddenOrderFinder;
  readonly kept: KeptSheet | null;
}

interface FirstReading extends SheetReading {
  readonly collector: EvidenceCollector;
  /** What is to be said of the sheet as a whole. */
  readonly notices: readonly string[];
}

async function readFirst(
  sheet: MatchedSheet,
  options: SurveyOptions,
  { references, first, saying }: AcrossRows,
  progress: Progress,
): Promise<FirstReading> {
  const checks = new SheetChecks(sheetToCheck(sheet), { refs: references, first }, options.checks);
  const reading: SheetReading = {
    sheet,
    complete: completerOf(sheet, checks, options),
    completeAsSent: completerOf(sheet, checks, { ...options, heldRows: null }),
    checks,
    ...begun(sheet, options, saying, new Map()),
  };
  const collector = new EvidenceCollector(sheet.columns, keptOrders(options.hiddenOrders, sheet.name));
  let under: readonly string[] = [];
  const rows = dataRows(
    sheet,
    (lines) => {
      under = passedOverBelow(sheet, lines);
    },
    (behind) => checks.learn(behind),
  );
  for await (const written of rows) {
    const row = countedCells(sheet, written);
    refuseSecondHeaders(sheet, row);
    collector.look(sheet.shape?.reshape(row) ?? row);
    const mapped = reading.map(row);
    const judged = judgeInto(reading, mapped, row);
    // Nothing can belong to a row that is left out, and another may have its Ref.
    if (!judged.isLeftOut) references.add(mapped);
    progress.rows += 1;
    if (progress.rows % progressStep === 0) progress.tell(progress.rows);
  }
  return { ...reading, collector, notices: [...noticesOf(sheet, checks), ...under] };
}

/** Once all cells have been seen, those that hang on the others are read for good. */
async function readWithEvidence(first: FirstReading, options: SurveyOptions, saying: Saying): Promise<SurveyedSheet> {
  const { sheet, checks, collector } = first;
  const reading: SheetReading = { ...first, ...begun(sheet, options, saying, collector.evidence()) };
  checks.forget();
  for await (const written of dataRows(sheet)) {
    const row = countedCells(sheet, written);
    judgeInto(reading, reading.map(row), row);
  }
  needAllRows({ ...sheet, rows: first.tally.result.rows }, reading.tally.result.rows);
  return surveyed(reading);
}

function begun(sheet: MatchedSheet, options: SurveyOptions, saying: Saying, evidence: SheetEvidence): OwnOfReading {
  return {
    map: sheetMapper(sheet, options, evidence),
    tally: new SurveyTally(sheet, saying),
    orders: new HiddenOrderFinder(sheet, options.hiddenOrders),
    kept: options.keptRows?.begin(sheet) ?? null,
  };
}

function judgeInto(
  { checks, complete, tally, orders, kept }: SheetReading,
  mapped: CheckedRow,
  row: SheetRow,
): JudgedRow {
  checks.look(mapped, row);
  const judged = complete(mapped, row);
  tally.add(judged, row);
  if (judged.isValid) orders.look(row);
  kept?.add(judged);
  return judged;
}

/** A row without the cells that a mapping takes for blank: what a row leaves blank may tell that it is a total. */
function countedCells({ shape }: MatchedSheet, row: SheetRow): SheetRow {
  return shape === null ? row : shape.emptied(row);
}

function surveyed(reading: SheetReading): SurveyedSheet {
  const { sheet, map, complete, completeAsSent, checks, tally, orders, kept } = reading;
  const judgeBy = (completer: Completer) => (written: SheetRow) => {
    const row = countedCells(sheet, written);
    return completer(map(row), row);
  };
  const judge: Judge = judgeBy(complete);
  const judgeAsSent: Judge = judgeBy(completeAsSent);
  const counted = { ...sheet, ...tally.result };
  const judgedRows = () => kept?.rows() ?? judgedOf(counted, judge);
  return {
    ...counted,
    judge,
    judgeAsSent,
    judgedRows,
    contradicted: checks.contradicted,
    hiddenOrders: orders.found,
  };
}

async function* judgedOf(sheet: MatchedSheet & Tally, judge: Judge): AsyncGenerator<JudgedRow> {
  let rows = 0;
  for await (const row of dataRows(sheet)) {
    rows += 1;
    yield judge(row);
  }
  needAllRows(sheet, rows);
}

function sheetToCheck(sheet: MatchedSheet) {
  return {
    ...sheet,
    originsOf: (column: MatchedSheet['columns'][number]) => originsOf(sheet, column),
    saidOf: (row: SheetRow) => (sheet.ownColumns === 0 ? null : problemsSaidBy(row)),
  };
}

/** @throws DealsheetError `unmatched-columns` where cells would be lost, or stand under the headers of others */
function noticesOf({ name }: MatchedSheet, checks: SheetChecks): readonly string[] {
  const found = checks.end();
  const [fault] = found.filter(isError);
  if (fault !== undefined)
    throw new DealsheetError('unmatched-columns', `${name}: ${findingText(fault)}`, 'Nothing was sent.');
  return found.map((finding) => `${name}: ${findingText(finding)}`);
}
