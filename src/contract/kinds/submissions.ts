/** Submissions: POST /v1/submission. The shape is not shown (service interface 4.9); every field is assumed. */
import * as z from 'zod';
import { assumed, openObject, ref, refTo } from '../field-facts.ts';
import { recordKindOf } from '../record-kind.ts';

export const submissions = recordKindOf({
  name: 'submissions',
  sheet: 'Submissions',
  singular: 'submission',
  sheetAliases: ['Submission'],
  about: 'Records that a deal was submitted to a funder.',
  endpoint: 'addSubmission',
  body: openObject({
    dealId: assumed('identifier', 'Deal id', 'deal_000001', { need: 'deal' }),
    companyId: assumed('identifier', 'Company id', 'cmp_000002', { aliases: ['Funder id'] }),
    status: assumed('text', 'Submission status', 'Submitted', { aliases: ['Status'] }),
    note: assumed('text', 'Note', 'Asked for 12 months', { aliases: ['Notes', 'Comment'] }),
  }),
  row: z.object({
    ref: ref('S-1'),
    dealRef: refTo('Deal ref', 'D-1'),
    companyRef: refTo('Company ref', 'C-2'),
  }),
  references: [
    { column: 'dealRef', to: 'deals', fills: 'dealId' },
    { column: 'companyRef', to: 'companies', fills: 'companyId' },
  ],
  identifiedBy: [[[]]],
});
