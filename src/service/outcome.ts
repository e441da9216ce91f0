/** What came of one row that was sent, as a value: the service's yes or no, or that it is not known. */
import type { ErrorCode } from '../errors.ts';
import type { Message } from '../messages/message.ts';

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

/** Why a run must not go on. The first reason stays. */
export interface StopReason {
  readonly code: Extract<ErrorCode, 'token-refused' | 'service-unusable'>;
  readonly message: Message;
  readonly remedy: Message;
  /**
   * `closed`: 403, 405 or 404 from the first answer on. The rows that were refused with it are written back to `not-sent`:
   * nothing was wrong with them.
   */
  readonly kind:
    | 'token-refused'
    | 'closed'
    | 'redirected'
    | 'not-the-service'
    | 'many-doubts'
    | 'undeclared-answer'
    | 'same-rejection'
    | 'budget-spent'
    | 'long-wait'
    | 'unreachable'
    | 'certificate';
}
