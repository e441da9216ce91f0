/** A column that is matched to a field or a path. */
import type { Segment } from '../contract/body-path.ts';
import type { FieldFormat } from '../contract/field-facts.ts';
import { type Field, isSensitiveName } from '../contract/fields.ts';
import type { Subject } from '../messages/finding.ts';
import { columnName } from '../tables/excel-limits.ts';
import type { Cell, SheetRow } from '../tables/row.ts';

export type OpenValueType = 'text' | 'number' | 'date' | 'boolean';

interface Placed {
  readonly index: number;
  readonly header: string;
  /** The sheet columns of its cells, in order. Empty if every row has the same value. */
  readonly origins: readonly number[];
  readonly cellOf: (row: SheetRow) => Cell;
}

type FieldColumn = Placed & { readonly use: 'field'; readonly field: Field };

/** A header in braces: its cells go to that path as they are. */
export type OpenColumn = Placed & {
  readonly use: 'open';
  readonly path: string;
  readonly segments: readonly Segment[];
  readonly valueType: OpenValueType;
};

export type Column = FieldColumn | OpenColumn;

/** The sheet column that findings refer to, or `null` if every row has the same value. */
export function originOf({ origins }: Column): number | null {
  return origins[0] ?? null;
}

export function pathOfColumn(column: Column): string {
  return column.use === 'field' ? column.field.path : column.path;
}

export function segmentsOfColumn(column: Column): readonly Segment[] {
  return column.use === 'field' ? column.field.segments : column.segments;
}

export function labelOfColumn(column: Column): string {
  return column.use === 'field' ? column.field.label : column.header;
}

export function isSensitiveColumn(column: Column): boolean {
  return column.use === 'field' ? column.field.facts.sensitive === true : column.segments.some(isSensitiveName);
}

export function subjectOf(column: Column): Subject {
  return { label: labelOfColumn(column), sensitive: isSensitiveColumn(column) };
}

const amountFormats: ReadonlySet<FieldFormat> = new Set(['money', 'number', 'percent']);

export function isAmount({ format }: Field): boolean {
  return amountFormats.has(format);
}

export function isAmountColumn(column: Column): boolean {
  return column.use === 'field' ? isAmount(column.field) : column.valueType === 'number';
}

export function isDateColumn(column: Column): boolean {
  return (column.use === 'field' ? column.field.format : column.valueType) === 'date';
}

export function isTyped(column: Column): boolean {
  return isAmountColumn(column) || isDateColumn(column);
}

/** `Deals!F12`, with the sheet's name in quotes where Excel requires them. */
export function cellAddress(sheet: string, index: number, row: number): string {
  const name = /^[A-Za-z_][A-Za-z0-9_]*$/.test(sheet) ? sheet : `'${sheet.replaceAll("'", "''")}'`;
  return `${name}!${columnName(index)}${row}`;
}
