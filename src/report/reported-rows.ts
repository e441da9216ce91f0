/** The rows of a staging with what the ledger tells of them, in their order; without a run, what was decided. */
import { recordKind } from '../contract/record-kinds.ts';
import { type RowState, rowStates } from '../contract/row-state.ts';
import { DealsheetError } from '../errors.ts';
import { entriesOfPage, type Ledger, type RunEntry } from '../ledger/ledger.ts';
import { type Finding, isError } from '../messages/finding.ts';
import type { Message } from '../messages/message.ts';
import { planMessage } from '../messages/plan.ts';
import { shortened } from '../messages/shown-value.ts';
import { changedCells, namingFields, type ValuesBefore } from '../plan/changed-cells.ts';
import { decisionOf, type StagedDecision } from '../plan/decision.ts';
import { noteOfSkipped, ofRowItself } from '../plan/row-note.ts';
import type { SheetRow } from '../sheets/row.ts';
import { notCreatedMark } from '../staging/own-columns.ts';
import { keyOf, lostKey, placeOf } from '../staging/row-place.ts';
import type { MatchedSheet } from '../staging/source/matched-sheet.ts';
import type { StagedSheetOf } from '../staging/stage.ts';
import { amountOf, rowOfData } from '../staging/staged-data.ts';
import type { KnownStaged, NamedParent, OwnCells } from '../staging/staged-row.ts';
import type { Staging } from '../staging/staging.ts';
import type { ReportedRow } from './result-row.ts';

/** The run that is told of. */
export interface ReportedRun {
  readonly ledger: Pick<Ledger, 'entries'>;
  readonly id: string;
}

/** Few: what is read of a row whole does not outlive the next ones. */
const rowsOfBatch = 16;

/** @throws DealsheetError `output-failed` when the run has a row that is not among them */
export async function* reportedRows(
  staging: Staging,
  { number, sheet }: StagedSheetOf,
  run: ReportedRun | null,
  withCells = true,
  valuesBefore: ValuesBefore = new Map(),
): AsyncGenerator<ReportedRow & { readonly amount: number | null }> {
  let last = 0;
  const entriesAfter = entriesAhead(sheet.name, run);
  for await (const rows of staging.batches(number, rowsOfBatch)) {
    const entries = await entriesAfter(last, rows.length);
    const entryOf = new Map(entries.map((entry) => [entry.place, entry]));
    const ends = rows.at(-1)?.row ?? last;
    const isThere = new Set(rows.map(({ row }) => row));
    const missing = entries.find(({ place }) => place <= ends && !isThere.has(place));
    if (missing !== undefined) throw rowMissing(missing);
    const cells = withCells ? staging.cellsOfRows(rows) : [];
    for (const [at, row] of rows.entries()) {
      const source = cells[at] ?? { number: row.row, values: [], hidden: false };
      yield reportedRow({ row, source, entry: entryOf.get(row.row) ?? null }, sheet, run, valuesBefore.get(row.number));
    }
    last = ends;
  }
  const [beyond] = await entriesAfter(last, 1);
  if (beyond !== undefined) throw rowMissing(beyond);
}

/** Reads entries of a sheet many at a time, for the ledger may be far away. */
function entriesAhead(sheet: string, run: ReportedRun | null) {
  let page: readonly RunEntry[] = [];
  let isLast = run === null;
  return async (after: number, count: number): Promise<readonly RunEntry[]> => {
    page = page.filter(({ place }) => place > after);
    if (run !== null && page.length < count && !isLast) {
      page = await run.ledger.entries(run.id, sheet, after, entriesOfPage);
      isLast = page.length < entriesOfPage;
    }
    return page.slice(0, count);
  };
}

/** A staged row with its cells, and what the ledger tells of it. */
export interface RowToReport {
  readonly row: KnownStaged;
  readonly source: SheetRow;
  readonly entry: RunEntry | null;
}

export function reportedRow(
  { row, source, entry }: RowToReport,
  sheet: MatchedSheet,
  run: Pick<ReportedRun, 'id'> | null,
  before?: ReadonlyMap<string, string>,
): ReportedRow & { readonly amount: number | null } {
  const judged = rowOfData(row.data, { kind: sheet.kind, sheet: sheet.name, row: row.row });
  const told = toldOf(row, entry);
  const lost = judged.problems.find(({ code }) => code === 'key-lost');
  return {
    ...told,
    record: lost === undefined ? (told.record ?? typedIn(told.message)) : (lost.params.id as string | null),
    message: namingFields(namingParents(told.message, row.parents), sheet, source, before),
    source,
    amount: amountOf(judged),
    findings: [...findingsTold(told.state, judged.problems), ...changedCells(sheet, source, told.message, before)],
    key:
      lost !== undefined && told.state === 'invalid'
        ? lostKey
        : keyOfRow(row, { sheet: sheet.name, row: row.row }, decisionOf(row), run),
  };
}

