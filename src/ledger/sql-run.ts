/**
 * A run that sends: its intents, outcomes and notes. Its one rule: calls that arrive while a write is being made durable share the
 * next one, so that a row costs its share of two commits.
 */
import type { RowState } from '../contract/row-state.ts';
import type { RowId, Run } from './ledger.ts';
import {
  type AttemptOutcome,
  heldBy,
  type Intended,
  intend,
  type Noted,
  type Registered,
  recordOutcomes,
  register,
  setNotes,
} from './row-writes.ts';
import { endRun, sheetNumber } from './run-records.ts';
import type { Holding, Read, Row, Statement, Store } from './store.ts';

type Call =
  | { readonly name: 'intent'; readonly rows: readonly Intended[] }
  | { readonly name: 'settle'; readonly rows: readonly AttemptOutcome[] }
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
  const sheets = new Map<string, Promise<number>>();
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

  /** The number of a sheet of this run, which is added if it is new. */
  const sheetOf = (name: string): Promise<number> => {
    const known = sheets.get(name);
    if (known !== undefined) return known;
    const asked = store.transaction('sheet', sheetNumber(begun.run, name));
    sheets.set(name, asked);
    return asked;
  };

  const write = async (asked: readonly Call[]): Promise<Written> => {
    // Once the lease is lost, no intent is written. Outcomes still are.
    const mayIntend = !lease?.failure;
    const intents = asked.flatMap((one) => (one.name === 'intent' && mayIntend ? one.rows : []));
    const outcomes = asked.flatMap((one) => (one.name === 'settle' ? one.rows : []));
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

  const calls = new Batches(write, store.writesAtOnce);

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
        const { service, run } = begun;
        const fresh = rows.filter(({ id }) => id === null).length;
        const ids = fresh === 0 ? [] : [...(await store.newRowIds(fresh))];
        const registered: Registered[] = [];
        for (const row of rows) {
          const id = row.id ?? ids.shift() ?? 0;
          registered.push({ ...row, id, isNew: row.id === null, sheetNumber: await sheetOf(row.sheet) });
        }
        if (rows.length > 0) await store.write(['register'], register(registered, service, run));
        return registered.map(({ id }) => id);
      }),
    intend: (intents) =>
      during(async () => {
        const before = new Map<string, number>();
        const rows: Intended[] = [];
        for (const intent of intents) {
          const earlier = before.get(intent.content) ?? 0;
          before.set(intent.content, earlier + 1);
          rows.push({ ...intent, before: earlier, sheetNumber: await sheetOf(intent.sheet) });
        }
        const why = lease?.failure ?? failure;
        if (why) throw why;
        const keys = [...before.keys(), ...intents.map(({ id }) => id)];
        const { sent } = await calls.add({ name: 'intent', rows }, keys);
        if (lease?.failure) throw lease.failure;
        return sent;
      }),
    record: (outcomes) =>
      during(async () => {
        const records = outcomes.map(({ record }) => record);
        const rows = outcomes.map((outcome, at) => ({
          ...outcome,
          attempt: attempts.get(outcome.id) ?? 0,
          isAgain: outcome.record !== null && records.indexOf(outcome.record) < at,
        }));
        const ids = outcomes.map(({ id }) => id);
        const keys = [...ids, ...records.flatMap((record) => (record === null ? [] : [`record ${record}`]))];
        const { settled } = await calls.add({ name: 'settle', rows }, keys);
        const strays = ids.filter((id) => !settled.has(id));
        if (strays.length > 0) throw new Error(`No outcome was written for rows that are not under way: ${strays}.`);
        // Rejected and in-doubt rows may get another outcome, if the whole endpoint turns out to be closed to this token.
        const isLast = (state: RowState) => state !== 'rejected' && state !== 'in-doubt';
        for (const { id, state } of outcomes) if (isLast(state)) attempts.delete(id);
        return outcomes.filter(({ id, record }) => record !== settled.get(id)).map(({ id }) => id);
      }),
    note: (notes) =>
      during(async () => {
        const rows: Noted[] = [];
        for (const one of notes) rows.push({ ...one, sheetNumber: await sheetOf(one.sheet) });
        const keys = rows.map(({ sheetNumber, row }) => `${sheetNumber}!${row}`);
        await calls.add({ name: 'record', rows }, keys);
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

/** What a call touches: row ids, contents, records. Calls that share a key are written one after the other. */
type Keys = readonly (string | number)[];

interface Waiting<Call, Result> {
  readonly call: Call;
  readonly keys: Keys;
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: unknown) => void;
}

function inTheTurnAfterNext(work: () => void): void {
  setImmediate(() => setImmediate(work));
}

/** A write takes at most about a thousand rows, beyond those of its last call. An intent has two keys a row. */
const mostKeys = 2000;

export class Batches<Call, Result> {
  readonly #write: (calls: readonly Call[]) => Promise<Result>;
  readonly #atOnce: number;
  readonly #keysUnderWay = new Set<string | number>();
  readonly #writing = new Set<Promise<void>>();
  #waiting: Waiting<Call, Result>[] = [];
  #isSoon = false;

  constructor(write: (calls: readonly Call[]) => Promise<Result>, atOnce: number) {
    this.#write = write;
    this.#atOnce = atOnce;
  }

  add(call: Call, keys: Keys): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ call, keys, resolve, reject });
      this.#writeSoon();
    });
  }

  /**
   * Callers of the previous write run first, so that their next calls share this write. So do answers that come together: they are
   * read one turn after the first of them, and a write of one row takes nearly as long as one of ten.
   */
  #writeSoon(): void {
    if (this.#isSoon || this.#waiting.length === 0 || this.#writing.size >= this.#atOnce) return;
    this.#isSoon = true;
    inTheTurnAfterNext(() => {
      this.#isSoon = false;
      const batch = this.#takeApart();
      if (batch.length === 0) return;
      const writing = this.#writeBatch(batch).finally(() => {
        this.#writing.delete(writing);
        this.#writeSoon();
      });
      this.#writing.add(writing);
    });
  }

  /** Takes the waiting calls that share no key with a write in progress or with a call before them. */
  #takeApart(): readonly Waiting<Call, Result>[] {
    const seen = new Set(this.#keysUnderWay);
    let keys = 0;
    const [batch, later]: [Waiting<Call, Result>[], Waiting<Call, Result>[]] = [[], []];
    for (const one of this.#waiting) {
      const isLater = keys > mostKeys || one.keys.some((key) => seen.has(key));
      if (!isLater) keys += one.keys.length;
      (isLater ? later : batch).push(one);
      for (const key of one.keys) seen.add(key);
    }
    this.#waiting = later;
    return batch;
  }

  async #writeBatch(batch: readonly Waiting<Call, Result>[]): Promise<void> {
    const keys = batch.flatMap((one) => one.keys);
    for (const key of keys) this.#keysUnderWay.add(key);
    try {
      const result = await this.#write(batch.map(({ call }) => call));
      for (const { resolve } of batch) resolve(result);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      for (const key of keys) this.#keysUnderWay.delete(key);
    }
  }
}
