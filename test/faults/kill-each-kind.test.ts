import { readdirSync, rmSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { workplaceForEachTest } from '../builders/command-here.ts';
import { expectExit } from '../builders/expected.ts';
import { writeCsv, writeWorkbook } from '../builders/tables.ts';
import { sandboxForEachTest } from '../sandbox/running.ts';
import { companyId, dealSample, type KindSample, kindSamples, sampleTable } from './kind-samples.ts';
import { finish, judge, nothingWrong, runLoad, runWhole } from './loads.ts';
import { ledgerForEachTest, stores } from './stores.ts';

const isLong = process.env.DEALSHEET_LONG === '1';
const rows = 40;
const inFlight = 8;
const rowsOfRequest = 2;

const loadPoints = ['intent-before-commit', 'intent-after-commit', 'settle-before-commit', 'settle-after-commit'];
const passes = [1, 2, 4];
const stops = loadPoints.flatMap((point) => passes.map((pass) => `${point}:${pass}`));
const whenMade = ['key-made', 'ledger-made'];
const betweenRuns = ['begin-before-commit', 'begin-after-commit'];
const atTheEnd = ['end-before-commit', 'end-after-commit'];

/** In the short form each kind dies at two points, and all of them together at every one. */
const pairs = kindSamples.flatMap((sample, index) =>
  stops
    .filter((_, number) => isLong || number % kindSamples.length === index || number === (index * 5) % stops.length)
    .map((stop) => [sample.kind, stop, sample] as const),
);

describe.each(stores)('P4: a load that dies between two steps of its ledger in $name', (store) => {
  const place = workplaceForEachTest();
  ledgerForEachTest(store, place);
  const service = sandboxForEachTest({ latency: { from: 2, to: 20 } });

  /** Deals and companies for the rows of other kinds to name, by another ledger: theirs is new when the load begins. */
  async function makeParents(): Promise<void> {
    const parents = Array.from({ length: rows }, (_, n) => [n + 1, `Parent ${n}`, 'Park']);
    writeCsv(place.path('parents.csv'), [['Amount requested', 'Company name', 'Owner last name'], ...parents]);
    const words = ['import', 'parents.csv', '--as', 'deals', '--url', service.url, '--yes', '--ledger', 'parents.db'];
    await expectExit(runWhole(place, words), 0);
  }

  const words = (kind: string) => [
    ...['import', 'rows.csv', '--as', kind, '--url', service.url, '--yes', '--results', 'results.xlsx'],
    ...['--concurrency', String(inFlight), '--batch', String(rowsOfRequest)],
  ];

  async function killedAndFinished(sample: Pick<KindSample, 'kind' | 'headers' | 'row'>, stop: string): Promise<void> {
    if (sample.kind !== 'deals') await makeParents();
    writeCsv(place.path('rows.csv'), sampleTable(sample, rows, place));
    const killed = await runLoad(place, words(sample.kind), { env: { DEALSHEET_STOP_AT: stop } });
    expect(killed.code, killed.stderr).toBeNull();
    await finish(place, 'rows.csv', service, ['--as', sample.kind]);
  }

  const ofStore = pairs.filter((_, at) => isLong || !store.isTeam || at % 2 === 0);

  it.each(ofStore)('has, once resumed, lost nothing and doubled nothing (%s, %s)', async (kind, stop, sample) => {
    await killedAndFinished(sample, stop);
    const verdict = await judge(place, service, 'rows', sample.key, sample.endpoint);
    expect(verdict).toMatchObject(nothingWrong);
    expect(Object.values(verdict.statuses).reduce((sum, count) => sum + count, 0)).toBe(rows);
    expect(verdict.statuses).not.toHaveProperty('Not sent');
    expect(verdict.inDoubt).toBeLessThanOrEqual(
      store.inDoubt * inFlight * (kind === 'transactions' ? rowsOfRequest : 1),
    );
  });

  it.each([...(store.isTeam ? [] : whenMade), ...betweenRuns, ...atTheEnd])(
    'before its first row or after its last, is whole once resumed (%s)',
    async (stop) => {
      await killedAndFinished(dealSample, stop);
      const verdict = await judge(place, service, 'rows', dealSample.key, 'addDeal');
      expect(verdict).toMatchObject({ ...nothingWrong, inDoubt: 0 });
      const statuses = atTheEnd.includes(stop) ? ['Created', 'Already loaded'] : ['Created'];
      for (const status of Object.keys(verdict.statuses)) expect(statuses).toContain(status);
    },
  );

  describe('before the ledger knows all of its rows', () => {
    const companies = [
      ['Ref', 'Company name', 'Contact types'],
      ...[1, 2].map((n) => [`C-${n}`, `Baker ${n}`, 'Merchant']),
    ];
    const deals = [['Amount requested', 'Company ref', 'Owner last name'], ...[1, 2].map((n) => [n, `C-${n}`, 'Park'])];
    const load = (file: string) => ['import', file, '--url', service.url, '--yes'];

    beforeEach(async () => {
      await writeWorkbook(place.path('companies.xlsx'), { Companies: companies });
      await writeWorkbook(place.path('rows.xlsx'), { Companies: companies, Deals: deals });
      expect((await runWhole(place, load('companies.xlsx'))).exitCode).toBe(0);
      const env = { DEALSHEET_STOP_AT: 'register-after-commit:1' };
      expect((await runLoad(place, load('rows.xlsx'), { env })).code).toBeNull();
    });

    it('goes on, from its own copy of the file', async () => {
      expect((await runWhole(place, load('companies.xlsx'))).exitCode).toBe(0);
      rmSync(place.path('rows.xlsx'));
      const { runs } = JSON.parse((await place.run(['runs', '--json'])).stdout);
      const told = await place.run(['runs', runs[1].run]);
      expect(told.stdout).toMatch(/The run was stopped. Continue it with: dealsheet resume/);
      await expectExit(runWhole(place, ['resume', '--yes', '--results', 'results.xlsx']), 0);
      expect(service.accepted().map(({ endpoint }) => endpoint)).toEqual([
        ...['addCompany', 'addCompany', 'addDeal', 'addDeal'],
      ]);
    });

    it('gives way to a later load of its file', async () => {
      expect((await runWhole(place, load('rows.xlsx'))).exitCode).toBe(0);
      const resumed = await runWhole(place, ['resume', '--yes']);
      expect(resumed.stderr).toContain('There is nothing to resume');
      const left = readdirSync(place.folder, { recursive: true }).filter((name) => String(name).endsWith('.source'));
      expect(left).toEqual([]);
    });
  });

  it.each(isLong ? stops : ['intent-after-commit:2', 'settle-before-commit:4'])(
    'sends updates again, and every company has the values of its row (%s)',
    async (stop) => {
      const updates = {
        kind: 'company-updates',
        headers: ['Company to update', 'Website'],
        row: (n: number) => [companyId(n), `https://harbor-${n}.example.com`],
      } as const;
      await killedAndFinished(updates, stop);
      const key = { header: 'Website', of: (body: Record<string, unknown>) => body.website };
      const verdict = await judge(place, service, 'rows', key, 'updateCompany');
      expect(verdict).toMatchObject({ untold: [], invented: [], inDoubt: 0 });
      expect(verdict.statuses).toEqual({ Updated: rows });
    },
  );
});
