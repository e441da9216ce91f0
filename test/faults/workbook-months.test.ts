/**
 * Sheets that name each other's rows, in months that are made up: by default the same few each time, with
 * DEALSHEET_MONTHS=1000 so many others. A failure names its seed, for DEALSHEET_SEED=7, and the shortest month that fails.
 */
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { madeUp } from './made-up.ts';
import { Office, surroundingsOfTests } from './office.ts';
import { stores } from './stores.ts';
import { WorkbookDesk } from './workbook-desk.ts';
import { type WorkbookMonth, workbookMonths } from './workbook-steps.ts';

const msForMonth = 60_000;

describe.each(stores)('a month of sheets that name each other, its ledger in $name', (store) => {
  const howMany = madeUp(store.isTeam ? 3 : 10, 300);
  const surroundings = surroundingsOfTests(store);

  async function live(month: WorkbookMonth): Promise<void> {
    await new Office(surroundings.here).live((office) => WorkbookDesk.open(month, office), month.steps);
  }

  it(
    'makes each row once, under the record that its ref names, and tells the truth about each in every workbook',
    async () => {
      await fc.assert(fc.asyncProperty(workbookMonths, live), howMany);
    },
    howMany.numRuns * msForMonth,
  );
});