/** What becomes of a row: by the ledger, or before a load by what was decided. */
export function toldOf(row: KnownStaged, entry: RunEntry | null): Told {
  return entry === null ? toldByDecision(decisionOf(row), row) : toldByEntry(entry);
}

/** Results without such a row would look whole. */
function rowMissing({ sheet, place }: RunEntry): DealsheetError {
  return new DealsheetError(
    'output-failed',
    `The ledger has what became of ${placeOf({ sheet, row: place })}, and the source has no such row as it is read now.`,
    'What became of each row is safe in the ledger. Read the source as it was read when it was loaded, with the same version of dealsheet.',
  );
}

/** Of a row that is in, and that says something else now, what is wrong with it counts; not that its results hide cells. */
function findingsTold(state: RowState, findings: readonly Finding[]): readonly Finding[] {
  if (state === 'already-loaded') return [];
  if (state !== 'changed-since-loaded') return findings;
  return findings.filter((finding) => isError(finding) && finding.code !== 'masked');
}

/** What a person typed into the ID cell stays there until it is put right: without it, the row would go out with the next sheet. */
function typedIn(message: Message | null): string | null {
  const typed = message?.code === 'unknown-key' ? null : message?.params.typed;
  return typeof typed === 'string' && typed !== '' ? typed : null;
}

/** The ledger keeps nothing of what a row says: which rows it belongs to is told by its source. */
function namingParents(message: Message | null, parents: readonly NamedParent[]): Message | null {
  if (message === null || !('named' in message.params)) return message;
  const named = parents.flatMap(({ kind, ref }) =>
    ref === null ? [] : [`${recordKind(kind).singular} with the Ref "${shortened(ref)}"`],
  );
  return { code: message.code, params: { ...message.params, named } };
}

type Told = Pick<ReportedRow, 'state' | 'message' | 'record' | 'company' | 'url'>;

const nothing = { record: null, company: null, url: null };

function toldByDecision(decision: StagedDecision | null, { own, how, isValid, aside }: KnownStaged): Told {
  if (decision === null) return { ...nothing, state: aside ?? (isValid ? 'ready' : 'invalid'), message: null };
  if (decision.do === 'send') return { ...nothing, state: 'ready', message: null };
  if (decision.do === 'settle')
    return { ...nothing, record: decision.id, state: 'in-doubt', message: planMessage('answer-not-taken') };
  const note = noteOfSkipped(decision);
  // What a person typed is not lost where no run takes it.
  if (decision.settles === 'not-created') return { ...note, ...nothing, state: 'in-doubt', record: notCreatedMark };
  if (!rowStates[note.state].isIn) return { ...note, ...nothing };
  if (how === 'trusted') return { ...note, ...ofOwn(own) };
  const { record = null, company = null, url = null } = decision.other ?? {};
  return { ...note, record, company, url };
}

function ofOwn(own: OwnCells | null): Pick<Told, 'record' | 'company' | 'url'> {
  const record = own?.answer?.kind === 'created' ? own.answer.id : null;
  return { record, company: own?.company ?? null, url: own?.url ?? null };
}

/** What another run has brought in since, or has in doubt, need not be told of a row that this one found in. */
export function toldByEntry(entry: RunEntry): Told {
  const { state, message, record, company, url, since, standing } = entry;
  // What its own columns say wrongly stays wrong of a row that is in.
  const isContradicted = state === 'invalid' && message !== null;
  if (since === null || rowStates[state].isIn || isContradicted)
    return standing === 'committed' ? { state, message, record, company, url } : { ...nothing, state, message };
  if (standing === 'committed')
    return { state: 'already-loaded', message: planMessage('went-in-later', { run: since }), record, company, url };
  const told = state === 'in-doubt' && message !== null ? message : planMessage('in-doubt-later', { run: since });
  return { ...nothing, state: 'in-doubt', message: told };
}

/** By which the row is known again. One for which no run was begun is known by the run in which it stood before. */
function keyOfRow(
  { own, how }: KnownStaged,
  here: { readonly sheet: string; readonly row: number },
  decision: StagedDecision | null,
  run: Pick<ReportedRun, 'id'> | null,
): string {
  const why = decision !== null && 'why' in decision ? decision.why : '';
  if (why === 'key-of-another-kind' || (why === 'equal-to-loaded-row' && how !== 'key'))
    return own === null ? placeOf(here) : keyOf(own);
  if (run !== null) return keyOf({ run: run.id, ...here });
  const before = decision !== null && 'other' in decision ? decision.other : null;
  if (before !== null && isThatRow(decision)) return keyOf(before.at);
  return own === null ? placeOf(here) : keyOf(own);
}

/** Whether the other row of a decision is this row itself, as it went out before. */
function isThatRow(decision: StagedDecision | null): boolean {
  return decision !== null && 'why' in decision && ofRowItself.has(decision.why);
}
