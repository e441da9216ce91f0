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
import type { SheetRow } from '../tables/row.ts';
import {
  columnsKnown,
  columnsRead,
  type FoundBy,
  type HeldData,
  type Identity,
  type KnownStaged,
  type RowContent,
  type RowData,
  rowOfData,
  type StagedRow,
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
  CREATE TABLE held (first INTEGER PRIMARY KEY, content TEXT NOT NULL, data TEXT NOT NULL, cells TEXT NOT NULL) STRICT;
  CREATE UNIQUE INDEX places ON rows (sheet, row);
  CREATE INDEX met ON rows (mayBeKnown) WHERE mayBeKnown = 1;
  CREATE INDEX claims ON rows (id) WHERE foundBy IS NOT NULL;
  CREATE INDEX known ON rows (sheet, number) WHERE foundBy IS NOT NULL;
  CREATE INDEX refs ON rows (ref) WHERE ref IS NOT NULL;
  CREATE TABLE equals (content TEXT PRIMARY KEY, count INTEGER NOT NULL, keyed INTEGER) STRICT, WITHOUT ROWID;
`;

const isClaimed = `r.id > 0 AND r.foundBy <> 'copy'`;
const known = [...columnsKnown, ...columnsRead].map((column) => `r.${column}`).join(', ');

const columnsHeld = [...columnsRead, 'content'];
const addRow = `INSERT INTO rows (${columnsHeld.join(', ')}) VALUES (${columnsHeld.map(() => '?').join(', ')})`;
const changeRow = `UPDATE rows SET ${columnsHeld.map((column) => `${column} = ?`).join(', ')} WHERE number = ?`;
/** A table of its own, because it is read rarely and in order, while the state of a row is updated often. */
const hold = 'INSERT INTO held (first, content, data, cells) VALUES (?, ?, ?, ?)';

/** A row with its content and, as JSON, its body and findings. */
export interface HeldRow extends StagedRow {
  readonly content: RowContent;
  /** Its content as the ledger knows it, if that is clear before its parents are known. */
  readonly digest?: string | null;
  readonly data: string;
}

/** How many rows have the same content, and the row id of one that was found by its key. */
type Equals = readonly [count: number, keyed: number | null];

/** The large data of a row, stored and read in batches. */
interface Held {
  readonly content: RowContent;
  readonly data: HeldData;
  readonly cells: SheetRow;
}

interface HeldBatch {
  readonly first: number;
  readonly items: readonly Held[keyof Held][];
}

const noDetails = { problems: [], clears: 0, file: null };

export class Staging {
  readonly #db: Database;
  readonly #sheets: StagedSheet[] = [];
  readonly #numbers = new Map<number, { readonly first: number; readonly count: number }>();
  readonly #statements = new Map<string, Statement>();
  /** The last batch read. The next row is usually in the same batch. */
  readonly #lastHeld = new Map<keyof Held, HeldBatch>();

  private constructor(db: Database) {
    this.#db = db;
  }

  static create(path: string): Staging {
    if (path !== ':memory:') closeSync(openSync(path, 'wx', ownerOnly));
    const db = new Database(path);
    // Staging can be rebuilt from the source, so it needs no crash safety, and is never committed.
    db.exec('PRAGMA page_size = 16384; PRAGMA locking_mode = EXCLUSIVE;');
    db.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF;');
    db.exec(`${schema} BEGIN`);
    return new Staging(db);
  }

  addSheet(name: string, kind: RecordKindName, columns: readonly StagedColumn[] = []): number {
    const number = this.#sheets.length + 1;
    this.#sheets.push({ number, name, kind, columns });
    return number;
  }

  /** Adds rows of one sheet. @param cells the source cells of each row */
  add(rows: readonly HeldRow[], cells: readonly SheetRow[]): void {
    const [first] = rows;
    if (first === undefined) return;
    const next = [...this.#numbers.values()].reduce((sum, { count }) => sum + count, 1);
    for (const row of rows) this.#run(addRow, valuesHeld(row));
    this.#run(hold, [next, contentInJson(rows), dataInJson(rows), JSON.stringify(cells)]);
    const before = this.#numbers.get(first.sheet) ?? { first: next, count: 0 };
    this.#numbers.set(first.sheet, { ...before, count: before.count + rows.length });
  }

  /** Replaces the rows of a sheet, batch by batch; numbers and cells stay. @param staged gives new rows for cells */
  async change(sheet: number, staged: (cells: readonly SheetRow[]) => readonly HeldRow[]): Promise<void> {
    const { first, count } = this.numbersOf(sheet);
    for (let number = first; number < first + count; ) {
      await setImmediate();
      const rows = staged(this.#batchOf('cells', number).items as readonly SheetRow[]);
      for (const [at, row] of rows.entries()) this.#run(changeRow, [...valuesHeld(row), number + at]);
      const values = [contentInJson(rows), dataInJson(rows), number];
      this.#run('UPDATE held SET content = ?, data = ? WHERE first = ?', values);
      number += rows.length;
    }
    this.#lastHeld.clear();
  }

  linkOwn(sheet: number, addresses: ReadonlyMap<number, string>): void {
    const link = "UPDATE rows SET own = json_set(own, '$.url', ?) WHERE (sheet, row) = (?, ?)";
    for (const [row, address] of addresses) this.#run(link, [address, sheet, row]);
  }

  get sheets(): readonly StagedSheet[] {
    return this.#sheets;
  }

  sheetOf({ sheet }: Pick<KnownStaged, 'sheet'>): StagedSheet {
    return this.#sheets.find(({ number }) => number === sheet) as StagedSheet;
  }

  /** Yields rows in order, in batches; other tasks run before each. @param of a kind, or the number of a sheet */
  async *batches(
    of: RecordKindName | number,
    where = 'TRUE',
    size = rowsOfBatch,
  ): AsyncGenerator<readonly KnownStaged[]> {
    const read = this.#read(
      `SELECT ${known} FROM rows r WHERE r.number > ? AND r.number <= ? AND (${where}) ORDER BY r.number LIMIT ?`,
    );
    for (const { number, kind } of this.#sheets) {
      if (number !== of && kind !== of) continue;
      const { first, count } = this.numbersOf(number);
      const last = first + count - 1;
      for (let after = first - 1; after < last; ) {
        await setImmediate();
        const rows = read.all([after, last, size]).map(stagedOf);
        after = rows.length < size ? last : (rows.at(-1)?.number ?? last);
        if (rows.length > 0) yield rows;
      }
    }
  }

  /** As JSON, because SQLite cannot bind an array. */
  #sheetsOf(of: RecordKindName): string {
    return JSON.stringify(this.#sheets.flatMap(({ number, kind }) => (kind === of ? [number] : [])));
  }

  /** The rows of a sheet have consecutive numbers. */
  numbersOf(sheet: number): { readonly first: number; readonly count: number } {
    return this.#numbers.get(sheet) ?? { first: 1, count: 0 };
  }

  data(row: Pick<KnownStaged, 'number' | 'sheet' | 'row'>): RowData {
    const { kind, name } = this.sheetOf(row);
    return rowOfData(this.#held('data', row.number), { kind: recordKind(kind), sheet: name, row: row.row });
  }

  /** The findings, cleared fields and file of a row. */
  detailsOf(row: KnownStaged): Pick<RowData, 'problems' | 'clears' | 'file'> {
    return row.hasDetails ? this.data(row) : noDetails;
  }

  contentOf({ number }: Pick<KnownStaged, 'number'>): RowContent {
    return this.#held('content', number);
  }

  cellsOf({ number }: Pick<KnownStaged, 'number'>): SheetRow {
    return this.#held('cells', number);
  }

  #held<What extends keyof Held>(what: What, number: number): Held[What] {
    const { first, items } = this.#batchOf(what, number);
    return items[number - first] as Held[What];
  }

  #batchOf(what: keyof Held, number: number): HeldBatch {
    const last = this.#lastHeld.get(what);
    if (last !== undefined && number >= last.first && number < last.first + last.items.length) return last;
    const sql = `SELECT first, ${what} FROM held WHERE first <= ? ORDER BY first DESC LIMIT 1`;
    const [first, items] = this.#read(sql).get([number]) as [number, string];
    const batch = { first, items: JSON.parse(items) };
    this.#lastHeld.set(what, batch);
    return batch;
  }

  claim(number: number, { id, foundBy, differs }: Identity): void {
    this.#run('UPDATE rows SET id = ?, foundBy = ?, differs = ? WHERE number = ?', [
      id,
      foundBy,
      differs ? 1 : 0,
      number,
    ]);
  }

  /** The number of the row that claimed a row id, or `null`. */
  claimantOf(id: number): number | null {
    const found = this.#read(`SELECT number FROM rows WHERE id = ? AND foundBy <> 'copy'`).get([id]);
    return (found as [number] | undefined)?.[0] ?? null;
  }

  /** The number of rows in a sheet that earlier loads know. */
  knownIn(sheet: number): number {
    const [count] = this.#read(`SELECT count(*) FROM rows r WHERE r.sheet = ? AND ${isClaimed}`).get([sheet]) as [
      number,
    ];
    return count;
  }

  /** The nearest row that earlier loads know: above if there is one, else below. */
  nearestKnown({ sheet, number }: KnownStaged): KnownStaged | null {
    const claimed = `SELECT ${known} FROM rows r WHERE r.sheet = ? AND ${isClaimed} AND r.number`;
    const found =
      this.#read(`${claimed} < ? ORDER BY r.number DESC LIMIT 1`).get([sheet, number]) ??
      this.#read(`${claimed} > ? ORDER BY r.number LIMIT 1`).get([sheet, number]);
    return found === undefined ? null : stagedOf(found);
  }

  /** Stores the content digest of a row, and whether the ledger may know the row. */
  setContent(number: number, content: string | null, mayBeKnown: boolean): void {
    this.#run('UPDATE rows SET content = ?, mayBeKnown = ? WHERE number = ?', [content, Number(mayBeKnown), number]);
  }

  /** Stores the row id of the ledger, and the content digest now that the parents are registered. */
  register({ number, content: before }: KnownStaged, id: number, content: string): void {
    this.#run('UPDATE rows SET id = ? WHERE number = ?', [id, number]);
    if (before !== content) this.#run('UPDATE rows SET content = ? WHERE number = ?', [content, number]);
  }

  withRef(kind: RecordKindName, ref: string): readonly number[] {
    const sql = 'SELECT number FROM rows WHERE ref = ? AND +sheet IN (SELECT value FROM json_each(?))';
    const found = this.#read(sql).all([comparableKey(ref), this.#sheetsOf(kind)]) as [number][];
    return found.map(([number]) => number);
  }

  one(number: number): KnownStaged {
    return stagedOf(this.#read(`SELECT ${known} FROM rows r WHERE r.number = ?`).get([number]));
  }

  at(sheet: number, row: number): KnownStaged | null {
    const found = this.#read(`SELECT ${known} FROM rows r WHERE r.sheet = ? AND r.row = ?`).get([sheet, row]);
    return found === undefined ? null : stagedOf(found);
  }

  setDecision(number: number, decision: string): void {
    this.#run('UPDATE rows SET decision = ? WHERE number = ?', [decision, number]);
  }

  isAnyKnown(foundBy: FoundBy): boolean {
    return this.#read('SELECT 1 FROM rows WHERE foundBy = ? LIMIT 1').get([foundBy]) !== undefined;
  }

  /** The runs named in Run cells, each with whether one of its rows says that it was created. */
  runsNamed(): ReadonlyMap<string, boolean> {
    const saysIn = `json_extract(own, '$.saysIn') OR coalesce(json_extract(own, '$.answer.kind'), '') = 'created'`;
    const sql = `SELECT json_extract(own, '$.run') AS run, max(${saysIn}) FROM rows WHERE own IS NOT NULL GROUP BY run`;
    const rows = this.#read(sql).all([]) as [string, number][];
    return new Map(rows.map(([run, isIn]) => [run, isIn === 1]));
  }

  /** Clears identities and decisions, because the ledger has changed since. */
  forgetDecisions(): void {
    this.#db.exec('UPDATE rows SET id = NULL, foundBy = NULL, differs = 0');
    this.unsetDecisions();
  }

  unsetDecisions(): void {
    this.#db.exec('UPDATE rows SET decision = NULL');
  }

  /** Finds the content digests that several rows share. Sorting all of them costs less than an index that grows with the rows. */
  findEquals(): void {
    this.#db.exec(`DELETE FROM equals; INSERT INTO equals
      SELECT content, count(*), min(id) FILTER (WHERE foundBy = 'key') FROM rows
      WHERE content IS NOT NULL GROUP BY content HAVING count(*) > 1`);
  }

  /** Those that occur in this batch. */
  equalsOf(rows: readonly KnownStaged[]): ReadonlyMap<string, Equals> {
    const sql = 'SELECT equals.* FROM rows CROSS JOIN equals USING (content) WHERE number BETWEEN ? AND ?';
    const found = this.#read(sql).all([rows[0]?.number ?? 0, rows.at(-1)?.number ?? 0]);
    return new Map((found as [string, number, number | null][]).map(([content, ...equals]) => [content, equals]));
  }

  close(): void {
    this.#db.close();
  }

  #run(sql: string, values: readonly SqlValue[]): void {
    this.#read(sql).run(values);
  }

  #read(sql: string): Statement {
    const statement = this.#statements.get(sql) ?? this.#db.prepare(sql).raw();
    this.#statements.set(sql, statement);
    return statement;
  }
}

function valuesHeld(row: HeldRow): readonly SqlValue[] {
  return [...valuesRead(row), row.digest ?? null];
}

function contentInJson(rows: readonly HeldRow[]): string {
  return JSON.stringify(rows.map(({ content }) => content));
}

function dataInJson(rows: readonly HeldRow[]): string {
  return `[${rows.map(({ data }) => data).join(',')}]`;
}
