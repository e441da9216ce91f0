import { mkdirSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { workplaceForEachTest } from '../builders/command-here.ts';
import { hasPostgres, startPostgres } from '../builders/postgres.ts';
import { writeCsv } from '../builders/tables.ts';
import { mayMount, mayTrace, tracing } from '../builders/tools.ts';
import { until } from '../builders/until.ts';
import { sandboxForEachTest } from '../sandbox/running.ts';
import { dealSample, sampleTable } from './kind-samples.ts';
import { begin, judge, nothingWrong, runWhole } from './loads.ts';

const rows = 500;

const stoppedEarly = 5;
/** With another run or ledger, the rows of some other file could go out. */
const wholeResume = /Then continue with: dealsheet resume \d{4}-\d\d-\d\d-\d\d-[a-z]{4} --ledger \S+ledger\.db$/m;

describe('P5: a load whose ledger', () => {
  const place = workplaceForEachTest();
  const service = sandboxForEachTest();

  beforeEach(() => {
    writeCsv(place.path('rows.csv'), sampleTable(dealSample, rows, place));
  });

  const load = (ledger: string) => [
    ...['import', 'rows.csv', '--as', 'deals', '--url', service.url, '--yes', '--results', 'results.xlsx'],
    ...['--ledger', ledger],
  ];

  /** A fault is counted by thread: one for all files makes it come in the midst of the load. */
  const run = (ledger: string, by: readonly string[] = []) =>
    begin(place, load(ledger), { by, env: { UV_THREADPOOL_SIZE: '1' } }).ended;

  /** Nothing was sent that the ledger does not know of, and with a sound disk the load goes on to its end. */
  async function expectToGoOn(ledger: string): Promise<void> {
    const sent = [...service.accepted()].length;
    expect(sent).toBeGreaterThan(0);
    expect(sent).toBeLessThan(rows);
    const words = ['resume', '--yes', '--ledger', ledger, '--results', 'results.xlsx'];
    const resumed = await runWhole(place, words);
    expect([0, 6], resumed.stderr).toContain(resumed.exitCode);
    const verdict = await judge(place, service, 'rows', dealSample.key);
    expect(verdict).toMatchObject(nothingWrong);
    expect(verdict.statuses).not.toHaveProperty('Not sent');
    expect([...service.accepted()].length + verdict.inDoubt).toBeGreaterThanOrEqual(rows);
  }

  it.skipIf(!mayMount())(
    'fills its disk sends nothing without an entry, says so, and goes on once there is room',
    async () => {
      const [disk, saved] = [place.path('disk'), place.path('saved')];
      mkdirSync(disk);
      mkdirSync(saved);
      const script =
        'mount -t tmpfs -o size=1500k tmpfs "$1"; shift; saved="$1"; shift; "$@"; code=$?; cp -a disk/. "$saved"; exit $code';
      const ended = await run('disk/ledger.db', ['unshare', '-m', 'sh', '-c', script, 'sh', disk, saved]);
      expect(ended.code, ended.stderr).toBe(stoppedEarly);
      expect(ended.stderr).toMatch(/disk is full/);
      expect(ended.stderr).toMatch(/Make room on its disk/);
      expect(ended.stderr).toMatch(wholeResume);
      await expectToGoOn('saved/ledger.db');
    },
  );

  it.skipIf(!hasPostgres() || !mayMount())('is on a server that runs full stops the same way', async () => {
    const server = await startPostgres(150);
    try {
      const made = await runWhole(place, ['ledger', 'create', '--ledger', server.url()]);
      expect(made.exitCode, made.stderr).toBe(0);
      service.change({ latency: { from: 5, to: 30 } });
      const loading = run(server.url());
      await until(() => [...service.accepted()].length > 50);
      server.fill(32);
      const ended = await loading;
      expect(ended.code, ended.stderr).toBe(stoppedEarly);
      expect(ended.stderr).toMatch(/cannot be used: its server (has no room left|cannot be reached)/);
      expect(ended.stderr).toMatch(/Then continue with: dealsheet resume \S+ --ledger postgres:/);
      server.fill(null);
      await expectToGoOn(server.url());
    } finally {
      await server.remove();
    }
  });

  it.skipIf(!mayTrace()).each([
    ['reports an error when it is told to keep a commit', 'fsync', 30, []],
    ['reports an error when its log is written', 'pwrite64', 500, ['ledger.db-wal']],
  ])('%s sends nothing without an entry, says so, and goes on later', async (_what, call, when, files) => {
    const fault = [
      '-qq',
      ...files.flatMap((file) => ['-P', place.path(file)]),
      '-o',
      '/dev/null',
      '-e',
      `trace=${call}`,
    ];
    const words = [...fault, '-e', `inject=${call}:error=EIO:when=${when}+`];
    const ended = await run('ledger.db', ['strace', ...tracing, ...words]);
    expect(ended.code, ended.stderr).toBe(stoppedEarly);
    expect(ended.stderr).toMatch(/disk I\/O error/);
    expect(ended.stderr).toMatch(/check the disk/);
    expect(ended.stderr).toMatch(wholeResume);
    await expectToGoOn('ledger.db');
  });
});
