/**
 * The tables of the sandbox. `accepted` is its log and holds every body as it was sent; the table of a kind holds only what
 * its records are found by. A company can change, so its present state stands in a table of its own.
 */

/** Written into the data file; another number means that another version made it. */
export const schemaVersion = 1;

/** Columns that the table of every kind has: `sequence` leads to the body in the log. */
const common = 'number INTEGER PRIMARY KEY, sequence INTEGER NOT NULL, at INTEGER NOT NULL, search TEXT NOT NULL';

export const schema = `
CREATE TABLE IF NOT EXISTS accepted (
  sequence INTEGER PRIMARY KEY, endpoint TEXT NOT NULL, id TEXT NOT NULL, at INTEGER NOT NULL, body TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS company (${common});
CREATE TABLE IF NOT EXISTS company_state (number INTEGER PRIMARY KEY, changed INTEGER NOT NULL, body TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS deal (${common}, company INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS lead (${common});
CREATE TABLE IF NOT EXISTS note (${common}, deal INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS attachment (${common}, deal INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS submission (${common}, deal INTEGER, company INTEGER);
CREATE TABLE IF NOT EXISTS loan (${common}, deal INTEGER, submission INTEGER, funded INTEGER NOT NULL, payback INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS txn (${common}, deal INTEGER, paid INTEGER NOT NULL, charged INTEGER NOT NULL);
CREATE INDEX IF NOT EXISTS deal_by_company ON deal (company);
CREATE INDEX IF NOT EXISTS note_by_deal ON note (deal);
CREATE INDEX IF NOT EXISTS attachment_by_deal ON attachment (deal);
CREATE INDEX IF NOT EXISTS submission_by_deal ON submission (deal);
CREATE INDEX IF NOT EXISTS submission_by_company ON submission (company);
CREATE INDEX IF NOT EXISTS loan_by_deal ON loan (deal);
CREATE INDEX IF NOT EXISTS txn_by_deal ON txn (deal, paid, charged);
CREATE TABLE IF NOT EXISTS idempotency (
  key TEXT NOT NULL, endpoint TEXT NOT NULL, digest TEXT NOT NULL, status INTEGER NOT NULL, body TEXT NOT NULL,
  location TEXT, PRIMARY KEY (endpoint, key)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS token (digest TEXT PRIMARY KEY, expires INTEGER) WITHOUT ROWID;
`;
