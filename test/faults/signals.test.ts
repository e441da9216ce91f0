import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { ownWorkplaceForEachTest } from '../builders/command-here.ts';
import { writeManyDeals } from '../builders/tables.ts';
import { until } from '../builders/until.ts';
import { type Ended, environmentOf, main } from '../builders/workplace.ts';
import { sandboxForEachTest } from '../sandbox/running.ts';
import { finish, judge, nothingWrong, runLoad } from './loads.ts';

const rows = 120;
const inFlight = 8;
const usualLatency = { from: 20, to: 60 };
const companyName = {
  header: 'Company name',
  of: (body: Record<string, unknown>) => (body.company as { name?: string } | undefined)?.name,
};

describe('a load that is told to stop', () => {
  const place = ownWorkplaceForEachTest();
  const service = sandboxForEachTest({ latency: usualLatency });

  beforeEach(() => {
    writeManyDeals(place.path('deals.csv'), rows);
  });

  const words = () => [
    ...['import', 'deals.csv', '--url', service.url, '--yes', '--concurrency', String(inFlight)],
    ...['--results', 'results.xlsx'],
  ];

  /** Sends the signals once some rows are in, and waits for the end. */
  function interrupted(
    signals: readonly NodeJS.Signals[],
    further: readonly string[] = [],
  ): Promise<number | NodeJS.Signals | null> {
    return new Promise((resolve) => {
      const env = environmentOf(place.folder, { DEALSHEET_TOKEN: 'sandbox-token' });
      const child = spawn(process.execPath, [main, ...words(), ...further], {
        cwd: place.folder,
        env,
        stdio: 'ignore',
      });
      const watch = setInterval(() => {
        if ([...service.accepted()].length < 30) return;
        clearInterval(watch);
        for (const signal of signals) child.kill(signal);
      }, 10);
      child.on('close', (code, signal) => {
        clearInterval(watch);
        resolve(code ?? signal);
      });
    });
  }

  /** Interrupts it a second time once it has said that it is stopping. */
  function toldTwice(): Promise<Ended> {
    const env = environmentOf(place.folder, { DEALSHEET_TOKEN: 'sandbox-token' });
    const child = spawn(process.execPath, [main, ...words(), '--json'], { cwd: place.folder, env });
    const said = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk: Buffer) => {
      said.stdout += chunk.toString('utf8');
    });
    child.stderr.on('data', (chunk: Buffer) => {
      if (!said.stderr.includes('Stopping') && chunk.includes('Stopping')) child.kill('SIGINT');
      said.stderr += chunk.toString('utf8');
    });
    const watch = setInterval(() => {
      if ([...service.accepted()].length < 30) return;
      clearInterval(watch);
      child.kill('SIGINT');
    }, 10);
    return new Promise((resolve) => {
      child.on('close', (code) => {
        clearInterval(watch);
        resolve({ ...said, exitCode: code ?? -1 });
      });
    });
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
    expect(await interrupted(['SIGHUP', 'SIGHUP'], ['--log', 'loads.ndjson'])).toBe('SIGHUP');
    const ended = readFileSync(place.path('loads.ndjson'), 'utf8').trimEnd().split('\n').at(-1) ?? '';
    expect(JSON.parse(ended), 'the code that a shell tells of it').toMatchObject({ event: 'end', exitCode: 129 });
    const verdict = await judge(place, service, 'deals', companyName);
    expect(verdict).toMatchObject({ ...nothingWrong, inDoubt: 0 });
    expect(verdict.statuses['Not sent']).toBeGreaterThan(0);
    await finish(place, 'deals.csv', service);
    expect((await judge(place, service, 'deals', companyName)).statuses).toEqual({ Created: rows });
  });

  it('is gone at once when it is told twice, with no more in doubt than was on its way, and says so', async () => {
    const { exitCode, stdout, stderr } = await toldTwice();
    expect(exitCode, stderr).toBe(130);
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
    const first = runLoad(place, words());
    await until(() => [...service.accepted()].length >= 10);
    // The first is not to end before the second has begun, however long a process takes to begin.
    service.change({ latency: { from: 400, to: 400 } });
    const second = await runLoad(place, [
      ...['import', 'deals.csv', '--url', service.url, '--yes', '--results', 'second.xlsx'],
    ]);
    service.change({ latency: usualLatency });
    expect(second.code).toBe(2);
    expect(second.stderr).toMatch(/process \d+|process id \d+|pid \d+/i);
    expect((await first).code).toBe(0);
    expect(await judge(place, service, 'deals', companyName)).toMatchObject({
      ...nothingWrong,
      statuses: { Created: rows },
    });
  });

  it('P15: has no results while it is running, where a row that is on its way would be in doubt', async () => {
    const load = runLoad(place, words());
    await until(() => [...service.accepted()].length >= 10);
    service.change({ latency: { from: 2_000, to: 2_000 } });
    const id = JSON.parse((await place.run(['runs', '--json'])).stdout).runs[0].run;
    for (const further of [[], ['--only', 'wrong']]) {
      const early = await place.run(['results', id, '-o', 'early.xlsx', ...further]);
      expect(early).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(`The run ${id} is still running`) });
    }
    service.change({ latency: usualLatency });
    expect((await load).code).toBe(0);
    expect((await place.run(['results', id, '-o', 'late.xlsx'])).exitCode).toBe(0);
  });

  it('is not begun a second time while it is not ended: resume is named instead', async () => {
    await interrupted(['SIGINT']);
    const run = JSON.parse((await place.run(['runs', '--json'])).stdout).runs[0];
    expect(run.state).toBe('stopped');
    const again = await runLoad(place, [...words(), '--again']);
    expect(again.code).toBe(2);
    expect(again.stderr).toContain(`dealsheet resume ${run.run}`);
  });
});
