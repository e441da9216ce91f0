/** Ids that a request names, in its path or in its body, looked up among the records that are here. */
import { type FieldError, Problem } from '../problem.ts';
import { numberOf, type StoredKind } from '../record-ids.ts';
import type { StoredRecord } from '../store/rows.ts';
import type { Tables } from '../store/tables.ts';
import { invalidFields, unknownId } from '../validation.ts';

/** The record whose id stands in the path, or a problem of 404. */
export function recordAt(tables: Tables, kind: StoredKind, id: string): StoredRecord {
  const number = numberOf(kind, id);
  const record = number === null ? undefined : tables.record(kind, number);
  if (record === undefined) throw new Problem('not-found', { detail: `There is no ${kind} with this id.` });
  return record;
}

/** The number of a record that a body names at a path, or a problem of 422. */
export function recordNamed(tables: Tables, kind: StoredKind, path: string, id: string): number {
  const found = findNamed(tables, kind, path, id);
  if (typeof found === 'number') return found;
  throw invalidFields([found]);
}

/** The same for a field that need not be there. */
export function recordNamedIfAny(tables: Tables, kind: StoredKind, path: string, id: unknown): number | null {
  return typeof id === 'string' ? recordNamed(tables, kind, path, id) : null;
}

/** The number of the record, or the error that tells of the unknown id. */
export function findNamed(tables: Tables, kind: StoredKind, path: string, id: string): number | FieldError {
  const number = numberOf(kind, id);
  return number === null || tables.record(kind, number) === undefined ? unknownId(path, id) : number;
}
