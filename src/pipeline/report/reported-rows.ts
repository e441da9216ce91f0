/** The rows of a source with what the ledger knows of them, and what becomes of each by that. */
import type { RowState } from '../../contract/row-state.ts';
import { DealsheetError } from '../../errors.ts';
import { isIn, isUnknown, rowStateOf } from '../../ledger/entry-state.ts';
import type { Entry, RowPosition, RowWithRefInUse, RunRow } from '../../ledger/ledger.ts';
import type { Finding } from '../../messages/finding.ts';
import { type Message, mentions } from '../../messages/message.ts';
import type { SheetRow } from '../../sheets/cell.ts';
import type { EarlierLoad } from '../decisions/earlier-loads.ts';
import { noteOfRef } from '../foresight/refs-in-use.ts';
import type { Standing } from '../rows/held-rows.ts';
import { placeOf } from '../rows/row-place.ts';
import { dataRows, needAllRows } from '../source/data-rows.ts';
import { amountOf, type JudgedRow } from '../survey/judged-row.ts';
import type { SurveyedSheet } from '../survey/survey.ts';

/** What the ledger knows of a row, or would be told of it. */
export interface ReportedEntry extends Entry {
  /** Of a load that was not begun: the row of an earlier one by which this row is in, or may be. */
  readonly knownBy?: RunRow | null;
}

/** What is known of the rows of each sheet, in their order. */
export interface KnownOfRows {
  readonly entriesOf: (sheet: string) => Iterable<ReportedEntry>;
  /** What is known of a row of the source by all of its loads, or `null` when there were none. */
  readonly cameFrom: (position: RowPosition) => EarlierLoad | null;
  /** What a valid row is whose turn did not come: ready where the command was to go no further, not sent where it stopped. */
  readonly left: 'ready' | 'not-sent';
  /** The rows that were sent under the ref of another record. */
  readonly refsInUse: (sheet: string) => Iterable<RowWithRefInUse>;
}

export interface ReportedRow {
  readonly source: SheetRow;
  readonly problems: readonly Finding[];
  readonly amount: number | null;
  readonly entry: ReportedEntry | null;
  readonly state: RowState;
  /** What its results sheet says of a row that this run has not come to, or `null`. */
  readonly standing: Standing | null;
  /** What other loads of its source say of a row that this run has not brought in, or `null`. */
  readonly earlier: EarlierLoad | null;
}

/**
 * Joins the rows of a sheet with their entries: both come in the order of row numbers.
 *
 * @throws DealsheetError when the rows are not those that were counted, or one that has an entry is not among them: results
 *   without it would look whole
 */
export async function* reportedRows(
  sheet: SurveyedSheet,
  { entriesOf, cameFrom, refsInUse, left }: KnownOfRows,
): AsyncGenerator<ReportedRow> {
  const entries = new InStep(entriesOf(sheet.name));
  const refs = new InStep(refsInUse(sheet.name));
  const factOf = sheet.facts.reader();
  let rows = 0;
  for await (const source of dataRows(sheet)) {
    rows += 1;
    const { number } = source;
    if (entries.next !== null && entries.next.row < number) throw rowMissing(entries.next);
    const { entry, earlier } = withOtherLoads(entries.at(number), () => cameFrom({ sheet: sheet.name, row: number }));
    const refInUse = refs.at(number);
    const fact = factOf(number);
    // The file of a row that was not sent may be gone since it was checked: then the row says why.
    const mayLackFile = sheet.kind.sending.hasFile && entry === null;
    if (fact?.isPlain === true && refInUse === null && !mayLackFile) {
      const state = stateOfEntry(entry) ?? stateOfEarlier(earlier) ?? left;
      yield { source, problems: [], amount: fact.amount, entry, state, standing: null, earlier };
    } else yield judgedAgain(sheet, source, { entry, earlier, refInUse, left });
  }
  needAllRows(sheet, rows);
  if (entries.next !== null) throw rowMissing(entries.next);
}

