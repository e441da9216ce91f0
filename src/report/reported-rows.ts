/** Joins staged rows with their ledger entries, in order. Without a run, the decisions take their place. */
import { noRecord, rowStates } from '../contract/row-state.ts';
import { entriesOfSheet, type RowPosition, type RunEntry, type RunRecord } from '../ledger/ledger.ts';
import type { Message } from '../messages/message.ts';
import { errorOf, messageOf } from '../messages/text.ts';
import { changesAtCells, pathsShown, RowFields, type ValuesBefore } from '../plan/changed-fields.ts';
import { decisionOf, earlierOf, type KeptRow, type StagedDecision } from '../plan/decision.ts';
import type { PlanLedger } from '../plan/row-digests.ts';
import { completeMessage, findingsOfSent, findingsThatCount, noteOfSkipped, stateDecided } from '../plan/row-state.ts';
import { keyOf, lostKey, notCreatedMark, placeOf } from '../staging/own-columns.ts';
import type { MatchedSheet } from '../staging/source/matched-sheet.ts';
import type { MeasuredSheet } from '../staging/stage.ts';
import type { KnownStaged } from '../staging/staged-row.ts';
import type { Staging } from '../staging/staging.ts';
import type { ReportedRow, RowResult } from './result-row.ts';

export interface ReportedRun {
  readonly ledger: Pick<PlanLedger, 'digest' | 'entries' | 'lookupRows' | 'rowsAtOnce'>;
  readonly record: RunRecord;
}

/** @throws DealsheetError `output-failed` when the run has a row that is not staged */
export async function* reportedRows(
  staging: Staging,
  of: MeasuredSheet,
  run: ReportedRun | null,
  before?: ValuesBefore,
) {
  const { number, sheet } = of;
  const entries = run === null ? null : entriesOfSheet(run.ledger, run.record.id, sheet.name);
  const nextEntry = async (): Promise<RunEntry | null> => (await entries?.next())?.value ?? null;
  let entry = await nextEntry();
  for await (const rows of staging.batches(number)) {
    const entryOf = new Map<KnownStaged, RunEntry>();
    for (const row of rows) {
      if (entry !== null && entry.row < row.row) throw errorOf('row-not-in-source', { place: placeOf(entry) });
      if (entry?.row !== row.row) continue;
      entryOf.set(row, entry);
      entry = await nextEntry();
    }
    const corrected = run === null ? null : await correctedSince(entryOf, staging, run.ledger);
    for (const row of rows) {
      const values = before?.get(placeOf({ sheet: sheet.name, row: row.row }));
      const ofRow = entryOf.get(row) ?? null;
      yield reportedRow(staging, row, ofRow, sheet, run?.record.id ?? null, values, corrected?.has(row));
    }
  }
  if (entry !== null) throw errorOf('row-not-in-source', { place: placeOf(entry) });
}

/** The rows that another run has brought in with other values. Their parents do not count: a Ref may be of one file only. */
async function correctedSince(
  entryOf: ReadonlyMap<KnownStaged, RunEntry>,
  staging: Staging,
  ledger: ReportedRun['ledger'],
): Promise<ReadonlySet<KnownStaged>> {
  const later = [...entryOf].filter(([, { since, phase }]) => since !== null && phase === 'committed');
  if (later.length === 0) return new Set();
  const known = await ledger.lookupRows(later.map(([, { id }]) => id));
  const isOther = ([row, { id }]: (typeof later)[number]) => {
    const [data, sent] = [staging.data(row), known.get(id)];
    if (sent === undefined) return false;
    const paths = pathsShown(data, staging.sheetOf(row).columns);
    const shown = paths.filter((path) => row.parents.every(({ fills }) => fills !== path));
    const fields = new RowFields(ledger, { ...row, parents: [] }, data, () => ['', '']);
    return (fields.changedSince(sent, shown) ?? []).length > 0;
  };
  return new Set(later.filter(isOther).map(([row]) => row));
}

