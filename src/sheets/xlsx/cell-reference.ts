/** Names of columns: A, B, … Z, AA, … */
import { letterA, lettersOfColumns } from './character-codes.ts';

/** `0` to `A`, `27` to `AB`. */
export function columnName(index: number): string {
  const last = String.fromCharCode(letterA + (index % lettersOfColumns));
  return index < lettersOfColumns ? last : columnName(Math.floor(index / lettersOfColumns) - 1) + last;
}

/** `A` to `0`, `AB` or `ab` to `27`. */
export function columnIndex(name: string): number {
  return (
    [...name.toUpperCase()].reduce(
      (count, letter) => count * lettersOfColumns + letter.charCodeAt(0) - letterA + 1,
      0,
    ) - 1
  );
}
