/**
 * The private working database of one run: every row of the source as it was read, mapped, identified and decided, so that preview,
 * load and report tell of the same. Its one rule: it holds what people's rows say, so it is readable by its owner alone, and goes
 * once every row is settled.
 */
import { closeSync, openSync } from 'node:fs';
import type { RecordKindName } from '../contract/record-kind.ts';
import { Database, type Statement } from '../disk/database.ts';
import { ownerOnly } from '../file-modes.ts';
import type { SheetRow } from '../sheets/cell.ts';

export interface StagedSheet {
  readonly number: number;
  readonly name: string;
  readonly kind: RecordKindName;
}

/** A row that another one belongs to, as it is named in a cell. */
export interface NamedParent {
  readonly kind: RecordKindName;
  /** The body path that gets its id. */
  readonly fills: string;
  readonly ref: string | null;
  readonly id: string | null;
}

/** A row as it was read and checked. */
export interface StagedRow {
  readonly sheet: number;
  readonly row: number;
  readonly isValid: boolean;
  /** Its body and findings as JSON. */
  readonly data: string;
  /** Its cells as they stand in the source, as JSON. */
  readonly cells?: string;
  /** What it says, without its parents, whatever the way in which it is written. */
  readonly says: string;
  readonly ref: string | null;
  readonly parents: readonly NamedParent[];
  /** Values by which a record without a Ref is known, such as deal, date and reference of a payment; `null` for none. */
  readonly identifies: string | null;
  /** A value that no other record of its kind has, such as an EIN; `null` for none. */
  readonly unique?: string | null;
  /** Of an update: the id of its company. */
  readonly updates: string | null;
  /** What its own columns say, when it comes from results: which row it was, what its ID cell answers. */
  readonly own: OwnCells | null;
  /** Says all that its results show of it: some of its cells hide what they say. Such a row is known by that alone. */
  readonly isMasked?: boolean;
  /** What its results will show of it, where they hide something. */
  readonly shown?: string | null;
  /** `left-out`: a check takes it for no record. `unchanged`: nobody changed it since its export. */
  readonly aside?: Aside | null;
}

export type Aside = 'left-out' | 'unchanged';

export interface OwnCells {
  readonly run: string;
  readonly sheet: string;
  readonly row: number;
  /** By its Status cell. */
  readonly saysIn: boolean;
  readonly saysDoubt: boolean;
  readonly answer: Answer | null;
  readonly company: string | null;
  readonly url: string | null;
}

/** What an ID cell says: that the record is there, under its id where one is given; that it is not; or nothing that is understood. */
export type Answer =
  | { readonly kind: 'created'; readonly id: string | null }
  | { readonly kind: 'not-created' }
  | { readonly kind: 'unclear'; readonly typed: string; readonly isRounded: boolean };

/** `trusted`: by the word of its results, of which the ledger knows nothing. */
export type How =
  | 'key'
  | 'place'
  | 'ref'
  | 'content'
  | 'new'
  | 'copy'
  | 'unknown-key'
  | 'trusted'
  | 'other-kind'
  | 'several';

/** A row that was identified. */
export interface Identity {
  readonly id: number | null;
  readonly how: How;
  /** Of a copy: whether it says something else than the row that counts. */
  readonly differs: boolean;
}

const schema = `
  CREATE TABLE sheets (number INTEGER PRIMARY KEY, name TEXT NOT NULL, kind TEXT NOT NULL) STRICT;
  CREATE TABLE rows (
    number INTEGER PRIMARY KEY,
    sheet INTEGER NOT NULL,
    row INTEGER NOT NULL,
    valid INTEGER NOT NULL,
    data TEXT NOT NULL,
    cells TEXT NOT NULL,
    says TEXT NOT NULL,
    ref TEXT,
    parents TEXT,
    identifies TEXT,
    unique_value TEXT,
    updates TEXT,
    own TEXT,
    masked INTEGER NOT NULL,
    shown TEXT,
    aside TEXT,
    content BLOB,
    id INTEGER,
    how TEXT,
    differs INTEGER NOT NULL DEFAULT 0,
    decision TEXT
  ) STRICT;
  CREATE UNIQUE INDEX places ON rows (sheet, row);
  CREATE INDEX claims ON rows (id) WHERE id IS NOT NULL;
  CREATE INDEX refs ON rows (ref) WHERE ref IS NOT NULL;
  CREATE INDEX contents ON rows (content) WHERE content IS NOT NULL;
`;

const rowColumns = `r.number, r.sheet, r.row, r.valid, r.data, r.says, r.ref, r.parents, r.identifies, r.unique_value, r.updates, r.own,
  r.masked, r.shown, r.aside, r.content, r.id, r.how, r.differs, r.decision`;

