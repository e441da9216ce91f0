/** What the client tells while it works. No token and no value of a row is in any of it. */

import type { PaceNow } from '../pace/pace.ts';
import type { StopReason } from '../records/outcome.ts';

export interface ServiceEvents {
  /** The pace has changed. */
  onPace(pace: PaceNow): void;
  /** A request will be sent again. */
  onRetry(retry: { readonly attempt: number; readonly waitMs: number; readonly reason: string }): void;
  /** No request leaves for so long, because the service asked for it. */
  onWait(wait: { readonly milliseconds: number; readonly reason: string }): void;
  /** A service that has answered cannot be reached; it is tried again for so long. Told once until it answers again. */
  onLost(lost: { readonly milliseconds: number; readonly reason: string }): void;
  /** Nothing more will be sent. */
  onStop(reason: StopReason): void;
}

export const silentEvents: ServiceEvents = { onPace() {}, onRetry() {}, onWait() {}, onLost() {}, onStop() {} };
