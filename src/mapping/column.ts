/** A column that is matched to a field or a path. */
import type { Segment } from '../contract/body-path.ts';
import type { FieldFormat } from '../contract/field-facts.ts';
import type { Field } from '../contract/fields.ts';
import { columnName } from '../tables/excel-limits.ts';
import type { Cell, SheetRow } from '../tables/row.ts';

/** A cell under a header in braces may also be a truth value. */
export type ValueFormat = FieldFormat | 'boolean';

export interface Column {
  readonly index: number;
  readonly header: string;
  /** The sheet columns of its cells, in order. Empty if every row has the same value. */
  readonly origins: readonly number[];
  readonly cellOf: (row: SheetRow) => Cell;
  /** Which of its origins the cell of a row comes from, if not the first. */
  readonly originIn?: ((row: SheetRow) => number | undefined) | undefined;
  /** `null` for a header in braces: its cells go to its path as they are. */
  readonly field: Field | null;
  readonly place: Field['place'];
  readonly path: string;
  readonly segments: readonly Segment[];
  readonly format: ValueFormat;
  readonly label: string;
  readonly sensitive: boolean;
}

/** The sheet column that findings refer to, of this row or of all, or `null` if every row has the same value. */
export function originOf({ origins, originIn }: Column, row?: SheetRow): number | null {
  return (row && originIn?.(row)) ?? origins[0] ?? null;
}

type Formatted = Pick<Column, 'format'>;

const amountFormats: ReadonlySet<ValueFormat> = new Set(['money', 'number', 'percent']);

export function isAmount({ format }: Formatted): boolean {
  return amountFormats.has(format);
}

export function isDate({ format }: Formatted): boolean {
  return format === 'date';
}

export function isTyped(column: Formatted): boolean {
  return isAmount(column) || isDate(column);
}

/** `Deals!F12`, with the sheet's name in quotes where Excel requires them. */
export function cellAddress(sheet: string, index: number, row: number): string {
  const name = /^[A-Za-z_][A-Za-z0-9_]*$/.test(sheet) ? sheet : `'${sheet.replaceAll("'", "''")}'`;
  return `${name}!${columnName(index)}${row}`;
}
