/** What a row lacks as a record, or contradicts in itself, also against the template that an export has filled in. */
import { messagesOf } from './message.ts';

const orRef = (ref: string | null): string => (ref === null ? '' : `, or a ${ref}`);

export const recordTexts = {
  'changes-nothing': () => 'The row changes nothing: no field is filled in.',
  'says-nothing': () => 'The row is empty: none of the cells that are sent is filled in.',
  'ref-and-id': () => 'and an id are both given for the same thing. Keep one of them.',
  'field-missing': ({ field, record, ref }: { field: string; record: string; ref: string | null }) =>
    `${field} is missing: every ${record} needs one${orRef(ref)}.`,
  'group-missing': ({ field, ref }: { field: string; ref: string | null }) =>
    `${field} is missing: fill in at least one of its cells${orRef(ref)}.`,
  'no-place-in-request': ({ field }: { field: string }) =>
    `${field} has no place of its own in the requests of your profile. Leave it blank, or name a place for it there (contract.requests).`,
  'listed-blank': ({ field }: { field: string }) => `${field} is blank, and the service lists it as not optional.`,
  'assumed-blank': ({ fields, record }: { fields: string; record: string }) =>
    `${fields} is blank. If the ${record} has one, fill it in.`,
  'assumed-missing': ({ fields, record, need }: { fields: string; record: string; need: string }) =>
    `${fields} is missing: every ${record} needs one, as far as the service tells. A profile can change that (contract.needs, "${need}").`,

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

export const recordMessage = messagesOf<typeof recordTexts>();
