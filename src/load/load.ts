/**
 * Sends the rows that are to be sent: kinds in their order, rows with limited concurrency, children after their parents. Its one
 * rule: rows are in the ledger as intents before their request leaves, and their outcomes are recorded after its answer.
 */
import { setImmediate } from 'node:timers/promises';
import { type ContractSettings, sendingOf } from '../contract/contract-settings.ts';
import type { RecordKind } from '../contract/record-kind.ts';
import { recordKinds } from '../contract/record-kinds.ts';
import { noRecord, type RowState } from '../contract/row-state.ts';
import type { Ledger, RowPosition, Run } from '../ledger/ledger.ts';
import type { Message } from '../messages/message.ts';
import { messageOf } from '../messages/text.ts';
import { RowFields } from '../plan/changed-fields.ts';
import { decisionOf } from '../plan/decision.ts';
import type { Around } from '../plan/row-digests.ts';
import type { OutgoingRecord, ServiceClient, Slot } from '../service/client.ts';
import type { Outcome, StopReason } from '../service/outcome.ts';
import { afterEarlierTries } from '../service/row-outcomes.ts';
import type { AttachmentPlace } from '../staging/attachment-files.ts';
import type { KnownStaged } from '../staging/staged-row.ts';
import { parentIdsOf, type RecordMaker, recordMaker } from './outgoing.ts';

export interface LoadOptions extends Around {
  readonly ledger: Ledger;
  readonly contract: ContractSettings;
  readonly attachments: AttachmentPlace;
  readonly idempotencyKeys: boolean;
  /** Rows in one request of a bulk kind. */
  readonly batch: number;
  /** Once it is aborted, no new request starts. Those in flight may finish. */
  readonly signal: AbortSignal;
  readonly onRow: (event: RowEvent) => void;
}

export interface RowEvent extends RowPosition {
  readonly state: RowState;
  /** The code of its message; `null` without one. */
  readonly code: string | null;
}

export interface LoadEnd {
  readonly stopReason: StopReason | null;
  readonly interrupted: boolean;
}

/** Requests between intent and outcome, as a multiple of the concurrency. A kill may leave the rows of that many in doubt. */
const slotsAhead = 2;

const isToSend = `r.decision ->> '$.do' = 'send'`;
/** A row with a file keeps it open until it is sent, so such rows are prepared one at a time. */
const rowsAhead = (kind: RecordKind, size: number): number => (kind.sending.hasFile ? 1 : Math.max(32, size));

interface Ready {
  readonly staged: KnownStaged;
  readonly id: number;
  readonly sheet: string;
  readonly fields: string;
  readonly record: OutgoingRecord;
  readonly release: () => void;
}

/** For intents that were written ahead when the run ends. */
const unsentAhead: Outcome = {
  ...noRecord,
  state: 'not-sent',
  attempts: 0,
  httpStatus: null,
  message: messageOf('run-ended'),
};

