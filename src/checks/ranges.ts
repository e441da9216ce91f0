/** Ranges of cells, met by the rows of a sheet in their order. */
import type { MergedRange } from '../sheets/cell.ts';

/**
 * Makes the function that tells which ranges a row meets, by the columns among those given. Of each column, the first range that
 * begins in it counts, from above to below: ranges lie apart.
 *
 * @param ranges  in any order
 */
export function rangesInOrder<Range extends MergedRange>(
  ranges: readonly Range[],
  columns: readonly number[],
): (rowNumber: number) => readonly (readonly [column: number, range: Range])[] {
  const waiting = ranges.toSorted((one, other) => one.firstRow - other.firstRow || one.firstColumn - other.firstColumn);
  const open = new Map<number, Range>();
  let next = 0;
  return (rowNumber) => {
    const index = rowNumber - 1;
    for (; (waiting[next]?.firstRow ?? rowNumber) <= index; next += 1) {
      const range = waiting[next] as Range;
      if ((open.get(range.firstColumn)?.lastRow ?? -1) < range.firstRow) open.set(range.firstColumn, range);
    }
    const met = [...open.values()].filter(({ lastRow }) => lastRow >= index);
    if (met.length === 0) return [];
    return columns.flatMap((column) => {
      const range = met.find(({ firstColumn, lastColumn }) => firstColumn <= column && column <= lastColumn);
      return range === undefined ? [] : [[column, range] as const];
    });
  };
}
