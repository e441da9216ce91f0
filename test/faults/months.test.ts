/**
 * Whatever happens in a month, every row that a person meant is in once, or told why it is not. The months are made up: by
 * default the same few each time, with DEALSHEET_MONTHS=1000 so many others. A failure names its seed, for
 * DEALSHEET_SEED=7, and the shortest month that fails.
 */
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { makeDeal } from '../builders/made-deal.ts';
import { madeUp } from './made-up.ts';
import { MonthDesk } from './month-desk.ts';
import { type Month, months } from './month-steps.ts';
import { Office, surroundingsOfTests } from './office.ts';
import { stores } from './stores.ts';

const msForMonth = 30_000;

describe.each(stores)(
  'P9: a month of loads, faults, kills, corrections and settled doubts, its ledger in $name',
  (store) => {
    const howMany = madeUp(store.isTeam ? 5 : 20, 500);
    const surroundings = surroundingsOfTests(store, makeDeal);

    async function live(month: Month): Promise<void> {
      await new Office(surroundings.here).live((office) => new MonthDesk(month, office), month.steps);
    }

    it(
      'loses no row, makes none twice, and tells the truth about each in every results sheet',
      async () => {
        await fc.assert(fc.asyncProperty(months, live), howMany);
      },
      howMany.numRuns * msForMonth,
    );
  },
);
