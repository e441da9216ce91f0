/** How wide the columns of a results sheet are, by its first rows. */
import { shownText } from '../../mapping/reading.ts';
import { dataRows } from '../source/data-rows.ts';
import type { MatchedSheet } from '../source/matched-sheet.ts';

const rowsToMeasure = 100;
const narrowest = 9;
const widest = 44;
/** Room for the filter button beside a header. */
const filterButton = 3;

export async function widthsOf(sheet: MatchedSheet): Promise<readonly number[]> {
  const widths = sheet.header.headers.map((header) => (header?.length ?? 0) + filterButton);
  let count = 0;
  for await (const row of dataRows(sheet)) {
    row.cells.forEach((cell, index) => {
      if (cell !== null) widths[index] = Math.max(widths[index] ?? 0, shownText(cell).length + 1);
    });
    count += 1;
    if (count === rowsToMeasure) break;
  }
  // Cells may stand far to the right of the headers, with nothing between.
  return Array.from(widths.slice(sheet.ownColumns), (width = narrowest) =>
    Math.min(widest, Math.max(narrowest, width)),
  );
}
