import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { workplaceForEachTest } from '../builders/command-here.ts';
import { writeCsv } from '../builders/tables.ts';
import { type NetworkFate, startTcpProxy, type TcpProxy } from '../builders/tcp-proxy.ts';
import { sandboxForEachTest } from '../sandbox/running.ts';
import { dealSample, sampleTable } from './kind-samples.ts';
import { judge, nothingWrong, runWhole } from './loads.ts';

const rows = 40;
const inFlight = 8;

/** Every third connection meets its fate; the health check goes over the first and must not. */
const everyThird = (fate: NetworkFate) => (connection: number) => (connection % 3 === 2 ? fate : {});

const fates: readonly (readonly [string, NetworkFate])[] = [
  ['is reset in the head of an answer', { resetAfter: 5 }],
  ['is reset in the middle of a later answer', { resetAfter: 700 }],
  ['is closed in the body of an answer', { closeAfter: 330 }],
  ['stalls in the head of an answer', { stallAfter: 20 }],
  ['stalls in the body of an answer', { stallAfter: 330 }],
  ['is reset once the service has the request', { answersLost: true }],
  ['is reset as the request begins', { resetBeforeRequest: true }],
];

describe('P1: a load over a network that', () => {
  const place = workplaceForEachTest();
  const service = sandboxForEachTest({ latency: { from: 1, to: 10 } });
  let proxy: TcpProxy;

  beforeEach(() => {
    writeCsv(place.path('rows.csv'), sampleTable(dealSample, rows, place));
  });
  afterEach(async () => {
    await proxy.stop();
  });

  async function load(fateOf: (connection: number) => NetworkFate): Promise<number | null> {
    proxy = await startTcpProxy(service.url, fateOf);
    const words = [
      ...['import', 'rows.csv', '--as', 'deals', '--url', proxy.url, '--yes', '--results', 'results.xlsx'],
      ...['--concurrency', String(inFlight), '--timeout', '1'],
    ];
    const ended = await runWhole(place, words);
    expect([0, 1, 5, 6], ended.stderr).toContain(ended.exitCode);
    return ended.exitCode;
  }

  it.each(fates)('%s tells the truth about every row', async (_what, fate) => {
    await load(everyThird(fate));
    const verdict = await judge(place, service, 'rows', dealSample.key);
    expect(verdict).toMatchObject(nothingWrong);
    expect(Object.values(verdict.statuses).reduce((sum, count) => sum + count, 0)).toBe(rows);
    expect(verdict.inDoubt).toBeGreaterThan(0);
  });

  it('brings every byte by itself brings every row in', async () => {
    expect(await load(() => ({ sliced: true }))).toBe(0);
    const verdict = await judge(place, service, 'rows', dealSample.key);
    expect(verdict).toMatchObject({ ...nothingWrong, statuses: { Created: rows } });
  });

  it('cannot be reached once the run has begun leaves the rest Not sent, to go on with', async () => {
    let isGone = false;
    const gone = { resetBeforeRequest: true };
    const watch = setInterval(() => {
      isGone ||= [...service.accepted()].length > rows / 4;
    }, 1);
    const code = await load(() => (isGone ? gone : { resetAfter: 1000 }));
    clearInterval(watch);
    expect([5, 6]).toContain(code);
    expect(await judge(place, service, 'rows', dealSample.key)).toMatchObject(nothingWrong);
  });
});
