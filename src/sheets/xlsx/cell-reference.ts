/** Names of columns: A, B, … Z, AA, … */

const letters = 26;

/** `0` to `A`, `27` to `AB`. */
export function columnName(index: number): string {
  const last = String.fromCharCode('A'.charCodeAt(0) + (index % letters));
  return index < letters ? last : columnName(Math.floor(index / letters) - 1) + last;
}
