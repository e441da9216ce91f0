/**
 * The tables of the ledger. Its one rule: nothing of what a row says, and nothing about a person whose record it is, has a
 * column here; what a row says, and the person's own key for it, stand in it as keyed digests alone.
 */
import type { RecordKindName } from '../contract/record-kind.ts';
import { isMessage, type Message } from '../messages/message.ts';

/** Marks the file as a ledger ("Deal" in ASCII), in the header field that SQLite keeps for this. */
export const applicationId = 0x4465616c;

/** Older ledgers have lower numbers, and know rows by digests that this version cannot make: they are refused. */
export const schemaVersion = 30;

/**
 * - `runs.number` tells which run is newer, never a time: clocks step. `days` counts run ids, so that none is given twice.
 * - `rows.guard` is set while a row is live (sending, in doubt, committed) and of a kind that makes records. The unique index
 *   over it and what the row said has the last word on whether a row may be sent: see {@link Intent}.
 * - `rows.fields` tells which fields of a row differ from what went out for it, and nothing of what they say.
 * - `rows.origin` is the run in which a row was first met, and `sheet` and `place` where it was sent last.
 * - `rows.perhaps` is the row that it was taken for, corrected, when it was held.
 * - `rows.repeats` is the row that a person had sent once more, as another one from then on; `rows.has_ref`, whether a Ref named it
 *   among the records of the service when it was met.
 * - `rows_under_way` finds what a load has left on its way, however many rows there are.
 * - `digests` has everything by which a row is known: what it ever said, its Refs, its identifying values. `ordinal` 0 is what it
 *   said first.
 * - `appearances` tell where a row stood in a run, and of which attempt the results of that run speak. `state` is what they say
 *   of a row for which nothing was sent there; of one that was sent, it is `rows.outcome` as long as the attempt is the last one,
 *   and is written here before another attempt takes its place.
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
    http_status INTEGER,
    record TEXT,
    company TEXT,
    url TEXT,
    message TEXT,
    sheet INTEGER NOT NULL,
    place INTEGER NOT NULL,
    origin INTEGER NOT NULL,
    repeats INTEGER,
    has_ref INTEGER NOT NULL,
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
    http_status INTEGER,
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

/** With what a ledger in a file keeps of itself and of who loads. */
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

/** Not guarded across runs: the same values may be meant again, and an update that is sent twice leaves what it leaves once. */
export const updates: RecordKindName = 'company-updates';

/** How a message stands in its column: its code and parameters as JSON. */
export function storedMessage(message: Message | null): string | null {
  return message === null ? null : JSON.stringify([message.code, message.params]);
}

export function readMessage(stored: string | null): Message | null {
  if (stored === null) return null;
  const [code, params] = JSON.parse(stored) as [string, Message['params']];
  const message = { code, params };
  return isMessage(message) ? message : null;
}
