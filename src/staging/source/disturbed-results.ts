/**
 * A results sheet whose own columns no longer stand where they are known by: read as a person's own sheet, it would send
 * rows that are in a second time.
 */

import { DealsheetError } from '../../errors.ts';
import { headerText, rowsToSearch } from '../../mapping/header-row.ts';
import { commandText } from '../../messages/commands.ts';
import type { SheetRow } from '../../sheets/cell.ts';
import type { Source, SourceSheet } from '../../sheets/source.ts';
import { columnName } from '../../sheets/xlsx/cell-reference.ts';
import { type ResultColumn, resultColumns, resultsProperty } from '../../workbooks/results.ts';
import { areResultHeaders } from '../own-columns.ts';
import { firstRowsOf } from './sheets-to-read.ts';

/** A person's own sheet hardly has so many columns of these names. */
const fewestColumns = 4;
const tellingColumns: readonly ResultColumn[] = ['Problems', 'Run'];
/** In this order, one beside the other, at the very beginning, they are ours without the telling ones too. */
const leadingColumns = resultColumns.filter((name) => !tellingColumns.includes(name));
/** In a workbook that was written as results, fewer will do. */
const fewestInResults = 2;

/** @throws DealsheetError `unmatched-columns` when a sheet has the columns of results in other places, or not all of them */
export async function refuseDisturbedResults(source: Source, sheets: readonly SourceSheet[]): Promise<void> {
  const wasWrittenAsResults = source.properties[resultsProperty] !== undefined;
  const told: string[] = [];
  for (const sheet of sheets) {
    const rows = (await firstRowsOf(sheet, rowsToSearch)).map(headersIn);
    if (rows.some(areResultHeaders)) continue;
    const disturbed = rows.find((headers) => wereResultHeaders(headers, wasWrittenAsResults));
    if (disturbed !== undefined) told.push(whatIsDisturbed(sheet.name, disturbed));
  }
  if (told.length === 0) return;
  throw new DealsheetError(
    'unmatched-columns',
    told.join('\n'),
    `Put ${resultColumns.join(', ')} back in front, in this order, with columns of your own behind them. What stood in a lost column cannot be made up: write the results again with ${commandText('results', 'RUN')}, and correct those. Without these columns, rows that are in would be sent again. (A sheet of your own needs other names for them.) Nothing was sent.`,
  );
}

function headersIn({ cells }: SheetRow): readonly (string | null)[] {
  return cells.map(headerText);
}

function wereResultHeaders(headers: readonly (string | null)[], wasWrittenAsResults: boolean): boolean {
  const found = resultColumns.filter((name) => placeOf(name, headers) >= 0);
  if (wasWrittenAsResults && found.length >= fewestInResults) return true;
  if (found.length >= fewestColumns && found.some((name) => tellingColumns.includes(name))) return true;
  return leadingColumns.every((name, index) => headers[index] === name);
}

/** Whatever its capitals. */
function placeOf(name: ResultColumn, headers: readonly (string | null)[]): number {
  return headers.findIndex((header) => header?.toLowerCase() === name.toLowerCase());
}

function whatIsDisturbed(sheet: string, headers: readonly (string | null)[]): string {
  const missing = resultColumns.filter((name) => placeOf(name, headers) < 0);
  const changed = resultColumns.flatMap((name, place) => {
    const found = placeOf(name, headers);
    if (found < 0 || headers[place] === name) return [];
    return [`${headers[found]} in column ${columnName(found)}`];
  });
  const what = [
    ...(changed.length > 0 ? [`it has ${changed.join(', ')}`] : []),
    ...(missing.length > 0 ? [`${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} missing`] : []),
  ];
  return `The sheet ${sheet} is a results sheet, and its first six columns are not the ones that it was written with: ${what.join(', and ')}.`;
}
