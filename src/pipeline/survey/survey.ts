/**
 * The first reading of a source: every row is checked, nothing is sent. It learns what rows tell about each other (the
 * order of dates, refs, sums), so that each later reading judges every row in the same way.
 */
import type { CheckedRow } from '../../mapping/checked-row.ts';
import { EvidenceCollector } from '../../mapping/column-evidence.ts';
import type { RowMapper } from '../../mapping/row-mapper.ts';
import type { SheetRow } from '../../sheets/cell.ts';
import { dataRows, needAllRows, noRows } from '../source/data-rows.ts';
import type { PlannedSheet } from '../source/planned-sheet.ts';
import { passedOverBelow, refuseSecondHeaders } from '../source/rows-around-headers.ts';
import type { SourcePlan } from '../source/source-plan.ts';
import { type Claim, type Saying, sayingOf } from './claims.ts';
import { Duplicates } from './duplicates.ts';
import { groupFinder } from './grouped-rows.ts';
import { HiddenOrderFinder, type HiddenOrders, keptOrders } from './hidden-orders.ts';
import type { JudgedRow } from './judged-row.ts';
import type { KeptSheet } from './kept-rows.ts';
import { LongRows } from './long-rows.ts';
import { MergedCells } from './merged-cells.ts';
import { ReferenceIndex } from './reference-index.ts';
import { type Completer, completerOf, type Finders } from './row-completion.ts';
import { RowsApart } from './rows-apart.ts';
import { sheetMapper } from './sheet-mapper.ts';
import { StrayCells } from './stray-cells.ts';
import type { SurveyOptions } from './survey-options.ts';
import { SurveyTally, type Tally } from './survey-tally.ts';
import { totalFinder } from './total-rows.ts';
import { wordsFinder } from './words-for-ids.ts';

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
  if (collector.matters || finders.totals.isTotalFirst || finders.groups.hasGroups || finders.merges.areThere)
    return true;
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
  /** What is to be said of lines under the table. */
  readonly under: readonly string[];
}

async function readFirst(
  sheet: PlannedSheet,
  options: SurveyOptions,
  across: AcrossRows,
  progress: Progress,
): Promise<FirstReading> {
  const collector = new EvidenceCollector(sheet.columns, keptOrders(options.hiddenOrders, sheet.name));
  const map = sheetMapper(sheet, options, new Map());
  const words = wordsFinder(sheet);
  const finders = {
    apart: new RowsApart(sheet),
    duplicates: across.duplicates.finderOf(sheet),
    groups: groupFinder(sheet),
    merges: new MergedCells(sheet),
    totals: totalFinder(sheet, words),
    words,
  };
  const complete = completerOf(sheet, across.references, finders, options);
  const completeAsSent = completerOf(sheet, across.references, finders, { ...options, heldRows: null });
  const tally = new SurveyTally(sheet, across.saying);
  const strays = new StrayCells(sheet);
  const longRows = new LongRows(sheet);
  const orders = new HiddenOrderFinder(sheet, options.hiddenOrders);
  const kept = options.keptRows?.begin(sheet) ?? null;
  let under: readonly string[] = [];
  const rows = dataRows(
    sheet,
    (lines) => {
      under = passedOverBelow(sheet, lines);
    },
    (ranges) => finders.merges.learn(ranges),
  );
  for await (const written of rows) {
    const row = countedCells(sheet, written);
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
  return { sheet, collector, map, complete, completeAsSent, finders, tally, strays, orders, kept, under };
}

/** A row without the cells that a mapping takes for blank: what a row leaves blank may tell that it is a total. */
function countedCells({ shape }: PlannedSheet, row: SheetRow): SheetRow {
  return shape === null ? row : shape.emptied(row);
}

function lookAt(
  { apart, duplicates, groups, merges, totals, words }: Finders,
  row: CheckedRow,
  source: SheetRow,
): void {
  apart.look(source);
  duplicates.look(row);
  groups.look(row, source);
  merges.look(source);
  words.look(row);
  totals.look(row, source);
}

/** Once all cells have been seen, those that hang on the others are read for good. */
async function readWithEvidence(reading: FirstReading, options: SurveyOptions, saying: Saying): Promise<SurveyedSheet> {
  const { sheet, complete, finders } = reading;
  const map = sheetMapper(sheet, options, reading.collector.evidence());
  const tally = new SurveyTally(sheet, saying);
  const kept = options.keptRows?.begin(sheet) ?? null;
  finders.duplicates.forget();
  finders.totals.forget();
  finders.groups.forget();
  const orders = new HiddenOrderFinder(sheet, options.hiddenOrders);
  for await (const written of dataRows(sheet)) {
    const row = countedCells(sheet, written);
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

function noticesOf({ sheet, tally, strays, under }: FirstReading): string[] {
  const { hiddenRows } = tally.result;
  const hidden =
    hiddenRows === 0
      ? []
      : [
          `${sheet.name}: ${hiddenRows === 1 ? '1 hidden row is' : `${hiddenRows} hidden rows are`} read like the others.`,
        ];
  return [...hidden, ...strays.notices(), ...under];
}
