/** Columns that nobody sees and that are sent: a person is told, as of hidden rows. */
import { shownHeader } from '../../mapping/masking.ts';
import { columnName } from '../../sheets/xlsx/cell-reference.ts';
import { type MatchedSheet, originsOf } from './matched-sheet.ts';

/** @returns a sentence with the columns, or none where none of those that are read is hidden */
export async function hiddenColumns(matched: MatchedSheet): Promise<readonly string[]> {
  const hidden = await matched.sheet.hiddenColumns();
  if (hidden.length === 0) return [];
  const read = matched.columns.filter(({ use }) => use !== 'ignored').flatMap((column) => originsOf(matched, column));
  const found = [...new Set(read)]
    .filter((index) => hidden.some(({ first, last }) => first <= index && index <= last))
    .sort((one, other) => one - other)
    .map((index) => `${columnName(index)} "${shownHeader(matched.header.headers[index] ?? '')}"`);
  const last = found.pop();
  if (last === undefined) return [];
  const are = found.length === 0 ? `column ${last} is` : `columns ${found.join(', ')} and ${last} are`;
  return [`${matched.name}: the hidden ${are} read like the others.`];
}
