/**
 * Updates that go out again although they may have been applied: the same values may be sent any number of times. Its one
 * rule: a no to a later sending proves nothing about an earlier one.
 */
import { isUnknown } from '../../ledger/entry-state.ts';
import { leftInDoubt } from '../../ledger/kept-sentences.ts';
import type { Entry } from '../../ledger/ledger.ts';
import type { Outcome } from '../../service/records/outcome.ts';
import { afterEarlierTries, lookItUp } from '../../service/verdicts/verdict.ts';
import { inDoubtSince } from '../rows/row-note.ts';

/** An earlier sending of an update that may have been applied. */
export interface EarlierDoubt {
  /** What is known of it: a whole sentence. */
  readonly told: string;
  /** Whether a resume sends the update once more, as long as no answer to it came. */
  readonly isRepeated: boolean;
}

/** What an entry of an update tells of a sending that may have been applied, or `null`. */
export function earlierDoubtIn({ state, message, run }: Entry): EarlierDoubt | null {
  if (isUnknown(state)) return { told: inDoubtSince(run), isRepeated: false };
  // Only of updates: all else that was left on its way is in doubt.
  const wasLeft = state === 'not-sent' && message?.startsWith(leftInDoubt) === true;
  return wasLeft ? { told: leftInDoubt, isRepeated: true } : null;
}

/** What came of an update, after what is known of its earlier sending. */
export function afterEarlierSending(outcome: Outcome, earlier: EarlierDoubt | null): Outcome {
  if (earlier === null) return outcome;
  if (outcome.state !== 'not-sent' && outcome.state !== 'failed') return afterEarlierTries(outcome, earlier.told);
  const { attempts, httpStatus } = outcome;
  const message = `${earlier.told} ${outcome.message}`;
  if (outcome.state === 'not-sent' && earlier.isRepeated) return { ...outcome, message };
  return { state: 'in-doubt', attempts, httpStatus, message: `${message} ${lookItUp}` };
}
