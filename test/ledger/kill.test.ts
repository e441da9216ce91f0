import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startChild } from './child.ts';
import { newPlace, type Place } from './place.ts';

const rows = 40;
/** Rows that the child sends at the same time: as many may be in doubt after it was killed. */
const inFlight = 4;

let place: Place;
let servicePath: string;

beforeEach(() => {
  place = newPlace();
  servicePath = join(place.folder, 'service.log');
});
afterEach(() => place.remove());

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
    const times = accepted.filter((line) => line === `${entry.sheet}!${entry.place}`).length;
    const what = `${entry.sheet}!${entry.place} ${entry.state}`;
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

const points = [
  'key-made',
  'ledger-made',
  'begin-before-commit',
  'begin-after-commit',
  'register-before-commit',
  'register-after-commit',
  'intent-before-commit',
  'intent-before-sync',
  'intent-after-commit',
  'settle-before-commit',
  'settle-before-sync',
  'settle-after-commit',
  'end-before-commit',
  'end-before-sync',
  'end-after-commit',
];
const laterPoints = points.filter((name) => /^(?:intent|settle)-/.test(name));

describe('A load that is killed with kill -9', () => {
  it.each([
    ...points.map((name) => ({ name, count: 1 })),
    ...laterPoints.flatMap((name) => [
      { name, count: 7 },
      { name, count: 13 },
    ]),
  ])('at $name, pass $count, loses nothing and doubles nothing', async ({ name, count }) => {
    const { signal, errors } = await startLoad({ DEALSHEET_STOP_AT: `${name}:${count}` }).ended;
    expect(signal, errors).toBe('SIGKILL');
    await expectNothingLostOrDoubled(inFlight);
  });

  it('again and again, also while it is taken up, loses nothing and doubles nothing', async () => {
    const stops = ['settle-before-commit:3', 'settle-left-behind-before-commit', 'settle-left-behind-after-commit'];
    stops.push('resume-before-commit', 'resume-after-commit', 'intent-after-commit:3', 'settle-after-commit:2');
    for (const stop of stops) {
      const { signal, errors } = await startLoad({ DEALSHEET_STOP_AT: stop }).ended;
      expect(signal, `${stop} ${errors}`).toBe('SIGKILL');
    }
    await expectNothingLostOrDoubled(stops.length * inFlight);
  });

  it.each([2, 5, 9, 20, 47, 90])('from outside, at its step %i, loses nothing and doubles nothing', async (step) => {
    const child = startLoad();
    await child.line(step);
    child.process.kill('SIGKILL');
    await child.ended;
    await expectNothingLostOrDoubled(inFlight);
  });
});

describe('A stopping point', () => {
  it('does nothing unless it is chosen', async () => {
    const { code } = await startLoad({ DEALSHEET_STOP_AT: '' }).ended;
    expect(code).toBe(0);
    const another = await startLoad({ DEALSHEET_STOP_AT: 'no-such-point' }).ended;
    expect(another.code).toBe(0);
  });
});
