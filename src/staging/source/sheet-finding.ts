/** What becomes of a sheet once its headers are found. */
import type { RecordKind } from '../../contract/record-kind.ts';
import type { PersonsWord } from '../../mapping/column-evidence.ts';
import { type HeaderRow, type HeaderRowTest, headerRowTest, headerText } from '../../mapping/header-row.ts';
import type { RowShape } from '../../mapping/mapping-file/row-shape.ts';
import { undefuse } from '../../sheets/csv/csv-writer.ts';
import type { SheetRow } from '../../sheets/row.ts';
import type { Source, SourceSheet } from '../../sheets/source.ts';
import { resultColumns } from '../../workbooks/results.ts';
import { passedOver } from './data-rows.ts';
import type { MatchedSheet, OwnHeader } from './matched-sheet.ts';
import type { SheetBeginning } from './sheets-to-read.ts';

/** What became of a sheet: it is read, or not (it is empty, or left out), or faults stop the load. */
export interface SheetFinding {
  readonly sheet: MatchedSheet | null;
  readonly notices: readonly string[];
  readonly faults: readonly string[];
}

export const emptySheet: SheetFinding = { sheet: null, notices: [], faults: [] };

/** What the headers of a sheet tell of it. */
interface HeadedSheet extends OwnHeader {
  readonly kind: RecordKind;
  /** Or what does not fit, in whole sentences. */
  readonly shape: RowShape | readonly string[];
  readonly word: PersonsWord;
  /** Names that are headers wherever they stand, too. */
  readonly furtherNames?: readonly string[];
  /** Whether a mapping says in which row the headers stand: then what is above them is a title by a person's word. */
  readonly isSaid?: boolean;
}

/** @throws DealsheetError `unmatched-columns` when a row above the headers is one to load, or holds headers itself */
export function sheetFinding(
  { sheet, name, rows }: SheetBeginning,
  { kind, header, ownColumns, shape, word, furtherNames = [], isSaid = false }: HeadedSheet,
  format: Source['format'],
): SheetFinding {
  const isHeaderRow = headerTestOf(kind, header, rows, furtherNames);
  const columns = 'columns' in shape ? shape.columns : [];
  const notices = passedOver({ name, rows, header, columns, isHeaderRow, ownColumns, isSaid });
  if (!('columns' in shape)) return { ...emptySheet, faults: shape };
  const read = format === 'csv' && ownColumns > 0 ? undefused(sheet) : sheet;
  return { sheet: { ...shape, sheet: read, name, kind, header, isHeaderRow, ownColumns, word }, notices, faults: [] };
}

/** The headers as they are matched, and as they stand in their row alone, without the groups above them. */
function headerTestOf(
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

/** Our own CSV carries an apostrophe in front of what a spreadsheet would take for a formula. */
function undefused(sheet: SourceSheet): SourceSheet {
  return {
    ...sheet,
    async *rows() {
      for await (const row of sheet.rows()) {
        yield { ...row, values: row.values.map((cell) => (typeof cell === 'string' ? undefuse(cell) : cell)) };
      }
    },
  };
}
