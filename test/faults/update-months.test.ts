/**
 * Whatever happens to the updates of a month, no company is left with an older value than its last row gave it. The months are
 * made up: by default the same few each time, with DEALSHEET_MONTHS=1000 so many others. A failure names its seed, for
 * DEALSHEET_SEED=7, and the shortest month that fails.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { RunningSandbox } from '../../src/sandbox/server.ts';
import { type CommandHere, commandHere } from '../builders/command-here.ts';
import { writeCsv } from '../builders/tables.ts';
import { newWorkplace, type Workplace } from '../builders/workplace.ts';
import { startService } from './loads.ts';
import { madeUp } from './made-up.ts';
import { UpdateDesk } from './update-desk.ts';
import { type UpdateMonth, updateMonths } from './update-steps.ts';

const howMany = madeUp(20, 500);
const msForMonth = 30_000;

describe('a month of updates, faults, kills, corrections and settled doubts', () => {
  let home: Workplace;
  let command: CommandHere;
  let service: RunningSandbox;
  let companies: readonly string[];

  beforeAll(async () => {
    home = newWorkplace();
    service = await startService();
    command = await commandHere(home, { DEALSHEET_TOKEN: 'sandbox-token' });
    const file = home.path('companies.csv');
    writeCsv(file, [
      ['Company name', 'Contact types'],
      ['Harbor Bakery', 'Merchant'],
      ['Anchor Diner', 'Merchant'],
    ]);
    const words = ['import', file, '--as', 'companies', '--url', service.url, '--yes'];
    const made = await command([...words, '--ledger', home.path('companies.db')]);
    expect(made.exitCode, made.stderr).toBe(0);
    companies = [...service.accepted()].map(({ id }) => id);
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await service.stop();
    home.remove();
  });

  async function live(month: UpdateMonth): Promise<void> {
    const desk = new UpdateDesk(month, command, service, companies);
    try {
      for (const step of month.steps) await desk.take(step);
      await desk.endMonth();
    } finally {
      desk.close();
    }
  }

  it(
    'writes no older value over a later one, loses no row, and tells what was not sent',
    async () => {
      await fc.assert(fc.asyncProperty(updateMonths, live), howMany);
    },
    howMany.numRuns * msForMonth,
  );
});
