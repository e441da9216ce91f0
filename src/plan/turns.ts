/** Which rows of a source may go out: all of them, the first ones, or one alone. */
import * as z from 'zod';
import type { RowPosition } from '../staging/row-place.ts';

/**
 * `null` for all, the number of the first ones over all sheets in the order of loading, or the one that a person names; its sheet may
 * be `null` in a source of one.
 */
export const limitSchema = z
  .union([z.int().min(0), z.object({ sheet: z.string().nullable(), row: z.int() })])
  .nullable();
export type Limit = z.output<typeof limitSchema>;

export class Turns {
  readonly #limit: Limit;
  #rows = 0;

  constructor(limit: Limit) {
    this.#limit = limit;
  }

  /** Whether the turn of a row comes; it is to be asked once for each row, in the order of loading. */
  comes({ sheet, row }: RowPosition): boolean {
    this.#rows += 1;
    if (this.#limit === null) return true;
    if (typeof this.#limit === 'number') return this.#rows <= this.#limit;
    return (this.#limit.sheet ?? sheet) === sheet && this.#limit.row === row;
  }
}
