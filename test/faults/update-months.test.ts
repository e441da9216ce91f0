/**
 * Whatever happens to the updates of a month, no company is left with an older value than its last row gave it. The months are
 * made up: by default the same few each time, with DEALSHEET_MONTHS=1000 so many others. A failure names its seed, for
 * DEALSHEET_SEED=7, and the shortest month that fails.
 */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { writeCsv } from '../builders/tables.ts';
import { madeUp } from './made-up.ts';
import { Office, surroundingsOfTests } from './office.ts';
import { stores } from './stores.ts';
import { UpdateDesk } from './update-desk.ts';
import { type UpdateMonth, updateMonths } from './update-steps.ts';

const msForMonth = 30_000;

describe.each(stores)(
  'P13: a month of updates, faults, kills, corrections and settled doubts, its ledger in $name',
  (store) => {
    const howMany = madeUp(store.isTeam ? 5 : 20, 500);
    const surroundings = surroundingsOfTests(store);
    let companies: readonly string[];

    beforeAll(async () => {
      const { home, service, command } = surroundings.here;
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

    async function live(month: UpdateMonth): Promise<void> {
      await new Office(surroundings.here).live((office) => new UpdateDesk(month, office, companies), month.steps);
    }

    it(
      'writes no older value over a later one, loses no row, and tells what was not sent',
      async () => {
        await fc.assert(fc.asyncProperty(updateMonths, live), howMany);
      },
      howMany.numRuns * msForMonth,
    );
  },
);
