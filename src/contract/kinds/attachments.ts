/** Attachments: POST /v1/deal/attachment, a form with a deal id and one file (service interface 4.5; part names not shown). */
import * as z from 'zod';
import { documented, refTo } from '../field-facts.ts';
import { recordKindOf, sendings } from '../record-kind.ts';

export const attachments = recordKindOf({
  name: 'attachments',
  sheet: 'Attachments',
  singular: 'attachment',
  sheetAliases: ['Attachment', 'Files', 'Documents'],
  about:
    'Adds a file to a deal. The file is looked for in the folder of the spreadsheet, or in the one that --attachments names.',
  endpoint: 'addAttachment',
  sending: sendings.form,
  body: z.object({
    dealId: documented('identifier', 'Deal id', 'deal_000001', { schema: z.string().min(1) }),
    file: documented('file', 'File', 'statements/harbor-bakery-june.pdf', {
      schema: z.string().min(1),
      aliases: ['File name', 'Filename', 'Document', 'Path'],
      rule: 'A file below the folder for attachments, not empty.',
    }),
  }),
  row: z.object({ dealRef: refTo('Deal ref', 'D-1') }),
  references: [{ column: 'dealRef', to: 'deals', fills: 'dealId' }],
  identifiedBy: [[['file']]],
});
