import { execa } from 'execa';
import { beforeEach, describe, expect, it } from 'vitest';
import { workplaceForEachTest } from '../builders/command-here.ts';
import { writeCsv } from '../builders/tables.ts';
import { maySetClock } from '../builders/tools.ts';
import { environmentOf, main } from '../builders/workplace.ts';
import { sandboxForEachTest } from '../sandbox/running.ts';
import { type KindSample, kindSamples, sampleTable } from './kind-samples.ts';
import { judge, nothingWrong } from './loads.ts';

const rows = 60;
const deals = kindSamples.find(({ kind }) => kind === 'deals') as KindSample;

describe.skipIf(!maySetClock())('a machine whose clock is wrong', () => {
  const place = workplaceForEachTest();
  const service = sandboxForEachTest();

  beforeEach(() => {
    writeCsv(place.path('rows.csv'), sampleTable(deals, rows, place));
  });

  /** The service is in this process, so the load must not keep it from answering. */
  async function at(
    day: string,
    words: readonly string[],
    stop = '',
  ): Promise<{ code: number | null; stderr: string }> {
    const env = environmentOf(place.folder, { DEALSHEET_TOKEN: 'sandbox-token', DEALSHEET_STOP_AT: stop });
    const ended = await execa('faketime', ['-f', `@${day} 09:30:00`, process.execPath, main, ...words], {
      cwd: place.folder,
      env,
      extendEnv: false,
      reject: false,
      stdin: 'ignore',
    });
    return { code: ended.exitCode ?? null, stderr: ended.stderr };
  }

  const load = (results: string) => [
    ...['import', 'rows.csv', '--as', 'deals', '--url', service.url, '--yes', '--concurrency', '8'],
    ...['--results', results],
  ];

  it('goes on with the load that it began in the future, and sends no row a second time', async () => {
    await at('2031-05-01', load('results.xlsx'), 'settle-before-commit:4');
    const resumed = await at('2019-05-01', ['resume', '--yes', '--results', 'results.xlsx']);
    expect([0, 6], resumed.stderr).toContain(resumed.code);
    expect(await judge(place, service, 'rows', deals.key)).toMatchObject(nothingWrong);
    const sent = [...service.accepted()].length;
    const again = await at('2024-05-01', load('again.xlsx'));
    expect([0, 6], again.stderr).toContain(again.code);
    expect([...service.accepted()]).toHaveLength(sent);
  });

  it('names each run by itself, though days come twice', async () => {
    for (const day of ['2026-03-02', '2026-03-01', '2026-03-02']) {
      expect((await at(day, [...load(`${day}.xlsx`), '--again'])).code).toBe(0);
    }
    const listed = await place.run(['runs', '--json']);
    const ids = (JSON.parse(listed.stdout) as { runs: { run: string }[] }).runs.map(({ run }) => run);
    const days = ids.map((id) => id.replace(/-[a-z]{4}$/, ''));
    expect(days).toEqual(['2026-03-02-02', '2026-03-01-01', '2026-03-02-01']);
  });
});