export function reportedRow(
  staging: Staging,
  row: KnownStaged,
  entry: RunEntry | null,
  sheet: MatchedSheet,
  run: string | null,
  before?: ReadonlyMap<string, string>,
  isCorrected = false,
): ReportedRow {
  const { problems } = staging.detailsOf(row);
  const source = staging.cellsOf(row);
  const result = resultOf(row, entry, isCorrected);
  const said = completeMessage(run, result.message, row, staging);
  const { message, atCells } = changesAtCells(sheet, source, said, before);
  const decision = decisionOf(row);
  const lost = problems.find(({ code }) => code === 'key-lost');
  const here = { sheet: sheet.name, row: row.row };
  return {
    source,
    amount: row.amount,
    findings: [...findingsThatCount(result.state, problems), ...findingsOfSent(decision, entry), ...atCells],
    key:
      lost !== undefined && result.state === 'invalid'
        ? lostKey
        : keyOfRow(row, here, result.message?.code, earlierOf(decision), run, entry),
    ...result,
    record: lost === undefined ? (result.record ?? typedIn(result.message)) : (lost.params.id as string | null),
    message,
  };
}

export function resultOf(row: KnownStaged, entry: RunEntry | null, isCorrected = false): RowResult {
  return entry === null ? resultByDecision(decisionOf(row), row) : resultByEntry(entry, isCorrected);
}

/** A typed id stays in the ID cell until it is corrected. Without it, the next load would send the row. */
function typedIn(message: Message | null): string | null {
  const typed = message?.code === 'unknown-key' || message?.code === 'by-results' ? null : message?.params.typed;
  return typeof typed === 'string' && typed !== '' ? typed : null;
}

function resultByDecision(decision: StagedDecision | null, { own, foundBy, isValid, aside }: KnownStaged): RowResult {
  if (decision === null) return { ...noRecord, state: aside ?? (isValid ? 'ready' : 'invalid'), message: null };
  const state = stateDecided(decision);
  if (decision.do === 'send') return { state, message: null, ...noRecord };
  if (decision.do === 'settle') {
    const changed = state === 'changed-since-loaded' ? decision.reportedAs : undefined;
    const message = changed === undefined ? messageOf('answer-not-taken') : noteOfSkipped(changed).message;
    return { ...noRecord, record: decision.id, state, message };
  }
  const { message } = noteOfSkipped(decision);
  if (decision.settles === 'not-created') return { ...noRecord, state, message, record: notCreatedMark };
  if (!rowStates[state].isIn) return { ...noRecord, state, message };
  const of = foundBy === 'trusted' ? own && { ...own, record: own.answer?.id } : decision.other;
  return { state, message, record: of?.record ?? null, company: of?.company ?? null, url: of?.url ?? null };
}

/**
 * The result in a run, or what became of the row since.
 *
 * @param isCorrected  whether the row has other values here than it went in with
 */
export function resultByEntry(entry: RunEntry, isCorrected = false): RowResult {
  const { state, message, record, company, url, since, phase } = entry;
  if (since === null)
    return phase === 'committed' ? { state, message, record, company, url } : { ...noRecord, state, message };
  if (phase === 'committed') {
    // What could not be read, and may be secret, has no digest.
    const isOther = isCorrected || (state === 'invalid' && message === null);
    const code = isOther ? 'went-in-corrected' : 'went-in-later';
    return { state: 'already-loaded', message: messageOf(code, { run: since }), record, company, url };
  }
  const why = state === 'in-doubt' && message !== null ? message : messageOf('in-doubt-later', { run: since });
  return { ...noRecord, state: 'in-doubt', message: why };
}

/**
 * The key by which the next load recognizes the row. Without a run, it is the key from the earlier run. If a new key would make it
 * another row, it is what its Run cell says.
 */
function keyOfRow(
  { own, foundBy }: KnownStaged,
  here: RowPosition,
  code: string | undefined,
  earlier: KeptRow | null,
  run: string | null,
  entry: RunEntry | null,
): string {
  const isOther = code === 'key-of-another-kind' || (code === 'equal-to-loaded-row' && foundBy !== 'key');
  if (run !== null && !isOther)
    return keyOf({ run, ...here, attempt: entry?.attempt ?? 0 }, entry?.state === 'in-doubt');
  if (earlier !== null && !isOther)
    return keyOf({ ...earlier.at, attempt: earlier.attempt }, earlier.phase === 'in-doubt');
  return own === null ? placeOf(here) : keyOf(own, own.saysDoubt);
}
