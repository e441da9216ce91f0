/** What comes of comparing rows with those before them: found as they are looked at, and asked for afterwards. */
import type { CheckedRow } from '../mapping/checked-row.ts';
import type { Found, SheetCheck } from './check.ts';

/** Rows of which something is remembered; of those beyond, nothing is told. */
const mostRemembered = 200_000;

export class Remembered implements SheetCheck {
  readonly #find: (row: CheckedRow) => readonly Found[];
  readonly #found = new Map<number, readonly Found[]>();

  constructor(find: (row: CheckedRow) => readonly Found[]) {
    this.#find = find;
  }

  look(row: CheckedRow): void {
    // A cell that could not be read is missing from the record, which may then be equal to others by that alone.
    if (!row.isValid || this.#found.size >= mostRemembered) return;
    const found = this.#find(row);
    if (found.length > 0) this.#found.set(row.row, found);
  }

  row({ row }: CheckedRow): readonly Found[] {
    return this.#found.get(row) ?? [];
  }

  forget(): void {
    this.#found.clear();
  }
}
