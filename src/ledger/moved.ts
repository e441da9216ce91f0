/** A ledger in a file that has moved to a server: it says where, and is used no more. */
import type { Database } from '../disk/database.ts';
import { DealsheetError } from '../errors.ts';

/** @throws DealsheetError `ledger-refused` with the place to which it has moved */
export function refuseMoved(db: Database, path: string): void {
  const place = placeMovedTo(db);
  if (place === null) return;
  throw new DealsheetError(
    'ledger-refused',
    `The ledger ${path} has moved to ${place}: rows that went in since are known there alone.`,
    `Use that one, with --ledger or "ledger" in the configuration. Where the move was cut off, say again: dealsheet ledger move --to ${place}`,
  );
}

export function placeMovedTo(db: Database): string | null {
  const isThere = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'moved'").get() !== undefined;
  return isThere ? (db.prepare('SELECT place FROM moved').raw().get() as [string])[0] : null;
}
