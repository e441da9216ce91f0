import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { workplaceForEachTest } from '../builders/command-here.ts';
import { deskForEachTest, tokenRefused } from '../builders/deals-desk.ts';
import { expectExit } from '../builders/expected.ts';
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

it('the pace of a load comes to its ceiling by itself, though the health check and some rows are answered at once', async () => {
  writeManyDeals(place.path('deals.csv'), 400);
  const words = ['import', 'deals.csv', '--as', 'deals', '--url', service.url, '--yes', '--json'];
  await expectExit(place.run([...words, '--concurrency', `${ceiling}`], { env: { DEALSHEET_TOKEN: 'token' } }), 0);
  expect(mostInFlight).toBe(ceiling);
});

const desk = deskForEachTest();

it.each([
  ['that of the load', [], [1, 2, 1]],
  ['another where it is said', ['--batch', '1'], [1, 1, 1, 1]],
])('the size of a batch is, when the load goes on, %s', async (_, words, sizes) => {
  const payments = Array.from({ length: 5 }, (_row, index) => ['deal_1', `2026-06-0${index + 1}`, '100']);
  desk.write('payments.csv', [['Deal ID', 'Date', 'Amount'], ...payments]);
  desk.said.set(1, { status: 200, body: '{"success":true}' });
  desk.said.set(2, tokenRefused);
  await expectExit(desk.load('payments.csv', '--as', 'transactions', '--batch', '2'), 4);
  const sent = desk.service.requests.length;
  for (const number of [1, 2, 3, 4]) desk.said.set(sent + number, { status: 200, body: '{"success":true}' });
  await expectExit(desk.resume(...words), 0);
  const bodies = desk.service.requests.slice(sent).map(({ body }) => JSON.parse(body) as { transactions: unknown[] });
  expect(bodies.map(({ transactions }) => transactions.length)).toEqual(sizes);
});
