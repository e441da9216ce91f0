/** A sheet of a source with what is known of it before its rows are read: its kind, its headers, its columns. */
import type { ContractSettings } from '../../contract/contract-settings.ts';
import type { RecordKind } from '../../contract/record-kind.ts';
import type { Column, FieldColumn } from '../../mapping/column.ts';
import type { PersonsWord } from '../../mapping/column-evidence.ts';
import { type HeaderRow, headerText } from '../../mapping/header-row.ts';
import { type HeaderRowTest, headerRowTest } from '../../mapping/header-words.ts';
import { type IgnoredNames, type MatchedHeaders, matchHeaders } from '../../mapping/headers.ts';
import type { NamedMapping } from '../../mapping/mapping-file/read-mapping.ts';
import type { RowShape } from '../../mapping/mapping-file/row-shape.ts';
import { undefuse } from '../../sheets/csv/formula-defusing.ts';
import type { SheetRow } from '../../sheets/row.ts';
import type { Source, SourceSheet } from '../../sheets/source.ts';
import { resultColumns } from '../../workbooks/results.ts';
import { areResultHeaders } from '../own-columns.ts';

export interface MatchedSheet {
  readonly sheet: SourceSheet;
  readonly name: string;
  readonly kind: RecordKind;
  readonly header: HeaderRow;
  /** Tells whether a row is one of headers again. */
  readonly isHeaderRow: HeaderRowTest;
  readonly columns: readonly Column[];
  /** How many columns of ours stand in front of the person's own: none, or those of a results sheet. */
  readonly ownColumns: number;
  /** How the rows are brought into the shape of the columns, when a mapping or the profile says so. */
  readonly shape: RowShape | null;
  /** What a mapping or the profile says of dates and amounts. */
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
  readonly contract: Pick<ContractSettings, 'formats'>;
}

/** The column that fills a path, or `null` for none. */
export function fieldColumnOf({ columns }: MatchedSheet, path: string | null): FieldColumn | null {
  const column = columns.find((candidate) => candidate.use === 'field' && candidate.field.path === path);
  return column?.use === 'field' ? column : null;
}

/** All columns of the source that a column is made of. */
export function originsOf({ shape }: Pick<MatchedSheet, 'shape'>, { index }: Column): readonly number[] {
  return shape === null ? [index] : shape.originsOf(index);
}

/** The columns of a shape, under the names that they have in the sheet. */
export function matchShape(kind: RecordKind, shape: RowShape, { headers }: HeaderRow): MatchedHeaders {
  const { columns, problems } = matchHeaders(kind, shape.headers, []);
  return {
    columns: columns.map((column) => ({ ...column, header: headers[column.index] ?? column.header })),
    problems,
  };
}

/** What became of a sheet: it is read, or not (it is empty, or left out), or faults stop the load. */
export interface SheetFinding {
  readonly sheet: MatchedSheet | null;
  readonly notices: readonly string[];
  readonly faults: readonly string[];
}

export const emptySheet: SheetFinding = { sheet: null, notices: [], faults: [] };

/** How many columns of ours stand in front of the person's own. */
export function ownColumnCount({ headers }: Pick<HeaderRow, 'headers'>): number {
  return areResultHeaders(headers) ? resultColumns.length : 0;
}

/** Our own columns are known by their places, and never matched to fields: a note's Status stands beside ours. */
export function personsHeaders(header: HeaderRow): readonly (string | null)[] {
  const own = ownColumnCount(header);
  return header.headers.map((name, index) => (index < own ? null : name));
}

/** The headers as they are matched, and as they stand in their row alone, without the groups above them. */
export function headerTestOf(
  kind: RecordKind,
  { number, headers }: HeaderRow,
  rows: readonly SheetRow[],
  further: readonly string[],
): HeaderRowTest {
  const alone = rows.find((row) => row.number === number)?.values.map(headerText) ?? [];
  const named = headers.filter((name) => name !== null);
  const ours = named.length > 1 ? resultColumns : [];
  const words = [...named, ...alone.filter((name) => name !== null), ...ours, ...further];
  return headerRowTest(kind, words, named.length);
}

/** What is read of a sheet: our own CSV carries an apostrophe in front of what a spreadsheet would take for a formula. */
export function readable(sheet: SourceSheet, format: Source['format'], ownColumns: number): SourceSheet {
  if (format !== 'csv' || ownColumns === 0) return sheet;
  return {
    ...sheet,
    async *rows() {
      for await (const row of sheet.rows()) {
        yield { ...row, values: row.values.map((cell) => (typeof cell === 'string' ? undefuse(cell) : cell)) };
      }
    },
  };
}
