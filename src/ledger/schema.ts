/**
 * The tables of the ledger. Its one rule: nothing of what a row says, and nothing about a person, has a column here;
 * what a row says, and the person's own key for it, stand in it as keyed digests alone.
 */

/** Marks the file as a ledger ("Deal" in ASCII), in the header field that SQLite keeps for this. */
export const applicationId = 0x4465616c;

/** The format of this version. A ledger with a higher number is refused; one with a lower number is migrated. */
export const schemaVersion = 5;

export const tableNames = [
  'ledger',
  'commits',
  'services',
  'runs',
  'days',
  'sheets',
  'entries',
  'repeats',
  'successors',
  'holders',
  'resolutions',
] as const;

/** Rows of an earlier format have fingerprints that this version cannot make: it would take them for new ones. */
export const oldestVersion = 2;

const commits = `
  CREATE TABLE IF NOT EXISTS commits (count INTEGER NOT NULL) STRICT;
  INSERT INTO commits SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM commits);
`;

/** The first format that counts commits. */
export const firstWithCount = 5;

/** What brings a ledger of a format to the next one. */
export const migrations: Readonly<Record<number, string>> = {
  2: 'ALTER TABLE entries ADD COLUMN shown BLOB',
  3: 'CREATE INDEX predecessors ON successors (next_sheet, next_row)',
  4: commits,
};

/**
 * - `runs.number` tells which run is newer, never a time: clocks step.
 * - `commits` counts what was ever committed; the key has noted how many the disk has kept.
 * - `days` counts run ids, so that an id is not given a second time after its run was pruned.
 * - `entries.guard` is set while the entry is live (sending, in doubt, in) and of a kind that is guarded across runs: 0, or
 *   1, 2, … for rows that were sent although an equal one was in. The unique index over it is what keeps a row from being
 *   sent twice, whatever the program believes. It is a column of its own, and not a condition on `state`, so that settling a
 *   row as created leaves the index alone.
 * - `repeats` tells how many equal rows of one source were ever sent, where it was more than one: `fingerprint` is that of the
 *   first of them, and the others have fingerprints of their own, which cannot be found from it otherwise.
 * - `successors` tell in which row of a later run a row went on that came back with a results sheet: whatever was corrected
 *   in it, it is the same row, and is in once.
 * - `entries.shown` is the fingerprint of a row without its sensitive fields, where it has some: a results sheet hides them, and
 *   without them nobody could tell whether the row was changed in it.
 * - `entries.ref` of an update is that of its company: one in doubt has no id, and nothing else tells which company it is of.
 * - `entries.earlier_attempts` are the attempts before the row was last taken up, so that writing an outcome twice does not
 *   count them twice.
 */
export const schema = `
  CREATE TABLE ledger (key_check BLOB NOT NULL) STRICT;
  ${commits}
  CREATE TABLE services (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;

  CREATE TABLE runs (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    service INTEGER NOT NULL REFERENCES services (number),
    service_url TEXT NOT NULL,
    source_path TEXT NOT NULL,
    source_name TEXT NOT NULL,
    source_digest TEXT NOT NULL,
    results_path TEXT NOT NULL,
    options TEXT NOT NULL,
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

  CREATE TABLE entries (
    sheet INTEGER NOT NULL,
    row INTEGER NOT NULL,
    service INTEGER NOT NULL,
    kind TEXT NOT NULL,
    fingerprint BLOB NOT NULL,
    ref BLOB,
    state TEXT NOT NULL,
    guard INTEGER,
    earlier_attempts INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    http_status INTEGER,
    id TEXT,
    company_id TEXT,
    url TEXT,
    message TEXT,
    shown BLOB,
    PRIMARY KEY (sheet, row)
  ) STRICT, WITHOUT ROWID;

  CREATE UNIQUE INDEX live_entries ON entries (service, fingerprint, guard) WHERE guard IS NOT NULL;
  CREATE INDEX entries_by_ref ON entries (service, ref) WHERE ref IS NOT NULL;
  CREATE INDEX doubts ON entries (service, fingerprint) WHERE state = 'in-doubt';

  CREATE TABLE repeats (
    service INTEGER NOT NULL,
    fingerprint BLOB NOT NULL,
    occurrences INTEGER NOT NULL,
    PRIMARY KEY (service, fingerprint)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE successors (
    sheet INTEGER NOT NULL,
    row INTEGER NOT NULL,
    next_sheet INTEGER NOT NULL,
    next_row INTEGER NOT NULL,
    PRIMARY KEY (sheet, row)
  ) STRICT, WITHOUT ROWID;

  CREATE INDEX predecessors ON successors (next_sheet, next_row);

  CREATE TABLE holders (
    service INTEGER PRIMARY KEY,
    process INTEGER NOT NULL,
    host TEXT NOT NULL,
    run TEXT NOT NULL,
    since TEXT NOT NULL
  ) STRICT;

  CREATE TABLE resolutions (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    run TEXT NOT NULL,
    sheet TEXT NOT NULL,
    row INTEGER NOT NULL,
    resolution TEXT NOT NULL,
    id TEXT,
    resolved_at TEXT NOT NULL
  ) STRICT;
`;
