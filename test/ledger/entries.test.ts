import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { IntentRefused } from '../../src/ledger/intent-refused.ts';
import type { Ledger, Run } from '../../src/ledger/ledger.ts';
import {
  aLoad,
  anIntent,
  anOutcome,
  newPlace,
  onceMore,
  onlyOnce,
  type Place,
  resolveDoubt,
  service,
} from './place.ts';

let place: Place;
let ledger: Ledger;
let run: Run;

beforeEach(() => {
  place = newPlace();
  ledger = place.open();
  run = ledger.beginRun(aLoad());
});
afterEach(() => place.remove());

function stateOf(row: number, of = run.id): string | undefined {
  return ledger.entry(of, { sheet: 'Deals', row })?.state;
}

async function nextRun(): Promise<Run> {
  await run.end('ended');
  return ledger.beginRun(aLoad());
}

describe('An intent', () => {
  it('is on the disk when its promise resolves', async () => {
    await run.intend([anIntent(ledger, 2)], onlyOnce);
    expect(place.open().entry(run.id, { sheet: 'Deals', row: 2 })?.state).toBe('sending');
  });

  it('is not on the disk before that', async () => {
    const other = place.open();
    const promise = run.intend([anIntent(ledger, 2)], onlyOnce);
    expect(other.entry(run.id, { sheet: 'Deals', row: 2 })).toBeNull();
    await promise;
    expect(other.entry(run.id, { sheet: 'Deals', row: 2 })).not.toBeNull();
  });

  it('is refused when an equal row is on its way, in doubt or in, in whatever run', async () => {
    const equal = { fingerprint: ledger.fingerprint('the same deal') };
    await run.intend([anIntent(ledger, 2, equal)], onlyOnce);
    await expect(run.intend([anIntent(ledger, 3, equal)], onlyOnce)).rejects.toBeInstanceOf(IntentRefused);
    await run.settle([anOutcome(2, 'in-doubt')]);
    await expect(run.intend([anIntent(ledger, 3, equal)], onlyOnce)).rejects.toBeInstanceOf(IntentRefused);
    await run.settle([anOutcome(2, 'created')]);
    const first = run.id;
    run = await nextRun();
    const refusal = await run.intend([anIntent(ledger, 3, equal)], onlyOnce).catch((error: unknown) => error);
    expect(refusal).toMatchObject({
      refusals: [
        { position: { sheet: 'Deals', row: 3 }, entry: { run: first, row: 2, state: 'created', id: 'deal_2' } },
      ],
    });
    expect(stateOf(3)).toBeUndefined();
  });

  it('does not hold up others that wait for the same commit when it is refused', async () => {
    await run.intend([anIntent(ledger, 2)], onlyOnce);
    const outcomes = await Promise.allSettled([
      run.intend([anIntent(ledger, 3)], onlyOnce),
      run.intend([anIntent(ledger, 2)], onlyOnce),
      run.intend([anIntent(ledger, 4)], onlyOnce),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect([stateOf(3), stateOf(4)]).toEqual(['sending', 'sending']);
  });

  it('of a batch is written whole or not at all, and every row in the way is named', async () => {
    await run.intend([anIntent(ledger, 3), anIntent(ledger, 4)], onlyOnce);
    const equalOf3 = anIntent(ledger, 6, { fingerprint: ledger.fingerprint('Deals!3') });
    const refused = run.intend([anIntent(ledger, 5), equalOf3, anIntent(ledger, 4)], onlyOnce);
    const refusal = await refused.catch((error: unknown) => error);
    expect((refusal as IntentRefused).refusals.map(({ position }) => position.row)).toEqual([6, 4]);
    expect(stateOf(5)).toBeUndefined();
  });

  it('may be repeated for a row that was not sent, rejected or failed, and its attempts count on', async () => {
    let attempts = 0;
    for (const state of ['not-sent', 'rejected', 'failed'] as const) {
      await run.intend([anIntent(ledger, 2)], onlyOnce);
      await run.settle([anOutcome(2, state, { attempts: 2, message: { code: 'no', params: {} } })]);
      attempts += 2;
      expect(ledger.entry(run.id, { sheet: 'Deals', row: 2 })).toMatchObject({ state, attempts });
    }
    await run.intend([anIntent(ledger, 2)], onlyOnce);
    expect(ledger.entry(run.id, { sheet: 'Deals', row: 2 })).toMatchObject({ state: 'sending', message: null });
  });

  it('takes the place of a row that was noted as waiting', async () => {
    await run.record([{ ...anIntent(ledger, 2), ...anOutcome(2, 'waiting', { attempts: 0 }) }]);
    await run.intend([anIntent(ledger, 2)], onlyOnce);
    expect(stateOf(2)).toBe('sending');
  });

  it('is refused for a row of its own run that is in, with another fingerprint as well', async () => {
    await run.intend([anIntent(ledger, 2)], onlyOnce);
    await run.settle([anOutcome(2, 'created')]);
    const corrected = anIntent(ledger, 2, { fingerprint: ledger.fingerprint('corrected') });
    await expect(run.intend([corrected], onlyOnce)).rejects.toThrow('Deals row 2 of run');
    await expect(run.intend([corrected], onceMore)).rejects.toThrow('stands as created');
  });

  it('lets a row go out that a rejected row was equal to', async () => {
    const equal = { fingerprint: ledger.fingerprint('the same deal') };
    await run.intend([anIntent(ledger, 2, equal)], onlyOnce);
    await run.settle([anOutcome(2, 'rejected')]);
    await run.intend([anIntent(ledger, 3, equal)], onlyOnce);
    expect(stateOf(3)).toBe('sending');
  });
});

describe('An intent with --again', () => {
  const equal = () => ({ fingerprint: ledger.fingerprint('the same deal') });

  it('lets a row go out as often as its equals are in', async () => {
    for (let row = 2; row < 6; row += 1) {
      await run.intend([anIntent(ledger, row, equal())], onceMore);
      await run.settle([anOutcome(row, 'created')]);
    }
    expect([2, 3, 4, 5].map((row) => stateOf(row))).toEqual(['created', 'created', 'created', 'created']);
    expect(ledger.liveEntry(service, equal().fingerprint)?.row).toBe(5);
  });

  it('never lets one through whose equal is on its way or in doubt', async () => {
    await run.intend([anIntent(ledger, 2, equal())], onlyOnce);
    await expect(run.intend([anIntent(ledger, 3, equal())], onceMore)).rejects.toBeInstanceOf(IntentRefused);
    await run.settle([anOutcome(2, 'in-doubt')]);
    await expect(run.intend([anIntent(ledger, 3, equal())], onceMore)).rejects.toBeInstanceOf(IntentRefused);
  });

  it('leaves the guard closed for others when it was rejected', async () => {
    await run.intend([anIntent(ledger, 2, equal())], onlyOnce);
    await run.settle([anOutcome(2, 'created')]);
    await run.intend([anIntent(ledger, 3, equal())], onceMore);
    await run.settle([anOutcome(3, 'rejected')]);
    await expect(run.intend([anIntent(ledger, 4, equal())], onlyOnce)).rejects.toBeInstanceOf(IntentRefused);
    await run.intend([anIntent(ledger, 4, equal())], onceMore);
    expect(stateOf(4)).toBe('sending');
  });
});

describe('An update of a company', () => {
  const update = (row: number) =>
    anIntent(ledger, row, { kind: 'company-updates', fingerprint: ledger.fingerprint('same') });

  it('has no guard across rows and runs', async () => {
    await run.intend([update(2)], onlyOnce);
    await run.intend([update(3)], onlyOnce);
    await run.settle([anOutcome(2, 'updated'), anOutcome(3, 'in-doubt')]);
    run = await nextRun();
    await run.intend([update(2)], onlyOnce);
    expect(stateOf(2)).toBe('sending');
    expect(ledger.liveEntry(service, ledger.fingerprint('same'))).toBeNull();
  });

  it('may be sent again when it is in doubt, for it says the same', async () => {
    await run.intend([update(2)], onlyOnce);
    await run.settle([anOutcome(2, 'in-doubt')]);
    await run.intend([update(2)], onlyOnce);
    expect(stateOf(2)).toBe('sending');
  });
});

describe('An outcome', () => {
  it('is on the disk when its promise resolves, with everything that a person needs', async () => {
    const shown = ledger.fingerprint('without what is hidden');
    const ref = ledger.fingerprint('D-2');
    await run.intend([anIntent(ledger, 2, { shown, ref })], onlyOnce);
    const outcome = anOutcome(2, 'created', {
      attempts: 3,
      httpStatus: 201,
      companyId: 'company_7',
      url: 'https://app.example.com/deals/2',
    });
    await run.settle([outcome]);
    expect(place.open().entry(run.id, { sheet: 'Deals', row: 2 })).toEqual({
      ...outcome,
      run: run.id,
      kind: 'deals',
      fingerprint: ledger.fingerprint('Deals!2'),
      shown,
      ref,
    });
  });

  it('of a row that is in stays, whatever comes after', async () => {
    await run.intend([anIntent(ledger, 2)], onlyOnce);
    await run.settle([anOutcome(2, 'created')]);
    for (const state of ['rejected', 'failed', 'not-sent', 'in-doubt'] as const)
      await expect(run.settle([anOutcome(2, state)])).rejects.toThrow('not under way: Deals row 2');
    await expect(run.record([{ ...anIntent(ledger, 2), ...anOutcome(2, 'not-sent') }])).rejects.toThrow('Deals row 2');
    expect(stateOf(2)).toBe('created');
  });

  it('may be written again for a row that is not in, and its attempts are not counted twice', async () => {
    await run.intend([anIntent(ledger, 2)], onlyOnce);
    await run.settle([anOutcome(2, 'rejected', { attempts: 4 })]);
    await run.settle([anOutcome(2, 'not-sent', { attempts: 4, message: { code: 'closed', params: {} } })]);
    expect(ledger.entry(run.id, { sheet: 'Deals', row: 2 })).toMatchObject({ state: 'not-sent', attempts: 4 });
  });

  it('cannot make a rejected row one that is in', async () => {
    await run.intend([anIntent(ledger, 2)], onlyOnce);
    await run.settle([anOutcome(2, 'rejected')]);
    await expect(run.settle([anOutcome(2, 'created')])).rejects.toThrow('not under way');
  });

  it('is written for all rows that are under way, also when another row of the call is not', async () => {
    await run.intend([anIntent(ledger, 2), anIntent(ledger, 3)], onlyOnce);
    const settled = run.settle([anOutcome(2, 'created'), anOutcome(99, 'created'), anOutcome(3, 'created')]);
    await expect(settled).rejects.toThrow('Deals row 99');
    expect([stateOf(2), stateOf(3)]).toEqual(['created', 'created']);
  });

  it('may hold any text that a service sends', async () => {
    await run.intend([anIntent(ledger, 2)], onlyOnce);
    const message = 'a\0b — “ü” 💶 \' " \n ; DROP TABLE entries; --';
    const told = { code: 'refused', params: { status: 422, reason: message } };
    await run.settle([anOutcome(2, 'rejected', { message: told })]);
    expect(ledger.entry(run.id, { sheet: 'Deals', row: 2 })?.message).toEqual(told);
  });
});

describe('A row that was not sent', () => {
  it('is noted with what became of it, and may be noted again', async () => {
    const noted = (state: 'waiting' | 'already-loaded' | 'in-doubt') =>
      run.record([
        { ...anIntent(ledger, 2), ...anOutcome(2, state, { attempts: 0, message: { code: state, params: {} } }) },
      ]);
    await noted('waiting');
    await noted('in-doubt');
    await noted('already-loaded');
    expect(ledger.entry(run.id, { sheet: 'Deals', row: 2 })).toMatchObject({ state: 'already-loaded', attempts: 0 });
  });

  it('guards nothing: the row that it was equal to does', async () => {
    const equal = { fingerprint: ledger.fingerprint('the same deal') };
    await run.record([{ ...anIntent(ledger, 2, equal), ...anOutcome(2, 'in-doubt') }]);
    expect(ledger.liveEntry(service, equal.fingerprint)).toBeNull();
    await run.intend([anIntent(ledger, 3, equal)], onlyOnce);
    expect(stateOf(3)).toBe('sending');
  });

  it('cannot be noted as created', async () => {
    await expect(run.record([{ ...anIntent(ledger, 2), ...anOutcome(2, 'created') }])).rejects.toThrow('Deals row 2');
    expect(stateOf(2)).toBeUndefined();
  });
});

describe('Entries of a run', () => {
  const manyRows = 1203;

  it('come sheet by sheet in the order of their rows, however many they are', async () => {
    const rows = Array.from({ length: manyRows }, (_, index) => ((index * 7) % manyRows) + 2);
    await Promise.all(rows.map((row) => run.intend([anIntent(ledger, row)], onlyOnce)));
    await run.intend([anIntent(ledger, 2, { sheet: 'Notes' })], onlyOnce);
    await run.settle([anOutcome(700, 'created'), anOutcome(3, 'created')]);
    const inOrder = [...rows].sort((a, b) => a - b);
    expect([...ledger.entriesOf(run.id, 'Deals')].map(({ row }) => row)).toEqual(inOrder);
    expect([...ledger.entriesOfRun(run.id)].map(({ sheet, row }) => `${sheet}${row}`)).toEqual([
      ...inOrder.map((row) => `Deals${row}`),
      'Notes2',
    ]);
    expect([...ledger.entriesInState(run.id, 'created')].map(({ row }) => row)).toEqual([3, 700]);
    expect(ledger.countsOf(run.id)).toEqual({ created: 2, sending: manyRows - 1 });
  });

  it('can be read while rows are written', async () => {
    await run.intend(
      Array.from({ length: 600 }, (_, index) => anIntent(ledger, index)),
      onlyOnce,
    );
    const entries = ledger.entriesOf(run.id, 'Deals');
    entries.next();
    await run.settle([anOutcome(599, 'created')]);
    expect([...entries].at(-1)?.state).toBe('created');
  });

  it('are none for a sheet or a run that is not known', () => {
    expect([...ledger.entriesOf(run.id, 'Nothing')]).toEqual([]);
    expect([...ledger.entriesOfRun('2020-01-01-01')]).toEqual([]);
    expect(ledger.entry('2020-01-01-01', { sheet: 'Deals', row: 2 })).toBeNull();
  });
});

describe('A ref', () => {
  const ref = () => ledger.fingerprint('ref\ndeals\nD-1');
  const withRef = (row: number) => anIntent(ledger, row, { ref: ref() });

  it('gives the ids of the rows that are in, each once, the newest first', async () => {
    await run.intend([withRef(2)], onlyOnce);
    await run.settle([anOutcome(2, 'created', { id: 'deal_old' })]);
    run = await nextRun();
    await run.intend([withRef(3)], onlyOnce);
    await run.settle([anOutcome(3, 'created', { id: 'deal_new' })]);
    const noted = anOutcome(4, 'already-loaded', { id: 'deal_old' });
    await run.record([{ ...withRef(4), ...noted }]);
    await run.intend([withRef(5), withRef(6)], onlyOnce);
    await run.settle([anOutcome(5, 'rejected', { id: 'deal_none' })]);
    expect(ledger.idsOfRef(service, 'deals', ref()).map(({ id }) => id)).toEqual(['deal_old', 'deal_new']);
  });

  it('names the row that came with it last, while that is not in', async () => {
    await run.intend([withRef(2)], onlyOnce);
    await run.settle([anOutcome(2, 'created', { id: 'deal_old' })]);
    expect(ledger.openWithRef(service, 'deals', ref())).toBeNull();
    run = await nextRun();
    await run.intend([withRef(3)], onlyOnce);
    await run.settle([anOutcome(3, 'rejected')]);
    expect(ledger.openWithRef(service, 'deals', ref())).toMatchObject({ run: run.id, row: 3, state: 'rejected' });
    const refused = { run: run.id, sheet: 'Deals', row: 3 };
    run = await nextRun();
    await run.comeBack([{ sheet: 'Deals', row: 4, supersedes: refused }]);
    expect(ledger.openWithRef(service, 'deals', ref())).toMatchObject(refused);
    await run.intend([anIntent(ledger, 4, { supersedes: refused })], onlyOnce);
    expect(ledger.openWithRef(service, 'deals', ref())).toBeNull();
  });

  it('names a row in doubt, also where another one came with it since and is in', async () => {
    await run.intend([withRef(2)], onlyOnce);
    await run.settle([anOutcome(2, 'in-doubt')]);
    const doubt = { run: run.id, sheet: 'Deals', row: 2 };
    run = await nextRun();
    await run.intend([withRef(3)], onlyOnce);
    await run.settle([anOutcome(3, 'created', { id: 'deal_new' })]);
    expect(ledger.openWithRef(service, 'deals', ref())).toMatchObject({ ...doubt, state: 'in-doubt' });
    ledger.settleByHand(doubt.run, [{ position: doubt, resolution: 'not-created', said: null }]);
    expect(ledger.openWithRef(service, 'deals', ref())).toBeNull();
  });

  it('is of one kind and one service', async () => {
    await run.intend([withRef(2)], onlyOnce);
    await run.settle([anOutcome(2, 'created')]);
    expect(ledger.idsOfRef(service, 'companies', ref())).toEqual([]);
    expect(ledger.idsOfRef('https://other.example.com', 'deals', ref())).toEqual([]);
  });
});

describe('The same fingerprint in two services', () => {
  it('is two rows', async () => {
    await run.intend([anIntent(ledger, 2)], onlyOnce);
    const elsewhere = ledger.beginRun(aLoad({ service: 'https://other.example.com' }));
    await elsewhere.intend([anIntent(ledger, 2)], onlyOnce);
    expect(stateOf(2, elsewhere.id)).toBe('sending');
  });
});

describe('A row that comes back in later runs', () => {
  it('is followed from run to run, also through a run in which nothing else is written of it', async () => {
    const first = run;
    await first.intend([anIntent(ledger, 2)], onlyOnce);
    await first.settle([anOutcome(2, 'rejected')]);
    const second = await nextRun();
    await second.comeBack([{ sheet: 'results', row: 5, supersedes: { run: first.id, sheet: 'Deals', row: 2 } }]);
    await second.end('ended');
    const third = ledger.beginRun(aLoad());
    const supersedes = { run: second.id, sheet: 'results', row: 5 };
    await third.intend([anIntent(ledger, 9, { supersedes })], onlyOnce);
    await third.end('ended');

    const last = { run: third.id, sheet: 'Deals', row: 9 };
    expect(ledger.latest({ run: first.id, sheet: 'Deals', row: 2 })).toEqual(last);
    expect(ledger.latest(supersedes)).toEqual(last);
    expect(ledger.latest(last)).toEqual(last);
    expect(ledger.latest({ run: first.id, sheet: 'Deals', row: 3 })).toEqual({ run: first.id, sheet: 'Deals', row: 3 });
  });

  it('was taken when one of its runs sent it and may have got it in, and not when only an equal row is in', async () => {
    const first = { run: run.id, sheet: 'Deals', row: 2 };
    await run.record([{ ...anIntent(ledger, 2), ...anOutcome(2, 'already-loaded') }]);
    expect(ledger.wasTaken(first)).toBe(false);
    const second = await nextRun();
    await second.intend([anIntent(ledger, 5, { supersedes: first })], onlyOnce);
    expect(ledger.wasTaken(first)).toBe(true);
    await second.settle([anOutcome(5, 'rejected')]);
    expect(ledger.wasTaken(first)).toBe(false);
    await second.intend([anIntent(ledger, 5)], onlyOnce);
    await second.settle([anOutcome(5, 'created')]);
    expect(ledger.wasTaken(first)).toBe(true);
  });

  it('was taken when the doubt that a later run noted of it is settled as created, and not when it is of an equal row', async () => {
    await run.intend([anIntent(ledger, 2)], onlyOnce);
    await run.settle([anOutcome(2, 'in-doubt')]);
    const doubt = { run: run.id, sheet: 'Deals', row: 2 };
    const second = await nextRun();
    const noted = (row: number, supersedes: typeof doubt | null) => ({
      ...anIntent(ledger, 2, { supersedes }),
      ...anOutcome(row, 'in-doubt'),
    });
    await second.record([noted(5, doubt), noted(6, null)]);
    await second.end('ended');
    resolveDoubt(ledger, run.id, doubt, { created: 'deal_1' });
    expect(ledger.wasTaken({ run: second.id, sheet: 'Deals', row: 5 })).toBe(true);
    expect(ledger.wasTaken({ run: second.id, sheet: 'Deals', row: 6 })).toBe(false);
  });
});
