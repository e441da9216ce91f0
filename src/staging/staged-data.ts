/** A row that was read and checked, and how it stands in the staging. */
import type { RecordKind } from '../contract/record-kind.ts';
import { segmentsOf, valueAt } from '../mapping/body.ts';
import type { CheckedRow } from '../mapping/checked-row.ts';
import type { Finding } from '../messages/finding.ts';
import type { NamedFile } from './attachment-files.ts';
import type { Aside } from './staged-row.ts';

/** A checked row with all that the rest of its source and the disk say of it. */
export interface JudgedRow extends CheckedRow {
  readonly aside: Aside | null;
  /** The earlier row of the source that says the same (`row 20`), or `null`. */
  readonly twin: string | null;
  /** What an attachment names, where it may be sent. */
  readonly file: NamedFile | null;
}

/** In the order of {@link JudgedRow}, without what its sheet says of all rows. */
type Data = readonly [
  body: CheckedRow['body'],
  ref: string | null,
  references: readonly (readonly [index: number, ref: string, column: number])[],
  pathId: string | null,
  problems: readonly Finding[],
  isValid: boolean,
  reading: CheckedRow['reading'],
  clears: number,
  aside: Aside | null,
  twin: string | null,
  file: NamedFile | null,
];

/** SQL over staged rows: something was found in the row. */
export const hasProblems = `h.data ->> '$[4]' <> '[]'`;

export function dataOf({ kind, references, ...row }: JudgedRow): string {
  const named = references.map(
    ({ reference, ref, column }) => [kind.references.indexOf(reference), ref, column] as const,
  );
  const { body, ref, pathId, problems, isValid, reading, clears, aside, twin, file } = row;
  const data: Data = [body, ref, named, pathId, problems, isValid, reading, clears, aside, twin, file];
  return JSON.stringify(data);
}

export function rowOfData(
  data: string,
  place: { readonly kind: RecordKind; readonly sheet: string; readonly row: number },
): JudgedRow {
  const [body, ref, named, pathId, problems, isValid, reading, clears, aside, twin, file] = JSON.parse(data) as Data;
  const references = named.flatMap(([index, namedRef, column]) => {
    const reference = place.kind.references[index];
    return reference === undefined ? [] : [{ reference, ref: namedRef, column }];
  });
  return { ...place, body, ref, references, pathId, problems, isValid, reading, clears, aside, twin, file };
}

/** The amount by which a row counts in the control totals, or `null` when it has no readable one. */
export function amountOf(row: CheckedRow): number | null {
  if (row.kind.amount === null) return null;
  const amount = valueAt(row.body, segmentsOf(row.kind.amount));
  return typeof amount === 'number' ? amount : null;
}
