/** How the place of a row is written: `Deals!12` in a source, `RUN#Deals!12` in a run. */
import type { Place } from '../ledger/ledger.ts';

/** A row of a source. */
export interface RowPosition {
  readonly sheet: string;
  readonly row: number;
}

/** In characters; run, sheet and row together are far shorter. */
const longestKey = 1000;

export function placeOf({ sheet, row }: RowPosition): string {
  return `${sheet}!${row}`;
}

/**
 * The position that a person means by `Deals!12`, or `null`. Quotes around all of it are those of a shell that is not there:
 * Windows hands them on.
 */
export function positionOf(place: string): RowPosition | null {
  if (place.length > longestKey) return null;
  const match = /^'?(.+?)'?!(\d+)'?$/.exec(place);
  return match === null ? null : { sheet: match[1] ?? '', row: Number(match[2]) };
}

/** The key of a row, as it stands in the Run cell of a results sheet. */
export function keyOf(row: Place): string {
  return `${row.run}#${placeOf(row)}`;
}

/** In the Run cell of a row that says that it was loaded, and has lost its key: blank, it would be a new row in the next sheet. */
export const lostKey = 'lost';

/** The row that a key names, or `null`. */
export function rowOfKey(key: string): Place | null {
  if (key.length > longestKey) return null;
  const match = /^(.+?)#(.+)!(\d+)$/.exec(key);
  return match === null ? null : { run: match[1] ?? '', sheet: match[2] ?? '', row: Number(match[3]) };
}
