/** Submission loans: POST /v1/submissionLoan. The shape is not shown (service interface 4.10); every field is assumed. */
import * as z from 'zod';
import { field, group } from '../field-facts.ts';
import { type RecordKind, sendings } from '../record-kind.ts';
import { ref, refTo } from '../row-columns.ts';

const assumed = { source: 'assumed', section: '4.10' } as const;

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
      submissionId: field(z.string(), {
        label: 'Submission id',
        format: 'identifier',
        example: 'sub_000001',
        need: 'deal',
        ...assumed,
      }).optional(),
      dealId: field(z.string(), {
        label: 'Deal id',
        format: 'identifier',
        example: 'deal_000001',
        need: 'deal',
        ...assumed,
      }).optional(),
      amount: field(z.number(), {
        label: 'Amount',
        aliases: ['Loan amount', 'Funded amount', 'Principal'],
        format: 'money',
        example: '45000',
        need: 'amount',
        ...assumed,
      }).optional(),
      term: field(z.number(), {
        label: 'Term',
        aliases: ['Term months', 'Term (months)'],
        format: 'number',
        example: '12',
        ...assumed,
      }).optional(),
      factorRate: field(z.number(), {
        label: 'Factor rate',
        aliases: ['Factor'],
        format: 'number',
        example: '1.28',
        ...assumed,
      }).optional(),
      paymentAmount: field(z.number(), {
        label: 'Payment amount',
        aliases: ['Payment', 'Instalment', 'Installment'],
        format: 'money',
        example: '228.57',
        ...assumed,
      }).optional(),
      paymentFrequency: field(z.string(), {
        label: 'Payment frequency',
        aliases: ['Frequency'],
        format: 'text',
        example: 'Daily',
        ...assumed,
      }).optional(),
      fundedDate: field(z.string(), {
        label: 'Funded date',
        aliases: ['Funding date', 'Date funded'],
        format: 'date',
        example: '2026-06-15',
        ...assumed,
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
