/** The runs of the ledger: begun, listed, ended. Newer and older is told by their number, never by a time. */
import { randomInt } from 'node:crypto';
import { type RowState, rowStates } from '../contract/row-state.ts';
import type { Database, Statement } from '../disk/database.ts';
import type { Catalogue, RunNumbers } from './catalogue.ts';
import type { EntryCounts, EntryState, RunDescription, RunRecord, RunState } from './ledger.ts';
import { dayOf } from './moments.ts';

const runColumns = `r.number, r.id, s.name, r.service_url, r.source_path, r.source_name, r.source_digest, r.results_path,
  r.options, r.state, r.started_at, r.ended_at`;
const runTables = 'runs r JOIN services s ON s.number = r.service';

type RunColumns = [
  number,
  string,
  string,
  string,
  string,
  string,
  string,
  string,
  string,
  RunState,
  string,
  string | null,
];

const countedStates: readonly EntryState[] = [...(Object.keys(rowStates) as RowState[]), 'sending' as const].sort();

export class RunRecords {
  readonly #catalogue: Catalogue;
  readonly #all: Statement;
  readonly #one: Statement;
  readonly #newest: Statement;
  readonly #countsOf: Statement;
  readonly #countDay: Statement;
  readonly #insert: Statement;
  readonly #setState: Statement;
  readonly #leftBehind = new Set<number>();

  constructor(db: Database, catalogue: Catalogue) {
    this.#catalogue = catalogue;
    this.#all = db.prepare(`SELECT ${runColumns} FROM ${runTables} ORDER BY r.number DESC`).raw();
    this.#one = db.prepare(`SELECT ${runColumns} FROM ${runTables} WHERE r.id = ?`).raw();
    this.#newest = db
      .prepare(
        `SELECT ${runColumns} FROM ${runTables}
         WHERE s.name = ? AND r.source_digest = ? ORDER BY r.number DESC LIMIT 1`,
      )
      .raw();
    // Grouped by their state, the entries would be sorted: 24 MB of a million.
    const ofStates = countedStates.map((state) => `count(*) FILTER (WHERE e.state = '${state}')`).join(', ');
    this.#countsOf = db
      .prepare(
        `SELECT ${ofStates} FROM runs r JOIN sheets s ON s.run = r.number JOIN entries e ON e.sheet = s.number
         WHERE r.id = ?`,
      )
      .raw();
    this.#countDay = db.prepare(
      'INSERT INTO days (day, runs) VALUES (?, 1) ON CONFLICT (day) DO UPDATE SET runs = runs + 1 RETURNING runs',
    );
    this.#insert = db.prepare(
      `INSERT INTO runs (id, service, service_url, source_path, source_name, source_digest, results_path, options, state, started_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'running', ?)`,
    );
    this.#setState = db.prepare('UPDATE runs SET state = ?, ended_at = ? WHERE number = ?');
  }

  /** All runs, the newest first. */
  all(): readonly RunRecord[] {
    return (this.#all.all([]) as RunColumns[]).map((columns) => this.#recordOf(columns));
  }

  one(id: string): RunRecord | null {
    const [columns] = this.#one.all([id]) as RunColumns[];
    return columns === undefined ? null : this.#recordOf(columns);
  }

  countsOf(id: string): EntryCounts {
    const [counts = []] = this.#countsOf.all([id]) as number[][];
    const named = countedStates.map((state, index) => [state, counts[index] ?? 0] as const);
    return Object.fromEntries(named.filter(([, count]) => count > 0));
  }

  newestOf(service: string, sourceDigest: string): RunRecord | null {
    const [columns] = this.#newest.all([service, sourceDigest]) as RunColumns[];
    return columns === undefined ? null : this.#recordOf(columns);
  }

  /**
   * Writes a new run, within a transaction that is open. Its id is the day, a count and four letters by chance
   * (`2026-11-20-01-kqtm`): the clock only names it, and a clock that steps back goes on counting on the day that it steps
   * to. The letters tell it from runs of other ledgers, whose results sheets may come here.
   */
  begin(description: RunDescription, startedAt: string): RunNumbers & { readonly id: string } {
    const { service, serviceUrl, sourcePath, sourceName, sourceDigest, resultsPath, options } = description;
    const day = dayOf(startedAt);
    const [counted] = this.#countDay.all([day]) as { readonly runs: number }[];
    const id = `${day}-${String(counted?.runs).padStart(2, '0')}-${lettersByChance()}`;
    const serviceNumber = this.#catalogue.ensureService(service);
    const given = [serviceUrl, sourcePath, sourceName, sourceDigest, resultsPath, options];
    this.#insert.run([id, serviceNumber, ...given, startedAt]);
    const numbers = this.#catalogue.run(id);
    if (numbers === null) throw new Error(`The run ${id} was written and is not there.`);
    return { ...numbers, id };
  }

  /** These are told as stopped, whatever is written: their process is gone, and the disk has no room to say so. */
  tellAsStopped(runs: readonly number[]): void {
    for (const run of runs) this.#leftBehind.add(run);
  }

  setState(run: number, state: RunState, endedAt: string | null): void {
    this.#leftBehind.delete(run);
    this.#setState.run([state, endedAt, run]);
  }

  #recordOf(columns: RunColumns): RunRecord {
    const [number] = columns;
    const record = recordOf(columns);
    return this.#leftBehind.has(number) ? { ...record, state: 'stopped' } : record;
  }
}

const letters = 'bcdfghjkmnpqrstvwxz';
const letterCount = 4;

function lettersByChance(): string {
  return Array.from({ length: letterCount }, () => letters[randomInt(letters.length)]).join('');
}

function recordOf(columns: RunColumns): RunRecord {
  const [
    ,
    id,
    service,
    serviceUrl,
    sourcePath,
    sourceName,
    sourceDigest,
    resultsPath,
    options,
    state,
    startedAt,
    endedAt,
  ] = columns;
  return {
    id,
    service,
    serviceUrl,
    sourcePath,
    sourceName,
    sourceDigest,
    resultsPath,
    options,
    state,
    startedAt,
    endedAt,
  };
}
