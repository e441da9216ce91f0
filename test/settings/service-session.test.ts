import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { recordedOptions } from '../../src/plan/options.ts';
import { serviceOfRun } from '../../src/settings/service.ts';
import { deals, deskForEachTest, tokenRefused } from '../builders/deals-desk.ts';
import { importDefaults } from '../builders/default-options.ts';

const unsaid = { sandbox: false };

const desk = deskForEachTest();

describe('a run that is taken up again', () => {
  beforeEach(() => void vi.stubEnv('DEALSHEET_TOKEN', 'token'));
  afterEach(() => void vi.unstubAllEnvs());

  const runWith = (serviceName: Record<string, string>) => {
    const snapshot = { sourceFolder: '/somewhere' } as Parameters<typeof recordedOptions>[1];
    const options = { ...importDefaults, file: 'deals.csv', service: 's', serviceUrl: 's', serviceName };
    return { options: recordedOptions(options, snapshot) } as Parameters<typeof serviceOfRun>[0];
  };
  const url = 'http://127.0.0.1:4010/';

  it('goes on at the pace that was typed when it began, unless another one is', () => {
    const run = runWith({ url, rate: '7', concurrency: '2' });
    expect(serviceOfRun(run, unsaid)).toMatchObject({ rate: { value: 7 }, concurrency: { value: 2 } });
    expect(serviceOfRun(run, { ...unsaid, url })).toMatchObject({
      rate: { value: 7 },
      concurrency: { value: 2 },
    });
    expect(serviceOfRun(run, { ...unsaid, rate: 9 })).toMatchObject({
      rate: { value: 9 },
      concurrency: { value: 2 },
    });
  });

  it('goes on at the usual pace where none was typed', () => {
    expect(serviceOfRun(runWith({ url }), unsaid)).toMatchObject({
      rate: { value: null },
      concurrency: { value: 32 },
    });
  });

  it('goes on in the sandbox that it began in', () => {
    expect(serviceOfRun(runWith({ sandboxData: '/its/own.db' }), unsaid)).toMatchObject({ sandboxData: '/its/own.db' });
  });

  it('is written down with the pace that was typed', async () => {
    desk.said.set(1, tokenRefused);
    desk.write('deals.csv', deals('Harbor'));
    await desk.load('deals.csv', '--rate', '7', '--ledger', desk.place.path('ledger.db'));
    const ledger = openLedger(desk.place.path('ledger.db'));
    const [run] = await ledger.runs();
    await ledger.close();
    expect(run && serviceOfRun(run, unsaid)).toMatchObject({ rate: { value: 7 }, concurrency: { value: 1 } });
  });
});
