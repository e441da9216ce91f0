/** Notes: POST /v1/deal/note (service interface 2.5, 4.4). */
import * as z from 'zod';
import { field } from '../field-facts.ts';
import { type RecordKind, sendings } from '../record-kind.ts';
import { refTo } from '../row-columns.ts';

/** "Fewer than 1000 characters" (2.5, 8). */
const maximumNoteLength = 999;
const section = '2.5';

export const notes: RecordKind = {
  name: 'notes',
  sheet: 'Notes',
  singular: 'note',
  sheetAliases: ['Note', 'Deal notes'],
  about: 'Adds a note to a deal.',
  endpoint: 'addNote',
  sending: sendings.each,
  answersWithId: false,
  body: z.object({
    dealId: field(z.string().min(1), {
      label: 'Deal id',
      format: 'identifier',
      example: 'deal_000001',
      source: 'documented',
      section,
    }),
    status: field(z.string().min(1), {
      label: 'Deal status',
      aliases: ['Status', 'Status of the deal'],
      format: 'text',
      example: 'In review',
      source: 'documented',
      section,
      rule: 'A valid deal status of your service.',
    }),
    note: field(z.string().min(1).max(maximumNoteLength), {
      label: 'Note',
      aliases: ['Note text', 'Text', 'Comment'],
      format: 'text',
      example: 'Bank statements received',
      source: 'documented',
      section,
    }),
  }),
  row: z.object({ dealRef: refTo('Deal ref', 'D-1').optional() }),
  references: [{ column: 'dealRef', to: 'deals', fills: 'dealId' }],
  amount: null,
};
