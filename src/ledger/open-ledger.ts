import { resolve } from 'node:path';
import type { Ledger } from './ledger.ts';
import { openDatabase, refuseMoved } from './ledger-database.ts';
import type { TeamPlace } from './postgres/connections.ts';
import { PostgresStore } from './postgres/postgres-store.ts';
import { SqlLedger } from './sql-ledger.ts';
import { SqliteStore } from './sqlite-store.ts';

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
 * @param place  the path of the file, or where the ledger of a team is: nothing is asked of that before the first question
 * @throws DealsheetError `ledger-refused` when the file is damaged, no ledger, from another version, without its own key,
 * gone while its key is there, or without what was written to it last
 */
export function openLedger(
  place: string | TeamPlace,
  { now = () => new Date(), isMeant = false }: LedgerOptions = {},
): Ledger {
  const time = () => now().toISOString();
  if (typeof place !== 'string') return new SqlLedger(new PostgresStore(place, time), time);
  const path = resolve(place);
  const database = openDatabase(path, isMeant);
  try {
    refuseMoved(database.db, path);
  } catch (error) {
    database.db.close();
    throw error;
  }
  const store = new SqliteStore(path, database, time);
  store.settleLeftBehind();
  return new SqlLedger(store, time);
}
