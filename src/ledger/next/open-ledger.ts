import { resolve } from 'node:path';
import type { Ledger } from './ledger.ts';
import { openDatabase } from './ledger-database.ts';
import { SqliteLedger } from './sqlite-ledger.ts';

export function openLedger(path: string, now: () => Date = () => new Date()): Ledger {
  const place = resolve(path);
  const ledger = new SqliteLedger(place, openDatabase(place, false), now);
  ledger.settleLeftBehind();
  return ledger;
}
