/**
 * The private working database of one run: every row as read, mapped, identified and decided, for preview, load and
 * report. It holds personal data, so only its owner can read it, and it is deleted after use.
 */
import { closeSync, openSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { RecordKindName } from '../contract/record-kind.ts';
import { recordKind } from '../contract/record-kinds.ts';
import { Database, type SqlValue, type Statement } from '../disk/database.ts';
import { ownerOnly } from '../disk/new-file.ts';
import { comparableKey } from '../mapping/spreadsheet-rewriting.ts';
import { oncePerText } from '../once.ts';
import type { SheetRow } from '../tables/row.ts';
import {
  columnsKnown,
  columnsRead,
  type FoundBy,
  type Identity,
  type KnownStaged,
  type RowContent,
  type RowData,
  rowOfData,
  type StagedRow,
  type StoredData,
  stagedOf,
  valuesRead,
} from './staged-row.ts';

export interface StagedColumn {
  readonly path: string;
  readonly label: string;
}

export interface StagedSheet {
  readonly number: number;
  readonly name: string;
  readonly kind: RecordKindName;
  readonly columns: readonly StagedColumn[];
  /** Its rows have consecutive numbers, from this one on. */
  first: number;
  count: number;
}

/** Rows per batch when walking a sheet: few, so that they are freed before V8 takes them for long-lived. */
const rowsOfBatch = 64;

const schema = `
  CREATE TABLE rows (
    number INTEGER PRIMARY KEY,
    sheet INTEGER NOT NULL,
    row INTEGER NOT NULL,
    isValid INTEGER NOT NULL,
    ref TEXT,
    facts TEXT,
    own TEXT,
    aside TEXT,
    amount REAL,
    hasDetails INTEGER NOT NULL,
    content TEXT,
    mayBeKnown INTEGER NOT NULL DEFAULT 0,
    id INTEGER,
    foundBy TEXT,
    differs INTEGER NOT NULL DEFAULT 0,
    decision TEXT
  ) STRICT;
  CREATE TABLE stored (first INTEGER PRIMARY KEY, content TEXT NOT NULL, data TEXT NOT NULL, cells TEXT NOT NULL) STRICT;
  CREATE UNIQUE INDEX places ON rows (sheet, row);
  CREATE INDEX met ON rows (mayBeKnown) WHERE mayBeKnown = 1;
  CREATE INDEX claims ON rows (id) WHERE foundBy IS NOT NULL;
  CREATE INDEX known ON rows (sheet, number) WHERE foundBy IS NOT NULL;
  CREATE INDEX refs ON rows (ref) WHERE ref IS NOT NULL;
  CREATE TABLE equals (content TEXT PRIMARY KEY, count INTEGER NOT NULL, keyed INTEGER) STRICT, WITHOUT ROWID;
`;

const isClaimed = `r.id > 0 AND r.foundBy <> 'copy'`;
const known = [...columnsKnown, ...columnsRead].map((column) => `r.${column}`).join(', ');

const columnsStored = [...columnsRead, 'content'];
const addRow = `INSERT INTO rows (${columnsStored.join(', ')}) VALUES (${columnsStored.map(() => '?').join(', ')})`;
const changeRow = `UPDATE rows SET ${columnsStored.map((column) => `${column} = ?`).join(', ')} WHERE number = ?`;
/** A table of its own, because it is read rarely and in order, while the state of a row is updated often. */
const addBatch = 'INSERT INTO stored (first, content, data, cells) VALUES (?, ?, ?, ?)';

/** A row with its content and, as JSON, its body and findings. */
export interface StoredRow extends StagedRow {
  readonly content: RowContent;
  /** Its content as the ledger knows it, if that is clear before its parents are known. */
  readonly digest?: string | null;
  readonly data: string;
}

/** How many rows have the same content, and the row id of one that was found by its key. */
type Equals = readonly [count: number, keyed: number | null];

/** The large data of a row, stored and read in batches. */
interface Stored {
  readonly content: RowContent;
  readonly data: StoredData;
  readonly cells: SheetRow;
}

interface StoredBatch {
  readonly first: number;
  readonly items: readonly Stored[keyof Stored][];
}

const noDetails = { problems: [], clears: 0, file: null };

export type Staging = ReturnType<typeof createStaging>;

export function createStaging(path: string) {
  if (path !== ':memory:') closeSync(openSync(path, 'wx', ownerOnly));
  const db = new Database(path);
  // Staging can be rebuilt from the source, so it needs no crash safety, and is never committed.
  db.exec('PRAGMA page_size = 16384; PRAGMA locking_mode = EXCLUSIVE;');
  db.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF;');
  db.exec(`${schema} BEGIN`);
  const sheets: StagedSheet[] = [];
  const prepared = oncePerText((sql): Statement => db.prepare(sql).raw());
  const run = (sql: string, ...values: SqlValue[]) => prepared(sql).run(values);
  const found = <Found>(sql: string, ...values: SqlValue[]) => prepared(sql).get(values) as Found | undefined;
  const stagedWhere = (where: string, ...values: SqlValue[]): KnownStaged | null => {
    const row = found(`SELECT ${known} FROM rows r WHERE ${where}`, ...values);
    return row === undefined ? null : stagedOf(row);
  };
  const sheetOf = ({ sheet }: Pick<KnownStaged, 'sheet'>) => sheets[sheet - 1] as StagedSheet;

  /** The last batch read. The next row is usually in the same batch. */
  const lastRead = new Map<keyof Stored, StoredBatch>();
  const batchOf = (what: keyof Stored, number: number): StoredBatch => {
    const last = lastRead.get(what);
    if (last !== undefined && number >= last.first && number < last.first + last.items.length) return last;
    const sql = `SELECT first, ${what} FROM stored WHERE first <= ? ORDER BY first DESC LIMIT 1`;
    const [first, items] = found(sql, number) as [number, string];
    const batch = { first, items: JSON.parse(items) };
    lastRead.set(what, batch);
    return batch;
  };
  const stored = <What extends keyof Stored>(what: What, number: number): Stored[What] => {
    const { first, items } = batchOf(what, number);
    return items[number - first] as Stored[What];
  };
  const data = (row: Pick<KnownStaged, 'number' | 'sheet' | 'row'>): RowData => {
    const { kind, name } = sheetOf(row);
    return rowOfData(stored('data', row.number), { kind: recordKind(kind), sheet: name, row: row.row });
  };

  return {
    sheets: sheets as readonly StagedSheet[],
    sheetOf,

    addSheet(name: string, kind: RecordKindName, columns: readonly StagedColumn[] = []): number {
      const first = sheets.reduce((sum, { count }) => sum + count, 1);
      return sheets.push({ number: sheets.length + 1, name, kind, columns, first, count: 0 });
    },

    /** Adds rows to the last sheet. @param cells the source cells of each row */
    add(rows: readonly StoredRow[], cells: readonly SheetRow[]): void {
      if (rows.length === 0) return;
      const sheet = sheets.at(-1) as StagedSheet;
      for (const row of rows) run(addRow, ...valuesStored(row));
      run(addBatch, sheet.first + sheet.count, contentInJson(rows), dataInJson(rows), JSON.stringify(cells));
      sheet.count += rows.length;
    },

    /** Replaces the rows of a sheet, batch by batch; numbers and cells stay. @param staged gives new rows for cells */
    async change(sheet: number, staged: (cells: readonly SheetRow[]) => readonly StoredRow[]): Promise<void> {
      const { first, count } = sheetOf({ sheet });
      for (let number = first; number < first + count; ) {
        await setImmediate();
        const rows = staged(batchOf('cells', number).items as readonly SheetRow[]);
        for (const [at, row] of rows.entries()) run(changeRow, ...valuesStored(row), number + at);
        run('UPDATE stored SET content = ?, data = ? WHERE first = ?', contentInJson(rows), dataInJson(rows), number);
        number += rows.length;
      }
      lastRead.clear();
    },

    setLinks(sheet: number, addresses: ReadonlyMap<number, string>): void {
      const link = "UPDATE rows SET own = json_set(own, '$.url', ?) WHERE (sheet, row) = (?, ?)";
      for (const [row, address] of addresses) run(link, address, sheet, row);
    },

    /** Yields rows in order, in batches; other tasks run before each. @param of a kind, or the number of a sheet */
    async *batches(
      of: RecordKindName | number,
      where = 'TRUE',
      size = rowsOfBatch,
    ): AsyncGenerator<readonly KnownStaged[]> {
      const read = prepared(
        `SELECT ${known} FROM rows r WHERE r.number > ? AND r.number <= ? AND (${where}) ORDER BY r.number LIMIT ?`,
      );
      for (const { number, kind, first, count } of sheets) {
        if (number !== of && kind !== of) continue;
        const last = first + count - 1;
        for (let after = first - 1; after < last; ) {
          await setImmediate();
          const rows = read.all([after, last, size]).map(stagedOf);
          after = rows.length < size ? last : (rows.at(-1)?.number ?? last);
          if (rows.length > 0) yield rows;
        }
      }
    },

    data,
    /** The findings, cleared fields and file of a row. */
    detailsOf: (row: KnownStaged): Pick<RowData, 'problems' | 'clears' | 'file'> =>
      row.hasDetails ? data(row) : noDetails,
    contentOf: ({ number }: Pick<KnownStaged, 'number'>) => stored('content', number),
    cellsOf: ({ number }: Pick<KnownStaged, 'number'>) => stored('cells', number),

    claim(number: number, { id, foundBy, differs }: Identity): void {
      run('UPDATE rows SET id = ?, foundBy = ?, differs = ? WHERE number = ?', id, foundBy, Number(differs), number);
    },

    /** The number of the row that claimed a row id, or `null`. */
    claimantOf(id: number): number | null {
      const [number] = found<[number]>(`SELECT number FROM rows WHERE id = ? AND foundBy <> 'copy'`, id) ?? [];
      return number ?? null;
    },

    /** The number of rows in a sheet that earlier loads know. */
    knownIn(sheet: number): number {
      const [count] = found<[number]>(`SELECT count(*) FROM rows r WHERE r.sheet = ? AND ${isClaimed}`, sheet) ?? [];
      return count ?? 0;
    },

    /** The nearest row that earlier loads know: above if there is one, else below. */
    knownBeside: ({ sheet, number }: KnownStaged): KnownStaged | null =>
      stagedWhere(`r.sheet = ? AND ${isClaimed} AND r.number < ? ORDER BY r.number DESC LIMIT 1`, sheet, number) ??
      stagedWhere(`r.sheet = ? AND ${isClaimed} AND r.number > ? ORDER BY r.number LIMIT 1`, sheet, number),

    /** Stores the content digest of a row, and whether the ledger may know the row. */
    setContent(number: number, content: string | null, mayBeKnown: boolean): void {
      run('UPDATE rows SET content = ?, mayBeKnown = ? WHERE number = ?', content, Number(mayBeKnown), number);
    },

    /** Stores the row id of the ledger, and the content digest now that the parents are registered. */
    register({ number, content: before }: KnownStaged, id: number, content: string): void {
      run('UPDATE rows SET id = ? WHERE number = ?', id, number);
      if (before !== content) run('UPDATE rows SET content = ? WHERE number = ?', content, number);
    },

    /** The sheets as JSON, because SQLite cannot bind an array. */
    withRef(kind: RecordKindName, ref: string): readonly number[] {
      const sql = 'SELECT number FROM rows WHERE ref = ? AND +sheet IN (SELECT value FROM json_each(?))';
      const ofKind = sheets.flatMap((sheet) => (sheet.kind === kind ? [sheet.number] : []));
      const rows = prepared(sql).all([comparableKey(ref), JSON.stringify(ofKind)]) as [number][];
      return rows.map(([number]) => number);
    },

    one: (number: number) => stagedWhere('r.number = ?', number) as KnownStaged,
    at: (sheet: number, row: number) => stagedWhere('r.sheet = ? AND r.row = ?', sheet, row),

    setDecision(number: number, decision: string): void {
      run('UPDATE rows SET decision = ? WHERE number = ?', decision, number);
    },

    countFoundBy: (foundBy: FoundBy) =>
      found<[number]>('SELECT count(*) FROM rows WHERE foundBy = ?', foundBy)?.[0] ?? 0,

    /** The runs named in Run cells, each with whether one of its rows says that it was created. */
    runsNamed(): ReadonlyMap<string, boolean> {
      const saysIn = `json_extract(own, '$.saysIn') OR coalesce(json_extract(own, '$.answer.kind'), '') = 'created'`;
      const sql = `SELECT json_extract(own, '$.run') AS run, max(${saysIn}) FROM rows WHERE own IS NOT NULL GROUP BY run`;
      const rows = prepared(sql).all() as [string, number][];
      return new Map(rows.map(([run, isIn]) => [run, isIn === 1]));
    },

    /** Clears identities and decisions, because the ledger has changed since. */
    clearIdentities(): void {
      db.exec('UPDATE rows SET id = NULL, foundBy = NULL, differs = 0, decision = NULL');
    },

    clearDecisions(): void {
      db.exec('UPDATE rows SET decision = NULL');
    },

    /** Finds the content digests that several rows share. Sorting all of them costs less than an index that grows with the rows. */
    findEquals(): void {
      db.exec(`DELETE FROM equals; INSERT INTO equals
        SELECT content, count(*), min(id) FILTER (WHERE foundBy = 'key') FROM rows
        WHERE content IS NOT NULL GROUP BY content HAVING count(*) > 1`);
    },

    /** The shared contents of these rows, by content digest. @param rows  consecutive rows */
    equalsOf(rows: readonly KnownStaged[]): ReadonlyMap<string, Equals> {
      const sql = 'SELECT equals.* FROM rows CROSS JOIN equals USING (content) WHERE number BETWEEN ? AND ?';
      const equal = prepared(sql).all([rows[0]?.number ?? 0, rows.at(-1)?.number ?? 0]);
      return new Map((equal as [string, number, number | null][]).map(([content, ...equals]) => [content, equals]));
    },

    close(): void {
      db.close();
    },
  };
}

function valuesStored(row: StoredRow): readonly SqlValue[] {
  return [...valuesRead(row), row.digest ?? null];
}

function contentInJson(rows: readonly StoredRow[]): string {
  return JSON.stringify(rows.map(({ content }) => content));
}

function dataInJson(rows: readonly StoredRow[]): string {
  return `[${rows.map(({ data }) => data).join(',')}]`;
}
