/**
 * What is owed on each loan. By the sandbox's own choice payments belong to a deal and pay its loans off in the order in
 * which they were added; what is paid beyond the last one makes its balance negative.
 */
import { amountOf } from '../money.ts';
import { idOf } from '../record-ids.ts';
import type { LoanRecord } from '../store/rows.ts';
import type { Tables } from '../store/tables.ts';

/** One loan as Get loan balances and `fundedDeal` show it; amounts in currency units, exact to the cent. */
export interface LoanBalance {
  readonly loanId: string;
  readonly dealId: string | null;
  readonly submissionId: string | null;
  readonly companyId: string | null;
  readonly companyName: string | null;
  readonly fundedDate: string | null;
  readonly amount: number;
  readonly factorRate: number | null;
  readonly term: number | null;
  readonly paymentAmount: number | null;
  readonly paymentFrequency: string | null;
  readonly paybackAmount: number;
  readonly fees: number;
  readonly paid: number;
  readonly balance: number;
}

/** What a transaction does, by its type in lower case; any other type is a payment. */
const effects: Readonly<Record<string, 'charge' | 'refund' | 'nothing'>> = {
  fee: 'charge',
  charge: 'charge',
  refund: 'refund',
  reversal: 'refund',
  'returned payment': 'refund',
  funding: 'nothing',
  disbursement: 'nothing',
};

/** The cents by which a transaction changes what was paid and what was charged on its deal. */
export function effectOf(type: string | undefined, cents: number): { paid: number; charged: number } {
  const name = (type ?? '').trim().toLowerCase();
  switch (Object.hasOwn(effects, name) ? effects[name] : undefined) {
    case 'charge':
      return { paid: 0, charged: cents };
    case 'refund':
      return { paid: -cents, charged: 0 };
    case 'nothing':
      return { paid: 0, charged: 0 };
    default:
      return { paid: cents, charged: 0 };
  }
}

/** Every loan, deal by deal in the order in which the deals got their first loan. */
export function everyLoanBalance(tables: Tables): LoanBalance[] {
  const paymentsByDeal = new Map(tables.payments().map((payments) => [payments.deal, payments]));
  const loansByDeal = new Map<number | null, LoanRecord[]>();
  for (const loan of tables.loans()) {
    const known = loansByDeal.get(loan.deal);
    if (known === undefined) loansByDeal.set(loan.deal, [loan]);
    else known.push(loan);
  }
  return [...loansByDeal].flatMap(([deal, loans]) =>
    balancesOf(loans, deal === null ? undefined : paymentsByDeal.get(deal)),
  );
}

/** The loans of one deal, by the deal's number. */
export function loanBalancesOfDeal(tables: Tables, deal: number): LoanBalance[] {
  return balancesOf(tables.loansOfDeal(deal), tables.paymentsOfDeal(deal));
}

/** One loan by its number, with its part of what was paid on its deal. */
export function loanBalance(tables: Tables, number: number): LoanBalance {
  const loan = tables.loan(number);
  if (loan === undefined) throw new Error(`There is no loan ${number}.`);
  const loans = loan.deal === null ? [loan] : tables.loansOfDeal(loan.deal);
  const payments = loan.deal === null ? undefined : tables.paymentsOfDeal(loan.deal);
  const position = loans.findIndex((each) => each.number === number);
  const balance = balancesOf(loans, payments)[position];
  if (balance === undefined) throw new Error(`Loan ${number} is not among the loans of its deal.`);
  return balance;
}

/** `fundedDeal` of a deal (service interface 2.1): loan terms and balances, or `undefined` before there is a loan. */
export function fundedDealOf(tables: Tables, deal: number) {
  const loans = tables.loansOfDeal(deal);
  if (loans.length === 0) return undefined;
  const payments = tables.paymentsOfDeal(deal);
  const charged = payments?.charged ?? 0;
  const paid = payments?.paid ?? 0;
  const sum = (pick: (loan: LoanRecord) => number) => loans.reduce((total, loan) => total + pick(loan), 0);
  const payback = sum((loan) => loan.payback);
  return {
    amount: amountOf(sum((loan) => loan.funded)),
    paybackAmount: amountOf(payback),
    fees: amountOf(charged),
    paid: amountOf(paid),
    balance: amountOf(payback + charged - paid),
    loans: balancesOf(loans, payments),
  };
}

function balancesOf(
  loans: readonly LoanRecord[],
  payments: { readonly paid: number; readonly charged: number } | undefined,
): LoanBalance[] {
  let left = payments?.paid ?? 0;
  return loans.map((loan, index) => {
    const isFirst = index === 0;
    const isLast = index === loans.length - 1;
    const belongsToDeal = loan.deal !== null;
    const charged = isFirst && belongsToDeal ? (payments?.charged ?? 0) : 0;
    const owed = loan.payback + charged;
    const paid = belongsToDeal ? (isLast ? left : Math.min(left, owed)) : 0;
    left -= paid;
    return balanceOf(loan, { charged, paid, balance: owed - paid });
  });
}

function balanceOf(loan: LoanRecord, cents: { charged: number; paid: number; balance: number }): LoanBalance {
  const sent = JSON.parse(loan.body) as Record<string, unknown>;
  return {
    loanId: idOf('loan', loan.number),
    dealId: loan.deal === null ? null : idOf('deal', loan.deal),
    submissionId: loan.submission === null ? null : idOf('submission', loan.submission),
    companyId: loan.company === null ? null : idOf('company', loan.company),
    companyName: loan.companyName,
    fundedDate: textOrNull(sent.fundedDate),
    amount: amountOf(loan.funded),
    factorRate: numberOrNull(sent.factorRate),
    term: numberOrNull(sent.term),
    paymentAmount: numberOrNull(sent.paymentAmount),
    paymentFrequency: textOrNull(sent.paymentFrequency),
    paybackAmount: amountOf(loan.payback),
    fees: amountOf(cents.charged),
    paid: amountOf(cents.paid),
    balance: amountOf(cents.balance),
  };
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
