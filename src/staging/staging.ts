/**
 * The private working database of one run: every row of the source as it was read, mapped, identified and decided, so that preview,
 * load and report tell of the same. Its one rule: it holds what people's rows say, so it is readable by its owner alone, and goes
 * once every row is settled.
 */
import { closeSync, openSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { RecordKindName } from '../contract/record-kind.ts';
import { Database, type SqlValue, type Statement } from '../disk/database.ts';
import { ownerOnly } from '../file-modes.ts';
import { withoutLostZeros } from '../mapping/spreadsheet-rewriting.ts';
import type { SheetRow } from '../sheets/row.ts';
import {
  columnsHeld,
  columnsKnown,
  columnsRead,
  type How,
  type Identity,
  type KnownStaged,
  type StagedRow,
  stagedOf,
  valuesHeld,
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
  /** What its columns fill. */
  readonly columns: readonly StagedColumn[];
}

const schema = `
  CREATE TABLE sheets (number INTEGER PRIMARY KEY, name TEXT NOT NULL, kind TEXT NOT NULL) STRICT;
  CREATE TABLE rows (
    number INTEGER PRIMARY KEY,
    sheet INTEGER NOT NULL,
    row INTEGER NOT NULL,
    isValid INTEGER NOT NULL,
    ref TEXT,
    facts TEXT,
    own TEXT,
    aside TEXT,
    content BLOB,
    fields BLOB,
    isMet INTEGER NOT NULL DEFAULT 0,
    id INTEGER,
    how TEXT,
    differs INTEGER NOT NULL DEFAULT 0,
    decision TEXT
  ) STRICT;
  CREATE TABLE held (
    number INTEGER PRIMARY KEY,
    says TEXT NOT NULL,
    shown TEXT,
    data TEXT NOT NULL,
    cells TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX places ON rows (sheet, row);
  CREATE INDEX claims ON rows (id) WHERE id IS NOT NULL;
  CREATE INDEX refs ON rows (ref) WHERE ref IS NOT NULL;
  CREATE INDEX contents ON rows (content) WHERE content IS NOT NULL;
`;

const known = [...columnsKnown, ...columnsRead].map((column) => `r.${column}`).join(', ');
const withSaid = `${known}, h.says, h.shown`;
const withAll = `${withSaid}, h.data`;
const rowsWithHeld = 'rows r JOIN held h ON h.number = r.number';
const overwritten = (columns: readonly string[]): string =>
  columns.map((column) => `${column} = excluded.${column}`).join(', ');

const addRow = `
  INSERT INTO rows (${columnsRead.join(', ')}) VALUES (${columnsRead.map(() => '?').join(', ')})
  ON CONFLICT (sheet, row) DO UPDATE SET ${overwritten(columnsRead)} RETURNING number`;
const hold = `
  INSERT INTO held (number, ${columnsHeld.join(', ')}, cells) VALUES (?, ${columnsHeld.map(() => '?').join(', ')}, ?)
  ON CONFLICT (number) DO UPDATE SET ${overwritten(columnsHeld)}`;

export class Staging {
  readonly #db: Database;
  readonly #sheets: StagedSheet[] = [];
  /** By their SQL. */
  readonly #statements = new Map<string, Statement>();

  private constructor(db: Database) {
    this.#db = db;
  }

  /** Makes a new one. */
  static create(path: string): Staging {
    if (path !== ':memory:') closeSync(openSync(path, 'wx', ownerOnly));
    const db = new Database(path);
    // When it is lost, it is made again from the source: it need not be safe at each step.
    db.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF;');
    db.exec(schema);
    return new Staging(db);
  }

  addSheet(name: string, kind: RecordKindName, columns: readonly StagedColumn[] = []): number {
    const number = Number(
      this.#db.prepare('INSERT INTO sheets (name, kind) VALUES (?, ?)').run([name, kind]).lastInsertRowid,
    );
    this.#sheets.push({ number, name, kind, columns });
    return number;
  }

  /** A row that is staged again, read by what the others told, keeps its place and its cells. */
  add(rows: readonly StagedRow[]): void {
    this.write(() => {
      for (const row of rows) {
        const [number] = this.#read(addRow).get(valuesRead(row)) as [number];
        this.#run(hold, [number, ...valuesHeld(row), row.cells ?? '']);
      }
    });
  }

  /** @param addresses  by row, of the records that its own columns link to */
  linkOwn(sheet: number, addresses: ReadonlyMap<number, string>): void {
    const link = "UPDATE rows SET own = json_set(own, '$.url', ?) WHERE (sheet, row) = (?, ?)";
    this.write(() => {
      for (const [row, address] of addresses) this.#run(link, [address, sheet, row]);
    });
  }

  get sheets(): readonly StagedSheet[] {
    return this.#sheets;
  }

  /** Rows in their order, in batches, without what they say; `where` is SQL over them. */
  knownBatches(of: RecordKindName | number, size: number, where = 'TRUE'): AsyncGenerator<readonly KnownStaged[]> {
    return this.batches(of, size, where, known);
  }

  /** Rows in their order, in batches, without their data; `where` is SQL over them. */
  lightBatches(of: RecordKindName | number, size: number, where = 'TRUE'): AsyncGenerator<readonly KnownStaged[]> {
    return this.batches(of, size, where, withSaid);
  }

  /**
   * Rows in their order, in batches.
   *
   * @param of  a kind, or the number of a sheet
   * @param where  SQL over them
   */
  async *batches(
    of: RecordKindName | number,
    size: number,
    where = 'TRUE',
    wanted = withAll,
  ): AsyncGenerator<readonly KnownStaged[]> {
    const sheets = this.sheets.filter(({ number, kind }) => number === of || kind === of).map(({ number }) => number);
    for await (const rows of this.#batches(sheets, size, where, wanted)) yield rows.map(stagedOf);
  }

  /** The cells of the rows of a sheet as they were read, in their order. */
  async *cellsOf(sheet: number, size: number): AsyncGenerator<readonly SheetRow[]> {
    for await (const rows of this.#batches([sheet], size, 'TRUE', 'r.number, h.cells'))
      yield rows.map(([, cells]) => JSON.parse(String(cells)) as SheetRow);
  }

  /** Before each batch, whatever else the process has to do gets its turn. @param wanted  begins with the number of a row */
  async *#batches(
    sheets: readonly number[],
    size: number,
    where: string,
    wanted: string,
  ): AsyncGenerator<readonly (readonly [number: number, ...SqlValue[]])[]> {
    const named = JSON.stringify(sheets);
    const [before, last] = this.#placeOf(named);
    // The plus keeps SQLite from the index of places, by which each batch would sort all rows.
    const read = this.#read(
      `SELECT ${wanted} FROM ${rowsWithHeld} WHERE r.number > ? AND r.number <= ?
       AND +r.sheet IN (SELECT value FROM json_each(?)) AND (${where}) ORDER BY r.number LIMIT ?`,
    );
    for (let after = before; ; ) {
      await setImmediate();
      const rows = read.all([after, last, named, size]) as [number, ...SqlValue[]][];
      after = rows.at(-1)?.[0] ?? after;
      if (rows.length > 0) yield rows;
      if (rows.length < size) return;
    }
  }

  #placeOf(sheets: string): readonly [before: number, last: number] {
    const all = this.#read('SELECT min(number), max(number) FROM rows WHERE sheet IN (SELECT value FROM json_each(?))');
    const [first, last] = all.get([sheets]) as [number | null, number | null];
    return [(first ?? 1) - 1, last ?? 0];
  }

  /** Between which numbers the rows of a sheet stand: they follow each other. */
  numbersOf(sheet: number): { readonly first: number; readonly count: number } {
    const [before, last] = this.#placeOf(JSON.stringify([sheet]));
    return { first: before + 1, count: last - before };
  }

  /** Rows by their numbers, in that order. */
  rowsNumbered(numbers: readonly number[]): readonly KnownStaged[] {
    const read = this.#read(`SELECT ${withAll} FROM ${rowsWithHeld} WHERE r.number = ?`);
    return numbers.map((number) => stagedOf(read.get([number])));
  }

  /** The cells of some rows, in their order. */
  cellsOfRows(rows: readonly KnownStaged[]): readonly SheetRow[] {
    const read = this.#read('SELECT cells FROM held WHERE number = ?');
    return rows.map(({ number }) => JSON.parse((read.get([number]) as [string])[0]) as SheetRow);
  }

  /** Notes which logical row a row is. */
  claim(number: number, { id, how, differs }: Identity): void {
    this.#run('UPDATE rows SET id = ?, how = ?, differs = ? WHERE number = ?', [id, how, differs ? 1 : 0, number]);
  }

  /** The row that a logical row was claimed by, or `null`. */
  claimantOf(id: number): number | null {
    const found = this.#read(`SELECT number FROM rows WHERE id = ? AND how <> 'copy'`).get([id]);
    return (found as [number] | undefined)?.[0] ?? null;
  }

  setContent(number: number, content: Buffer, fields: Buffer | null): void {
    this.#run('UPDATE rows SET content = ?, fields = ? WHERE number = ?', [content, fields, number]);
  }

  /** @param isMet  whether a row is known that ever said the same */
  meet(number: number, content: Buffer, isMet: boolean): void {
    this.#run('UPDATE rows SET content = ?, isMet = ? WHERE number = ?', [content, Number(isMet), number]);
  }

  /** Gives names of their own to the rows of a kind that nothing is known of. */
  nameNew(kind: RecordKindName): void {
    const ofKind = 'sheet IN (SELECT number FROM sheets WHERE kind = ?)';
    this.#run(`UPDATE rows SET id = -number, how = 'new' WHERE how IS NULL AND ${ofKind}`, [kind]);
  }

  /** The rows with a Ref, by their numbers. */
  withRef(kind: RecordKindName, ref: string): readonly number[] {
    const sql = 'SELECT r.number FROM rows r JOIN sheets s ON s.number = r.sheet WHERE r.ref = ? AND s.kind = ?';
    return (this.#read(sql).all([withoutLostZeros(ref), kind]) as [number][]).map(([number]) => number);
  }

  /** What is known of a row, without what it says. */
  one(number: number): KnownStaged {
    return stagedOf(this.#read(`SELECT ${known} FROM rows r WHERE r.number = ?`).get([number]));
  }

  /** The row at a place of the source, or `null`. */
  at(sheet: number, row: number): KnownStaged | null {
    const sql = `SELECT ${withAll} FROM ${rowsWithHeld} WHERE r.sheet = ? AND r.row = ?`;
    const found = this.#read(sql).get([sheet, row]);
    return found === undefined ? null : stagedOf(found);
  }

  setDecision(number: number, decision: string): void {
    this.#run('UPDATE rows SET decision = ? WHERE number = ?', [decision, number]);
  }

  /** Whether this was decided for a row. */
  hasDecision(what: string): boolean {
    return this.#read(`SELECT 1 FROM rows WHERE decision ->> '$.do' = ? LIMIT 1`).get([what]) !== undefined;
  }

  /** Whether a row is known in this way. */
  isAnyKnown(how: How): boolean {
    return this.#read('SELECT 1 FROM rows WHERE how = ? LIMIT 1').get([how]) !== undefined;
  }

  /** The runs that results name, each with whether they say of one of its rows that it is in. */
  runsNamed(): ReadonlyMap<string, boolean> {
    const saysIn = `json_extract(own, '$.saysIn') OR coalesce(json_extract(own, '$.answer.kind'), '') = 'created'`;
    const sql = `SELECT json_extract(own, '$.run') AS run, max(${saysIn}) FROM rows WHERE own IS NOT NULL GROUP BY run`;
    const rows = this.#read(sql).all([]) as [string, number][];
    return new Map(rows.map(([run, isIn]) => [run, isIn === 1]));
  }

  /** Before the rows are identified and decided once more: what is known elsewhere has changed since. */
  forgetDecisions(): void {
    this.#db.exec('UPDATE rows SET id = NULL, how = NULL, differs = 0, decision = NULL');
  }

  equalsOf(content: Buffer): number {
    return (this.#read('SELECT count(*) FROM rows WHERE content = ?').get([content]) as [number])[0];
  }

  write(work: () => void): void {
    const isOuter = !this.#db.isTransaction;
    if (isOuter) this.#db.exec('BEGIN');
    work();
    if (isOuter) this.#db.exec('COMMIT');
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