interface KnownOfRow extends Pick<ReportedRow, 'entry' | 'earlier'> {
  readonly refInUse: RowWithRefInUse | null;
  readonly left: KnownOfRows['left'];
}

function judgedAgain(sheet: SurveyedSheet, source: SheetRow, known: KnownOfRow): ReportedRow {
  const { entry, earlier, refInUse, left } = known;
  const row = wasSentNow(entry) ? sheet.judgeAsSent(source) : sheet.judge(source);
  const state = stateOfEntry(entry) ?? stateWithoutEntry(row, earlier, left);
  const standing = entry === null ? row.standing : null;
  const problems = refInUse === null ? row.problems : [...row.problems, noteOfRef(sheet, row, refInUse)];
  return { source, problems, amount: amountOf(row), entry, state, standing, earlier };
}

/** What is known of some rows, in their order, met by all rows in theirs. */
class InStep<Known extends { readonly row: number }> {
  readonly #known: Iterator<Known>;
  #next: Known | null;

  constructor(known: Iterable<Known>) {
    this.#known = known[Symbol.iterator]();
    this.#next = this.#read();
  }

  /** The first that was not met yet, or `null`. */
  get next(): Known | null {
    return this.#next;
  }

  /** What is known of a row, or `null`; it is asked for once. */
  at(row: number): Known | null {
    const met = this.#next;
    if (met?.row !== row) return null;
    this.#next = this.#read();
    return met;
  }

  #read(): Known | null {
    const { done, value } = this.#known.next();
    return done === true ? null : value;
  }
}

function rowMissing(entry: Entry): DealsheetError {
  return new DealsheetError(
    'output-failed',
    `The ledger has what became of ${placeOf(entry)}, and the source has no such row as it is read now.`,
    'What became of each row is safe in the ledger. Read the source as it was read when it was loaded, with the same version of dealsheet.',
  );
}

/** What another load of its source knows goes before the entry of a row that is neither in nor in doubt by it. */
export function withOtherLoads<Known extends Entry>(
  entry: Known | null,
  cameFrom: () => EarlierLoad | null,
): { readonly entry: Known | null; readonly earlier: EarlierLoad | null } {
  if (entry !== null && (isIn(entry.state) || isUnknown(entry.state))) return { entry, earlier: null };
  const earlier = cameFrom();
  return { entry: stateOfEarlier(earlier) === null ? entry : null, earlier };
}

/** By the run that is reported, and not by an earlier one that it only met. */
function wasSentNow(entry: ReportedEntry | null): boolean {
  return entry !== null && entry.attempts > 0;
}

function stateOfEntry(entry: Entry | null): RowState | null {
  return entry === null ? null : withChange(rowStateOf(entry.state), entry.message);
}

/** A row that is in, and says something else by now. */
function withChange(state: RowState, message: Message | null): RowState {
  const isChanged = isIn(state) && mentions(message, 'changed-since-loaded', 'unreadable-since-loaded');
  return isChanged ? 'changed-since-loaded' : state;
}

/** A row whose turn did not come is in all the same when an earlier load of the source brought it in. */
export function stateOfEarlier(earlier: EarlierLoad | null): RowState | null {
  const standing = earlier?.standing ?? null;
  if (standing === null) return null;
  return isUnknown(standing.state) ? 'in-doubt' : 'already-loaded';
}

/** A valid row that the ledger does not know has not been sent. What its own results sheet says of a row goes first. */
function stateWithoutEntry(
  { standing, isValid, isLeftOut }: JudgedRow,
  earlier: EarlierLoad | null,
  left: KnownOfRows['left'],
): RowState {
  if (standing.kind === 'held')
    return standing.row.settles === null ? withChange(standing.row.state, standing.row.message) : 'in-doubt';
  const known = standing.kind === 'free' ? stateOfEarlier(earlier) : null;
  if (known !== null) return known;
  if (isLeftOut) return 'left-out';
  if (!isValid) return 'invalid';
  return standing.kind === 'not-created' ? 'in-doubt' : left;
}
