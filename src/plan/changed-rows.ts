/** Of rows that are in and say what they never said: the paths of the fields that differ from what went in. */
import { fieldsOf as fieldsIn } from '../contract/fields.ts';
import type { RecordKindName } from '../contract/record-kind.ts';
import { recordKind } from '../contract/record-kinds.ts';
import { isSensitiveName } from '../contract/sensitive-names.ts';
import type { Ledger, LogicalRow } from '../ledger/ledger.ts';
import { rowOfData } from '../staging/staged-data.ts';
import type { KnownStaged } from '../staging/staged-row.ts';
import type { Staging } from '../staging/staging.ts';
import { changedFields } from './field-digests.ts';
import { type Around, fieldsOf, parentFormsOf } from './row-digests.ts';

export interface ChangedRow {
  readonly row: KnownStaged;
  readonly known: LogicalRow;
}

/** @returns them by the numbers of the rows; none for a row of which the ledger has no digests */
export async function fieldsChanged(
  changed: readonly ChangedRow[],
  kind: RecordKindName,
  ledger: Pick<Ledger, 'lookupFields'>,
  around: Around,
): Promise<ReadonlyMap<number, readonly string[]>> {
  if (changed.length === 0) return new Map();
  const sent = await ledger.lookupFields(changed.map(({ known }) => known.id));
  const rows = changed.map(({ row }) => row);
  const formsOf = await parentFormsOf(rows, around);
  const documented = fieldsIn(recordKind(kind)).map(({ path }) => path);
  return new Map(
    changed.flatMap(({ row, known: { id, content } }) => {
      const fields = sent.get(id);
      if (fields === undefined || content === null) return [];
      const { paths, hidden } = pathsOf(row, kind, around.staging);
      // A cell with stars hides a value: it was not emptied.
      const mayBeEmptied = [...paths, ...documented].filter((path) => !hidden.has(path));
      const told = changedFields(around.ledger, { content, fields }, fieldsOf(row, formsOf), mayBeEmptied);
      // Sensitive fields have no digest: where no other differs, it is the one that the sheet has.
      const [sensitive, more] = [...new Set(paths.filter(isSensitivePath))];
      const isIt = told.length === 0 && sensitive !== undefined && more === undefined;
      return [[row.number, isIt ? [sensitive] : told] as const];
    }),
  );
}

function isSensitivePath(path: string): boolean {
  return isSensitiveName(path.split('.').at(-1) ?? path);
}

function pathsOf(row: KnownStaged, kind: RecordKindName, staging: Staging) {
  const sheet = staging.sheets.find(({ number }) => number === row.sheet);
  const data = staging.at(row.sheet, row.row)?.data ?? '';
  const { problems } = rowOfData(data, { kind: recordKind(kind), sheet: sheet?.name ?? '', row: row.row });
  const stars = new Set(problems.flatMap(({ code, label }) => (code === 'masked' ? [label] : [])));
  const columns = sheet?.columns ?? [];
  return {
    paths: columns.map(({ path }) => path),
    hidden: new Set(columns.flatMap(({ path, label }) => (stars.has(label) ? [path] : []))),
  };
}
