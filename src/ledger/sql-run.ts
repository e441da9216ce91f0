/**
 * A run that sends: its intents, outcomes and notes. Its one rule: calls that arrive while a write is being made durable share the
 * next one, so that a row costs its share of two commits.
 */
import { setImmediate } from 'node:timers/promises';
import type { RowId, RowPosition, Run } from './ledger.ts';
import {
  type AttemptOutcome,
  heldBy,
  type Intended,
  intend,
  recordOutcomes,
  register,
  setNotes,
} from './row-writes.ts';
import { endRun, sheetNumber } from './run-records.ts';
import type { Holding, Store } from './store.ts';

/** What is written together. */
interface Batch {
  readonly intents: Intended[];
  readonly outcomes: Omit<AttemptOutcome, 'attempt'>[];
  readonly written: Promise<{
    readonly sent: ReadonlySet<RowId>;
    readonly settled: ReadonlyMap<RowId, unknown>;
  }>;
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
  /** What the next write takes; `null` until something comes. */
  let next: Batch | null = null;
  let lastWrite: Promise<unknown> = Promise.resolve();
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

  const write = async ({ intents, outcomes }: Pick<Batch, 'intents' | 'outcomes'>) => {
    const recording = recordOutcomes(outcomes.map((one) => ({ attempt: attempts.get(one.id) ?? 0, ...one })));
    // Once the lease is lost, no intent is written. Outcomes still are.
    const sending = intend(lease?.failure ? [] : intents, begun.service, fence);
    const names = [...(intents.length > 0 ? ['intent'] : []), ...(outcomes.length > 0 ? ['settle'] : [])];
    try {
      const read = await store.write(names, [...recording.all, ...sending.all]);
      const sent = (read.get(sending.main) ?? []).map(([id, attempt]) => [Number(id), Number(attempt)] as const);
      for (const [id, attempt] of sent) attempts.set(id, attempt);
      const isHeld = async () => (await store.read({ sql: heldBy, values: [begun.service, fence] })).length > 0;
      if (sent.length < intents.length && !lease?.failure && !(await isHeld())) holding.lose('lease-taken-over');
      const settled = (read.get(recording.main) ?? []).map(([id, record]) => [Number(id), record] as const);
      return { sent: new Set(sent.map(([id]) => id)), settled: new Map(settled) };
    } catch (error) {
      failure ??= error;
      isOutcomeLost ||= outcomes.length > 0;
      throw error;
    }
  };

  /**
   * Callers of the previous write run first, so that their next calls share this write. So do answers that come together: they are
   * read one turn after the first of them, and a write of one row takes nearly as long as one of ten.
   */
  const begin = (): Batch => {
    const asked = { intents: [], outcomes: [] };
    const afterLast = async () => {
      await setImmediate();
      await setImmediate();
      next = null;
      return write(asked);
    };
    const written = lastWrite.then(afterLast, afterLast);
    lastWrite = written;
    return { ...asked, written };
  };

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
        next ??= begin();
        next.intents.push(...rows);
        const { sent } = await next.written;
        if (lease?.failure) throw lease.failure;
        return sent;
      }),
    record: (outcomes) =>
      during(async () => {
        next ??= begin();
        next.outcomes.push(...outcomes);
        const { settled } = await next.written;
        const strays = outcomes.flatMap(({ id }) => (settled.has(id) ? [] : [id]));
        if (strays.length > 0) throw new Error(`No outcome was written for rows that are not under way: ${strays}.`);
        for (const { id } of outcomes) attempts.delete(id);
        return outcomes.filter(({ id, record }) => record !== settled.get(id)).map(({ id }) => id);
      }),
    note: (notes) => during(async () => void (await store.write(['record'], [setNotes(await placed(notes))]))),
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
