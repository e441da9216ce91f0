/** Says that rows must not be sent, because the ledger holds them, or their equals, as sent. */
import type { EarlierEntry, RowPosition } from './ledger.ts';

export interface IntentRefusal {
  /** The row that was to be sent. */
  readonly position: RowPosition;
  /** What stands in its way: an equal entry that is live, or what the row itself has become in its run. */
  readonly entry: EarlierEntry;
}

/**
 * What {@link Run.intend} rejects with. Nothing of its call was written, and other calls are not concerned: the caller
 * takes the refused rows out and calls again for the others.
 */
export class IntentRefused extends Error {
  override readonly name = 'IntentRefused';
  readonly refusals: readonly IntentRefusal[];

  constructor(refusals: readonly IntentRefusal[]) {
    super(refusals.map(sentenceOf).join(' '));
    this.refusals = refusals;
  }
}

export function isIntentRefused(error: unknown): error is IntentRefused {
  return error instanceof IntentRefused;
}

function sentenceOf({ position, entry }: IntentRefusal): string {
  return `${position.sheet} row ${position.row} is not sent: ${entry.sheet} row ${entry.row} of run ${entry.run} stands as ${entry.state}.`;
}
