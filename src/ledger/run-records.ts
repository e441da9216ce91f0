/** The runs of the ledger: begun, listed, ended. Newer and older is told by their number, never by a time. */
import { randomInt } from 'node:crypto';
import type { Database, SqlValue, Statement } from '../disk/database.ts';
import type { RunDescription, RunRecord } from './ledger.ts';
import { dayOf } from './moments.ts';

const columns = `r.number, r.id, s.name AS service, r.service_url AS serviceUrl, r.source_path AS sourcePath,
  r.source_name AS sourceName, r.origin, r.source_digest AS sourceDigest, r.results_path AS resultsPath, r.options, r.person, r.host,
  r.state, r.started_at AS startedAt, r.ended_at AS endedAt`;
const tables = 'runs r JOIN services s ON s.number = r.service';

/** A run that was begun or taken up: its number and that of its service. */
export interface BegunRun {
  readonly id: string;
  readonly startedAt: string;
  readonly run: number;
  readonly service: number;
}

export class RunRecords {
  readonly #service: Ensured;
  readonly #sheet: Ensured;
  readonly #all: Statement;
  readonly #one: Statement;
  readonly #countDay: Statement;
  readonly #insert: Statement;
  readonly #setState: Statement;
  readonly #leftBehind = new Set<number>();

  constructor(db: Database) {
    this.#service = ensuredIn(db, 'services', ['name']);
    this.#sheet = ensuredIn(db, 'sheets', ['run', 'name']);
    this.#all = db.prepare(`SELECT ${columns} FROM ${tables} ORDER BY r.number DESC`);
    this.#one = db.prepare(`SELECT ${columns} FROM ${tables} WHERE r.id = ?`);
    this.#countDay = db
      .prepare(
        'INSERT INTO days (day, runs) VALUES (?, 1) ON CONFLICT (day) DO UPDATE SET runs = runs + 1 RETURNING runs',
      )
      .raw();
    this.#insert = db.prepare(
      `INSERT INTO runs (id, service, service_url, source_path, source_name, origin, source_digest, results_path, options,
         person, host, state, started_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'running', ?)`,
    );
    this.#setState = db.prepare('UPDATE runs SET state = ?, ended_at = ? WHERE number = ?');
  }

  /** The number of a service, which is written where it is not there. Within a write transaction. */
  serviceNumber(name: string): number {
    return this.#service([name]);
  }

  /** The same of a sheet of a run. */
  sheetNumber(run: number, name: string): number {
    return this.#sheet([run, name]);
  }

  /** The newest first. */
  all(): readonly RunRecord[] {
    return (this.#all.all() as RunRecord[]).map((record) => this.#told(record));
  }

  one(id: string): RunRecord | null {
    const record = this.#one.get([id]) as RunRecord | undefined;
    return record === undefined ? null : this.#told(record);
  }

  /** Runs of processes that are gone, of which that cannot be written now. */
  tellAsStopped(runs: readonly number[]): void {
    for (const run of runs) this.#leftBehind.add(run);
  }

  /**
   * Writes a new run, within a transaction that is open. Its id is the day, a count and four letters by chance
   * (`2026-11-20-01-kqtm`): the clock only names it, and the letters tell it from runs of other ledgers, whose results may come here.
   */
  begin(run: RunDescription, host: string, startedAt: string): BegunRun {
    const day = dayOf(startedAt);
    const [count] = this.#countDay.get([day]) as [number];
    const id = `${day}-${String(count).padStart(2, '0')}-${lettersByChance()}`;
    const service = this.serviceNumber(run.service);
    const { serviceUrl, sourcePath, sourceName, origin, sourceDigest, resultsPath, options, person } = run;
    const source = [serviceUrl, sourcePath, sourceName, origin, sourceDigest];
    const told = [...source, resultsPath, options, person, host, startedAt];
    const { lastInsertRowid } = this.#insert.run([id, service, ...told]);
    return { run: Number(lastInsertRowid), service, id, startedAt };
  }

  takeUp({ id, number, service, startedAt }: RunRecord): BegunRun {
    this.setState(number, 'running', null);
    return { run: number, service: this.serviceNumber(service), id, startedAt };
  }

  #told(record: RunRecord): RunRecord {
    return this.#leftBehind.has(record.number) ? { ...record, state: 'stopped' } : record;
  }

  setState(run: number, state: RunRecord['state'], endedAt: string | null): void {
    this.#setState.run([state, endedAt, run]);
    this.#leftBehind.delete(run);
  }
}

const letters = 'bcdfghjkmnpqrstvwxz';
const letterCount = 4;

function lettersByChance(): string {
  return Array.from({ length: letterCount }, () => letters[randomInt(letters.length)]).join('');
}

type Ensured = (values: readonly SqlValue[]) => number;

function ensuredIn(db: Database, table: string, names: readonly string[]): Ensured {
  const find = db
    .prepare(`SELECT number FROM ${table} WHERE ${names.map((name) => `${name} = ?`).join(' AND ')}`)
    .raw();
  const add = db.prepare(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`);
  return (values) => (find.get(values) as [number] | undefined)?.[0] ?? Number(add.run(values).lastInsertRowid);
}
