import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Database } from '../../src/disk/database.ts';
import { IntentRefused } from '../../src/ledger/intent-refused.ts';
import type { Ledger, Run } from '../../src/ledger/ledger.ts';
import {
  aLoad,
  anIntent,
  anOutcome,
  correctByHand,
  newPlace,
  onceMore,
  onlyOnce,
  type Place,
  resolveDoubt,
  saidByHand,
  service,
} from './place.ts';

const deals2 = { sheet: 'Deals', row: 2 } as const;

let place: Place;
let ledger: Ledger;

beforeEach(() => {
  place = newPlace();
  ledger = place.open({ now: () => new Date('2026-11-20T09:00:00.000Z') });
});
afterEach(() => place.remove());

async function runWithDoubt(kind: 'deals' | 'company-updates' = 'deals'): Promise<Run> {
  const run = ledger.beginRun(aLoad());
  await run.intend([anIntent(ledger, 2, { kind })], onlyOnce);
  await run.settle([anOutcome(2, 'in-doubt')]);
  return run;
}

/** A later run that met the row in doubt, and noted it. */
async function runThatNotesIt(earlier: Run): Promise<Run> {
  await earlier.end('ended');
  const run = ledger.beginRun(aLoad());
  await run.record([{ ...anIntent(ledger, 2), ...anOutcome(2, 'in-doubt', { attempts: 0 }) }]);
  return run;
}

describe('A doubt that a person settles', () => {
  it('as created is in, with its id, and goes on guarding', async () => {
    const run = await runWithDoubt();
    resolveDoubt(ledger, run.id, deals2, { created: 'deal_9' });
    expect(ledger.entry(run.id, deals2)).toMatchObject({ state: 'created', id: 'deal_9', attempts: 1 });
    await expect(run.intend([anIntent(ledger, 3, same())], onlyOnce)).rejects.toBeInstanceOf(IntentRefused);
    await run.intend([anIntent(ledger, 3, same())], onceMore);
  });

  it('as not created may be sent again', async () => {
    const run = await runWithDoubt();
    resolveDoubt(ledger, run.id, deals2, 'not-created');
    expect(ledger.entry(run.id, deals2)?.state).toBe('not-sent');
    await run.intend([anIntent(ledger, 2)], onlyOnce);
  });

  it('is settled in every run that noted it, from whichever it is settled', async () => {
    const first = await runWithDoubt();
    const second = await runThatNotesIt(first);
    resolveDoubt(ledger, second.id, deals2, { created: 'deal_9' });
    expect(ledger.entry(first.id, deals2)).toMatchObject({ state: 'created', id: 'deal_9' });
    expect(ledger.entry(second.id, deals2)).toMatchObject({ state: 'already-loaded', id: 'deal_9' });
    expect(ledger.liveEntry(service, same().fingerprint)).toMatchObject({ run: first.id, state: 'created' });
  });

  it('as not created may be sent by the run that had only noted it', async () => {
    const first = await runWithDoubt();
    const second = await runThatNotesIt(first);
    resolveDoubt(ledger, first.id, deals2, 'not-created');
    expect(ledger.entry(second.id, deals2)?.state).toBe('not-sent');
    await second.intend([anIntent(ledger, 2)], onlyOnce);
  });

  it('about an update is about that update alone', async () => {
    const run = await runWithDoubt('company-updates');
    await run.intend([anIntent(ledger, 3, { kind: 'company-updates', ...same() })], onlyOnce);
    await run.settle([anOutcome(3, 'in-doubt')]);
    resolveDoubt(ledger, run.id, deals2, { created: 'company_9' });
    expect([...ledger.entriesOfRun(run.id)].map(({ state }) => state)).toEqual(['updated', 'in-doubt']);
  });

  it('is written down with its time', async () => {
    const run = await runWithDoubt();
    resolveDoubt(ledger, run.id, deals2, { created: 'deal_9' });
    ledger.close();
    const db = new Database(place.path);
    const noted = db.prepare('SELECT run, sheet, row, resolution, id, resolved_at FROM resolutions').raw().all();
    expect(noted).toEqual([[run.id, 'Deals', 2, 'created', 'deal_9', '2026-11-20T09:00:00.000Z']]);
    db.close();
  });

  it('is refused for a row that is not in doubt, and for one that is not known', async () => {
    const run = await runWithDoubt();
    resolveDoubt(ledger, run.id, deals2, 'not-created');
    for (const [id, position] of [
      [run.id, deals2],
      [run.id, { sheet: 'Deals', row: 99 }],
      [run.id, { sheet: 'Nothing', row: 2 }],
      ['2020-01-01-01', deals2],
    ] as const)
      expect(() => resolveDoubt(ledger, id, position, 'not-created')).toThrow(
        expect.objectContaining({ code: 'usage' }),
      );
  });

  it('can be settled while the run goes on elsewhere', async () => {
    const run = await runWithDoubt();
    resolveDoubt(place.open(), run.id, deals2, 'not-created');
    await run.intend([anIntent(ledger, 2)], onlyOnce);
    expect(ledger.entry(run.id, deals2)?.state).toBe('sending');
  });
});

