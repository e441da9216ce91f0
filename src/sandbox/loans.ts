/**
 * What is owed on each loan (service interface 2.1, 4.12), in whole cents. The sandbox's own choice: payments belong to a deal and
 * pay off its loans in the order they were added. An overpayment makes the last balance negative.
 */
import Big from 'big.js';
import type { RecordKind } from '../contract/record-kind.ts';
import { recordKind } from '../contract/record-kinds.ts';
import { type Body, bodyOf, findRecord, idOf, parentsOf } from './kinds.ts';
import type { BalanceEffect, StoredRecord, Tables } from './store.ts';

const deals = recordKind('deals');
const loans = recordKind('submission-loans');
const centsInUnit = 100;
const noEffect: BalanceEffect = { paid: 0, charged: 0 };
const noLimit = Number.MAX_SAFE_INTEGER;

/** Transaction types in lower case that add to the debt, pay back, or change nothing. Any other type is a payment. */
const charges: ReadonlySet<string> = new Set(['fee', 'charge']);
const refunds: ReadonlySet<string> = new Set(['refund', 'reversal', 'returned payment']);
const fundings: ReadonlySet<string> = new Set(['funding', 'disbursement']);

/** A loan charges its payback amount (amount times factor rate); a transaction depends on its type. */
export function effectOf({ name }: RecordKind, { amount, factorRate, type }: Body): BalanceEffect {
  const cents = centsOf(amount);
  if (name === 'submission-loans') return { paid: 0, charged: centsOf(cents, numberIn(factorRate) ?? 1) };
  if (name !== 'transactions') return noEffect;
  const is = typeof type === 'string' ? type.trim().toLowerCase() : '';
  if (charges.has(is)) return { paid: 0, charged: cents };
  if (fundings.has(is)) return noEffect;
  return { paid: refunds.has(is) ? -Math.abs(cents) : cents, charged: 0 };
}

const figures = ['amount', 'paybackAmount', 'fees', 'paid', 'balance'] as const;

/** One loan as Get loan balances and `fundedDeal` show it. Amounts are in currency units, exact to the cent. */
export type LoanBalance = ReturnType<typeof balanceOf>;

/** Every loan, deal by deal, in the order in which the deals got their first loan. */
export function everyLoanBalance(tables: Tables): LoanBalance[] {
  const all = tables.list(loans.name, 0, noLimit).reverse();
  const deals = [...new Set(all.map((loan) => dealOf(bodyOf(loan))))];
  const withoutDeal = () => all.filter((loan) => dealOf(bodyOf(loan)) === null);
  return deals.flatMap((deal) =>
    deal === null ? balancesOf(null, withoutDeal(), tables) : loanBalancesOf(deal, tables),
  );
}

export function loanBalancesOf(deal: string, tables: Tables): LoanBalance[] {
  return balancesOf(deal, tables.children(deal, loans.name, noLimit).reverse(), tables);
}

export function fundingOf(kind: RecordKind, record: StoredRecord, tables: Tables) {
  const id = idOf(kind, record.number);
  if (kind === loans) {
    const deal = dealOf(bodyOf(record));
    const all = deal === null ? balancesOf(null, [record], tables) : loanBalancesOf(deal, tables);
    return all.find(({ loanId }) => loanId === id);
  }
  const ofDeal = kind === deals ? loanBalancesOf(id, tables) : [];
  if (ofDeal.length === 0) return undefined;
  const totals = figures.map((name) => [
    name,
    amountOf(ofDeal.reduce((total, loan) => total + centsOf(loan[name]), 0)),
  ]);
  return { ...(Object.fromEntries(totals) as Record<(typeof figures)[number], number>), loans: ofDeal };
}

function balancesOf(deal: string | null, ofDeal: readonly StoredRecord[], tables: Tables): LoanBalance[] {
  const payments = deal === null ? noEffect : (tables.effects(deal, 'transactions') ?? noEffect);
  const company = { companyId: null, companyName: null, ...(deal === null ? {} : companyOf(deal, tables)) };
  let left = payments.paid;
  return ofDeal.map((loan, index) => {
    const fees = index === 0 ? payments.charged : 0;
    const owed = loan.charged + fees;
    const isLast = index === ofDeal.length - 1;
    const paid = deal === null ? 0 : isLast ? left : Math.min(left, owed);
    left -= paid;
    return balanceOf(loan, company, { fees, paid, balance: owed - paid });
  });
}

function balanceOf(loan: StoredRecord, company: Body, cents: Readonly<Record<'fees' | 'paid' | 'balance', number>>) {
  const { submissionId, fundedDate, amount, factorRate, term, paymentAmount, paymentFrequency, dealId } = bodyOf(loan);
  const terms = { factorRate, term, paymentAmount, paymentFrequency };
  const sent = Object.entries({ dealId, submissionId, ...company, fundedDate, ...terms });
  return {
    loanId: idOf(loans, loan.number),
    ...Object.fromEntries(sent.map(([name, value]) => [name, value ?? null])),
    amount: amountOf(centsOf(amount)),
    paybackAmount: amountOf(loan.charged),
    fees: amountOf(cents.fees),
    paid: amountOf(cents.paid),
    balance: amountOf(cents.balance),
  };
}

function companyOf(dealId: string, tables: Tables): Body {
  const deal = findRecord(deals, dealId, tables);
  const [company] = deal === undefined ? [] : parentsOf(deals, bodyOf(deal));
  if (company === undefined) return {};
  const record = findRecord(company.kind, company.id, tables);
  return { companyId: company.id, companyName: record === undefined ? null : bodyOf(record).name };
}

function dealOf({ dealId }: Body): string | null {
  return typeof dealId === 'string' ? dealId : null;
}

function numberIn(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

/** Converts 228.575 to 22858 with exact decimals, halves away from zero. Caps the result at the largest safe integer. */
function centsOf(amount: unknown, times = centsInUnit): number {
  const exact = Big(numberIn(amount) ?? 0).times(times);
  return Math.max(-noLimit, Math.min(noLimit, exact.round(0, Big.roundHalfUp).toNumber()));
}

function amountOf(cents: number): number {
  return Number(Big(cents).div(centsInUnit).toFixed(2));
}
