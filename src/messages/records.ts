/** What a row lacks as a record, or contradicts in itself. */
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
} as const;

export const recordMessage = messagesOf<typeof recordTexts>();
