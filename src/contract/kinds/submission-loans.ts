/** Submission loans: POST /v1/submissionLoan. The shape is not shown (service interface 4.10); every field is assumed. */
import * as z from 'zod';
import { fieldsIn, group } from '../field-facts.ts';
import { type RecordKind, sendings } from '../record-kind.ts';
import { ref, refTo } from '../row-columns.ts';

const assumed = fieldsIn('assumed', '4.10');

export const submissionLoans: RecordKind = {
  name: 'submission-loans',
  sheet: 'Submission loans',
  singular: 'submission loan',
  sheetAliases: ['Submission loan', 'Loans'],
  about: 'Records the loan that came of a submission. The service does not show these fields: they are assumed.',
  endpoint: 'addSubmissionLoan',
  sending: sendings.each,
  answersWithId: false,
  body: group(
    z.looseObject({
      submissionId: assumed(z.string(), 'identifier', 'Submission id', 'sub_000001', { need: 'deal' }).optional(),
      dealId: assumed(z.string(), 'identifier', 'Deal id', 'deal_000001', { need: 'deal' }).optional(),
      amount: assumed(z.number(), 'money', 'Amount', '45000', {
        aliases: ['Loan amount', 'Funded amount', 'Principal'],
        need: 'amount',
      }).optional(),
      term: assumed(z.number(), 'number', 'Term', '12', { aliases: ['Term months', 'Term (months)'] }).optional(),
      factorRate: assumed(z.number(), 'number', 'Factor rate', '1.28', { aliases: ['Factor'] }).optional(),
      paymentAmount: assumed(z.number(), 'money', 'Payment amount', '228.57', {
        aliases: ['Payment', 'Instalment', 'Installment'],
      }).optional(),
      paymentFrequency: assumed(z.string(), 'text', 'Payment frequency', 'Daily', {
        aliases: ['Frequency'],
      }).optional(),
      fundedDate: assumed(z.string(), 'date', 'Funded date', '2026-06-15', {
        aliases: ['Funding date', 'Date funded'],
      }).optional(),
    }),
    { label: '', open: true },
  ),
  row: z.object({
    ref: ref('SL-1').optional(),
    dealRef: refTo('Deal ref', 'D-1').optional(),
    submissionRef: refTo('Submission ref', 'S-1').optional(),
  }),
  references: [
    { column: 'submissionRef', to: 'submissions', fills: 'submissionId' },
    { column: 'dealRef', to: 'deals', fills: 'dealId' },
  ],
  amount: 'amount',
};
