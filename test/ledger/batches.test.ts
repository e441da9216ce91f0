import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Batches } from '../../src/ledger/sql-run.ts';

/** Writes that end when the test says so. */
function heldBack(atOnce: number) {
  const begun: string[][] = [];
  const ends: ((failure?: Error) => void)[] = [];
  const batches = new Batches<string, string>((calls) => {
    begun.push([...calls]);
    return new Promise((resolve, reject) => {
      ends.push((failure) => (failure === undefined ? resolve(calls.join()) : reject(failure)));
    });
  }, atOnce);
  const turn = async () => {
    for (let turns = 0; turns < 4; turns += 1) await setImmediate();
  };
  return { batches, begun, ends, turn };
}

describe('Calls that come while a write is under way', () => {
  it('share the next one, and are told what came of it', async () => {
    const { batches, begun, ends, turn } = heldBack(1);
    const first = batches.add('a', [1]);
    await turn();
    const others = [batches.add('b', [2]), batches.add('c', [3])];
    await turn();
    expect(begun).toEqual([['a']]);
    ends[0]?.();
    expect(await first).toBe('a');
    await turn();
    ends[1]?.();
    expect(await Promise.all(others)).toEqual(['b,c', 'b,c']);
  });

  it('begin at once where several may be under way, but for those about a row that is', async () => {
    const { batches, begun, ends, turn } = heldBack(2);
    void batches.add('a', [1, 2]);
    await turn();
    for (const [call, keys] of Object.entries({ b: [2, 3], c: [3], d: [4], e: [4] })) void batches.add(call, keys);
    await turn();
    expect(begun).toEqual([['a'], ['d']]);
    ends[0]?.();
    await turn();
    expect(begun[2]).toEqual(['b']);
    ends[1]?.();
    ends[2]?.();
    await turn();
    expect(begun[3]).toEqual(['c', 'e']);
  });

  it('go on after one that failed, which is told to those of it alone', async () => {
    const { batches, ends, turn } = heldBack(1);
    const first = batches.add('a', [1]);
    await turn();
    const second = batches.add('b', [1]);
    ends[0]?.(new Error('away'));
    await expect(first).rejects.toThrow('away');
    await turn();
    ends[1]?.();
    expect(await second).toBe('b');
  });
});
