/** A row as it is handed over for sending, its outcome, and the events meanwhile. */
import type { Readable } from 'node:stream';
import type { DeclaredAnswers } from '../contract/answer-rules.ts';
import type { RecordReference } from '../contract/row-state.ts';
import type { ErrorCode } from '../errors.ts';
import type { Message } from '../messages/message.ts';

export interface OutgoingRecord {
  readonly body: Readonly<Record<string, unknown>>;
  readonly json: string;
  readonly pathId: string | null;
  /** For kinds with a file. `open` is called once per request. */
  readonly file: OutgoingFile | null;
  readonly idempotencyKey: string | null;
  /** The values of the row, or only the sensitive ones, with the column names that replace them in every message. */
  readonly secrets: (which?: 'sensitive') => readonly Secret[];
}

export interface OutgoingFile {
  readonly name: string;
  readonly size: number;
  open(): Readable;
}

export interface Secret {
  readonly value: string;
  readonly label: string;
  /** An SSN or a date of birth: every run of four or more digits in the same text is hidden too. */
  readonly isSensitive?: boolean;
}

interface AfterRequest extends RecordReference {
  readonly attempts: number;
  readonly httpStatus: number | null;
}

/**
 * - `rejected`: the service said no
 * - `failed`: proven not applied, and the retries are used up
 * - `in-doubt`: sent, and the answer is unknown
 * - `not-sent`: proven not applied, and the run stops
 */
export type Outcome = AfterRequest &
  (
    | { readonly state: 'created' | 'updated' | 'accepted'; readonly message: null }
    | { readonly state: 'rejected' | 'failed' | 'in-doubt' | 'not-sent'; readonly message: Message }
  );

export interface StopReason {
  readonly code: Extract<ErrorCode, 'token-refused' | 'service-unusable'>;
  readonly message: Message;
  readonly remedy: Message;
}

export interface Pause {
  readonly milliseconds: number;
  /** `asked`: the service states the wait. `limited`: it refuses and states none. `used-up`: it reports its limit as used up. */
  readonly code: 'asked' | 'limited' | 'used-up';
  readonly status: number;
}

export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly request: unknown;
  readonly status: number;
  readonly answer: unknown;
  readonly proposal: DeclaredAnswers | null;
}

/** Events of the client. None carries a token or a value of a row. */
export interface ServiceEvents {
  onPace?(pace: { readonly inFlight: number }): void;
  onRetry?(retry: { readonly attempt: number; readonly waitMs: number }): void;
  onWait?(wait: Pause): void;
  /** A service that answered before cannot be reached. It is retried for this long. Emitted once until it answers again. */
  onLost?(lost: { readonly milliseconds: number; readonly fault: Message }): void;
  onStop?(reason: StopReason): void;
  /** Every answer to rows and to record reads, with its request, for a person who investigates. */
  onExchange?(exchange: Exchange): void;
}

/** Emits one event. Never throws. */
export type Tell = <Name extends keyof ServiceEvents>(
  name: Name,
  event: Parameters<NonNullable<ServiceEvents[Name]>>[0],
) => void;
