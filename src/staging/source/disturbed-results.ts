/**
 * A results sheet whose own columns no longer stand where they are known by: read as a person's own sheet, it would send
 * rows that are in a second time.
 */
import { DealsheetError } from '../../errors.ts';
import { headerText, rowsToSearch } from '../../mapping/header-row.ts';
import { commandText } from '../../messages/commands.ts';
import type { Source, SourceSheet } from '../../sheets/source.ts';
import { resultColumns, resultsProperty } from '../../workbooks/results.ts';
import { areResultHeaders } from '../own-columns.ts';
import { firstRowsOf } from './sheets-to-read.ts';

/** A person's own sheet hardly has so many columns of these names, with one of those that tell. */
const fewestColumns = 4;
const tellingColumns = ['problems', 'run'];
/** In a workbook that was written as results, fewer will do. */
const fewestInResults = 2;

/** @throws DealsheetError `unmatched-columns` when a sheet has the columns of results in other places, or not all of them */
export async function refuseDisturbedResults(source: Source, sheets: readonly SourceSheet[]): Promise<void> {
  const wasWrittenAsResults = source.properties[resultsProperty] !== undefined;
  for (const sheet of sheets) {
    const rows = (await firstRowsOf(sheet, rowsToSearch)).map(({ cells }) => cells.map(headerText));
    if (rows.some(areResultHeaders)) continue;
    if (rows.some((headers) => wereResultHeaders(headers, wasWrittenAsResults))) throw disturbed(sheet.name);
  }
}

/** Whatever their capitals. In their order at the very beginning, they are ours without the telling ones too. */
function wereResultHeaders(headers: readonly (string | null)[], wasWrittenAsResults: boolean): boolean {
  const written = headers.map((header) => header?.toLowerCase());
  const ours = resultColumns.map((name) => name.toLowerCase());
  const found = ours.filter((name) => written.includes(name));
  if (wasWrittenAsResults && found.length >= fewestInResults) return true;
  if (found.length >= fewestColumns && found.some((name) => tellingColumns.includes(name))) return true;
  return ours.filter((name) => !tellingColumns.includes(name)).every((name, index) => written[index] === name);
}

function disturbed(sheet: string): DealsheetError {
  return new DealsheetError(
    'unmatched-columns',
    `The sheet ${sheet} is a results sheet, and its first six columns are not the ones that it was written with: ${resultColumns.join(', ')}.`,
    `Put them back in front, in this order, with columns of your own behind them. What stood in a lost column cannot be made up: write the results again with ${commandText('results', 'RUN')}, and correct those. Without these columns, rows that are in would be sent again. (A sheet of your own needs other names for them.) Nothing was sent.`,
  );
}
