/**
 * Updates that go out again although they may have been applied: the same values may be sent any number of times. Its one
 * rule: a no to a later sending proves nothing about an earlier one.
 */
import { isUnknown } from '../../ledger/entry-state.ts';
import type { Entry } from '../../ledger/ledger.ts';
import { type Message, mentions, withAlso } from '../../messages/message.ts';
import { rowMessage } from '../../messages/rows.ts';
import { serviceMessage } from '../../messages/service.ts';
import { afterEarlierTries } from '../../service/judgement.ts';
import type { Outcome } from '../../service/outcome.ts';

/** An earlier sending of an update that may have been applied. */
export interface EarlierDoubt {
  /** What is known of it. */
  readonly told: Message;
  /** Whether a resume sends the update once more, as long as no answer to it came. */
  readonly isRepeated: boolean;
}

/** What an entry of an update tells of a sending that may have been applied, or `null`. */
export function earlierDoubtIn({ state, message, run }: Entry): EarlierDoubt | null {
  if (isUnknown(state)) return { told: rowMessage('in-doubt-since', { run }), isRepeated: false };
  const wasLeft = state === 'not-sent' && mentions(message, 'left-to-repeat', 'left-in-doubt');
  return wasLeft ? { told: rowMessage('left-in-doubt'), isRepeated: true } : null;
}

/** What came of an update, after what is known of its earlier sending. */
export function afterEarlierSending(outcome: Outcome, earlier: EarlierDoubt | null): Outcome {
  if (earlier === null) return outcome;
  if (outcome.state !== 'not-sent' && outcome.state !== 'failed') return afterEarlierTries(outcome, earlier.told);
  const { attempts, httpStatus } = outcome;
  if (outcome.state === 'not-sent' && earlier.isRepeated)
    return { ...outcome, message: withAlso(earlier.told, outcome.message) };
  const message = serviceMessage('doubt-after-retries', { first: earlier.told, next: outcome.message });
  return { state: 'in-doubt', attempts, httpStatus, message };
}
