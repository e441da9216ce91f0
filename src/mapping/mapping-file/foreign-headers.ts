/** The headers of a sheet that somebody else has made, each with a name of its own. */
import type { MergedRange, SheetRow } from '../../sheets/cell.ts';
import { headerText } from '../header-row.ts';
import { folded } from '../headers.ts';

/**
 * The headers of a row: a merged cell above several columns goes in front of theirs (`Company` over `Name`), and a name
 * that stands twice is counted (`Phone`, `Phone (2)`).
 */
export function foreignHeaders(
  row: SheetRow,
  above: SheetRow | undefined,
  merges: readonly MergedRange[],
): readonly (string | null)[] {
  const seen = new Map<string, number>();
  return row.cells.map((cell, column) => {
    const own = headerText(cell);
    if (own === null) return null;
    const group = above?.number === row.number - 1 ? groupAbove(above, column, merges) : null;
    const name = group === null ? own : `${group} ${own}`;
    const count = (seen.get(folded(name)) ?? 0) + 1;
    seen.set(folded(name), count);
    return count === 1 ? name : `${name} (${count})`;
  });
}

function groupAbove(above: SheetRow, column: number, merges: readonly MergedRange[]): string | null {
  const index = above.number - 1;
  const range = merges.find(
    ({ firstRow, lastRow, firstColumn, lastColumn }) =>
      firstRow <= index &&
      lastRow === index &&
      firstColumn <= column &&
      lastColumn >= column &&
      lastColumn > firstColumn,
  );
  return range === undefined ? null : headerText(above.cells[range.firstColumn] ?? null);
}
