/** A row that was read and checked, and how it stands in the staging. */
import { segmentsOf } from '../contract/body-path.ts';
import type { RecordKind } from '../contract/record-kind.ts';
import { valueAt } from '../mapping/body.ts';
import type { CheckedRow } from '../mapping/checked-row.ts';
import type { NamedFile } from './attachment-files.ts';
import type { Aside } from './staged-row.ts';

/** A checked row with all that the rest of its source and the disk say of it. */
export interface JudgedRow extends CheckedRow {
  readonly aside: Aside | null;
  /** What an attachment names, where it may be sent. */
  readonly file: NamedFile | null;
}

/** Without what its sheet says of all rows. */
type Data = Omit<JudgedRow, 'kind' | 'sheet' | 'row' | 'references'> & {
  readonly references: readonly (readonly [index: number, ref: string, column: number | null])[];
};

export function dataOf({ kind, sheet: _sheet, row: _row, references, ...rest }: JudgedRow): string {
  const named = references.map(
    ({ reference, ref, column }) => [kind.references.indexOf(reference), ref, column] as const,
  );
  const data: Data = { ...rest, references: named };
  return JSON.stringify(data);
}

export function rowOfData(
  text: string,
  place: { readonly kind: RecordKind; readonly sheet: string; readonly row: number },
): JudgedRow {
  const data = JSON.parse(text) as Data;
  const references = data.references.flatMap(([index, ref, column]) => {
    const reference = place.kind.references[index];
    return reference === undefined ? [] : [{ reference, ref, column }];
  });
  return { ...data, ...place, references };
}

/** The amount by which a row counts in the control totals, or `null` when it has no readable one. */
export function amountOf(row: CheckedRow): number | null {
  if (row.kind.amount === null) return null;
  const amount = valueAt(row.body, segmentsOf(row.kind.amount));
  return typeof amount === 'number' ? amount : null;
}
