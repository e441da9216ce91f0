/**
 * A run that sends: its intents, outcomes and notes. Its one rule: calls that arrive while a write is being made durable share the
 * next one, so that a row costs its share of two commits.
 */
import { setImmediate } from 'node:timers/promises';
import type { RowState } from '../contract/row-state.ts';
import type { RowId, RowPosition, Run } from './ledger.ts';
import {
  type AttemptOutcome,
  heldBy,
  type Intended,
  intend,
  type Noted,
  recordOutcomes,
  register,
  setNotes,
} from './row-writes.ts';
import { endRun, sheetNumber } from './run-records.ts';
import type { Holding, Read, Row, Statement, Store } from './store.ts';

type Call =
  | { readonly name: 'intent'; readonly rows: readonly Omit<Intended, 'before'>[] }
  | { readonly name: 'settle'; readonly rows: readonly Omit<AttemptOutcome, 'attempt' | 'isAgain'>[] }
  | { readonly name: 'record'; readonly rows: readonly Noted[] };

interface Written {
  readonly sent: ReadonlySet<RowId>;
  readonly settled: ReadonlyMap<RowId, unknown>;
}

export interface OpenRun extends Run {
  /** Releases the lease without ending the run. The next process to open the ledger marks it as stopped. */
  abandon(): Promise<void>;
}

export function openRun(store: Store, holding: Holding, now: () => string): OpenRun {
  const { begun, fence, lease } = holding;
  const sheets = new Map<string, number>();
  /** The attempt of each row in flight, which its outcome belongs to. */
  const attempts = new Map<RowId, number>();
  const underWay = new Set<Promise<unknown>>();
  let failure: unknown = null;
  let isOutcomeLost = false;
  let ending: Promise<void> | null = null;

  const needRunning = () => {
    if (ending !== null) throw new Error(`The run ${begun.id} is ended: nothing more is written for it.`);
  };

  /** Tracks work in progress, because the end of the run waits for it. */
  const during = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    needRunning();
    const working = work();
    underWay.add(working);
    return working.finally(() => underWay.delete(working));
  };

  /** The rows with the numbers of their sheets in this run, which are added if they are new. */
  const placed = async <Of extends RowPosition>(rows: readonly Of[]) => {
    for (const { sheet } of rows)
      if (!sheets.has(sheet)) sheets.set(sheet, await store.transaction('sheet', () => sheetNumber(begun.run, sheet)));
    return rows.map((row) => ({ sheetNumber: sheets.get(row.sheet) ?? 0, ...row }));
  };

  const write = async (asked: readonly Call[]): Promise<Written> => {
    // Once the lease is lost, no intent is written. Outcomes still are.
    const mayIntend = !lease?.failure;
    const [contents, records] = [new Counted(), new Counted()];
    const intents = asked
      .flatMap((one) => (one.name === 'intent' && mayIntend ? one.rows : []))
      .map((row) => ({ before: contents.next(row.content), ...row }));
    const outcomes = asked
      .flatMap((one) => (one.name === 'settle' ? one.rows : []))
      .map((row) => ({
        attempt: attempts.get(row.id) ?? 0,
        isAgain: row.record !== null && records.next(row.record) > 0,
        ...row,
      }));
    const notes = asked.flatMap((one) => (one.name === 'record' ? one.rows : []));
    const recording = outcomes.length > 0 ? recordOutcomes(outcomes) : [];
    const noting = notes.length > 0 ? [setNotes(notes)] : [];
    const sending = intents.length > 0 ? intend(intents, begun.service, fence) : null;
    const names = [...new Set(asked.map(({ name }) => name))];
    try {
      const read = await store.write(names, [...recording, ...noting, ...(sending?.all ?? [])]);
      const sent = rowsOf(read, sending?.send).map(([id, attempt]) => [Number(id), Number(attempt)] as const);
      for (const [id, attempt] of sent) attempts.set(id, attempt);
      const isHeld = async () => (await store.read({ sql: heldBy, values: [begun.service, fence] })).length > 0;
      if (sent.length < intents.length && !(await isHeld())) holding.lose('lease-taken-over');
      const settled = rowsOf(read, recording[0]).map(([id, record]) => [Number(id), record] as const);
      return { sent: new Set(sent.map(([id]) => id)), settled: new Map(settled) };
    } catch (error) {
      failure ??= error;
      isOutcomeLost ||= outcomes.length > 0;
      throw error;
    }
  };

  const calls = new Batches(write);

  const endAs = async (state: 'stopped' | 'ended' | null): Promise<void> => {
    await Promise.allSettled(underWay);
    if (isOutcomeLost) holding.lose('lease-without-outcomes');
    try {
      await holding.giveBack(state && endRun(begun.run, state, now()));
    } catch (error) {
      throw isOutcomeLost ? failure : error;
    }
  };

  return {
    id: begun.id,
    lease,
    register: (rows) =>
      during(async () => {
        const all = await placed(rows);
        return store.transaction('register', () => register(all, begun.service, begun.run));
      }),
    intend: (intents) =>
      during(async () => {
        const rows = await placed(intents);
        const why = lease?.failure ?? failure;
        if (why) throw why;
        const { sent } = await calls.add({ name: 'intent', rows });
        if (lease?.failure) throw lease.failure;
        return sent;
      }),
    record: (outcomes) =>
      during(async () => {
        const { settled } = await calls.add({ name: 'settle', rows: outcomes });
        const strays = outcomes.flatMap(({ id }) => (settled.has(id) ? [] : [id]));
        if (strays.length > 0) throw new Error(`No outcome was written for rows that are not under way: ${strays}.`);
        // Rejected and in-doubt rows may get another outcome, if the whole endpoint turns out to be closed to this token.
        const isLast = (state: RowState) => state !== 'rejected' && state !== 'in-doubt';
        for (const { id, state } of outcomes) if (isLast(state)) attempts.delete(id);
        return outcomes.filter(({ id, record }) => record !== settled.get(id)).map(({ id }) => id);
      }),
    note: (notes) =>
      during(async () => {
        await calls.add({ name: 'record', rows: await placed(notes) });
      }),
    async end(state) {
      needRunning();
      ending = endAs(state);
      return ending;
    },
    async abandon() {
      ending ??= endAs(null);
      await Promise.allSettled([ending]);
    },
  };
}

