import Big from 'big.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aDeal } from './bodies.ts';
import { get, made, post, rulesOf } from './requests.ts';
import { useSandbox } from './running.ts';

const sandbox = useSandbox();
const addDeal = () => made(sandbox(), '/v1/deal', aDeal());
const addLoan = (body: unknown) => post(sandbox(), '/v1/submissionLoan', body);
const addTransactions = (transactions: unknown) => post(sandbox(), '/v1/transactions', { transactions });

interface Funded {
  readonly amount: number;
  readonly paybackAmount: number;
  readonly paid: number;
  readonly balance: number;
  readonly loans: readonly { readonly loanId: string; readonly paid: number; readonly balance: number }[];
}

const fundedDeal = async (deal: string) => (await get(sandbox(), `/v1/deal/${deal}`)).body.fundedDeal as Funded;

describe('Add a submission loan (4.10) and fundedDeal (2.1)', () => {
  it('funds the deal with its terms', async () => {
    const deal = await addDeal();
    const submissionId = await made(sandbox(), '/v1/submission', { dealId: deal });
    const loan = {
      submissionId,
      amount: 45_000,
      factorRate: 1.28,
      term: 12,
      paymentAmount: 228.57,
      paymentFrequency: 'Daily',
    };
    const { status, body } = await addLoan({ ...loan, fundedDate: '2026-06-15' });
    expect(status).toBe(201);
    const balances = { amount: 45_000, paybackAmount: 57_600, paid: 0, balance: 57_600 };
    expect(await fundedDeal(deal)).toEqual({
      ...balances,
      loans: [
        expect.objectContaining({ ...loan, ...balances, loanId: body.id, dealId: deal, fundedDate: '2026-06-15' }),
      ],
    });
  });

  it('takes an amount of more cents than can be counted', async () => {
    for (const amount of [1e308, -1e308, 1e17]) expect((await addLoan({ amount, factorRate: 2 })).status).toBe(201);
  });

  it('refuses ids that are not here', async () => {
    expect(rulesOf(await addLoan({ dealId: 'deal_999999' }))).toEqual(['dealId unknown-id']);
    expect(rulesOf(await addLoan({ submissionId: 'sub_999999' }))).toEqual(['submissionId unknown-id']);
  });
});

describe('Add transactions in bulk (4.11)', () => {
  it('tells for each row what became of it, and makes the good ones', async () => {
    const dealId = await addDeal();
    const { status, body } = await addTransactions([
      { dealId, amount: 10, further: 'kept' },
      { dealId, amount: '10' },
      { dealId: 'deal_999999', amount: 10 },
      { dealId, amount: 20 },
    ]);
    expect(status).toBe(200);
    expect(body).toMatchObject({ success: true, made: 2, refused: 2 });
    expect(body.transactions).toEqual([
      {
        index: 0,
        success: true,
        id: expect.stringMatching(/^txn_\d{6}$/),
        url: expect.stringContaining('/transactions/txn_'),
      },
      { index: 1, success: false, errors: [expect.objectContaining({ path: 'amount', rule: 'type' })] },
      { index: 2, success: false, errors: [expect.objectContaining({ path: 'dealId', rule: 'unknown-id' })] },
      { index: 3, success: true, id: expect.any(String), url: expect.any(String) },
    ]);
  });

  it('says no when no row is good', async () => {
    const { body } = await addTransactions([{ amount: 'x' }, { dealId: 'deal_999999' }]);
    expect(body).toMatchObject({ success: false, made: 0, refused: 2 });
  });

  it('writes one entry of the log for each row that was made', async () => {
    const last = [...sandbox().accepted()].at(-1)?.sequence ?? 0;
    await addTransactions([{ amount: 1, n: 1 }, { amount: 'x' }, { amount: 2, n: 2 }]);
    const entries = [...sandbox().accepted()].filter(({ sequence }) => sequence > last);
    expect(entries.map(({ endpoint, body }) => [endpoint, JSON.parse(body)])).toEqual([
      ['addTransactions', { amount: 1, n: 1 }],
      ['addTransactions', { amount: 2, n: 2 }],
    ]);
  });
});

describe('balances (4.12)', () => {
  it('follow from payments, and from those that are taken back', async () => {
    const dealId = await addDeal();
    await addLoan({ dealId, amount: 1000, factorRate: 1.3 });
    await addTransactions([
      { dealId, amount: 100, type: 'Payment' },
      { dealId, amount: 50.5 },
      { dealId, amount: -20.25 },
    ]);
    expect(await fundedDeal(dealId)).toMatchObject({ paybackAmount: 1300, paid: 130.25, balance: 1169.75 });
  });

  it('pay the oldest loan first, and what is too much off the last', async () => {
    const dealId = await addDeal();
    await addLoan({ dealId, amount: 100 });
    await addLoan({ dealId, amount: 200 });
    await addTransactions([{ dealId, amount: 150 }]);
    expect((await fundedDeal(dealId)).loans.map(({ paid, balance }) => [paid, balance])).toEqual([
      [100, 0],
      [50, 150],
    ]);
    await addTransactions([{ dealId, amount: 200 }]);
    expect((await fundedDeal(dealId)).loans.map(({ balance }) => balance)).toEqual([0, -50]);
  });

  it('are exact to the cent, and the loans of a deal add up to the deal', async () => {
    const cents = fc.integer({ min: -10_000_000, max: 1_000_000_000 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(cents.map(Math.abs), { minLength: 1, maxLength: 4 }),
        fc.array(cents, { maxLength: 12 }),
        async (loans, payments) => {
          const dealId = await addDeal();
          for (const amount of loans) await addLoan({ dealId, amount: amount / 100 });
          if (payments.length > 0) await addTransactions(payments.map((amount) => ({ dealId, amount: amount / 100 })));
          const sumOf = (all: readonly number[]) => all.reduce((sum, amount) => sum + amount, 0);
          const owed = Big(sumOf(loans)).minus(sumOf(payments));
          const funded = await fundedDeal(dealId);
          expect(Big(funded.balance).times(100).toFixed()).toBe(owed.toFixed());
          const together = funded.loans.reduce((sum, { balance }) => sum.plus(balance), Big(0));
          expect(together.toFixed()).toBe(Big(funded.balance).toFixed());
        },
      ),
      { numRuns: 40 },
    );
  });
});
