/**
 * Sheets that name each other's rows, in months that are made up: by default the same few each time, with
 * DEALSHEET_MONTHS=1000 so many others. A failure names its seed, for DEALSHEET_SEED=7, and the shortest month that fails.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, it, vi } from 'vitest';
import type { RunningSandbox } from '../../src/sandbox/server.ts';
import { type CommandHere, commandHere } from '../builders/command-here.ts';
import { newWorkplace, type Workplace } from '../builders/workplace.ts';
import { startService } from './loads.ts';
import { madeUp } from './made-up.ts';
import { WorkbookDesk } from './workbook-desk.ts';
import { type WorkbookMonth, workbookMonths } from './workbook-steps.ts';

const howMany = madeUp(10, 300);
const msForMonth = 60_000;

describe('a month of sheets that name each other', () => {
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

  async function live(month: WorkbookMonth): Promise<void> {
    const desk = new WorkbookDesk(month, command, service);
    try {
      await desk.open();
      for (const step of month.steps) await desk.take(step);
      await desk.endMonth();
    } finally {
      desk.close();
    }
  }

  it(
    'makes each row once, under the record that its ref names, and tells the truth about each in every workbook',
    async () => {
      await fc.assert(fc.asyncProperty(workbookMonths, live), howMany);
    },
    howMany.numRuns * msForMonth,
  );
});
