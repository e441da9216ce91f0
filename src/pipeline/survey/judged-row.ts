/** A checked row with all that the rest of its source, the disk and its results sheet say of it. */
import { segmentsOf, valueAt } from '../../mapping/body.ts';
import type { CheckedRow } from '../../mapping/checked-row.ts';
import type { Standing } from '../rows/held-rows.ts';
import type { NamedFile } from './attachment-files.ts';

/** A checked row, and what a results sheet says of it. */
export interface JudgedRow extends CheckedRow {
  readonly standing: Standing;
  /** A check leaves it out: it is not sent, and is not wrong for it. */
  readonly isLeftOut: boolean;
  /** The earlier row of the source that says the same (`row 20`), or `null`. */
  readonly twin: string | null;
  /** What an attachment names, where it may be sent. */
  readonly file?: NamedFile;
}

/** The amount by which a row counts in the control totals, or `null` when it has no readable one. */
export function amountOf(row: CheckedRow): number | null {
  if (row.kind.amount === null) return null;
  const amount = valueAt(row.body, segmentsOf(row.kind.amount));
  return typeof amount === 'number' ? amount : null;
}