function rowsOf(read: Read, statement: Statement | undefined): readonly Row[] {
  return (statement && read.get(statement)) ?? [];
}

/** How many rows of a write had the same value before. */
class Counted {
  readonly #counts = new Map<string, number>();

  next(value: string): number {
    const count = this.#counts.get(value) ?? 0;
    this.#counts.set(value, count + 1);
    return count;
  }
}

interface Waiting<Call, Result> {
  readonly call: Call;
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: unknown) => void;
}

/** One write at a time. Calls that come meanwhile share the next one. */
export class Batches<Call, Result> {
  readonly #write: (calls: readonly Call[]) => Promise<Result>;
  #waiting: Waiting<Call, Result>[] = [];
  #isWriting = false;

  constructor(write: (calls: readonly Call[]) => Promise<Result>) {
    this.#write = write;
  }

  add(call: Call): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ call, resolve, reject });
      if (!this.#isWriting) void this.#writeAll();
    });
  }

  /**
   * Callers of the previous write run first, so that their next calls share this write. So do answers that come together: they are
   * read one turn after the first of them, and a write of one row takes nearly as long as one of ten.
   */
  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    while (this.#waiting.length > 0) {
      await setImmediate();
      await setImmediate();
      const batch = this.#waiting;
      this.#waiting = [];
      try {
        const result = await this.#write(batch.map(({ call }) => call));
        for (const { resolve } of batch) resolve(result);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#isWriting = false;
  }
}
