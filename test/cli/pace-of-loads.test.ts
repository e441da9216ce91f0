import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { workplaceForEachTest } from '../builders/command-here.ts';
import { created, serviceForEachTest } from '../builders/recording-service.ts';
import { writeManyDeals } from '../builders/tables.ts';

const ceiling = 16;
/** Each sixth answer comes at once, as one to a row that is refused; the others take up to so much. */
const longestMs = 120;

let inFlight = 0;
let mostInFlight = 0;
const place = workplaceForEachTest();
const service = serviceForEachTest(async (_request, number) => {
  inFlight += 1;
  mostInFlight = Math.max(mostInFlight, inFlight);
  await wait(((number % 6) / 5) * longestMs);
  inFlight -= 1;
  return created(number);
});

describe('the pace of a load', () => {
  it('comes to its ceiling by itself, though the health check and some rows are answered at once', async () => {
    writeManyDeals(place.path('deals.csv'), 400);
    const words = ['import', 'deals.csv', '--as', 'deals', '--url', service.url, '--yes', '--json'];
    const ended = await place.run([...words, '--concurrency', `${ceiling}`], { env: { DEALSHEET_TOKEN: 'token' } });
    expect(ended.exitCode, ended.stderr).toBe(0);
    expect(mostInFlight).toBe(ceiling);
  });
});
