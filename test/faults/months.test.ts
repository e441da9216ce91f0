/**
 * Whatever happens in a month, every row that a person meant is in once, or told why it is not. The months are made up: by
 * default the same few each time, with DEALSHEET_MONTHS=1000 so many others. A failure names its seed, for
 * DEALSHEET_SEED=7, and the shortest month that fails.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, it, vi } from 'vitest';
import type { RunningSandbox } from '../../src/sandbox/server.ts';
import { type CommandHere, commandHere } from '../builders/command-here.ts';
import { newWorkplace, type Workplace } from '../builders/workplace.ts';
import { startService } from './loads.ts';
import { madeUp } from './made-up.ts';
import { MonthDesk } from './month-desk.ts';
import { type Month, months } from './month-steps.ts';

const howMany = madeUp(20, 500);
const msForMonth = 30_000;

describe('a month of loads, faults, kills, corrections and settled doubts', () => {
  let home: Workplace;
  let command: CommandHere;
  let service: RunningSandbox;

  beforeAll(async () => {
    home = newWorkplace();
    service = await startService();
    command = await commandHere(home, { DEALSHEET_TOKEN: 'sandbox-token' });
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await service.stop();
    home.remove();
  });

  async function live(month: Month): Promise<void> {
    const desk = new MonthDesk(month, command, service);
    try {
      for (const step of month.steps) await desk.take(step);
      await desk.endMonth();
    } finally {
      desk.close();
    }
  }

  it(
    'loses no row, makes none twice, and tells the truth about each in every results sheet',
    async () => {
      await fc.assert(fc.asyncProperty(months, live), howMany);
    },
    howMany.numRuns * msForMonth,
  );
});
