/** Notes: POST /v1/deal/note (service interface 2.5, 4.4). */
import * as z from 'zod';
import { documented, refTo } from '../field-facts.ts';
import { recordKindOf } from '../record-kind.ts';

export const notes = recordKindOf({
  name: 'notes',
  sheet: 'Notes',
  singular: 'note',
  sheetAliases: ['Note', 'Deal notes'],
  about: 'Adds a note to a deal.',
  endpoint: 'addNote',
  body: z.object({
    dealId: documented('identifier', 'Deal id', 'deal_000001', { schema: z.string().min(1) }),
    status: documented('text', 'Deal status', 'In review', {
      schema: z.string().min(1),
      aliases: ['Status', 'Status of the deal'],
      rule: 'A valid deal status of your service.',
      listedBy: 'dealStatuses',
    }),
    note: documented('text', 'Note', 'Bank statements of May and June received', {
      // Fewer than 1000 characters (2.5, 8).
      schema: z.string().min(1).max(999),
      aliases: ['Notes', 'Note text', 'Text', 'Comment', 'Comments'],
    }),
  }),
  row: z.object({ dealRef: refTo('Deal ref', 'D-1') }),
  references: [{ column: 'dealRef', to: 'deals', fills: 'dealId' }],
  identifiedBy: [[['status']], [['note']]],
  isRepeatable: true,
});
