import { existsSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { workplaceForEachTest } from '../builders/command-here.ts';
import { writeManyDeals } from '../builders/tables.ts';
import { sandboxForEachTest } from '../sandbox/running.ts';
import { finish, judge, nothingWrong, runLoad } from './loads.ts';
import { ledgerForEachTest, stores } from './stores.ts';

const isLong = process.env.DEALSHEET_LONG === '1';
const kills = isLong ? 200 : 5;
const rows = 150;
const inFlight = 16;
/** A load of 150 rows takes half a second here, and its start as much: kills fall into all of it. */
const firstKillMs = 350;
const lastKillMs = 1100;
const companyName = {
  header: 'Company name',
  of: (body: Record<string, unknown>) => (body.company as { name?: string } | undefined)?.name,
};

describe.each(stores)('P4: a load that is killed, its ledger in $name', (store) => {
  const place = workplaceForEachTest();
  ledgerForEachTest(store, place);
  const service = sandboxForEachTest({ latency: { from: 5, to: 40 } });

  beforeEach(() => {
    writeManyDeals(place.path('deals.csv'), rows);
  });

  const load = ['import', 'deals.csv', '--yes', '--concurrency', String(inFlight), '--results', 'results.xlsx'];

  async function expectNothingLostOrDoubled(): Promise<number> {
    const verdict = await judge(place, service, 'deals', companyName);
    expect(verdict).toMatchObject(nothingWrong);
    expect(Object.values(verdict.statuses).reduce((sum, count) => sum + count, 0)).toBe(rows);
    expect(verdict.inDoubt).toBeLessThanOrEqual(store.inDoubt * inFlight);
    expect(verdict.statuses).not.toHaveProperty('Not sent');
    return verdict.inDoubt;
  }

  it.each(Array.from({ length: kills }, (_, number) => number))(
    'at a random instant, and then resumed, has lost nothing and doubled nothing (kill %i)',
    async (number) => {
      const span = lastKillMs - firstKillMs;
      const killAfterMs = firstKillMs + (number * span) / kills + Math.random() * (span / kills);
      await runLoad(place, [...load, '--url', service.url], { killAfterMs });
      await finish(place, 'deals.csv', service);
      await expectNothingLostOrDoubled();
    },
  );

  it('leaves no results half way, and has in doubt rows that were on their way', async () => {
    await runLoad(place, [...load, '--url', service.url], { env: { DEALSHEET_STOP_AT: 'intent-after-commit:5' } });
    expect(existsSync(place.path('results.xlsx'))).toBe(false);
    await finish(place, 'deals.csv', service);
    expect(await expectNothingLostOrDoubled()).toBeGreaterThan(0);
  });
});
