/** What is said of a row in a template that an export has filled in. */
import { messagesOf } from './message.ts';

export const exportedTexts = {
  'exported-mark-changed': ({ header }: { header: string }) =>
    `The column "${header}" was changed in this row, so it is not clear what else was changed. Copy the row again from the export.`,
  'exported-for-other-company': ({ id }: { id: string }) =>
    `The row was exported for the company ${id}, and another id stands in it now. Sort and copy whole rows; to write a new row, leave the last column blank.`,
  'exported-from-other-service': ({ id }: { id: string }) =>
    `The row was exported from a service of another address, where ${id} may be another company. Choose the address that it came from, or export the company from this one.`,
  'exported-list-locked': ({ field }: { field: string }) =>
    `${field} cannot be changed here: the service has more of it than these columns show, and sending these would replace all of it. Change it in the service.`,
  'exported-cell-emptied': ({ field, isPart }: { field: string; isPart: boolean }) =>
    `${field} was emptied: a blank leaves the field as it is; ${isPart ? '<clear> in it empties the whole list' : 'write <clear> to empty it'}.`,
  'exported-cell-rewritten': ({ exported }: { exported: string }) =>
    `was exported as "${exported}", which a spreadsheet program writes so when it saves the file: it is not sent. If it is a change that you made, put it into a row of its own with the id and a blank last column.`,
} as const;

export const exportedMessage = messagesOf<typeof exportedTexts>();