export interface KnownStaged extends StagedRow, Identity {
  readonly number: number;
  readonly content: Buffer | null;
  /** What happens to it, as JSON; `null` before that is decided. */
  readonly decision: string | null;
}

export class Staging {
  readonly #db: Database;
  readonly #addSheet: Statement;
  readonly #addRow: Statement;
  readonly #claim: Statement;
  readonly #claimant: Statement;
  readonly #content: Statement;
  readonly #ref: Statement;
  readonly #equals: Statement;
  readonly #decision: Statement;

  private constructor(db: Database) {
    this.#db = db;
    this.#addSheet = db.prepare('INSERT INTO sheets (name, kind) VALUES (?, ?)');
    this.#addRow = db.prepare(
      `INSERT INTO rows (sheet, row, valid, data, says, ref, parents, identifies, unique_value, updates, own, masked, shown, aside, cells)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (sheet, row) DO UPDATE SET (valid, data, says, ref, parents, identifies, unique_value, updates, own, masked, shown, aside) =
         (excluded.valid, excluded.data, excluded.says, excluded.ref, excluded.parents, excluded.identifies, excluded.unique_value, excluded.updates,
          excluded.own, excluded.masked, excluded.shown, excluded.aside)`,
    );
    this.#claim = db.prepare('UPDATE rows SET id = ?, how = ?, differs = ? WHERE number = ?');
    this.#claimant = db.prepare(`SELECT number FROM rows WHERE id = ? AND how <> 'copy'`).raw();
    this.#content = db.prepare('UPDATE rows SET content = ? WHERE number = ?');
    this.#ref = db
      .prepare('SELECT r.number FROM rows r JOIN sheets s ON s.number = r.sheet WHERE r.ref = ? AND s.kind = ?')
      .raw();
    this.#decision = db.prepare('UPDATE rows SET decision = ? WHERE number = ?');
    this.#equals = db.prepare('SELECT count(*) FROM rows WHERE content = ?').raw();
  }

  /** Makes a new one. */
  static create(path: string): Staging {
    if (path !== ':memory:') closeSync(openSync(path, 'wx', ownerOnly));
    const db = new Database(path);
    // It is made anew from the source when it is lost: it need not be kept at each step.
    db.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF;');
    db.exec(schema);
    return new Staging(db);
  }

  addSheet(name: string, kind: RecordKindName): number {
    return Number(this.#addSheet.run([name, kind]).lastInsertRowid);
  }

  /** A row that is staged again, read by what the others told, keeps its place and its cells. */
  add(rows: readonly StagedRow[]): void {
    this.write(() => {
      for (const one of rows) {
        const {
          sheet,
          row,
          data,
          says,
          ref,
          identifies,
          unique = null,
          updates,
          shown = null,
          aside = null,
          cells = '',
        } = one;
        const named = one.parents.length === 0 ? null : JSON.stringify(one.parents);
        const own = one.own === null ? null : JSON.stringify(one.own);
        const [valid, masked] = [one.isValid ? 1 : 0, one.isMasked === true ? 1 : 0];
        this.#addRow.run([
          sheet,
          row,
          valid,
          data,
          says,
          ref,
          named,
          identifies,
          unique,
          updates,
          own,
          masked,
          shown,
          aside,
          cells,
        ]);
      }
    });
  }

  get sheets(): readonly StagedSheet[] {
    return this.#db.prepare('SELECT number, name, kind FROM sheets ORDER BY number').all() as StagedSheet[];
  }

  /** The rows of a kind in their order, in batches, without what they hold; `where` is SQL over them. */
  lightBatches(kind: RecordKindName, size: number, where = 'TRUE'): IterableIterator<readonly KnownStaged[]> {
    return this.batches(kind, size, where, rowColumns.replace('r.data', "'' AS data"));
  }

  /** The rows of a kind in their order, in batches; `where` is SQL over them. */
  *batches(
    kind: RecordKindName,
    size: number,
    where = 'TRUE',
    columns = rowColumns,
  ): IterableIterator<readonly KnownStaged[]> {
    const read = this.#db
      .prepare(
        `SELECT ${columns}
         FROM rows r JOIN sheets s ON s.number = r.sheet
         WHERE s.kind = ? AND r.number > ? AND (${where}) ORDER BY r.number LIMIT ?`,
      )
      .raw();
    for (let after = 0; ; ) {
      const rows = (read.all([kind, after, size]) as RowColumns[]).map(stagedOf);
      if (rows.length === 0) return;
      after = rows.at(-1)?.number ?? after;
      yield rows;
    }
  }

  /** The cells of the rows of a sheet as they were read, in their order. */
  *cellsOf(sheet: number, size: number): IterableIterator<readonly SheetRow[]> {
    const read = this.#db
      .prepare('SELECT number, cells FROM rows WHERE sheet = ? AND number > ? ORDER BY number LIMIT ?')
      .raw();
    for (let after = 0; ; ) {
      const rows = read.all([sheet, after, size]) as [number: number, cells: string][];
      if (rows.length === 0) return;
      after = rows.at(-1)?.[0] ?? after;
      yield rows.map(([, cells]) => JSON.parse(cells) as SheetRow);
    }
  }

  /** The cells of some rows, in their order. */
  cellsOfRows(rows: readonly KnownStaged[]): readonly SheetRow[] {
    const read = this.#db.prepare('SELECT cells FROM rows WHERE number = ?').raw();
    return rows.map(({ number }) => JSON.parse((read.get([number]) as [string])[0]) as SheetRow);
  }

  /** Notes which logical row a row is. */
  claim(number: number, { id, how, differs }: Identity): void {
    this.#claim.run([id, how, differs ? 1 : 0, number]);
  }

  /** The row that a logical row was claimed by, or `null`. */
  claimantOf(id: number): number | null {
    return (this.#claimant.get([id]) as [number] | undefined)?.[0] ?? null;
  }

  setContent(number: number, content: Buffer): void {
    this.#content.run([content, number]);
  }

  /** The rows with a Ref, by their numbers. */
  withRef(kind: RecordKindName, ref: string): readonly number[] {
    return (this.#ref.all([ref, kind]) as [number][]).map(([number]) => number);
  }

  one(number: number): KnownStaged {
    const columns = this.#db
      .prepare(`SELECT ${rowColumns} FROM rows r WHERE r.number = ?`)
      .raw()
      .get([number]) as RowColumns;
    return stagedOf(columns);
  }

  /** The row at a place of the source, or `null`. */
  at(sheet: number, row: number): KnownStaged | null {
    const columns = this.#db
      .prepare(`SELECT ${rowColumns} FROM rows r WHERE r.sheet = ? AND r.row = ?`)
      .raw()
      .get([sheet, row]) as RowColumns | undefined;
    return columns === undefined ? null : stagedOf(columns);
  }

  setDecision(number: number, decision: string): void {
    this.#decision.run([decision, number]);
  }

  /** Whether this was decided for a row. */
  hasDecision(what: string): boolean {
    return (
      this.#db
        .prepare('SELECT 1 FROM rows WHERE decision LIKE ? LIMIT 1')
        .raw()
        .get([`{"do":"${what}"%`]) !== undefined
    );
  }

  /** The runs that results name of rows that are in. */
  runsNamed(): ReadonlySet<string> {
    const rows = this.#db
      .prepare(
        `SELECT DISTINCT json_extract(own, '$.run') FROM rows WHERE json_extract(own, '$.saysIn') OR json_extract(own, '$.answer.kind') = 'created'`,
      )
      .raw()
      .all() as [string][];
    return new Set(rows.map(([run]) => run));
  }

  /** Before the rows are identified and decided once more: what is known elsewhere has changed since. */
  forgetDecisions(): void {
    this.#db.exec('UPDATE rows SET id = NULL, how = NULL, differs = 0, decision = NULL');
  }

  equalsOf(content: Buffer): number {
    return (this.#equals.get([content]) as [number])[0];
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
}

type RowColumns = [
  number: number,
  sheet: number,
  row: number,
  valid: number,
  data: string,
  says: string,
  ref: string | null,
  parents: string | null,
  identifies: string | null,
  unique: string | null,
  updates: string | null,
  own: string | null,
  masked: number,
  shown: string | null,
  aside: Aside | null,
  content: Buffer | null,
  id: number | null,
  how: How | null,
  differs: number,
  decision: string | null,
];

function stagedOf(columns: RowColumns): KnownStaged {
  const [
    number,
    sheet,
    row,
    valid,
    data,
    says,
    ref,
    parents,
    identifies,
    unique,
    updates,
    own,
    masked,
    shown,
    aside,
    content,
    id,
    how,
    differs,
    decision,
  ] = columns;
  return {
    number,
    sheet,
    row,
    isValid: valid === 1,
    data,
    says,
    ref,
    parents: parents === null ? [] : (JSON.parse(parents) as readonly NamedParent[]),
    identifies,
    unique,
    updates,
    own: own === null ? null : (JSON.parse(own) as OwnCells),
    isMasked: masked === 1,
    shown,
    aside,
    content,
    id,
    how: how ?? 'new',
    differs: differs === 1,
    decision,
  };
}
