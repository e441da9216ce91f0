/** A sheet of a source with what is known of it before its rows are read: its kind, its headers, its columns. */
import type { RecordKind } from '../../contract/record-kind.ts';
import type { PersonsWord } from '../../mapping/column-evidence.ts';
import type { HeaderRow, HeaderRowTest } from '../../mapping/header-row.ts';
import type { RowShape } from '../../mapping/mapping-file/row-shape.ts';
import type { SourceSheet } from '../../sheets/source.ts';
import { resultColumns } from '../../workbooks/results.ts';
import { areResultHeaders } from '../own-columns.ts';

export interface MatchedSheet extends RowShape {
  readonly sheet: SourceSheet;
  readonly name: string;
  readonly kind: RecordKind;
  readonly header: HeaderRow;
  /** Tells whether a row is one of headers again. */
  readonly isHeaderRow: HeaderRowTest;
  /** How many columns of ours stand in front of the person's own: none, or those of a results sheet. */
  readonly ownColumns: number;
  /** What a mapping or the profile says of dates and amounts. */
  readonly word: PersonsWord;
}

/** The headers of a sheet, as a person's own. */
export interface OwnHeader {
  readonly header: HeaderRow;
  readonly ownColumns: number;
}

/** Our own columns are known by their places, and never matched to fields: a note's Status stands beside ours. */
export function withoutOwnColumns(found: HeaderRow): OwnHeader {
  const ownColumns = areResultHeaders(found.headers) ? resultColumns.length : 0;
  return {
    ownColumns,
    header: { ...found, headers: found.headers.map((name, at) => (at < ownColumns ? null : name)) },
  };
}
