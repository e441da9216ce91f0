import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Ledger, Settlement } from '../../src/ledger/ledger.ts';
import { EqualRows } from '../../src/pipeline/equal-rows.ts';
import { aLoad, anOutcome, newPlace, onlyOnce, type Place, service } from '../ledger/place.ts';

describe('equal rows of several files', () => {
  let place: Place;
  let ledger: Ledger;

  beforeEach(() => {
    place = newPlace();
    ledger = place.open();
  });
  afterEach(() => place.remove());

  const equalRows = (run: string, claimed: readonly string[] = []) =>
    new EqualRows(ledger, { service, run, isFirstRun: false, claimed: new Set(claimed) });

  /** Loads a file of equal rows, of which each ends in a state, and gives their fingerprints. */
  async function load(text: string, states: readonly Settlement['state'][]): Promise<readonly Buffer[]> {
    const run = ledger.beginRun(aLoad());
    const rows = equalRows(run.id);
    const fingerprints: Buffer[] = [];
    for (const [index, state] of states.entries()) {
      const { fingerprint, repeats, live } = rows.identify(text, null);
      fingerprints.push(fingerprint);
      if (live !== null) continue;
      await run.intend([{ sheet: 'Deals', row: index + 2, kind: 'deals', fingerprint, ref: null, repeats }], onlyOnce);
      await run.settle([anOutcome(index + 2, state)]);
    }
    await run.end('ended');
    return fingerprints;
  }

  const statesOf = (text: string, rows: number, claimed: readonly string[] = []) => {
    const equal = equalRows('another run', claimed);
    return Array.from({ length: rows }, () => equal.identify(text, null).live?.state ?? 'new');
  };

  it('are new beyond as many as went in with an earlier file', async () => {
    await load('A', ['created', 'created']);
    expect(statesOf('A', 3)).toEqual(['created', 'created', 'new']);
    expect(statesOf('B', 1)).toEqual(['new']);
  });

  it('are in when it was the second or third of an earlier file that went in', async () => {
    await load('A', ['rejected', 'created']);
    expect(statesOf('A', 2)).toEqual(['created', 'new']);
    await load('B', ['failed', 'rejected', 'created', 'rejected']);
    expect(statesOf('B', 3)).toEqual(['created', 'new', 'new']);
  });

  it('are counted over all earlier files', async () => {
    await load('A', ['created']);
    await load('A', ['created', 'created', 'created']);
    expect(statesOf('A', 4)).toEqual(['created', 'created', 'created', 'new']);
  });

  it('do not meet those that stand beside them in their own source', async () => {
    const [first] = await load('A', ['created', 'rejected']);
    expect(statesOf('A', 1, [first?.toString('hex') ?? ''])).toEqual(['new']);
  });

  it('keep what made them themselves in their own earlier run, whatever rows stand beside them now', async () => {
    const [, second] = await load('A', ['created', 'rejected']);
    const again = equalRows('another run').identify('A', second ?? null);
    expect(again.fingerprint).toEqual(second);
    expect(again.live).toBeNull();
  });

  it('are other rows once they say something else', async () => {
    const [, second] = await load('A', ['created', 'rejected']);
    const corrected = equalRows('another run').identify('B', second ?? null);
    expect(corrected.repeats).toBeNull();
    expect(corrected.live).toBeNull();
  });
});
