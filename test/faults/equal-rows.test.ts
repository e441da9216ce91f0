import { beforeEach, describe, expect, it } from 'vitest';
import { workplaceForEachTest } from '../builders/command-here.ts';
import { expectExit } from '../builders/expected.ts';
import { firstDeal, makeDeal } from '../builders/made-deal.ts';
import { writeCsv } from '../builders/tables.ts';
import { sandboxForEachTest } from '../sandbox/running.ts';
import { runLoad, runWhole } from './loads.ts';

const headers = ['Date', 'Amount', 'Type', 'Deal id'];
const payment = ['2026-06-30', 89.29, 'Payment', firstDeal];

const place = workplaceForEachTest();
const service = sandboxForEachTest();
const made = () => [...service.accepted()].filter(({ endpoint }) => endpoint === 'addTransactions').length;

beforeEach(() => makeDeal(service.url));

describe('P10: equal rows of one file: two equal payments can be two payments', () => {
  const words = (file: string, further: readonly string[]) => [
    ...['import', file, '--as', 'transactions', '--url', service.url, '--yes', '--batch', '1', '--concurrency', '1'],
    ...further,
  ];
  const load = (file: string, further: readonly string[] = []) => runWhole(place, words(file, further));

  it('are each sent once, also when the load is killed between them', async () => {
    writeCsv(place.path('pay.csv'), [headers, payment, payment, payment, payment]);
    await runLoad(place, words('pay.csv', []), { env: { DEALSHEET_STOP_AT: 'settle-after-commit:2' } });
    expect(made()).toBe(2);
    const resumed = await runLoad(place, ['resume', '--yes', '--concurrency', '1']);
    expect([0, 6], resumed.stderr).toContain(resumed.code);
    if (resumed.code === 6) {
      const listed = await place.run(['runs', '--json']);
      const { run } = JSON.parse(listed.stdout).runs[0];
      await place.run(['resolve', run, '--all-not-created']);
      expect((await runLoad(place, ['resume', run, '--yes'])).code).toBe(0);
    }
    expect(made()).toBe(4);
  });

  it('are counted against earlier files: the third is new when an earlier file had two', async () => {
    writeCsv(place.path('june.csv'), [headers, payment, payment]);
    writeCsv(place.path('july.csv'), [headers, payment, payment, payment]);
    await load('june.csv');
    await expectExit(load('july.csv', ['--skip-loaded']), 0);
    expect(made()).toBe(3);
  });

  it('are sent when a corrected row of a results sheet becomes equal to one that is in', async () => {
    writeCsv(place.path('pay.csv'), [headers, payment, ['2026-06-30', 'eighty', 'Payment', firstDeal]]);
    await load('pay.csv', ['--results', 'one.csv']);
    expect(made()).toBe(1);
    place.write('one.csv', place.read('one.csv').replace('2026-06-30,eighty', '2026-06-30,89.29'));
    await expectExit(load('one.csv', ['--results', 'two.csv', '--skip-loaded']), 0);
    expect(made()).toBe(2);
    await expectExit(load('two.csv', ['--results', 'three.csv', '--skip-loaded']), 0);
    expect(made()).toBe(2);
  });
});

describe('notes and transactions that went in before', () => {
  beforeEach(async () => {
    writeCsv(place.path('june.csv'), [headers, payment]);
    writeCsv(place.path('july.csv'), [headers, payment, ['2026-07-31', 5, 'Fee', firstDeal]]);
    await load('june.csv');
  });

  const load = (file: string, further: readonly string[] = []) =>
    runWhole(place, ['import', file, '--as', 'transactions', '--url', service.url, '--yes', ...further]);

  it('stop a load that nobody can be asked about, with the file and the day', async () => {
    const stopped = await load('july.csv');
    expect(stopped.exitCode).toBe(2);
    expect(stopped.stderr).toMatch(/1 row equals one that was loaded before.*june\.csv/s);
    expect(stopped.stderr).toMatch(/--skip-loaded.*--again/);
    expect(made()).toBe(1);
  });

  it('are passed over with --skip-loaded, and sent again with --again', async () => {
    expect((await load('july.csv', ['--skip-loaded'])).exitCode).toBe(0);
    expect(made()).toBe(2);
    expect((await load('july.csv', ['--again'])).exitCode).toBe(0);
    expect(made()).toBe(4);
  });
});
