/** What is to be done with a row. */
import type { Repetition, Resolution, RunRow } from '../../ledger/ledger.ts';
import type { RowNote } from '../rows/row-note.ts';
import type { EarlierDoubt } from './earlier-doubt.ts';
import type { OutgoingRow } from './outgoing.ts';

/** A doubt that a person has settled in a results sheet. */
export interface SettledDoubt {
  readonly row: RunRow;
  readonly resolution: Resolution;
}

export type Decision =
  /** Wrong, or settled in this run before. */
  | { readonly step: 'leave'; readonly settles: SettledDoubt | null }
  | {
      readonly step: 'send';
      readonly outgoing: OutgoingRow;
      readonly fingerprint: Buffer;
      /** The digest of what a results sheet will show of the row, or `null` when that is all of it. */
      readonly shown: () => Buffer | null;
      readonly repeats: Repetition | null;
      readonly ref: Buffer | null;
      readonly settles: SettledDoubt | null;
      /** Of an update that may have been applied by an earlier sending; else `null`. */
      readonly earlierDoubt: EarlierDoubt | null;
    }
  /** Not sent, and the ledger is to say why. */
  | {
      readonly step: 'note';
      readonly note: RowNote;
      /** The row whose record it is in by, or may be; `null` when there is none. */
      readonly knownBy: RunRow | null;
      readonly fingerprint: Buffer;
      readonly shown: () => Buffer | null;
      readonly ref: Buffer | null;
      readonly settles: SettledDoubt | null;
    };
