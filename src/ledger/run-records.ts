/** The runs of the ledger: begun, listed, ended. Newer and older is told by their number, never by a time. */
import { randomInt } from 'node:crypto';
import type { Database, SqlValue, Statement } from '../disk/database.ts';
import type { RunDescription, RunRecord } from './ledger.ts';
import { dayOf } from './moments.ts';

const columns: Readonly<Record<keyof RunRecord, string>> = {
  number: 'r.number',
  id: 'r.id',
  service: 's.name',
  serviceUrl: 'r.service_url',
  sourcePath: 'r.source_path',
  sourceName: 'r.source_name',
  origin: 'r.origin',
  sourceDigest: 'r.source_digest',
  resultsPath: 'r.results_path',
  options: 'r.options',
  person: 'r.person',
  host: 'r.host',
  state: 'r.state',
  startedAt: 'r.started_at',
  endedAt: 'r.ended_at',
};
const told = Object.values(columns).join(', ');
const tables = 'runs r JOIN services s ON s.number = r.service';

/** What one statement reads or writes in every ledger, by values in the order of their numbers. */
export const statements = {
  all: `SELECT ${told} FROM ${tables} ORDER BY r.number DESC`,
  one: `SELECT ${told} FROM ${tables} WHERE r.id = ?1`,
  countDay:
    'INSERT INTO days (day, runs) VALUES (?1, 1) ON CONFLICT (day) DO UPDATE SET runs = days.runs + 1 RETURNING runs',
  insert: `INSERT INTO runs (id, service, service_url, source_path, source_name, origin, source_digest, results_path, options,
      person, host, state, started_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, 'running', ?12) RETURNING number`,
  setState: 'UPDATE runs SET state = ?1, ended_at = ?2 WHERE number = ?3',
} as const;

export function recordOf(values: readonly unknown[]): RunRecord {
  return Object.fromEntries(Object.keys(columns).map((name, at) => [name, values[at]])) as unknown as RunRecord;
}

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
    this.#all = db.prepare(statements.all).raw();
    this.#one = db.prepare(statements.one).raw();
    this.#countDay = db.prepare(statements.countDay).raw();
    this.#insert = db.prepare(statements.insert).raw();
    this.#setState = db.prepare(statements.setState);
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
    return (this.#all.all() as SqlValue[][]).map((values) => this.#told(recordOf(values)));
  }

  one(id: string): RunRecord | null {
    const values = this.#one.get([id]) as SqlValue[] | undefined;
    return values === undefined ? null : this.#told(recordOf(values));
  }

  /** Runs of processes that are gone, of which that cannot be written now. */
  tellAsStopped(runs: readonly number[]): void {
    for (const run of runs) this.#leftBehind.add(run);
  }

  /** Writes a new run, within a transaction that is open. */
  begin(run: RunDescription, host: string, startedAt: string): BegunRun {
    const [count] = this.#countDay.get([dayOf(startedAt)]) as [number];
    const id = runId(startedAt, count);
    const service = this.serviceNumber(run.service);
    const [number] = this.#insert.get(insertedValues({ ...run, id, host, startedAt }, service)) as [number];
    return { run: number, service, id, startedAt };
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

/**
 * The day, a count and four letters by chance (`2026-11-20-01-kqtm`): the clock only names a run, and the letters tell it from
 * runs of other ledgers, whose results may come here.
 */
export function runId(startedAt: string, count: number): string {
  const byChance = Array.from({ length: letterCount }, () => letters[randomInt(letters.length)]).join('');
  return `${dayOf(startedAt)}-${String(count).padStart(2, '0')}-${byChance}`;
}

type NewRun = RunDescription & Pick<RunRecord, 'id' | 'host' | 'startedAt'>;

export function insertedValues(run: NewRun, service: number): SqlValue[] {
  const { id, serviceUrl, sourcePath, sourceName, origin, sourceDigest } = run;
  const { resultsPath, options, person, host, startedAt } = run;
  const source = [serviceUrl, sourcePath, sourceName, origin, sourceDigest];
  return [id, service, ...source, resultsPath, options, person, host, startedAt];
}

type Ensured = (values: readonly SqlValue[]) => number;

function ensuredIn(db: Database, table: string, names: readonly string[]): Ensured {
  const find = db
    .prepare(`SELECT number FROM ${table} WHERE ${names.map((name) => `${name} = ?`).join(' AND ')}`)
    .raw();
  const add = db.prepare(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`);
  return (values) => (find.get(values) as [number] | undefined)?.[0] ?? Number(add.run(values).lastInsertRowid);
}
