/** The address that the rows went to, by the Summary of a workbook of results; `null` for any other sheet. */
import { shownText } from '../../mapping/reading.ts';
import { cellAt, type SheetRow } from '../../sheets/row.ts';
import { serviceFact, summaryTitles } from '../../workbooks/results-summary.ts';

export function serviceInSummary([first, ...rows]: readonly SheetRow[]): string | null {
  const text = (row: SheetRow | undefined, column: number) => {
    const cell = row === undefined ? null : cellAt(row, column);
    return cell === null ? null : shownText(cell);
  };
  if (text(first, 0) !== summaryTitles.load) return null;
  return text(
    rows.find((row) => text(row, 0) === serviceFact),
    1,
  );
}
