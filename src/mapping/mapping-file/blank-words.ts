/** Cells of somebody else's file that say in words that there is nothing: they count as blank, before anything is made of them. */
import type { Cell, SheetRow } from '../../sheets/cell.ts';
import { trimmedText } from '../reading.ts';

/**
 * Makes the function that empties the cells that say one of these words.
 *
 * @param words  to the letter, but for the blanks around them
 * @param headers  of the file's own columns; `null` where there is none of them
 */
export function emptierOf(words: readonly string[], headers: readonly (string | null)[]): (row: SheetRow) => SheetRow {
  if (words.length === 0) return (row) => row;
  const known = new Set(words.map((word) => word.trim()));
  const isEmptied = (cell: Cell, index: number) => headers[index] != null && known.has(trimmedText(cell));
  return (row) => ({ ...row, cells: row.cells.map((cell, index) => (isEmptied(cell, index) ? null : cell)) });
}
