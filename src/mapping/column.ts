/** A source column that has found its field. */
import type { FieldFormat } from '../contract/field-facts.ts';
import type { Field, PathSegment } from '../contract/fields.ts';
import { isSensitiveName } from '../contract/sensitive-names.ts';
import { columnName } from '../sheets/xlsx/cell-reference.ts';

export type OpenValueType = 'text' | 'number' | 'date';

export type Column =
  /** The cells go into a field of the record. */
  | { readonly use: 'field'; readonly index: number; readonly header: string; readonly field: Field }
  /** A header in braces: the cells go to that path as they stand. */
  | {
      readonly use: 'open';
      readonly index: number;
      readonly header: string;
      readonly path: string;
      readonly segments: readonly PathSegment[];
      readonly valueType: OpenValueType;
    }
  /** Left out on purpose: in parentheses, or named by the person. */
  | { readonly use: 'ignored'; readonly index: number; readonly header: string };

export type FieldColumn = Extract<Column, { use: 'field' }>;

/** A column whose cells are read. */
export type MatchedColumn = Exclude<Column, { use: 'ignored' }>;

/** The body path or row column that a column fills. */
export function pathOfColumn(column: MatchedColumn): string {
  return column.use === 'field' ? column.field.path : column.path;
}

/** How messages name it. */
export function labelOfColumn(column: MatchedColumn): string {
  return column.use === 'field' ? column.field.label : column.header;
}

/** The member of the body in which a column stands: `emails` for `emails[0].email`. */
export function memberOfColumn(column: MatchedColumn): string {
  return pathOfColumn(column).replace(/[.[].*$/, '');
}

/** Whether its cells are hidden in messages and masked in results, whatever they say. */
export function isSensitiveColumn(column: Column): boolean {
  if (column.use === 'field') return column.field.facts.sensitive === true;
  return column.use === 'open' && column.segments.some(isSensitiveName);
}

const amountFormats: ReadonlySet<FieldFormat> = new Set(['money', 'number', 'percent']);

export function isAmount({ format }: Field): boolean {
  return amountFormats.has(format);
}

export function isAmountColumn(column: Column): boolean {
  return (column.use === 'field' && isAmount(column.field)) || (column.use === 'open' && column.valueType === 'number');
}

export function isDateColumn(column: Column): boolean {
  if (column.use === 'open') return column.valueType === 'date';
  return column.use === 'field' && column.field.format === 'date';
}

/** Whether its cells hold numbers or days, which a header or a word is not. */
export function isTyped(column: Column): boolean {
  return isAmountColumn(column) || isDateColumn(column);
}

/** A header that stops the load, and what to do about it. */
export interface HeaderProblem {
  readonly index: number;
  readonly header: string;
  readonly message: string;
}

/** `Deals!F12`, with the sheet's name in quotes where Excel wants them. */
export function cellAddress(sheet: string, index: number, row: number): string {
  const name = /^[A-Za-z_][A-Za-z0-9_]*$/.test(sheet) ? sheet : `'${sheet.replaceAll("'", "''")}'`;
  return `${name}!${columnName(index)}${row}`;
}
