import { spawn } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunningSandbox } from '../../src/sandbox/server.ts';
import { writeCsv } from '../builders/tables.ts';
import { environmentOf, main, newWorkplace, type Workplace } from '../builders/workplace.ts';
import { finish, judge, nothingWrong, runLoad, startService } from './loads.ts';

const rows = 400;
const inFlight = 8;
const companyName = {
  header: 'Company name',
  of: (body: Record<string, unknown>) => (body.company as { name?: string } | undefined)?.name,
};

describe('a load that is told to stop', () => {
  let place: Workplace;
  let service: RunningSandbox;

  beforeEach(async () => {
    place = newWorkplace();
    service = await startService({ latency: { from: 20, to: 60 } });
    const deals = Array.from({ length: rows }, (_, index) => [1000 + index, `Company ${index}`, 'Moreno']);
    writeCsv(place.path('deals.csv'), [['Amount requested', 'Company name', 'Owner last name'], ...deals]);
  });
  afterEach(async () => {
    await service.stop();
    place.remove();
  });

  const words = () => [
    'import',
    'deals.csv',
    '--url',
    service.url,
    '--yes',
    '--concurrency',
    String(inFlight),
    '--results',
    'results.xlsx',
  ];

  /** Sends the signals once some rows are in, and waits for the end. */
  function interrupted(signals: readonly NodeJS.Signals[]): Promise<number | null> {
    return new Promise((resolve) => {
      const env = environmentOf(place.folder, { DEALSHEET_TOKEN: 'sandbox-token' });
      const child = spawn(process.execPath, [main, ...words()], {
        cwd: place.folder,
        env,
        stdio: 'ignore',
      });
      const watch = setInterval(() => {
        if ([...service.accepted()].length < 30) return;
        clearInterval(watch);
        for (const signal of signals) child.kill(signal);
      }, 10);
      child.on('close', (code) => {
        clearInterval(watch);
        resolve(code);
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

  it('is gone at once when it is told twice, with no more in doubt than was on its way', async () => {
    await interrupted(['SIGINT', 'SIGINT']);
    await finish(place, 'deals.csv', service);
    const verdict = await judge(place, service, 'deals', companyName);
    expect(verdict).toMatchObject(nothingWrong);
    expect(verdict.inDoubt).toBeLessThanOrEqual(inFlight);
  });

  it('refuses a second load of the same file beside it, and names the process', async () => {
    const first = runLoad(place, words());
    while ([...service.accepted()].length < 10) await new Promise((resolve) => setTimeout(resolve, 10));
    const second = await runLoad(place, [
      'import',
      'deals.csv',
      '--url',
      service.url,
      '--yes',
      '--results',
      'second.xlsx',
    ]);
    expect(second.code).toBe(2);
    expect(second.stderr).toMatch(/process \d+|process id \d+|pid \d+/i);
    expect((await first).code).toBe(0);
    expect(await judge(place, service, 'deals', companyName)).toMatchObject({
      ...nothingWrong,
      statuses: { Created: rows },
    });
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
