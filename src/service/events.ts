/** What the client tells while it works. No token and no value of a row is in any of it. */
import type { Message } from '../messages/message.ts';
import type { StopReason } from './outcome.ts';

export interface PaceNow {
  /** The most requests in flight at this moment. */
  readonly inFlight: number;
}

/** No request leaves for so long. */
export interface Pause {
  readonly milliseconds: number;
  /** `asked`: the service says how long. `limited`: it refuses and does not say. `used-up`: it says that its limit is used up. */
  readonly code: 'asked' | 'limited' | 'used-up';
  /** The status of the answer that led to it. */
  readonly status: number;
}

export interface ServiceEvents {
  /** The pace has changed. */
  onPace?(pace: PaceNow): void;
  /** A request will be sent again. */
  onRetry?(retry: { readonly attempt: number; readonly waitMs: number }): void;
  /** No request leaves for so long, because the service takes none. */
  onWait?(wait: Pause): void;
  /** A service that has answered cannot be reached; it is tried again for so long. Told once until it answers again. */
  onLost?(lost: { readonly milliseconds: number; readonly fault: Message }): void;
  /** Nothing more will be sent. */
  onStop?(reason: StopReason): void;
}

/** Tells one event to whoever listens, and never fails for it. */
export type Tell = <Name extends keyof ServiceEvents>(
  name: Name,
  told: Parameters<NonNullable<ServiceEvents[Name]>>[0],
) => void;