describe('Rows that a person settles together', () => {
  const row = (number: number) => ({ sheet: 'Deals', row: number });
  const states = (run: Run) => [...ledger.entriesOfRun(run.id)].map(({ state }) => state);

  async function runWithDoubts(): Promise<Run> {
    const run = await runWithDoubt();
    await run.intend([anIntent(ledger, 3), anIntent(ledger, 4)], onlyOnce);
    await run.settle([anOutcome(3, 'in-doubt'), anOutcome(4, 'created')]);
    return run;
  }

  it('are settled all, be it for the first time or anew', async () => {
    const run = await runWithDoubts();
    resolveDoubt(ledger, run.id, deals2, 'not-created');
    ledger.settleByHand(run.id, [
      { position: row(3), resolution: { created: 'deal_3' }, said: null },
      { position: deals2, resolution: { created: 'deal_9' }, said: saidByHand(ledger, run.id, deals2) },
    ]);
    expect(states(run)).toEqual(['created', 'created', 'created']);
  });

  it('are settled not one when one of them cannot be', async () => {
    const run = await runWithDoubts();
    const settle = () =>
      ledger.settleByHand(
        run.id,
        [2, 3, 4].map((number) => ({ position: row(number), resolution: 'not-created', said: null })),
      );
    expect(settle).toThrow('Deals row 4 is not in doubt');
    expect(states(run)).toEqual(['in-doubt', 'in-doubt', 'created']);
    expect(saidByHand(ledger, run.id, deals2)).toBeNull();
  });

  it('may be about one record: it is settled once, in one way', async () => {
    const first = await runWithDoubt();
    const run = await runThatNotesIt(first);
    await run.record([{ ...anIntent(ledger, 3, same()), ...anOutcome(3, 'in-doubt', { attempts: 0 }) }]);
    const settle = (...ids: string[]) =>
      ledger.settleByHand(
        run.id,
        ids.map((created, index) => ({ position: row(2 + index), resolution: { created }, said: null })),
      );
    expect(() => settle('deal_8', 'deal_9')).toThrow('not in doubt');
    settle('deal_9', 'deal_9');
    expect(states(run)).toEqual(['already-loaded', 'already-loaded']);
    expect(states(first)).toEqual(['created']);
  });
});

