/** The headers of a sheet that somebody else has made, each with a name of its own, and when two of them are the same. */
import type { MergedRange } from '../../sheets/cell.ts';
import { allCells, cellAt, type SheetRow } from '../../sheets/row.ts';
import { groupsIn, headerText } from '../header-row.ts';

/**
 * The headers of a row: a merged cell above several columns goes in front of theirs (`Company` over `Name`), and a name
 * that stands twice is counted (`Phone`, `Phone (2)`), past every name that stands there by itself.
 *
 * @param ownColumns  how many columns of ours stand in front: their names take none from the person's
 */
export function foreignHeaders(
  row: SheetRow,
  above: SheetRow | undefined,
  merges: readonly MergedRange[],
  ownColumns: number,
): readonly (string | null)[] {
  const groups = above?.number === row.number - 1 ? groupsIn(merges, above.number - 1) : null;
  const names = allCells(row).map((cell, column) => {
    const own = headerText(cell);
    const first = groups?.get(column);
    const isOverSeveral = first !== undefined && groups?.get(first + 1) === first;
    const group = isOverSeveral && above !== undefined ? headerText(cellAt(above, first)) : null;
    return own === null || group === null ? own : `${group} ${own}`;
  });
  const written = new Set(names.slice(ownColumns).flatMap((name) => (name === null ? [] : [headerName(name)])));
  const counts = new Map<string, number>();
  return names.map((name, column) => (name === null || column < ownColumns ? name : counted(name, written, counts)));
}

function counted(name: string, written: ReadonlySet<string>, counts: Map<string, number>): string {
  const key = headerName(name);
  let count = (counts.get(key) ?? 0) + 1;
  while (count > 1 && written.has(headerName(`${name} (${count})`))) count += 1;
  counts.set(key, count);
  return count === 1 ? name : `${name} (${count})`;
}

/**
 * A name of somebody else's as it is compared: whatever its case and blanks, and by every other sign, for `Rate %` is not
 * `Rate $`, and `Amount (2)` is not `Amount 2`. What our own templates forgive in a header counts here.
 */
export function headerName(header: string): string {
  return header.normalize('NFC').replace(/\s+/g, ' ').trim().toLowerCase();
}
