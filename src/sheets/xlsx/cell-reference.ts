/** Names of columns: A, B, … Z, AA, … */

const letterA = 'A'.charCodeAt(0);
const lettersOfColumns = 26;

/** `0` to `A`, `27` to `AB`. */
export function columnName(index: number): string {
  const last = String.fromCharCode(letterA + (index % lettersOfColumns));
  return index < lettersOfColumns ? last : columnName(Math.floor(index / lettersOfColumns) - 1) + last;
}

/** `A` to `0`, `AB` or `ab` to `27`. */
export function columnIndex(name: string): number {
  let count = 0;
  for (const letter of name.toUpperCase()) count = count * lettersOfColumns + letter.charCodeAt(0) - letterA + 1;
  return count - 1;
}
