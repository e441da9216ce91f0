/** A row as it is handed over to be sent, and what came of it: the service's yes or no, or that it is not known. */
import type { Readable } from 'node:stream';
import type { ErrorCode } from '../errors.ts';
import type { Message } from '../messages/message.ts';

export interface OutgoingRecord {
  readonly body: Readonly<Record<string, unknown>>;
  /** The exact JSON of the body. */
  readonly json: string;
  /** The id in the path of an update, else `null`. */
  readonly pathId: string | null;
  /** The file of a form, else `null`. `open` is called once for each request. */
  readonly file: OutgoingFile | null;
  readonly idempotencyKey: string | null;
  /** Gives the values of the row with their columns' names, by which they are replaced in every message. */
  readonly secrets: () => readonly Secret[];
}

export interface OutgoingFile {
  readonly name: string;
  /** In bytes. */
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
  /** Requests made for the row, the retries counted. */
  readonly attempts: number;
  /** The status of the last answer, or `null` when none came. */
  readonly httpStatus: number | null;
}

/** Ids and address of a record that is in. */
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

/**
 * Why a run must not go on, by the code of its message. The first reason stays. After `stopped-closed` (403, 405 or 404 from the
 * first answer on), the rows that were refused so are written back to `not-sent`: nothing was wrong with them.
 */
export interface StopReason {
  readonly code: Extract<ErrorCode, 'token-refused' | 'service-unusable'>;
  readonly message: Message;
  readonly remedy: Message;
}
