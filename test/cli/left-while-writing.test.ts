import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeManyDeals } from '../builders/tables.ts';
import { environmentOf, main, newWorkplace, type Workplace } from '../builders/workplace.ts';

/** So many take long enough to write that a signal comes in between. */
const rows = 3_000;
const betweenLooksMs = 5;

describe('a command that is left while it writes its file', () => {
  let place: Workplace;
  let before: Buffer;
  beforeAll(async () => {
    place = newWorkplace();
    writeManyDeals(place.path('deals.csv'), rows);
    await place.run(['check', 'deals.csv', '--results', 'checked.xlsx']);
    before = readFileSync(place.path('checked.xlsx'));
  });
  afterAll(() => place.remove());

  const names = () => readdirSync(place.folder).filter((name) => name.includes('checked'));

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'P3: dies of %s, and leaves the file that was there and no half of another',
    async (signal) => {
      const child = spawn(process.execPath, [main, 'check', 'deals.csv', '--results', 'checked.xlsx'], {
        cwd: place.folder,
        env: environmentOf(place.folder, {}),
        stdio: 'ignore',
      });
      const closed = once(child, 'close');
      const watch = setInterval(() => {
        if (names().length > 1) child.kill(signal);
      }, betweenLooksMs);
      expect(await closed).toEqual([null, signal]);
      clearInterval(watch);
      expect(names()).toEqual(['checked.xlsx']);
      expect(readFileSync(place.path('checked.xlsx')).equals(before)).toBe(true);
    },
  );
});