/** @throws DealsheetError `ledger-failed` when the ledger can no longer be written; nothing is sent without an intent */
export async function load(client: ServiceClient, run: Run, options: LoadOptions): Promise<LoadEnd> {
  const { staging, ledger, contract, attachments, idempotencyKeys, batch, signal, onRow } = options;
  const { lease } = run;
  const inFlight = new Set<Promise<void>>();
  /** The last request for each company: updates of one company are sent one at a time, in order. */
  const lastUpdate = new Map<string, Promise<void>>();
  /** Settles once the newest intents are in the ledger. */
  let intending: Promise<unknown> = Promise.resolve();
  let failure: unknown = null;

  const failed = () => failure ?? lease?.failure ?? client.listenerFailure;
  const mustStop = () => signal.aborted || client.stopReason !== null || failed() !== null;

  const placeOf = (staged: KnownStaged): RowPosition => ({ sheet: staging.sheetOf(staged).name, row: staged.row });
  const tell = (staged: KnownStaged, state: RowState, code: string | null) =>
    onRow({ state, code, ...placeOf(staged) });

  /** Rows that are not sent after all. */
  const note = async (rows: readonly (readonly [KnownStaged, RowState, Message])[]) => {
    if (rows.length === 0) return;
    await run.note(rows.map(([staged, state, message]) => ({ ...placeOf(staged), state, message })));
    for (const [staged, state, { code }] of rows) tell(staged, state, code);
  };

  const prepared = async (make: RecordMaker, rows: readonly KnownStaged[]): Promise<readonly Ready[]> => {
    const { idsOf, forms } = await parentIdsOf(rows, options);
    const known = idempotencyKeys ? await ledger.lookupRows(rows.flatMap(({ id }) => id ?? [])) : null;
    const ready: Ready[] = [];
    const unsendable: [KnownStaged, RowState, Message][] = [];
    for (const staged of rows) {
      const ids = idsOf(staged);
      if (typeof ids === 'string') {
        unsendable.push([staged, 'waiting', messageOf(ids, { named: null })]);
        continue;
      }
      const id = staged.id ?? 0;
      // A restored backup gives ids out a second time, and a run id never.
      const key = known === null ? null : ledger.digest(`idempotency\n${known.get(id)?.firstRun}\n${id}`);
      const data = staging.data(staged);
      const made = make(data, ids, key);
      if (!made.ok) unsendable.push([staged, 'invalid', made.message]);
      else {
        const fields = new RowFields(ledger, staged, data, forms).digests(contentOf(staged));
        ready.push({ staged, id, sheet: data.sheet, fields, record: made.record, release: made.release });
      }
    }
    await note(unsendable);
    return ready;
  };

  /** Writes the intents. A row that the ledger does not take, because it or an equal row is live by now, is noted and left out. */
  const intended = async (rows: readonly Ready[]): Promise<readonly Ready[]> => {
    const intents = rows.map(({ staged, id, sheet, fields }) => {
      const decision = decisionOf(staged);
      const equals = decision?.do === 'send' ? decision.equals : 0;
      const { row, foundBy } = staged;
      return { id, sheet, row, content: contentOf(staged), fields, equals, isFirst: foundBy === 'new' };
    });
    const written = await run.intend(intents);
    const refused = rows.filter(({ id }) => !written.has(id));
    await note(refused.map(({ staged }) => [staged, 'not-sent', messageOf('live-meanwhile')]));
    return rows.filter(({ id }) => written.has(id));
  };

  const settle = async (rows: readonly Ready[], answered: readonly Outcome[]) => {
    const outcomes = rows.map(({ staged, id, sheet }, at) => {
      const outcome = answered[at];
      if (outcome === undefined) throw new Error(`No outcome for ${sheet} row ${staged.row}.`);
      return { id, staged, ...afterEarlierSending(staged, outcome) };
    });
    const taken = await run.record(outcomes);
    for (const { id, staged, state, message } of outcomes)
      if (taken.includes(id)) tell(staged, 'in-doubt', 'id-given-twice');
      else tell(staged, state, message?.code ?? null);
  };

  const send = async (given: Slot | null, kind: RecordKind, rows: readonly Ready[], before: Promise<void> | null) => {
    let slot = given;
    try {
      if (before !== null) await before;
      if (mustStop() || (slot === null && lease === null)) return;
      const writing = intended(rows);
      intending = writing;
      const sent = await writing;
      if (sent.length === 0) return;
      slot ??= await client.slot();
      const records = sent.map(({ record }) => record);
      const outcomes =
        slot === null || lease?.failure ? records.map(() => unsentAhead) : await slot.send(kind, records);
      await settle(sent, outcomes);
    } finally {
      slot?.release();
      for (const row of rows) row.release();
    }
  };

  /** With a remote ledger, intents are written before a slot is free, so that its round trips do not slow the load. */
  const dispatch = async (kind: RecordKind, rows: readonly Ready[]) => {
    while (lease !== null && inFlight.size >= slotsAhead * client.concurrency) await Promise.race(inFlight);
    const slot = mustStop() || lease !== null ? null : await client.slot();
    const company = kind.sending.isUpdate ? (rows[0]?.record.pathId ?? '') : null;
    const before = company === null ? null : (lastUpdate.get(company) ?? null);
    const sending = send(slot, kind, rows, before)
      .catch((error: unknown) => {
        failure ??= error;
      })
      .finally(() => inFlight.delete(sending));
    inFlight.add(sending);
    if (company !== null) lastUpdate.set(company, sending);
  };

  const sendKind = async (kind: RecordKind) => {
    const size = sendingOf(kind, contract.requests).isBatch ? batch : 1;
    const make = recordMaker(kind, contract, attachments);
    for await (const rows of staging.batches(kind.name, isToSend, rowsAhead(kind, size))) {
      if (mustStop()) break;
      const ready = await prepared(make, rows);
      for (let at = 0, sent: readonly Ready[]; at < ready.length; at += sent.length) {
        sent = ready.slice(at, at + (client.isUnproven(kind, 1) ? 1 : size));
        await dispatch(kind, sent);
        if (client.isUnproven(kind, sent.length)) await Promise.all(inFlight);
      }
      if (ready.length < 2 || lease !== null) continue;
      // The next rows are prepared while these are under way, which takes as long as to write the intents of these.
      await intending;
      // A request leaves one turn after its intent is written.
      await setImmediate();
      await setImmediate();
    }
  };

  if (lease !== null) await lease.takesUpTo(client.sendBy(lease));
  for (const kind of recordKinds) {
    await sendKind(kind).catch((error: unknown) => {
      failure ??= error;
    });
    // The children of this kind need its ids.
    while (inFlight.size > 0) await Promise.all(inFlight);
    lastUpdate.clear();
  }
  const error = failed();
  if (error !== null) throw error;
  return { stopReason: client.stopReason, interrupted: signal.aborted };
}

function contentOf({ content }: KnownStaged): string {
  return content ?? '';
}

/**
 * An update whose earlier attempt may have been applied stays in doubt when it is rejected. If it was not sent or
 * failed, it is still to be repeated.
 */
function afterEarlierSending(staged: KnownStaged, outcome: Outcome): Outcome {
  const decision = decisionOf(staged);
  if (decision?.do !== 'send' || !decision.mayBeApplied) return outcome;
  if (outcome.state === 'not-sent' || outcome.state === 'failed')
    return { ...outcome, state: 'in-doubt', message: messageOf('left-to-repeat') };
  return afterEarlierTries(outcome, messageOf('left-in-doubt', { wasSentAgain: true }), true);
}
