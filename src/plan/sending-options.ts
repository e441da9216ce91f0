/** The choices of a person for what is sent, and how. */
import type { ReadingOptions } from '../staging/reading.ts';
import type { Limit } from './turns.ts';

export interface SendingOptions extends ReadingOptions {
  /** By what the ledger knows the service: what `identityOf` makes of its address, or the data file of a sandbox. */
  readonly service: string;
  /** Its address, for a person to read. */
  readonly serviceUrl: string;
  readonly again: boolean;
  readonly idempotencyKeys: boolean;
  readonly limit: Limit;
  /** Rows in one request of a bulk kind. */
  readonly batch: number;
  /** No new request once it is aborted. */
  readonly signal: AbortSignal;
}
