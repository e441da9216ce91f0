import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openRun } from '../../src/ledger/sql-run.ts';
import type { Holding, Statement, Store } from '../../src/ledger/store.ts';

/** A run whose writes end when the test says so. */
function heldBack() {
  const begun: number[][] = [];
  const ends: ((failure?: Error) => void)[] = [];
  const write = (_: unknown, statements: readonly Statement[]) => {
    const sending = statements.find(({ q }) => q?.rows.length);
    const ids = (sending?.q?.rows ?? []).map(([id]) => Number(id));
    begun.push(ids);
    return new Promise((resolve, reject) => {
      const read = new Map([[sending, ids.map((id) => [id, 1])]]);
      ends.push((failure) => (failure === undefined ? resolve(read) : reject(failure)));
    });
  };
  const store = { write, transaction: async () => 1 } as unknown as Store;
  const holding = { begun: { id: 'run', run: 1, service: 1 }, fence: 1, lease: null } as unknown as Holding;
  const run = openRun(store, holding, () => '');
  const turn = async () => {
    for (let turns = 0; turns < 4; turns += 1) await setImmediate();
  };
  const intend = (id: number) =>
    run.intend([{ id, sheet: 'Deals', row: id, content: '', fields: null, equals: 0, isFirst: true }]);
  return { intend, begun, ends, turn };
}

describe('Calls that come while a write is under way', () => {
  it('share the next one, and are told what came of it', async () => {
    const { intend, begun, ends, turn } = heldBack();
    const first = intend(1);
    await turn();
    const others = [intend(2), intend(3)];
    await turn();
    expect(begun).toEqual([[1]]);
    ends[0]?.();
    expect(await first).toEqual(new Set([1]));
    await turn();
    ends[1]?.();
    expect(await Promise.all(others)).toEqual([new Set([2, 3]), new Set([2, 3])]);
  });

  it('go on after one that failed, which is told to those of it alone', async () => {
    const { intend, ends, turn } = heldBack();
    const first = intend(1);
    await turn();
    const second = intend(2);
    await turn();
    ends[0]?.(new Error('away'));
    await expect(first).rejects.toThrow('away');
    await turn();
    ends[1]?.();
    expect(await second).toEqual(new Set([2]));
  });
});
