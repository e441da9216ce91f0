/** Add a submission loan and Get loan balances (service interface 4.10, 4.12). Neither shape is shown; both are assumed. */
import { recordKind } from '../../contract/record-kinds.ts';
import { centsOf, centsTimes, largestAmount } from '../money.ts';
import { type FieldError, jsonAnswer } from '../problem.ts';
import { idOf } from '../record-ids.ts';
import type { Tables } from '../store/tables.ts';
import { checked, invalidFields } from '../validation.ts';
import { everyLoanBalance, loanBalancesOfDeal } from '../views/loan-balances.ts';
import { createdAnswer, type JsonEndpoint, type ReadEndpoint, status } from './endpoint.ts';
import { recordAt, recordNamedIfAny } from './known-records.ts';

const { body: loanBody } = recordKind('submission-loans');

interface LoanParts {
  readonly submissionId?: string;
  readonly dealId?: string;
  readonly amount?: number;
  readonly factorRate?: number;
  readonly paymentFrequency?: string;
  readonly fundedDate?: string;
}

export const addSubmissionLoan: JsonEndpoint = {
  takes: 'json',
  prepare({ body, text }, surroundings) {
    const loan = checked(loanBody, body) as LoanParts;
    const { funded, payback } = termsInCents(loan);
    return {
      content: text,
      run(tables, at) {
        const { deal, submission } = parentsOf(loan, tables);
        const search = [loan.paymentFrequency, loan.fundedDate];
        const number = tables.add('loan', at, search, { deal, submission, funded, payback });
        tables.log('addSubmissionLoan', idOf('loan', number), at, text);
        return createdAnswer('loan', number, surroundings);
      },
    };
  },
};

export const getLoanBalances: ReadEndpoint = {
  takes: 'nothing',
  answer({ query }, tables) {
    const dealId = query.get('dealId');
    if (dealId === null) return jsonAnswer(status.ok, { success: true, data: everyLoanBalance(tables) });
    const { number } = recordAt(tables, 'deal', dealId);
    return jsonAnswer(status.ok, { success: true, data: loanBalancesOfDeal(tables, number) });
  },
};

/** What the merchant got and what is to be paid back: the amount times the factor rate, or the amount where none is given. */
function termsInCents({ amount = 0, factorRate = 1 }: LoanParts): { funded: number; payback: number } {
  const tooLarge = (path: string): FieldError => ({
    path,
    rule: 'maximum',
    message: `The ${path === 'amount' ? 'amount' : 'amount times the factor rate'} may be at most ${largestAmount}.`,
  });
  if (Math.abs(amount) > largestAmount) throw invalidFields([tooLarge('amount')]);
  if (Math.abs(amount * factorRate) > largestAmount) throw invalidFields([tooLarge('factorRate')]);
  const funded = centsOf(amount);
  return { funded, payback: centsTimes(funded, factorRate) };
}

/** A loan belongs to the deal that it names, else to that of its submission; when both are known they must agree. */
function parentsOf(loan: LoanParts, tables: Tables): { deal: number | null; submission: number | null } {
  const submission = recordNamedIfAny(tables, 'submission', 'submissionId', loan.submissionId);
  const named = recordNamedIfAny(tables, 'deal', 'dealId', loan.dealId);
  const submitted = submission === null ? null : (tables.submission(submission)?.deal ?? null);
  if (named !== null && submitted !== null && named !== submitted) {
    const message = 'The submission belongs to another deal than dealId names.';
    throw invalidFields([{ path: 'submissionId', rule: 'other-deal', message }]);
  }
  return { deal: named ?? submitted, submission };
}
