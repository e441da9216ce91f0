import { resolve } from 'node:path';
import type { Ledger } from './ledger.ts';
import { openDatabase } from './ledger-database.ts';
import { SqliteLedger } from './sqlite-ledger.ts';

export interface LedgerOptions {
  /** Gives the times that a person reads. Nothing is decided by them. */
  readonly now?: () => Date;
  /** A person's word that a ledger which is gone, or lacks what was written last, is to be gone on with as it is. */
  readonly isMeant?: boolean;
}

/**
 * Opens the ledger in a file, or makes it there with its key beside it (`<path>.key`), and settles what loads left behind
 * whose process is gone. Keep one open for many loads: what SQLite holds of a closed one (two files, some memory) goes with
 * the next garbage collection.
 *
 * @throws DealsheetError `ledger-refused` when the file is damaged, no ledger, from another version, without its own key,
 * gone while its key is there, or without what was written to it last
 */
export function openLedger(path: string, { now = () => new Date(), isMeant = false }: LedgerOptions = {}): Ledger {
  const place = resolve(path);
  const ledger = new SqliteLedger(place, openDatabase(place, isMeant), now);
  ledger.settleLeftBehind();
  return ledger;
}
