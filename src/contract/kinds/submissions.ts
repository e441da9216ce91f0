/** Submissions: POST /v1/submission. The shape is not shown (service interface 4.9); every field is assumed. */
import * as z from 'zod';
import { field, group } from '../field-facts.ts';
import { type RecordKind, sendings } from '../record-kind.ts';
import { ref, refTo } from '../row-columns.ts';

const assumed = { source: 'assumed', section: '4.9' } as const;

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
      dealId: field(z.string(), {
        label: 'Deal id',
        format: 'identifier',
        example: 'deal_000001',
        need: 'deal',
        ...assumed,
      }).optional(),
      companyId: field(z.string(), {
        label: 'Company id',
        aliases: ['Funder id'],
        format: 'identifier',
        example: 'cmp_000002',
        ...assumed,
      }).optional(),
      status: field(z.string(), {
        label: 'Submission status',
        aliases: ['Status'],
        format: 'text',
        example: 'Submitted',
        ...assumed,
      }).optional(),
      note: field(z.string(), {
        label: 'Note',
        aliases: ['Notes', 'Comment'],
        format: 'text',
        example: 'Asked for 12 months',
        ...assumed,
      }).optional(),
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
