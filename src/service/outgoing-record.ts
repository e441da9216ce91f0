/** A row as it is handed over to be sent. */
import type { Readable } from 'node:stream';

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
