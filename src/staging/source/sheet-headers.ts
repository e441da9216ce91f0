/** The headers of a sheet, ours apart from the person's own: those of a results sheet are known by their places. */
import type { RecordKind } from '../../contract/record-kind.ts';
import { type HeaderRow, headerText } from '../../mapping/header-row.ts';
import { HeaderWords } from '../../mapping/header-words.ts';
import type { SheetRow } from '../../sheets/cell.ts';
import { undefuse } from '../../sheets/csv/formula-defusing.ts';
import type { Source, SourceSheet } from '../../sheets/source.ts';
import { resultColumns } from '../../workbooks/results.ts';
import { areResultHeaders } from '../own-columns.ts';
import type { MatchedSheet } from './matched-sheet.ts';

/** How many columns of ours stand in front of the person's own. */
export function ownColumnCount(header: HeaderRow): number {
  return areResultHeaders(header.headers) ? resultColumns.length : 0;
}

/** The same for a row that may be a header of results. */
export function ownColumnsIn({ cells }: SheetRow): number {
  return areResultHeaders(cells.map(headerText)) ? resultColumns.length : 0;
}

/** Our own columns are known by their places, and never matched to fields: a note's Status stands beside ours. */
export function personsHeaders(header: HeaderRow): readonly (string | null)[] {
  const own = ownColumnCount(header);
  return header.headers.map((name, index) => (index < own ? null : name));
}

/** The headers as they are matched, and as they stand in their row alone, without the groups above them. */
export function headerWordsOf(
  kind: RecordKind,
  { number, headers }: HeaderRow,
  rows: readonly SheetRow[],
  further: readonly string[],
): HeaderWords {
  const alone = rows.find((row) => row.number === number)?.cells.map((cell) => headerText(cell)) ?? [];
  const named = headers.filter((name) => name !== null);
  const ours = named.length > 1 ? resultColumns : [];
  const words = [...named, ...alone.filter((name) => name !== null), ...ours, ...further];
  return new HeaderWords(kind, words, named.length);
}

/** What is read of a sheet: of our own CSV, without the marks that it wants. */
export function readable(
  sheet: SourceSheet,
  format: Source['format'],
  ownColumns: number,
): Pick<MatchedSheet, 'sheet' | 'name' | 'ownColumns'> {
  const isOwnCsv = format === 'csv' && ownColumns > 0;
  return { sheet: isOwnCsv ? undefused(sheet) : sheet, name: sheet.name, ownColumns };
}

/** Our own CSV carries an apostrophe in front of what a spreadsheet would take for a formula: it comes off again. */
function undefused(sheet: SourceSheet): SourceSheet {
  return {
    ...sheet,
    async *rows() {
      for await (const row of sheet.rows()) {
        yield { ...row, cells: row.cells.map((cell) => (typeof cell === 'string' ? undefuse(cell) : cell)) };
      }
    },
  };
}
