import { createSecretKey } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'vitest';
import { Database } from '../../src/disk/database.ts';
import { sqlLedger } from '../../src/ledger/open-ledger.ts';
import { schema } from '../../src/ledger/schema.ts';
import { sqliteStore } from '../../src/ledger/sqlite-store.ts';
import { contract } from './contract/contract.ts';
import { type Place, placeOf } from './place.ts';

/** Stays open while its ledgers come and go. */
class KeptDatabase extends Database {
  override close(): void {}
}

/** The store of the ledger in a file, over a private database in memory: no disk, no key, nothing of it stays. */
function memoryPlace(): Place {
  const folder = mkdtempSync(join(tmpdir(), 'dealsheet-memory-'));
  const file = join(folder, 'ledger');
  writeFileSync(`${file}-wal`, '');
  const db = new KeptDatabase(':memory:');
  db.exec(schema);
  const count = { add: () => 0, note: () => {}, close: () => {} };
  const database = { db, file, count, key: createSecretKey(Buffer.alloc(32)) };
  const open = (now = () => new Date()) => {
    const time = () => now().toISOString();
    return sqlLedger(sqliteStore(file, database, time), time);
  };
  return placeOf({
    folder,
    path: file,
    open: ({ now } = {}) => open(now),
    read: async (sql) => db.prepare(sql).raw().all() as unknown[][],
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  });
}

describe('A ledger in memory', () => contract(memoryPlace, 30));
