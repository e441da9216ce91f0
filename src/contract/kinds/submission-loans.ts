/** Submission loans: POST /v1/submissionLoan. The shape is not shown (service interface 4.10); every field is assumed. */
import * as z from 'zod';
import { assumed, openObject, ref, refTo } from '../field-facts.ts';
import { recordKindOf } from '../record-kind.ts';

export const submissionLoans = recordKindOf({
  name: 'submission-loans',
  sheet: 'Submission loans',
  singular: 'submission loan',
  sheetAliases: ['Submission loan', 'Loans'],
  about: 'Records the loan that came from a submission.',
  endpoint: 'addSubmissionLoan',
  body: openObject({
    submissionId: assumed('identifier', 'Submission id', 'sub_000001', { need: 'deal' }),
    dealId: assumed('identifier', 'Deal id', 'deal_000001', { need: 'deal' }),
    amount: assumed('money', 'Amount', '45000', {
      aliases: ['Loan amount', 'Funded amount', 'Principal'],
      need: 'amount',
    }),
    term: assumed('number', 'Term', '12', { aliases: ['Term months', 'Term (months)'] }),
    factorRate: assumed('number', 'Factor rate', '1.28', { aliases: ['Factor'] }),
    paymentAmount: assumed('money', 'Payment amount', '228.57', { aliases: ['Payment', 'Instalment', 'Installment'] }),
    paymentFrequency: assumed('text', 'Payment frequency', 'Daily', { aliases: ['Frequency'] }),
    fundedDate: assumed('date', 'Funded date', '2026-06-15', { aliases: ['Funding date', 'Date funded'] }),
  }),
  row: z.object({
    ref: ref('SL-1'),
    dealRef: refTo('Deal ref', 'D-1'),
    submissionRef: refTo('Submission ref', 'S-1'),
  }),
  references: [
    { column: 'submissionRef', to: 'submissions', fills: 'submissionId' },
    { column: 'dealRef', to: 'deals', fills: 'dealId' },
  ],
  amount: 'amount',
  identifiedBy: [[['fundedDate'], []]],
  sharedBy: [{ proves: 'likes', paths: ['amount'], besideParent: true }],
});
