import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { workplaceForEachTest } from '../builders/command-here.ts';
import { expectExit } from '../builders/expected.ts';
import { serviceForEachTest } from '../builders/recording-service.ts';
import { oneRow, writeCsv } from '../builders/tables.ts';

describe('pruning the ledger', () => {
  const place = workplaceForEachTest();
  const service = serviceForEachTest((_request, number) =>
    number === 2
      ? { status: 500, body: '{}' }
      : { status: 201, body: JSON.stringify({ success: true, id: `c${number}`, url: 'http://127.0.0.1/c' }) },
  );

  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    for (const year of ['2020', '2021', '2026']) {
      vi.setSystemTime(`${year}-06-01T09:00:00Z`);
      writeCsv(place.path(`${year}.csv`), oneRow({ 'Company name': `Harbor ${year}`, 'Contact types': 'Merchant' }));
      const words = ['import', `${year}.csv`, '--as', 'companies', '--url', service.url, '--yes'];
      await place.run(words, { env: { DEALSHEET_TOKEN: 'token' } });
    }
  });
  afterEach(() => void vi.useRealTimers());

  const runs = async () =>
    (JSON.parse((await place.run(['runs', '--json'])).stdout) as { runs: { run: string }[] }).runs.map(({ run }) =>
      run.slice(0, 'YYYY-MM-DD-NN'.length),
    );

  it('ends well and asks nothing when there is nothing to forget', async () => {
    const { stdout, stderr } = await expectExit(place.run(['runs', '--prune-before', '2019-01-01', '--json']), 0);
    expect(stderr).toContain('0 runs began before 2019-01-01.');
    expect(JSON.parse(stdout)).toEqual({ forgotten: { runs: 0, rows: 0 }, kept: 0 });
  });

  it('forgets what is old and settled, and nothing that is in doubt', async () => {
    expect(await runs()).toEqual(['2026-06-01-01', '2021-06-01-01', '2020-06-01-01']);
    const pruned = await expectExit(place.run(['runs', '--prune-before', '2022-01-01', '--yes']), 0);
    expect(pruned.stderr).toMatch(
      /2 runs began before 2022-01-01\.[\s\S]*Forgotten: 1 run with 1 row\. Kept for rows that are in doubt, that a run which stays has as well, or that a running load has read: 1 run\./,
    );
    expect(await runs()).toEqual(['2026-06-01-01', '2021-06-01-01']);
  });

  it('forgets nothing without a word of the person, or for what is no day', async () => {
    expect((await place.run(['runs', '--prune-before', '2022-01-01'])).exitCode).toBe(2);
    expect((await place.run(['runs', '--prune-before', 'last year', '--yes'])).stderr).toMatch(
      /"last year" is not a date/,
    );
    const oneRun = place.run(['runs', '2020-06-01-01', '--prune-before', '2022-01-01', '--yes']);
    await expectExit(oneRun, 2, 'Give only one of these: prune-before, run');
    expect(await runs()).toHaveLength(3);
  });

  it('is no way to end a load that has ended', async () => {
    const { exitCode, stderr } = await place.run(['runs', '2026-06-01-01', '--take-over', '--yes']);
    expect(stderr).toMatch(/^The run 2026-06-01-01-\w{4} is not running\.\n.* lists the runs\.$/m);
    expect(exitCode).toBe(2);
  });
});
