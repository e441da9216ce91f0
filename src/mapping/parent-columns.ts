/**
 * Columns that say of which record the rows are. Where a kind wants no field, they tell its rows from those of a list to look
 * things up in: a table of rates has the headers of loans, a calendar those of transactions.
 */
import { fieldsOf } from '../contract/fields.ts';
import type { RecordKind } from '../contract/record-kind.ts';
import { recordKind } from '../contract/record-kinds.ts';
import { fieldOfHeader } from './headers.ts';

/** Whether rows under these headers could be records of the kind by more than a few words in common. */
export function tellKind(kind: RecordKind, headers: readonly (string | null)[]): boolean {
  if (kind.references.length === 0 || fieldsOf(kind).some(({ required }) => required)) return true;
  const paths = kind.references.flatMap(({ column, fills }) => [column, fills]);
  return headers.some((header) => header !== null && paths.includes(fieldOfHeader(kind, header)?.path ?? ''));
}

/** What the rows of a kind are of, in a sentence: `submission or deal`. */
export function parentsOf(kind: RecordKind): string {
  return kind.references.map(({ to }) => recordKind(to).singular).join(' or ');
}
