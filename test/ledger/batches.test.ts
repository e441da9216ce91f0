import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Batches } from '../../src/ledger/sql-run.ts';

/** Writes that end when the test says so. */
function heldBack() {
  const begun: string[][] = [];
  const ends: ((failure?: Error) => void)[] = [];
  const batches = new Batches<string, string>((calls) => {
    begun.push([...calls]);
    return new Promise((resolve, reject) => {
      ends.push((failure) => (failure === undefined ? resolve(calls.join()) : reject(failure)));
    });
  });
  const turn = async () => {
    for (let turns = 0; turns < 4; turns += 1) await setImmediate();
  };
  return { batches, begun, ends, turn };
}

describe('Calls that come while a write is under way', () => {
  it('share the next one, and are told what came of it', async () => {
    const { batches, begun, ends, turn } = heldBack();
    const first = batches.add('a');
    await turn();
    const others = [batches.add('b'), batches.add('c')];
    await turn();
    expect(begun).toEqual([['a']]);
    ends[0]?.();
    expect(await first).toBe('a');
    await turn();
    ends[1]?.();
    expect(await Promise.all(others)).toEqual(['b,c', 'b,c']);
  });

  it('go on after one that failed, which is told to those of it alone', async () => {
    const { batches, ends, turn } = heldBack();
    const first = batches.add('a');
    await turn();
    const second = batches.add('b');
    ends[0]?.(new Error('away'));
    await expect(first).rejects.toThrow('away');
    await turn();
    ends[1]?.();
    expect(await second).toBe('b');
  });
});
