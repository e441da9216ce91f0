/**
 * Whatever happens in a month, every row that a person meant is in once, or told why it is not. The months are made up:
 * DEALSHEET_MONTHS=1000 makes more of them, and DEALSHEET_SEED=7 those that a failure has named.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, it, vi } from 'vitest';
import type { RunningSandbox } from '../../src/sandbox/server.ts';
import { type CommandHere, commandHere } from '../builders/command-here.ts';
import { newWorkplace, type Workplace } from '../builders/workplace.ts';
import { startService } from './loads.ts';
import { MonthDesk } from './month-desk.ts';
import { type Month, months } from './month-steps.ts';

const numRuns = Number(process.env.DEALSHEET_MONTHS ?? (process.env.DEALSHEET_LONG === '1' ? 500 : 15));
const seed = process.env.DEALSHEET_SEED === undefined ? {} : { seed: Number(process.env.DEALSHEET_SEED) };
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
      await fc.assert(fc.asyncProperty(months, live), { numRuns, ...seed });
    },
    numRuns * msForMonth,
  );
});
