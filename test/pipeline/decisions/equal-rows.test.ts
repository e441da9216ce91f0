import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Ledger, Settlement } from '../../../src/ledger/ledger.ts';
import { EqualRows, type ReadyRow } from '../../../src/pipeline/decisions/equal-rows.ts';
import { Siblings } from '../../../src/pipeline/decisions/siblings.ts';
import { type Claim, Claims } from '../../../src/pipeline/survey/claims.ts';
import { aLoad, anIntent, anOutcome, newPlace, onlyOnce, type Place, service } from '../../ledger/place.ts';

describe('equal rows of several files', () => {
  let place: Place;
  let ledger: Ledger;

  beforeEach(() => {
    place = newPlace();
    ledger = place.open();
  });
  afterEach(() => place.remove());

  const equalRows = (run: string, claims: readonly Claim[] = []) =>
    new EqualRows(ledger, {
      service,
      run,
      rows: 10,
      isFirstRun: false,
      claims: new Claims(claims),
      earlierRuns: [],
      siblings: new Siblings(ledger, (id) => ledger.run(id)),
    });
  const aRow = (text: string, parts: Partial<ReadyRow> = {}): ReadyRow => ({
    place: { sheet: 'Deals', row: 2 },
    text,
    says: text,
    own: null,
    origin: null,
    ref: null,
    kind: 'deals',
    ...parts,
  });

  /** Loads a file of equal rows, of which each ends in a state, and gives their fingerprints. */
  async function load(text: string, states: readonly Settlement['state'][]): Promise<readonly Buffer[]> {
    const run = ledger.beginRun(aLoad());
    const rows = equalRows(run.id);
    const fingerprints: Buffer[] = [];
    for (const [index, state] of states.entries()) {
      const { fingerprint, repeats, live } = rows.identify(aRow(text));
      fingerprints.push(fingerprint);
      if (live !== null) continue;
      await run.intend(
        [
          {
            sheet: 'Deals',
            row: index + 2,
            kind: 'deals',
            fingerprint,
            shown: null,
            ref: null,
            repeats,
            supersedes: null,
          },
        ],
        onlyOnce,
      );
      await run.settle([anOutcome(index + 2, state)]);
    }
    await run.end('ended');
    return fingerprints;
  }

  const statesOf = (text: string, rows: number, claims: readonly Claim[] = []) => {
    const equal = equalRows('another run', claims);
    return Array.from({ length: rows }, () => equal.identify(aRow(text)).live?.state ?? 'new');
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
    expect(statesOf('A', 1, [{ fingerprint: first?.toString('hex') ?? '', says: 'A' }])).toEqual(['new']);
  });

  it('are two also when both come back from different runs, which had the same one of each', async () => {
    const [first] = await load('A', ['rejected']);
    const [again] = await load('A', ['rejected']);
    const own = first ?? null;
    expect(again).toEqual(own);
    const equal = equalRows('another run', [{ fingerprint: own?.toString('hex') ?? '', says: 'A' }]);
    const given = [equal.identify(aRow('A', { own })), equal.identify(aRow('A', { own }))];
    expect(given[0]?.fingerprint).toEqual(own);
    expect(given[1]).toMatchObject({ live: null, repeats: { occurrence: 2 } });
  });

  it('meet one that stands beside them and says something else by now: its cells were moved to them', async () => {
    const [first] = await load('A', ['created']);
    expect(statesOf('A', 1, [{ fingerprint: first?.toString('hex') ?? '', says: 'C' }])).toEqual(['created']);
  });

  it('meet the one among them that went in under the same ref', async () => {
    const run = ledger.beginRun(aLoad());
    const rows = equalRows(run.id);
    for (const [index, name] of ['D-1', 'D-2'].entries()) {
      const ref = ledger.fingerprint(name);
      const { fingerprint, repeats } = rows.identify(aRow('A', { ref }));
      const row = index + 2;
      await run.intend([anIntent(ledger, row, { fingerprint, ref, repeats })], onlyOnce);
      await run.settle([anOutcome(row, 'created')]);
    }
    await run.end('ended');
    const later = equalRows('another run');
    expect(later.identify(aRow('A', { ref: ledger.fingerprint('D-2') })).live?.row).toBe(3);
    expect(later.identify(aRow('A')).live?.row).toBe(2);
    expect(later.identify(aRow('A')).live).toBeNull();
  });

  it('keep what made them themselves in their own earlier run, whatever rows stand beside them now', async () => {
    const [, second] = await load('A', ['created', 'rejected']);
    const again = equalRows('another run').identify(aRow('A', { own: second ?? null }));
    expect(again.fingerprint).toEqual(second);
    expect(again.live).toBeNull();
  });

  it('are other rows once they say something else', async () => {
    const [, second] = await load('A', ['created', 'rejected']);
    const corrected = equalRows('another run').identify(aRow('B', { own: second ?? null }));
    expect(corrected.repeats).toBeNull();
    expect(corrected.live).toBeNull();
  });
});
