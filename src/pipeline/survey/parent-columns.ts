/** The columns in which a sheet names the records that its rows belong to. */
import type { RecordKind, Reference } from '../../contract/record-kind.ts';
import { recordKind } from '../../contract/record-kinds.ts';
import { segmentsOf, valueAt } from '../../mapping/body.ts';
import type { CheckedRow } from '../../mapping/checked-row.ts';
import { columnOf, type MatchedSheet, originsOf } from '../source/matched-sheet.ts';

/** The records that a row of a kind belongs to. One that may be brought along (a deal brings its company) is none of them. */
export function parentsOf({ references }: RecordKind): readonly Reference[] {
  return references.filter(({ fills }) => segmentsOf(fills).length === 1);
}

/** The columns in which a sheet names the records that its rows belong to. */
export interface ParentColumns {
  readonly parents: readonly Reference[];
  /** What the records are called, each once, and the columns. */
  readonly kinds: readonly string[];
  readonly labels: string;
  /** The first of the columns, where it is said that none is filled in. */
  readonly column: number | null;
  readonly label: string;
  /** The columns of the source that they come from. */
  readonly origins: ReadonlySet<number>;
}

/** `null` for a sheet without such a column. */
export function parentColumnsOf(sheet: MatchedSheet): ParentColumns | null {
  const parents = parentsOf(sheet.kind);
  const paths = parents.flatMap(({ column, fills }) => [column, fills]);
  const columns = sheet.columns.flatMap((column) =>
    column.use === 'field' && paths.includes(column.field.path) ? [column] : [],
  );
  const [first] = columns;
  if (first === undefined) return null;
  return {
    parents,
    kinds: [...new Set(parents.map(({ to }) => recordKind(to).singular))],
    labels: columns.map(({ field }) => field.label).join(' or '),
    column: columnOf(sheet, first.field.path),
    label: first.field.label,
    origins: new Set(columns.flatMap((column) => originsOf(sheet, column))),
  };
}

/** Whether a row names any of the records that it may belong to. */
export function namesParent({ body, references }: CheckedRow, { parents }: ParentColumns): boolean {
  return references.length > 0 || parents.some(({ fills }) => valueAt(body, segmentsOf(fills)) !== undefined);
}
