/** Reads the rows of a sheet page by page, so that a run of a million rows needs the memory of a few hundred. */
import type { SqlValue, Statement } from '../disk/database.ts';

/** What a statement gives at most that reads a page: it takes the sheet, the row after which to begin, and what is further asked. */
export const rowsInPage = 500;

/** Each page begins after the last row of the one before, so nothing stays open between them and writing goes on. */
export function* pages<Columns extends readonly [row: number, ...further: unknown[]]>(
  page: Statement,
  sheet: number,
  further: readonly SqlValue[],
): Generator<Columns> {
  let after = Number.MIN_SAFE_INTEGER;
  for (;;) {
    const found = page.all([sheet, after, ...further]) as Columns[];
    yield* found;
    if (found.length < rowsInPage) return;
    after = found[found.length - 1]?.[0] ?? Number.MAX_SAFE_INTEGER;
  }
}