describe('What a person has settled by mistake', () => {
  const other = { sheet: 'Deals', row: 3 } as const;

  it('is remembered with its day, and holds until the row is sent again', async () => {
    const run = await runWithDoubt();
    expect(saidByHand(ledger, run.id, deals2)).toBeNull();
    resolveDoubt(ledger, run.id, deals2, 'not-created');
    const said = { resolution: 'not-created', at: '2026-11-20T09:00:00.000Z' };
    expect(saidByHand(ledger, run.id, deals2)).toEqual({ ...said, holds: true });
    await run.intend([anIntent(ledger, 2)], onlyOnce);
    await run.settle([anOutcome(2, 'created')]);
    expect(saidByHand(ledger, run.id, deals2)).toEqual({ ...said, holds: false });
    expect(() => correctByHand(ledger, run.id, deals2, { created: 'deal_9' })).toThrow(
      expect.objectContaining({ code: 'usage' }),
    );
  });

  it('as created gets another id, in every run that noted it', async () => {
    const first = await runWithDoubt();
    const second = await runThatNotesIt(first);
    resolveDoubt(ledger, first.id, deals2, { created: 'deal_9' });
    correctByHand(ledger, second.id, deals2, { created: 'deal_10' });
    expect(ledger.entry(first.id, deals2)).toMatchObject({ state: 'created', id: 'deal_10' });
    expect(ledger.entry(second.id, deals2)).toMatchObject({ state: 'already-loaded', id: 'deal_10' });
    expect(saidByHand(ledger, first.id, deals2)?.resolution).toEqual({ created: 'deal_10' });
    const before = { kind: 'deals', id: 'deal_9' } as const;
    const now = { kind: 'deals', id: 'deal_10' } as const;
    const rows = ledger.rowsWithIds(service, [before, now]);
    expect([...rows].map(([{ id }, [row]]) => [id, row?.run])).toEqual([['deal_10', first.id]]);
  });

  it('as created may turn out not to be there, and is sent then', async () => {
    const run = await runWithDoubt();
    resolveDoubt(ledger, run.id, deals2, { created: 'deal_9' });
    correctByHand(ledger, run.id, deals2, 'not-created');
    expect(ledger.entry(run.id, deals2)).toMatchObject({ state: 'not-sent', id: null });
    expect(ledger.liveEntry(service, same().fingerprint)).toBeNull();
    await run.intend([anIntent(ledger, 2)], onlyOnce);
  });

  it('as not created turns out to be there, and guards again', async () => {
    const first = await runWithDoubt();
    const second = await runThatNotesIt(first);
    resolveDoubt(ledger, first.id, deals2, 'not-created');
    correctByHand(ledger, second.id, deals2, { created: 'deal_9' });
    expect(ledger.entry(first.id, deals2)).toMatchObject({ state: 'created', id: 'deal_9' });
    expect(ledger.entry(second.id, deals2)).toMatchObject({ state: 'already-loaded', id: 'deal_9' });
    await expect(second.intend([anIntent(ledger, 3, same())], onlyOnce)).rejects.toBeInstanceOf(IntentRefused);
  });

  it('as not created stays so once an equal row was sent', async () => {
    const run = await runWithDoubt();
    resolveDoubt(ledger, run.id, deals2, 'not-created');
    await run.intend([anIntent(ledger, 3, same())], onlyOnce);
    await run.settle([anOutcome(3, 'created')]);
    expect(saidByHand(ledger, run.id, deals2)?.holds).toBe(false);
  });

  it('leaves no gap in the guard of a row that was sent once more', async () => {
    const run = await runWithDoubt();
    resolveDoubt(ledger, run.id, deals2, { created: 'deal_9' });
    await run.intend([anIntent(ledger, 3, same())], onceMore);
    await run.settle([anOutcome(3, 'created')]);
    correctByHand(ledger, run.id, deals2, 'not-created');
    await expect(run.intend([anIntent(ledger, 4, same())], onlyOnce)).rejects.toBeInstanceOf(IntentRefused);
    expect(ledger.entry(run.id, other)).toMatchObject({ state: 'created', id: 'deal_3' });
  });

  it('about an update is about that update alone', async () => {
    const run = await runWithDoubt('company-updates');
    await run.intend([anIntent(ledger, 3, { kind: 'company-updates', ...same() })], onlyOnce);
    await run.settle([anOutcome(3, 'in-doubt')]);
    resolveDoubt(ledger, run.id, deals2, 'not-created');
    resolveDoubt(ledger, run.id, other, { created: 'company_9' });
    correctByHand(ledger, run.id, deals2, { created: 'company_9' });
    correctByHand(ledger, run.id, other, 'not-created');
    expect([...ledger.entriesOfRun(run.id)].map(({ state }) => state)).toEqual(['updated', 'not-sent']);
  });

  it('is nothing that the service has said', async () => {
    const run = ledger.beginRun(aLoad());
    await run.intend([anIntent(ledger, 2)], onlyOnce);
    await run.settle([anOutcome(2, 'created')]);
    expect(() => correctByHand(ledger, run.id, deals2, 'not-created')).toThrow(
      expect.objectContaining({ code: 'usage' }),
    );
  });
});

