/** Submissions: POST /v1/submission. The shape is not shown (service interface 4.9); every field is assumed. */
import * as z from 'zod';
import { fieldsIn, group } from '../field-facts.ts';
import { type RecordKind, sendings } from '../record-kind.ts';
import { ref, refTo } from '../row-columns.ts';

const assumed = fieldsIn('assumed', '4.9');

export const submissions: RecordKind = {
  name: 'submissions',
  sheet: 'Submissions',
  singular: 'submission',
  sheetAliases: ['Submission'],
  about: 'Records that a deal was submitted to a funder. The service does not show these fields: they are assumed.',
  endpoint: 'addSubmission',
  sending: sendings.each,
  answersWithId: false,
  body: group(
    z.looseObject({
      dealId: assumed(z.string(), 'identifier', 'Deal id', 'deal_000001', { need: 'deal' }).optional(),
      companyId: assumed(z.string(), 'identifier', 'Company id', 'cmp_000002', { aliases: ['Funder id'] }).optional(),
      status: assumed(z.string(), 'text', 'Submission status', 'Submitted', { aliases: ['Status'] }).optional(),
      note: assumed(z.string(), 'text', 'Note', 'Asked for 12 months', { aliases: ['Notes', 'Comment'] }).optional(),
    }),
    { label: '', open: true },
  ),
  row: z.object({
    ref: ref('S-1').optional(),
    dealRef: refTo('Deal ref', 'D-1').optional(),
    companyRef: refTo('Company ref', 'C-2').optional(),
  }),
  references: [
    { column: 'dealRef', to: 'deals', fills: 'dealId' },
    { column: 'companyRef', to: 'companies', fills: 'companyId' },
  ],
  amount: null,
};
