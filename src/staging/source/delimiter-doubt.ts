/** A CSV file that was read as one column by its commas, though another mark may stand between its cells: a person can name it. */
import type { HeaderRow } from '../../mapping/header-row.ts';
import type { SheetRow } from '../../sheets/cell.ts';

const marks = [
  { mark: ';', name: 'semicolons', flag: '";"' },
  { mark: '\t', name: 'tabs', flag: 'tab' },
  { mark: '|', name: 'bars', flag: '"|"' },
] as const;

/**
 * @param name  of its sheet
 * @param rows  the first rows of the file
 * @returns a sentence with the remedy, or none where the headers are several, or no row holds such a mark
 */
export function delimiterDoubt(name: string, { headers }: HeaderRow, rows: readonly SheetRow[]): readonly string[] {
  if (headers.filter((header) => header !== null).length > 1) return [];
  const held = marks.filter(({ mark }) => rows.some(({ cells }) => cells.some((cell) => isWith(cell, mark))));
  const [first] = held;
  if (first === undefined) return [];
  const names = held.map(({ name }) => name).join(' or ');
  const flags = held.map(({ flag }) => `--delimiter ${flag}`).join(' or ');
  return [`${name}: the file was read as one column. If ${names} stand between its cells, say so with ${flags}.`];
}

function isWith(cell: SheetRow['cells'][number], mark: string): boolean {
  return typeof cell === 'string' && cell.includes(mark);
}
