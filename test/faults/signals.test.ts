import { beforeEach, describe, expect, it } from 'vitest';
import { workplaceForEachTest } from '../builders/command-here.ts';
import { expectExit } from '../builders/expected.ts';
import { writeManyDeals } from '../builders/tables.ts';
import { until } from '../builders/until.ts';
import { sandboxForEachTest } from '../sandbox/running.ts';
import { type Begun, begin, finish, judge, nothingWrong, runWhole } from './loads.ts';

const rows = 120;
const inFlight = 8;
const usualLatency = { from: 20, to: 60 };
const companyName = {
  header: 'Company name',
  of: (body: Record<string, unknown>) => (body.company as { name?: string } | undefined)?.name,
};

describe('a load that is told to stop', () => {
  const place = workplaceForEachTest();
  const service = sandboxForEachTest({ latency: usualLatency });

  beforeEach(() => {
    writeManyDeals(place.path('deals.csv'), rows);
  });

  const words = () => [
    ...['import', 'deals.csv', '--url', service.url, '--yes', '--concurrency', String(inFlight)],
    ...['--results', 'results.xlsx'],
  ];

  /** A load of which so many rows are in. */
  async function begun(accepted: number, ...further: readonly string[]): Promise<Begun> {
    const load = begin(place, [...words(), ...further]);
    await until(() => service.accepted().length >= accepted);
    return load;
  }

  async function interrupted(signals: readonly NodeJS.Signals[], ...further: readonly string[]) {
    const { child, ended } = await begun(30, ...further);
    for (const signal of signals) child.kill(signal);
    const { code, signal } = await ended;
    return code ?? signal;
  }

  /** Beside a load that has more to do than the work takes. */
  async function besideLoad<Result>(work: () => Promise<Result>): Promise<Result> {
    const { ended } = await begun(10);
    service.change({ latency: { from: 2_000, to: 2_000 } });
    try {
      return await work();
    } finally {
      service.change({ latency: usualLatency });
      expect((await ended).code).toBe(0);
    }
  }

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'by %s sends nothing new, writes its results, and ends with 130',
    async (signal) => {
      expect(await interrupted([signal])).toBe(130);
      const verdict = await judge(place, service, 'deals', companyName);
      expect(verdict).toMatchObject({ ...nothingWrong, inDoubt: 0 });
      expect(verdict.statuses['Not sent']).toBeGreaterThan(0);
      await finish(place, 'deals.csv', service);
      expect((await judge(place, service, 'deals', companyName)).statuses).toEqual({ Created: rows });
    },
  );

  it('by the end of its terminal, told twice, it stops in the same good order, and dies of it', async () => {
    expect(await interrupted(['SIGHUP', 'SIGHUP'], '--log', 'loads.ndjson')).toBe('SIGHUP');
    const ended = place.read('loads.ndjson').trimEnd().split('\n').at(-1) ?? '';
    expect(JSON.parse(ended), 'the code that a shell tells of it').toMatchObject({ event: 'end', exitCode: 129 });
    const verdict = await judge(place, service, 'deals', companyName);
    expect(verdict).toMatchObject({ ...nothingWrong, inDoubt: 0 });
    expect(verdict.statuses['Not sent']).toBeGreaterThan(0);
    await finish(place, 'deals.csv', service);
    expect((await judge(place, service, 'deals', companyName)).statuses).toEqual({ Created: rows });
  });

  it('is gone at once when it is told twice, with no more in doubt than was on its way, and says so', async () => {
    const { child, ended } = await begun(30, '--json');
    const isStopping = new Promise<void>((resolve) => {
      child.stderr.on('data', (chunk: string) => chunk.includes('Stopping') && resolve());
    });
    child.kill('SIGINT');
    await isStopping;
    child.kill('SIGINT');
    const { code, stdout, stderr } = await ended;
    expect(code, stderr).toBe(130);
    const { run, error } = JSON.parse(stdout) as { run: string; error: { code: string } };
    expect(error.code).toBe('interrupted');
    expect(stderr).toContain('Rows that were on their way may or may not be in.');
    expect(stderr).toContain(`Continue with: dealsheet resume ${run}`);
    expect(stderr).toContain('If there is a results sheet, it is older than this stop.');
    await finish(place, 'deals.csv', service);
    const verdict = await judge(place, service, 'deals', companyName);
    expect(verdict).toMatchObject(nothingWrong);
    expect(verdict.inDoubt).toBeLessThanOrEqual(inFlight);
  });

  it('refuses a second load of the same file beside it, and names the process', async () => {
    const load = ['import', 'deals.csv', '--url', service.url, '--yes', '--results', 'second.xlsx'];
    const second = await besideLoad(() => runWhole(place, load));
    expect(second.exitCode).toBe(2);
    expect(second.stderr).toMatch(/process \d+|process id \d+|pid \d+/i);
    expect(await judge(place, service, 'deals', companyName)).toMatchObject({
      ...nothingWrong,
      statuses: { Created: rows },
    });
  });

  it('P15: has no results while it is running, where a row that is on its way would be in doubt', async () => {
    const id = await besideLoad(async () => {
      const { run } = JSON.parse((await place.run(['runs', '--json'])).stdout).runs[0];
      for (const further of [[], ['--only', 'wrong']]) {
        const early = await place.run(['results', run, '-o', 'early.xlsx', ...further]);
        const stderr = expect.stringContaining(`The run ${run} is still running`);
        expect(early).toMatchObject({ exitCode: 2, stderr });
      }
      return run;
    });
    expect((await place.run(['results', id, '-o', 'late.xlsx'])).exitCode).toBe(0);
  });

  it('is not begun a second time while it is not ended: resume is named instead', async () => {
    await interrupted(['SIGINT']);
    const run = JSON.parse((await place.run(['runs', '--json'])).stdout).runs[0];
    expect(run.state).toBe('stopped');
    await expectExit(runWhole(place, [...words(), '--again']), 2, `dealsheet resume ${run.run}`);
  });
});
