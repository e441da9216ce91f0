import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { workplaceForEachTest } from '../builders/command-here.ts';
import { writeCsv } from '../builders/tables.ts';
import { maySetClock } from '../builders/tools.ts';
import { type Ended, environmentOf, main } from '../builders/workplace.ts';
import { sandboxForEachTest } from '../sandbox/running.ts';
import { dealSample, sampleTable } from './kind-samples.ts';
import { judge, nothingWrong } from './loads.ts';

const rows = 60;

describe('a machine whose clock is wrong', () => {
  const place = workplaceForEachTest();
  const service = sandboxForEachTest();

  beforeEach(() => {
    writeCsv(place.path('rows.csv'), sampleTable(dealSample, rows, place));
  });

  afterEach(() => void vi.useRealTimers());

  /** By its own clock; a load that is to die there has a process, whose clock is set by a library. */
  async function at(day: string, words: readonly string[]): Promise<Ended> {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(`${day}T09:30:00`) });
    return place.run(words, { env: { DEALSHEET_TOKEN: 'sandbox-token' } });
  }

  const load = (results: string) => [
    ...['import', 'rows.csv', '--as', 'deals', '--url', service.url, '--yes', '--concurrency', '8'],
    ...['--results', results],
  ];

  it.skipIf(!maySetClock())(
    'goes on with the load that it began in the future, and sends no row a second time',
    async () => {
      await execa('faketime', ['-f', '@2031-05-01 09:30:00', process.execPath, main, ...load('results.xlsx')], {
        cwd: place.folder,
        env: environmentOf(place.folder, {
          DEALSHEET_TOKEN: 'sandbox-token',
          DEALSHEET_STOP_AT: 'settle-before-commit:4',
        }),
        extendEnv: false,
        reject: false,
        stdin: 'ignore',
      });
      const resumed = await at('2019-05-01', ['resume', '--yes', '--results', 'results.xlsx']);
      expect([0, 6], resumed.stderr).toContain(resumed.exitCode);
      expect(await judge(place, service, 'rows', dealSample.key)).toMatchObject(nothingWrong);
      const sent = [...service.accepted()].length;
      const again = await at('2024-05-01', load('again.xlsx'));
      expect([0, 6], again.stderr).toContain(again.exitCode);
      expect([...service.accepted()]).toHaveLength(sent);
    },
  );

  it('names each run by itself, though days come twice', async () => {
    for (const day of ['2026-03-02', '2026-03-01', '2026-03-02']) {
      expect((await at(day, [...load(`${day}.xlsx`), '--again'])).exitCode).toBe(0);
    }
    const listed = await place.run(['runs', '--json']);
    const ids = (JSON.parse(listed.stdout) as { runs: { run: string }[] }).runs.map(({ run }) => run);
    const days = ids.map((id) => id.replace(/-[a-z]{4}$/, ''));
    expect(days).toEqual(['2026-03-02-02', '2026-03-01-01', '2026-03-02-01']);
  });
});
