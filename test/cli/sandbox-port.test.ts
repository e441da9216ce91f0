import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { workplaceForEachTest } from '../builders/command-here.ts';
import { deals } from '../builders/deals-desk.ts';
import { writeCsv } from '../builders/tables.ts';

const sandboxPort = 4010;
const [betweenTriesMs, mostTries] = [20, 500];
const holder = createServer();
const place = workplaceForEachTest();

beforeEach(async () => {
  // Another test may hold it for a moment, and give it back before the command of this one. A program that keeps it does as well.
  for (let tries = 0; !holder.listening && tries < mostTries; tries += 1) {
    holder.listen(sandboxPort, '127.0.0.1');
    await once(holder, 'listening').catch(() => setTimeout(betweenTriesMs));
  }
});
afterEach(async () => {
  if (holder.listening) await new Promise((done) => holder.close(done));
});

it('a rehearsal beside another sandbox says at which port the links of its results lead somewhere', async () => {
  writeCsv(place.path('deals.csv'), deals('Harbor Bakery'));
  const words = ['import', 'deals.csv', '--sandbox', '--yes', '--results', 'results.csv'];
  const { stderr, exitCode } = await place.run(words);
  expect(exitCode, stderr).toBe(0);
  const [, port] =
    /Results: .*\nPort 4010 is taken: the links of these results need dealsheet sandbox --port (\d+)$/m.exec(stderr) ??
    [];
  expect(place.read('results.csv')).toContain(`http://127.0.0.1:${port}/`);
});
