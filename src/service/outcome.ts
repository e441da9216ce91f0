/** A row as it is handed over to be sent, what came of it, and what is told meanwhile. */
import type { Readable } from 'node:stream';
import type { DeclaredAnswers } from '../contract/answer-rules.ts';
import type { ErrorCode } from '../errors.ts';
import type { Message } from '../messages/message.ts';

export interface OutgoingRecord {
  readonly body: Readonly<Record<string, unknown>>;
  readonly json: string;
  readonly pathId: string | null;
  /** Of a form. `open` is called once for each request. */
  readonly file: OutgoingFile | null;
  readonly idempotencyKey: string | null;
  /** Gives the values of the row, or the sensitive ones alone, with their columns' names, by which they are replaced in every message. */
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
  /** An SSN, a date of birth: no number at all is shown beside one. */
  readonly isSensitive?: boolean;
}

interface AfterRequest {
  readonly attempts: number;
  readonly httpStatus: number | null;
}

export interface RecordReference {
  readonly id: string | null;
  readonly companyId: string | null;
  readonly url: string | null;
}

/**
 * - `rejected`: the service said no
 * - `failed`: proven not applied, and the retries are used up
 * - `in-doubt`: sent, and the answer is unknown
 * - `not-sent`: proven not applied, and the run stops
 */
export type Outcome = AfterRequest &
  (
    | ({ readonly state: 'created' | 'updated' | 'accepted' } & RecordReference)
    | { readonly state: 'rejected' | 'failed' | 'in-doubt' | 'not-sent'; readonly message: Message }
  );

/** After `stopped-closed`, the rows that were refused so are written back to `not-sent`: nothing was wrong with them. */
export interface StopReason {
  readonly code: Extract<ErrorCode, 'token-refused' | 'service-unusable'>;
  readonly message: Message;
  readonly remedy: Message;
}

export interface Pause {
  readonly milliseconds: number;
  /** `asked`: the service says how long. `limited`: it refuses and does not say. `used-up`: it says that its limit is used up. */
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

/** What the client tells while it works. No token and no value of a row is in any of it. */
export interface ServiceEvents {
  onPace?(pace: { readonly inFlight: number }): void;
  onRetry?(retry: { readonly attempt: number; readonly waitMs: number }): void;
  onWait?(wait: Pause): void;
  /** A service that has answered cannot be reached; it is tried again for so long. Told once until it answers again. */
  onLost?(lost: { readonly milliseconds: number; readonly fault: Message }): void;
  onStop?(reason: StopReason): void;
  /** Every answer to rows and to reads of records, with its request; for a person who looks into one of them. */
  onExchange?(exchange: Exchange): void;
}

/** Tells one event to whoever listens, and never fails for it. */
export type Tell = <Name extends keyof ServiceEvents>(
  name: Name,
  event: Parameters<NonNullable<ServiceEvents[Name]>>[0],
) => void;
