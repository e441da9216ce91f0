/**
 * What is owed on each loan (service interface 2.1, 4.12), in whole cents. The sandbox's own choice: transactions belong to a deal and
 * pay off its loans in the order they were added. An overpayment makes the last balance negative.
 */
import Big from 'big.js';
import type { RecordKind } from '../contract/record-kind.ts';
import { recordKind } from '../contract/record-kinds.ts';
import { type Body, bodyOf, findRecord, idOf, parentsOf } from './kinds.ts';
import type { StoredRecord, Tables } from './store.ts';

const deals = recordKind('deals');
const loans = recordKind('submission-loans');
const centsInUnit = 100;
const noLimit = Number.MAX_SAFE_INTEGER;

/** A loan is paid back with its amount times its factor rate. */
export function centsIn({ name }: RecordKind, { amount, factorRate }: Body): number {
  if (name === 'submission-loans') return centsOf(centsOf(amount), numberIn(factorRate) ?? 1);
  return name === 'transactions' ? centsOf(amount) : 0;
}

const figures = ['amount', 'paybackAmount', 'paid', 'balance'] as const;

/** @param ofDeal  the id of the deal whose loans are asked for; `null` for every loan */
export function loanBalances(ofDeal: string | null, tables: Tables) {
  const found = ofDeal === null ? tables.list(loans.name, 0, noLimit) : tables.children(ofDeal, loans.name, noLimit);
  const all = found.reverse().map((loan) => ({ loan, deal: dealOf(bodyOf(loan)) }));
  const lastOf = new Map(all.map(({ loan, deal }) => [deal, loan]));
  const left = new Map(
    [...lastOf.keys()].map((deal) => [deal, deal === null ? 0 : (tables.sum(deal, 'transactions')?.cents ?? 0)]),
  );
  return all.map(({ loan, deal }) => {
    const ofThis = left.get(deal) ?? 0;
    const paid = lastOf.get(deal) === loan ? ofThis : Math.min(ofThis, loan.cents);
    left.set(deal, ofThis - paid);
    return balanceOf(loan, deal === null ? {} : companyOf(deal, tables), paid);
  });
}

/** The funding of a deal: its loans and their totals; `undefined` without loans. */
export function fundingOf(deal: string, tables: Tables) {
  const ofDeal = loanBalances(deal, tables);
  if (ofDeal.length === 0) return undefined;
  const totals = figures.map((name) => [
    name,
    amountOf(ofDeal.reduce((total, loan) => total + centsOf(loan[name]), 0)),
  ]);
  return { ...(Object.fromEntries(totals) as Record<(typeof figures)[number], number>), loans: ofDeal };
}

function balanceOf(loan: StoredRecord, { companyId, companyName }: Body, paid: number) {
  const { submissionId, fundedDate, amount, factorRate, term, paymentAmount, paymentFrequency, dealId } = bodyOf(loan);
  const terms = { fundedDate, factorRate, term, paymentAmount, paymentFrequency };
  const sent = Object.entries({ dealId, submissionId, companyId, companyName, ...terms });
  return {
    loanId: idOf(loans, loan.number),
    ...Object.fromEntries(sent.map(([name, value]) => [name, value ?? null])),
    amount: amountOf(centsOf(amount)),
    paybackAmount: amountOf(loan.cents),
    paid: amountOf(paid),
    balance: amountOf(loan.cents - paid),
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
