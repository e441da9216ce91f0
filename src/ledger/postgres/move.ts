/**
 * Copies a ledger from its file to a server, once. Its one rule: the file says that it has moved before anything is on the server,
 * so that no two of them are ever loaded with.
 */
import { cpSync, existsSync } from 'node:fs';
import type { Database } from '../../disk/database.ts';
import { DealsheetError } from '../../errors.ts';
import { openDatabase, placeMovedTo } from '../ledger-database.ts';
import type { ColumnType, Steps } from '../store.ts';
import type { TeamPlace } from './connections.ts';
import { createTeamLedger } from './create.ts';

const copied = ['services', 'runs', 'days', 'sheets', 'rows', 'digests', 'appearances', 'resolutions'] as const;
const typeOf: Readonly<Record<string, ColumnType>> = { int4: 'int', bytea: 'blob' };
const rowsOfPage = 10_000;

/**
 * Makes the ledger on the server, with the key of the one in the file. Gives the number of its rows.
 * @throws DealsheetError `usage` while a load goes on, or where there is a ledger already
 */
export async function moveLedger(path: string, place: TeamPlace): Promise<number> {
  const { db, key, log, count } = openDatabase(path, false);
  try {
    mark(db, path, place.address.shown);
    let rows = 0;
    try {
      await createTeamLedger(
        place,
        key,
        (function* () {
          for (const table of copied) rows += yield* copy(db, table);
        })(),
      );
    } catch (error) {
      db.exec('DROP TABLE moved');
      throw error;
    }
    const sources = `${path}.sources`;
    if (existsSync(sources)) cpSync(sources, `${place.files}.sources`, { recursive: true });
    return rows;
  } finally {
    log.close();
    count.close();
    db.close();
  }
}

function mark(db: Database, path: string, place: string): void {
  db.exec('BEGIN IMMEDIATE');
  const isRunning = db.prepare("SELECT 1 FROM runs WHERE state = 'running'").get() !== undefined;
  const before = placeMovedTo(db);
  if (isRunning || (before !== null && before !== place)) {
    db.exec('ROLLBACK');
    const why = isRunning ? 'a load goes on, or was cut off' : `it has moved to ${before} before`;
    throw new DealsheetError(
      'usage',
      `The ledger ${path} cannot be moved: ${why}.`,
      isRunning ? 'Wait for it; of one that was cut off, dealsheet runs sees to that.' : 'Use that one.',
    );
  }
  if (before === null) db.exec('CREATE TABLE moved (place TEXT NOT NULL) STRICT');
  if (before === null) db.prepare('INSERT INTO moved VALUES (?)').run([place]);
  db.exec('COMMIT');
}

/** Gives how many rows of the person's it has. */
function* copy(db: Database, table: (typeof copied)[number]): Steps<number> {
  const columns = yield {
    sql: `SELECT column_name, udt_name, is_identity FROM information_schema.columns
      WHERE table_schema = 'dealsheet' AND table_name = ?1 AND column_name <> 'silent_from' ORDER BY ordinal_position`,
    values: [table],
  };
  const names = columns.map(([name]) => name).join(', ');
  const typed = columns.map(([name, type]) => [String(name), typeOf[String(type)] ?? 'text'] as const);
  const page = db.prepare(`SELECT ${names} FROM ${table} ORDER BY 1, 2 LIMIT ${rowsOfPage} OFFSET ?`).raw();
  let done = 0;
  for (;;) {
    const rows = page.all([done]) as unknown[][];
    if (rows.length === 0) break;
    yield { sql: `INSERT INTO ${table} (${names}) SELECT ${names} FROM q`, q: { columns: typed, rows } };
    done += rows.length;
  }
  // Numbers that were forgotten are not given again.
  const [identity] = columns.find(([, , isIdentity]) => isIdentity === 'YES') ?? [];
  const [last] = (db.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').raw().get([table]) ?? []) as [number?];
  if (identity !== undefined)
    yield {
      sql: `SELECT setval(pg_get_serial_sequence('dealsheet.${table}', ?1), greatest(max(${identity}), ?2)) FROM ${table}
        HAVING max(${identity}) IS NOT NULL`,
      values: [identity, last ?? 0],
    };
  return table === 'rows' ? done : 0;
}
