/** A sheet of a source with what is known of it before its rows are read: its kind, its headers, its columns. */
import type { RecordKind } from '../../contract/record-kind.ts';
import type { Column, FieldColumn } from '../../mapping/column.ts';
import type { PersonsWord } from '../../mapping/column-evidence.ts';
import type { HeaderRow } from '../../mapping/header-row.ts';
import type { HeaderWords } from '../../mapping/header-words.ts';
import type { IgnoredNames } from '../../mapping/headers.ts';
import type { NamedMapping } from '../../mapping/mapping-file/read-mapping.ts';
import type { RowShape } from '../../mapping/mapping-file/row-shape.ts';
import type { SourceSheet } from '../../sheets/source.ts';

export interface MatchedSheet {
  readonly sheet: SourceSheet;
  readonly name: string;
  readonly kind: RecordKind;
  readonly header: HeaderRow;
  /** Tells whether a row is one of headers again. */
  readonly headerWords: HeaderWords;
  readonly columns: readonly Column[];
  /** How many columns of ours stand in front of the person's own: none, or those of a results sheet. */
  readonly ownColumns: number;
  /** How the rows are brought into the shape of the columns, when a mapping says so. */
  readonly shape: RowShape | null;
  /** What the mapping says of dates and amounts. */
  readonly word: PersonsWord;
}

export interface MatchOptions {
  /** The path of the source, as the person gave it. */
  readonly file: string;
  /** The kind of every sheet that is read, or `null` to find it out. */
  readonly kind: RecordKind | null;
  /** The one sheet to read, or `null` for all. */
  readonly sheet: string | null;
  readonly ignoredColumns: IgnoredNames;
  readonly ignoredSheets: IgnoredNames;
  /** How somebody else's file is read, or `null` for one with our own headers. */
  readonly mapping: NamedMapping | null;
}

/** The column that fills a path, or `null` for none. */
export function fieldColumnOf({ columns }: MatchedSheet, path: string | null): FieldColumn | null {
  const column = columns.find((candidate) => candidate.use === 'field' && candidate.field.path === path);
  return column?.use === 'field' ? column : null;
}

/** All columns of the source that a column is made of. */
export function originsOf({ shape }: MatchedSheet, { index }: Column): readonly number[] {
  return shape === null ? [index] : shape.originsOf(index);
}

/** What became of a sheet: `empty` when it holds nothing. */
export type SheetFinding =
  | { readonly sheet: MatchedSheet; readonly notices: readonly string[] }
  | {
      readonly faults: readonly string[];
      /** Nothing in the sheet is of a kind that we know: it may be none to load. */
      readonly isStray?: true;
      /** The faults themselves say what is to be done: its headers are those of several kinds, or it has none. */
      readonly saysRemedy?: true;
      /** The kind whose headers it has, where beside records it may be a list to look things up in. */
      readonly perhaps?: RecordKind | null;
    }
  /** A sentence about a sheet that the person leaves out with all others of no kind. */
  | { readonly leftOut: string; readonly perhaps?: RecordKind | null }
  | 'empty';
