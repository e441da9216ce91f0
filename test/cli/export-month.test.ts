import { join } from 'node:path';
import Big from 'big.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { workplaceHere } from '../builders/command-here.ts';
import { expectExit } from '../builders/expected.ts';
import { readWorkbook } from '../builders/tables.ts';
import { root, type Workplace } from '../builders/workplace.ts';

type Row = Readonly<Record<string, unknown>>;

/** What a sandbox makes of a transaction: it pays, it charges, or it gives back. */
const paying: Readonly<Record<string, number>> = {
  fee: 0,
  charge: 0,
  refund: -1,
  reversal: -1,
  'returned payment': -1,
};

describe('a month, loaded into the sandbox and brought back', () => {
  let place: Workplace;
  let balances: readonly Row[];
  let transactions: readonly Row[];
  let loans: readonly Row[];

  const sum = (rows: readonly Row[], column: string) =>
    rows.reduce((total, row) => total.plus(String(row[column] ?? 0)), new Big(0));

  beforeAll(async () => {
    place = workplaceHere();
    const sandbox = ['--sandbox', '--sandbox-data', 'month.db'];
    const source = join(root, 'fixtures', 'monthly-load.xlsx');
    const loaded = await place.run([
      ...['import', source, '--results', 'month.results.xlsx', '--yes', '--quiet', ...sandbox],
    ]);
    expect([0, 1], loaded.stderr).toContain(loaded.exitCode);
    await expectExit(place.run(['export', 'balances', '-o', 'balances.xlsx', ...sandbox]), 0);
    const isIn = (row: Row) => ['Created', 'Accepted'].includes(String(row.Status));
    balances = (await readWorkbook(place.path('balances.xlsx'), 'Balances')).filter((row) => row.loanId !== 'Total');
    transactions = (await readWorkbook(place.path('month.results.xlsx'), 'Transactions')).filter(isIn);
    loans = (await readWorkbook(place.path('month.results.xlsx'), 'Submission loans')).filter(isIn);
  });
  afterAll(() => place.remove());

  it('has the loans that went in, and no other', () => {
    expect(balances.length).toBeGreaterThan(0);
    expect(balances.map((row) => row.loanId).sort()).toEqual(loans.map((row) => row.ID).sort());
    expect(sum(balances, 'amount').toFixed(2)).toBe(sum(loans, 'Amount').toFixed(2));
  });

  it('ties what was paid to the transactions that went in', async () => {
    const deals = await readWorkbook(place.path('month.results.xlsx'), 'Deals');
    const idOfRef = new Map(deals.map((row) => [row.Ref, row.ID]));
    const withLoans = new Set(balances.map((row) => row.dealId));
    const paid = transactions
      .filter((row) => withLoans.has(row['Deal id'] ?? idOfRef.get(row['Deal ref'])))
      .reduce((total, row) => {
        const effect = paying[String(row.Type ?? '').toLowerCase()] ?? 1;
        return total.plus(new Big(String(row.Amount)).times(effect));
      }, new Big(0));
    expect(paid.gt(0)).toBe(true);
    expect(sum(balances, 'paid').toFixed(2)).toBe(paid.toFixed(2));
  });

  it('balances to the cent on every row, and in the totals', async () => {
    for (const row of balances) {
      const owed = new Big(String(row.paybackAmount)).minus(String(row.paid));
      expect(new Big(String(row.balance)).eq(owed), JSON.stringify(row)).toBe(true);
    }
    const all = await readWorkbook(place.path('balances.xlsx'), 'Balances');
    expect(new Big(String(all.at(-1)?.balance)).eq(sum(balances, 'balance'))).toBe(true);
  });

  it('brings the companies and deals of the results sheet back', async () => {
    const sandbox = ['--sandbox', '--sandbox-data', 'month.db', '--ids', 'month.results.xlsx', '--json'];
    for (const what of ['deals', 'companies']) {
      const ended = await expectExit(place.run(['export', what, '-o', `${what}.xlsx`, ...sandbox]), 0);
      const { counts } = JSON.parse(ended.stdout) as { counts: Record<string, number> };
      expect(counts.found).toBe(counts.asked);
      expect(counts.found).toBeGreaterThan(0);
    }
    const deals = await readWorkbook(place.path('deals.xlsx'), 'Deals');
    const shown = deals.flatMap((row) => row['owner1.ssn'] ?? []);
    expect(shown.length).toBeGreaterThan(0);
    expect(new Set(shown)).toEqual(new Set(['***-**-****']));
  });
});
