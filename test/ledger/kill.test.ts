import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { Database } from '../../src/disk/database.ts';
import { startChild } from './child.ts';
import { placeForEachTest } from './place.ts';

const isLong = process.env.DEALSHEET_LONG === '1';
const checkpointing = isLong ? 60_000 : 1_000;
const rows = 40;
/** Rows that the child sends at the same time: as many may be in doubt after it was killed. */
const inFlight = 4;

const place = placeForEachTest();
let servicePath: string;

beforeEach(() => {
  servicePath = join(place.folder, 'service.log');
});

function startLoad(env: Record<string, string> = {}) {
  return startChild('load', [place.path, servicePath, String(rows)], env);
}

/** What the service accepted, against what the ledger says, once a load has gone on to its end. */
async function expectNothingLostOrDoubled(doubtsAtMost: number): Promise<void> {
  const ended = await startLoad().ended;
  expect(ended, ended.errors).toMatchObject({ code: 0 });
  const accepted = existsSync(servicePath) ? readFileSync(servicePath, 'utf8').trim().split('\n') : [];
  const ledger = place.open();
  const [run, ...others] = await ledger.runs();
  expect(others).toEqual([]);
  expect(run?.state).toBe('ended');
  const inSheet = (sheet: string) => ledger.entries(run?.id ?? '', sheet, 0, 1000);
  const entries = [...(await inSheet('Deals')), ...(await inSheet('Company updates'))];
  expect(entries).toHaveLength(rows * 2);
  for (const entry of entries) {
    const times = accepted.filter((line) => line === `${entry.sheet}!${entry.row}`).length;
    const what = `${entry.sheet}!${entry.row} ${entry.state}`;
    if (entry.kind === 'company-updates') {
      expect(entry.state, what).toBe('updated');
      expect(times, what).toBeGreaterThan(0);
    } else if (entry.state === 'created') expect(times, what).toBe(1);
    else {
      expect(entry.state, what).toBe('in-doubt');
      expect(times, what).toBeLessThanOrEqual(1);
    }
  }
  expect(entries.filter(({ state }) => state === 'in-doubt').length).toBeLessThanOrEqual(doubtsAtMost);
}

const pointsOf = (name: string) => [`${name}-before-commit`, `${name}-after-commit`];
const laterPoints = ['intent', 'settle'].flatMap(pointsOf);
const stops = [
  ...['key-made', 'ledger-made', ...['begin', 'register', 'intent', 'settle', 'end'].flatMap(pointsOf)].map(
    (name) => [name, 1] as const,
  ),
  ...laterPoints.flatMap((name) => (isLong ? [7, 13] : [7]).map((pass) => [name, pass] as const)),
];

describe('A load that is killed with kill -9', () => {
  it.each(stops)('at %s, pass %i, loses nothing and doubles nothing', async (name, count) => {
    const { signal, errors } = await startLoad({ DEALSHEET_STOP_AT: `${name}:${count}` }).ended;
    expect(signal, errors).toBe('SIGKILL');
    await expectNothingLostOrDoubled(inFlight);
  });

  it('again and again, also while it is taken up, loses nothing and doubles nothing', async () => {
    const stops = ['settle-before-commit:3', 'settle-left-behind-before-commit', 'settle-left-behind-after-commit'];
    stops.push('begin-before-commit', 'begin-after-commit', 'intent-after-commit:3', 'settle-after-commit:2');
    for (const stop of stops) {
      const { signal, errors } = await startLoad({ DEALSHEET_STOP_AT: stop }).ended;
      expect(signal, `${stop} ${errors}`).toBe('SIGKILL');
    }
    await expectNothingLostOrDoubled(stops.length * inFlight);
  });

  it.each(isLong ? [2, 5, 9, 20, 47, 90] : [5, 20, 90])(
    'from outside, at its step %i, loses nothing and doubles nothing',
    async (step) => {
      const child = startLoad();
      await child.line(step);
      child.process.kill('SIGKILL');
      await child.ended;
      await expectNothingLostOrDoubled(inFlight);
    },
  );
});

it.each(['', 'no-such-point'])('A stopping point does nothing when "%s" is chosen', async (name) => {
  expect(await startLoad({ DEALSHEET_STOP_AT: name }).ended).toMatchObject({ code: 0 });
});

describe('Two processes that write a ledger and checkpoint its log as fast as they can', () => {
  it(
    'lose nothing that was committed',
    async () => {
      await place.open().close();
      const children = ['one', 'two'].map((service) =>
        startChild('checkpoint', [place.path, service, String(checkpointing)]),
      );
      const ended = await Promise.all(children.map(({ ended }) => ended));
      expect(ended.map(({ errors }) => errors)).toEqual(['', '']);
      const told = children.map(({ lines }) => JSON.parse(lines[0] ?? '{}') as { run: string; rows: number });
      const ledger = place.open();
      for (const { run, rows } of told) {
        expect(rows).toBeGreaterThan(0);
        expect(await ledger.counts(run)).toEqual({ 'in-doubt': rows });
      }
      const db = new Database(place.path);
      expect(db.prepare('PRAGMA integrity_check').raw().all()).toEqual([['ok']]);
      db.close();
    },
    checkpointing + 60_000,
  );
});
