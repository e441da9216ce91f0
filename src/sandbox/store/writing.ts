/** What is written to the data file, always inside the store's shared commit: the log's entry and the record go together. */

import type { EndpointName } from '../../contract/endpoints.ts';
import type { Changes, Database, SqlValue } from '../../disk/database.ts';
import { type FixedKind, fixedTables, type KeptAnswer, type LinksOf } from './rows.ts';

/** The sequence that the log's next entry gets: inside a commit nobody else can take it. */
const nextSequence = '(SELECT ifnull(max(sequence), 0) + 1 FROM accepted)';

/** Search texts are kept short, so that a search need not read much. */
const longestSearchText = 200;

type Write = (...values: readonly SqlValue[]) => Changes;

export function openWriting(database: Database) {
  const prepare = (sql: string): Write => {
    const statement = database.prepare(sql);
    return (...values) => statement.run(values);
  };
  const insertLog = prepare('INSERT INTO accepted (endpoint, id, at, body) VALUES (?, ?, ?, ?)');
  const insertCompany = prepare(`INSERT INTO company (sequence, at, search) VALUES (${nextSequence}, ?, ?)`);
  const insertState = prepare('INSERT INTO company_state (number, changed, body) VALUES (?, ?, ?)');
  const updateState = prepare('UPDATE company_state SET changed = ?, body = ? WHERE number = ?');
  const updateSearch = prepare('UPDATE company SET search = ? WHERE number = ?');
  const insertKept = prepare(
    'INSERT INTO idempotency (endpoint, key, digest, status, body, location) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const insertToken = prepare('INSERT OR REPLACE INTO token (digest, expires) VALUES (?, ?)');
  const deleteTokens = prepare('DELETE FROM token');
  const insertFixed = new Map<FixedKind, Write>();
  for (const [kind, { table, links }] of Object.entries(fixedTables)) {
    const columns = ['at', 'search', ...links];
    const marks = columns.map(() => '?').join(', ');
    const sql = `INSERT INTO ${table} (sequence, ${columns.join(', ')}) VALUES (${nextSequence}, ${marks})`;
    insertFixed.set(kind as FixedKind, prepare(sql));
  }

  return {
    /** Adds a company and gives its number. The log's entry is the caller's: a company may come with a deal. */
    addCompany(at: number, search: readonly unknown[], body: string): number {
      const number = Number(insertCompany(at, searchText(search)).lastInsertRowid);
      insertState(number, at, body);
      return number;
    },

    changeCompany(number: number, at: number, search: readonly unknown[], body: string): void {
      updateState(at, body, number);
      updateSearch(searchText(search), number);
    },

    /** Adds a record of a kind that never changes and gives its number; {@link log} must follow. */
    add<Kind extends FixedKind>(kind: Kind, at: number, search: readonly unknown[], links: LinksOf<Kind>): number {
      const statement = insertFixed.get(kind);
      if (statement === undefined) throw new Error(`No table holds ${kind} records.`);
      const values = fixedTables[kind].links.map((name) => (links as Record<string, number | null>)[name] ?? null);
      return Number(statement(at, searchText(search), ...values).lastInsertRowid);
    },

    /** Writes the log's entry of the record that was just added or changed. */
    log(endpoint: EndpointName, id: string, at: number, body: string): void {
      insertLog(endpoint, id, at, body);
    },

    keepAnswer(endpoint: EndpointName, key: string, kept: KeptAnswer): void {
      insertKept(endpoint, key, kept.digest, kept.status, kept.body, kept.location);
    },

    /** `expires` is in milliseconds since 1970, or `null` for a token without an end. */
    addToken(digest: string, expires: number | null): void {
      insertToken(digest, expires);
    },

    removeTokens(): void {
      deleteTokens();
    },
  };
}

/** Lower case, so that a search can be; without NUL, at which the database would end the text. */
function searchText(parts: readonly unknown[]): string {
  const words = parts.filter((part) => typeof part === 'string' || typeof part === 'number').map(String);
  return words.join(' ').replaceAll('\0', ' ').toLowerCase().slice(0, longestSearchText);
}
