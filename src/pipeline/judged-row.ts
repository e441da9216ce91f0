/** A checked row with all that the rest of its source, the disk and its results sheet say of it. */
import { segmentsOf, valueAt } from '../mapping/body.ts';
import type { CheckedRow } from '../mapping/checked-row.ts';
import type { Standing } from './held-rows.ts';

/** A checked row, and whether a results sheet says that it stays as it is. */
export interface JudgedRow extends CheckedRow {
  readonly standing: Standing;
  /** Whether its cells passed the checks, also of a row that stays as it is whatever they say. */
  readonly isReadable: boolean;
}

/** The amount by which a row counts in the control totals, or `null` when it has no readable one. */
export function amountOf(row: CheckedRow): number | null {
  if (row.kind.amount === null) return null;
  const amount = valueAt(row.body, segmentsOf(row.kind.amount));
  return typeof amount === 'number' ? amount : null;
}
