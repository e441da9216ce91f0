/**
 * The tables of the ledger. Its one rule: no column holds a value of a row or anything about the person it describes. Row contents
 * and Refs appear as keyed digests only.
 */
import type { RecordKindName } from '../contract/record-kind.ts';
import { isMessage, type Message } from '../messages/message.ts';

/** The `application_id` in the SQLite header that marks the file as a ledger ("Deal" in ASCII). */
export const applicationId = 0x4465616c;

/** Ledgers with a lower number are refused: this version cannot compute the digests by which they know rows. */
export const schemaVersion = 41;

/**
 * - `runs.number` orders runs, because clocks step. `days` counts run ids so that none is reused.
 * - `rows.guard` is set while a row is live (sending, in doubt, committed), except for updates. The unique index on it and
 *   `content` has the last word on whether a row may be sent: see {@link Intent}.
 * - `rows.fields` holds digests of the fields that were sent, to find out later which ones changed.
 * - `rows.origin` is the run that first registered the row. `sheet` and `place` are where it was sent last.
 * - `rows.corrects` is the row that this one may be a correction or a second line of, or may overwrite, if it was held for that.
 * - `rows.repeats` is the row that this one sends again on request (`--again`). `rows.ref` is the digest of its Ref of service
 *   scope. Until it is sent, a corrected Ref replaces it.
 * - `rows_under_way` finds the rows that a load left in flight, however many rows there are.
 * - `digests` holds every digest of a row: contents, Refs, identifying values. `ordinal` 0 is its first content.
 * - `appearances` holds where a row was in a run, and which attempt the results of that run report. `state` is the result of a
 *   row that was not sent in that run. For a sent row it is null while that attempt is the last one, since `rows.outcome` has the
 *   result; a later attempt copies it here first.
 */
export const tables = `
  CREATE TABLE services (number INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE) STRICT;

  CREATE TABLE runs (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    service INTEGER NOT NULL REFERENCES services (number),
    service_url TEXT NOT NULL,
    source_path TEXT NOT NULL,
    source_name TEXT NOT NULL,
    origin TEXT NOT NULL,
    source_digest TEXT NOT NULL,
    results_path TEXT NOT NULL,
    options TEXT NOT NULL,
    person TEXT NOT NULL,
    host TEXT NOT NULL,
    state TEXT NOT NULL,
    started_at TEXT NOT NULL,
    ended_at TEXT
  ) STRICT;

  CREATE TABLE days (day TEXT PRIMARY KEY, runs INTEGER NOT NULL) STRICT, WITHOUT ROWID;

  CREATE TABLE sheets (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    run INTEGER NOT NULL REFERENCES runs (number),
    name TEXT NOT NULL,
    UNIQUE (run, name)
  ) STRICT;

  CREATE TABLE rows (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    service INTEGER NOT NULL,
    kind TEXT NOT NULL,
    state TEXT NOT NULL,
    outcome TEXT,
    attempt INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    content BLOB,
    fields BLOB,
    guard INTEGER,
    record TEXT,
    company TEXT,
    url TEXT,
    message TEXT,
    sheet INTEGER NOT NULL,
    place INTEGER NOT NULL,
    origin INTEGER NOT NULL,
    repeats INTEGER,
    ref BLOB,
    corrects INTEGER
  ) STRICT;

  CREATE UNIQUE INDEX live_rows ON rows (content, guard) WHERE guard IS NOT NULL;
  CREATE INDEX rows_under_way ON rows (sheet) WHERE state = 'sending';
  CREATE INDEX rows_by_record ON rows (service, record) WHERE record IS NOT NULL;

  CREATE TABLE digests (
    digest BLOB NOT NULL,
    id INTEGER NOT NULL,
    ordinal INTEGER NOT NULL,
    PRIMARY KEY (digest, id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE appearances (
    sheet INTEGER NOT NULL,
    place INTEGER NOT NULL,
    id INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    by_ref INTEGER NOT NULL,
    state TEXT,
    message TEXT,
    PRIMARY KEY (sheet, place)
  ) STRICT, WITHOUT ROWID;

  CREATE INDEX appearances_by_row ON appearances (id);

  CREATE TABLE resolutions (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    created TEXT,
    person TEXT NOT NULL,
    resolved_at TEXT NOT NULL
  ) STRICT;

  CREATE INDEX resolutions_by_row ON resolutions (id);
`;

/** The tables, with those that only a ledger in a file has. */
export const schema = `
  CREATE TABLE ledger (key_check BLOB NOT NULL) STRICT;
  CREATE TABLE commits (count INTEGER NOT NULL) STRICT;
  INSERT INTO commits VALUES (0);
  CREATE TABLE leases (
    service INTEGER PRIMARY KEY,
    process INTEGER NOT NULL,
    host TEXT NOT NULL,
    person TEXT NOT NULL,
    run TEXT NOT NULL,
    since TEXT NOT NULL,
    fence INTEGER NOT NULL
  ) STRICT;
${tables}`;

/** Updates have no guard: the same values may be meant again, and sending an update twice has the effect of sending it once. */
export const updates: RecordKindName = 'company-updates';

/** Stores a message as its code and parameters in JSON. */
export function storedMessage(message: Message | null): string | null {
  return message === null ? null : JSON.stringify([message.code, message.params]);
}

export function readMessage(stored: string | null): Message | null {
  if (stored === null) return null;
  const [code, params] = JSON.parse(stored) as [string, Message['params']];
  const message = { code, params };
  return isMessage(message) ? message : null;
}
