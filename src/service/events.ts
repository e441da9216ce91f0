/**
 * What the client tells while it works. No token and no value of a row is in any of it. A listener is called and not waited
 * for; what it throws ends the sending (`listenerFailure` of the client).
 */

import type { Message } from '../messages/message.ts';
import type { PaceNow, Pause } from './limiter.ts';
import type { StopReason } from './outcome.ts';

export interface ServiceEvents {
  /** The pace has changed. */
  onPace(pace: PaceNow): void;
  /** A request will be sent again. */
  onRetry(retry: { readonly attempt: number; readonly waitMs: number }): void;
  /** No request leaves for so long, because the service takes none. */
  onWait(wait: Pause): void;
  /** A service that has answered cannot be reached; it is tried again for so long. Told once until it answers again. */
  onLost(lost: { readonly milliseconds: number; readonly fault: Message }): void;
  /** Nothing more will be sent. */
  onStop(reason: StopReason): void;
}

export const silentEvents: ServiceEvents = { onPace() {}, onRetry() {}, onWait() {}, onLost() {}, onStop() {} };

/**
 * The same events to listeners whose failures change nothing of an answer that has come: a row that was created stays so,
 * whatever the caller's log has to say to it.
 *
 * @param onFailure  told what a listener threw
 */
export function guardedEvents(events: ServiceEvents, onFailure: (error: unknown) => void): ServiceEvents {
  const names = Object.keys(silentEvents) as (keyof ServiceEvents)[];
  const guarded = names.map((name) => [
    name,
    (told: never) => {
      try {
        events[name](told);
      } catch (error) {
        onFailure(error);
      }
    },
  ]);
  return Object.fromEntries(guarded) as ServiceEvents;
}
