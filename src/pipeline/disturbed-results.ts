/**
 * A results sheet whose own columns no longer stand where they are known by: read as a person's own sheet, it would send
 * rows that are in a second time.
 */
import { DealsheetError } from '../errors.ts';
import { headerText, rowsToSearch } from '../mapping/header-row.ts';
import type { SourceSheet } from '../sheets/source.ts';
import { columnName } from '../sheets/xlsx/cell-reference.ts';
import { resultColumns } from '../workbooks/results.ts';
import { areResultHeaders } from './held-rows.ts';
import { firstRowsOf } from './sheets-to-read.ts';

type ResultColumn = (typeof resultColumns)[number];

/** No form of a service names its columns so: with two more of ours beside it, a sheet is one of ours. */
const tellingColumns: readonly ResultColumn[] = ['Problems', 'Run'];
const fewestColumns = 3;
/** In this order, one beside the other, they are ours without the telling ones too. */
const leadingColumns: readonly ResultColumn[] = ['Status', 'ID', 'Company ID', 'URL'];

/** @throws DealsheetError `unmatched-columns` when a sheet has the columns of results in other places, or not all of them */
export async function refuseDisturbedResults(sheets: readonly SourceSheet[]): Promise<void> {
  const told: string[] = [];
  for (const sheet of sheets) {
    const rows = (await firstRowsOf(sheet, rowsToSearch)).map(({ cells }) => cells.map(headerText));
    if (rows.some(areResultHeaders)) continue;
    const disturbed = rows.find(wereResultHeaders);
    if (disturbed !== undefined) told.push(whatIsDisturbed(sheet.name, disturbed));
  }
  if (told.length === 0) return;
  throw new DealsheetError(
    'unmatched-columns',
    told.join('\n'),
    `Put ${resultColumns.join(', ')} back in front, in this order, with columns of your own behind them. What stood in a lost column cannot be made up: write the results anew with dealsheet results RUN, and correct those. Without these columns, rows that are in would be sent again. (A sheet of your own needs other names for them.) Nothing was sent.`,
  );
}

function wereResultHeaders(headers: readonly (string | null)[]): boolean {
  const found = resultColumns.filter((name) => headers.includes(name));
  if (found.length >= fewestColumns && found.some((name) => tellingColumns.includes(name))) return true;
  const first = headers.indexOf(leadingColumns[0] ?? null);
  return first >= 0 && leadingColumns.every((name, index) => headers[first + index] === name);
}

function whatIsDisturbed(sheet: string, headers: readonly (string | null)[]): string {
  const missing = resultColumns.filter((name) => !headers.includes(name));
  const moved = resultColumns.flatMap((name, place) => {
    const found = headers.indexOf(name);
    return found < 0 || found === place ? [] : [`${name} in column ${columnName(found)}`];
  });
  const what = [
    ...(moved.length > 0 ? [`it has ${moved.join(', ')}`] : []),
    ...(missing.length > 0 ? [`${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} missing`] : []),
  ];
  return `The sheet ${sheet} is a results sheet, and its first six columns are not the ones that it was written with: ${what.join(', and ')}.`;
}
