/** The shapes that come out of the data file. Bodies are JSON texts, as they were sent. */
import type { EndpointName } from '../../contract/endpoints.ts';
import type { StoredKind } from '../record-ids.ts';

/** One entry of the log: a record that was made or changed. */
export interface AcceptedEntry {
  /** Counts up from 1, in the order of acceptance. */
  readonly sequence: number;
  readonly endpoint: EndpointName;
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The JSON text that was sent: of one row for bulk transactions; name, size and digest of the file for an attachment. */
  readonly body: string;
}

/** A record as a list or a page needs it. */
export interface StoredRecord {
  readonly number: number;
  readonly at: number;
  readonly body: string;
}

export interface CompanyRecord extends StoredRecord {
  /** Milliseconds since 1970 of the last change. */
  readonly changed: number;
}

export interface DealRecord extends StoredRecord {
  /** The number of its company. */
  readonly company: number;
}

/** A record that may belong to a deal. */
export interface ChildRecord extends StoredRecord {
  readonly deal: number | null;
}

export interface SubmissionRecord extends ChildRecord {
  readonly company: number | null;
}

export interface LoanRecord extends ChildRecord {
  readonly submission: number | null;
  /** The company of its deal. */
  readonly company: number | null;
  readonly companyName: string | null;
  /** Cents that the merchant got, and cents to be paid back. */
  readonly funded: number;
  readonly payback: number;
}

/** What the transactions of a deal come to, in cents. */
export interface DealPayments {
  readonly deal: number;
  readonly paid: number;
  readonly charged: number;
}

/** An answer that was given under an idempotency key. */
export interface KeptAnswer {
  readonly digest: string;
  readonly status: number;
  readonly body: string;
  readonly location: string | null;
}

export type FixedKind = Exclude<StoredKind, 'company'>;

/** The kinds whose records never change: their table, and its columns beside those that every kind has. */
export const fixedTables = {
  deal: { table: 'deal', links: ['company'] },
  note: { table: 'note', links: ['deal'] },
  attachment: { table: 'attachment', links: ['deal'] },
  lead: { table: 'lead', links: [] },
  submission: { table: 'submission', links: ['deal', 'company'] },
  loan: { table: 'loan', links: ['deal', 'submission', 'funded', 'payback'] },
  transaction: { table: 'txn', links: ['deal', 'paid', 'charged'] },
} as const satisfies Record<FixedKind, { table: string; links: readonly string[] }>;

export type LinksOf<Kind extends FixedKind> = Readonly<
  Record<(typeof fixedTables)[Kind]['links'][number], number | null>
>;