describe('Pruning', () => {
  const later = '2026-12-01T00:00:00.000Z';

  async function created(row: number, again: { again: boolean } = onlyOnce): Promise<string> {
    const run = ledger.beginRun(aLoad());
    await run.intend([anIntent(ledger, row, same())], again);
    await run.settle([anOutcome(row, 'created')]);
    await run.end('ended');
    return run.id;
  }

  it('forgets ended runs that began before, and their rows no longer guard', async () => {
    const id = await created(2);
    expect(ledger.prune('2026-11-20T09:00:00.000Z')).toEqual({ runs: 0, entries: 0 });
    expect(ledger.prune(later)).toEqual({ runs: 1, entries: 1 });
    expect(ledger.run(id)).toBeNull();
    expect([...ledger.entriesOfRun(id)]).toEqual([]);
    expect(await created(2)).not.toBe(id);
  });

  it('forgets what a person said of their rows', async () => {
    const run = await runWithDoubt();
    await run.end('ended');
    ledger.settleByHand(run.id, [
      { position: { sheet: 'Deals', row: 2 }, resolution: { created: 'deal_000123' }, said: null },
    ]);
    expect(ledger.prune(later)).toEqual({ runs: 1, entries: 1 });
    const db = new Database(place.path);
    expect(db.prepare('SELECT count(*) FROM resolutions').raw().get()).toEqual([0]);
    db.close();
  });

  it('keeps runs that are stopped, go on, or have a row in doubt', async () => {
    const doubtful = await runWithDoubt();
    await doubtful.end('ended');
    const stopped = ledger.beginRun(aLoad());
    await stopped.end('stopped');
    ledger.beginRun(aLoad());
    expect(ledger.prune(later)).toEqual({ runs: 0, entries: 0 });
  });

  it('keeps runs in which rows of a run went on that stays, so that it does not send them once more', async () => {
    const stopped = ledger.beginRun(aLoad());
    await stopped.end('stopped');
    let before = stopped.id;
    for (const row of [2, 3]) {
      const next = ledger.beginRun(aLoad());
      await next.comeBack([
        { sheet: 'Deals', row, supersedes: { run: before, sheet: 'Deals', row: row === 2 ? 7 : 2 } },
      ]);
      await next.intend([anIntent(ledger, row)], onlyOnce);
      await next.settle([anOutcome(row, 'created')]);
      await next.end('ended');
      before = next.id;
    }
    const other = ledger.beginRun(aLoad());
    await other.end('ended');
    expect(ledger.prune(later)).toEqual({ runs: 1, entries: 0 });
    expect(ledger.latest({ run: stopped.id, sheet: 'Deals', row: 7 })).toEqual({ run: before, sheet: 'Deals', row: 3 });
  });

  it('leaves no gap in the guard of a row that was loaded again', async () => {
    await created(2);
    const db = new Database(place.path);
    db.exec("UPDATE runs SET started_at = '2020-01-01T00:00:00.000Z'");
    db.close();
    const second = await created(3, onceMore);
    expect(ledger.prune('2021-01-01T00:00:00.000Z')).toEqual({ runs: 1, entries: 1 });
    const run = ledger.beginRun(aLoad());
    const refusal = await run.intend([anIntent(ledger, 4, same())], onlyOnce).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ refusals: [{ entry: { run: second, row: 3 } }] });
    await run.intend([anIntent(ledger, 4, same())], onceMore);
  });
});

function same() {
  return { fingerprint: ledger.fingerprint('Deals!2') };
}
