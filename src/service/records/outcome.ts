/** What came of one row that was sent, as a value: the service's yes or no, or that nobody knows. */

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

export type Outcome = AfterRequest &
  (
    | ({ readonly state: 'created' | 'updated' | 'accepted' } & RecordReference)
    /** The service said no. `fields` tells which field it named, where it did. */
    | { readonly state: 'rejected'; readonly message: string; readonly fields: readonly FieldMessage[] }
    /** Proven not applied, and the retries are used up. */
    | { readonly state: 'failed'; readonly message: string }
    /** Sent, and the answer is unknown. */
    | { readonly state: 'in-doubt'; readonly message: string }
    /** Proven not applied, and the run stops: a refused token, an address that is closed, a spent budget. */
    | { readonly state: 'not-sent'; readonly message: string }
  );

export interface FieldMessage {
  /** The path of the field in the body, as the service wrote it. */
  readonly path: string;
  readonly message: string;
}

/** Why a run must not go on. The first reason stays. */
export interface StopReason {
  readonly code: 'token-refused' | 'service-unusable';
  readonly message: string;
  readonly remedy: string;
  /** What to do now where nothing was sent: after a read or a health check. */
  readonly remedyOfRead: string;
  /**
   * `closed`: 403, 405 or 404 from the first answer on: the rows that were refused with it have not been sent in any
   * sense that matters to a person, and are written back to `not-sent`.
   */
  readonly kind:
    | 'token-refused'
    | 'closed'
    | 'redirected'
    | 'not-the-service'
    | 'many-doubts'
    | 'same-rejection'
    | 'budget-spent'
    | 'long-wait'
    | 'unreachable'
    | 'certificate';
}
