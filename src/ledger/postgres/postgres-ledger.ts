/**
 * The ledger of a team, in PostgreSQL. Its one rule: what may be sent is asked of the server with the statement that writes it, since
 * what was read a moment ago may have been changed by another machine.
 */
import type { KeyObject } from 'node:crypto';
import { hostname } from 'node:os';
import type { ClientBase } from 'pg';
import type { RecordKindName } from '../../contract/record-kind.ts';
import type { SqlValue } from '../../disk/database.ts';
import { DealsheetError } from '../../errors.ts';
import {
  type Appearance,
  type Candidate,
  type Intent,
  IntentRefused,
  type Ledger,
  type LogicalRow,
  type Note,
  type Outcome,
  type Place,
  type Registration,
  type Resolution,
  type RowId,
  type Run,
  type RunCounts,
  type RunDescription,
  type RunEntry,
  type RunRecord,
} from '../ledger.ts';
import { closedTooEarly, newerLedger, olderLedger } from '../ledger-errors.ts';
import { digestWith, keyBeside, keyCheck } from '../ledger-key.ts';
import { deleteRows, deleteRuns, pruning } from '../pruning.ts';
import { appearanceOf, entryOf, statements } from '../row-reads.ts';
import { givenTwice, noDoubtAnyMore, notUnderWay } from '../row-writes.ts';
import { type BegunRun, insertedValues, statements as ofRuns, recordOf, runId } from '../run-records.ts';
import { schemaVersion, storedMessage } from '../schema.ts';
import { stoppingPoint } from '../stopping-points.ts';
import { Batches } from './batches.ts';
import { Connections, rowsOf, type TeamPlace } from './connections.ts';
import { settleIfLeft, settleSending, TeamLease, takeOver } from './lease.ts';
import { candidatesIn, reading, readRow, valuesOf } from './reads.ts';
import { resolve } from './resolve.ts';
import * as write from './writes.ts';

export class PostgresLedger implements Ledger {
  readonly path: string;
  readonly files: string;
  readonly isNew = false;
  readonly #key: KeyObject;
  readonly #now: () => Date;
  readonly #connections: Connections;
  readonly #runs = new Set<PostgresRun>();
  #opening: Promise<number> | null = null;
  #isClosed = false;

  /** Nothing is asked of the server before the first question. */
  constructor(place: TeamPlace, now: () => Date) {
    this.path = place.address.shown;
    this.files = place.files;
    this.#key = place.key?.() ?? keyBeside(place.files, this.path);
    this.#now = now;
    this.#connections = new Connections(place);
  }

  digest(text: string): Buffer {
    return digestWith(this.#key, text);
  }

  async begin(description: RunDescription): Promise<Run> {
    return this.#hold(description, async (client, service) => {
      const startedAt = this.#time();
      const [[count] = []] = await rowsOf(client, ofRuns.countDay, [startedAt.slice(0, 'YYYY-MM-DD'.length)]);
      const id = runId(startedAt, Number(count));
      const told = { ...description, id, host: hostname(), startedAt };
      const [[run] = []] = await rowsOf(client, ofRuns.insert, insertedValues(told, service));
      return { id, startedAt, run: Number(run) };
    });
  }

  async resume(id: string): Promise<Run> {
    const record = await this.run(id);
    if (record === null)
      throw new DealsheetError('usage', `There is no run ${id} in this ledger.`, 'dealsheet runs lists the runs.');
    return this.#hold(record, async (client) => {
      await rowsOf(client, `${ofRuns.setState} RETURNING number`, ['running', null, record.number]);
      return { id, startedAt: record.startedAt, run: record.number };
    });
  }

  async runs(): Promise<readonly RunRecord[]> {
    return (await this.#read(ofRuns.all)).map(recordOf);
  }

  async run(id: string): Promise<RunRecord | null> {
    return (await this.#read(ofRuns.one, [id])).map(recordOf)[0] ?? null;
  }

  async lookup(service: string, digests: readonly Buffer[]): Promise<ReadonlyMap<string, readonly Candidate[]>> {
    if (digests.length === 0) return new Map();
    return candidatesIn(await this.#read(reading.byDigest, [service, ...valuesOf.digests(digests)]));
  }

  async lookupRows(ids: readonly RowId[]): Promise<ReadonlyMap<RowId, LogicalRow>> {
    if (ids.length === 0) return new Map();
    const rows = (await this.#read(reading.byId, [ids])).map(readRow);
    const found = new Map(rows.map((row) => [row.id, row]));
    return new Map(ids.flatMap((id) => [[id, found.get(id)] as const]).filter(isFound));
  }

  async lookupPlaces(places: readonly Place[]): Promise<readonly (Appearance | null)[]> {
    if (places.length === 0) return [];
    const rows = await this.#read(reading.byPlace, valuesOf.places(places));
    const found = new Map(rows.map((row) => [row.at(-1), appearanceOf(row as SqlValue[])]));
    return places.map((_, at) => found.get(at + 1) ?? null);
  }

  async lookupRecords(
    service: string,
    kind: RecordKindName,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, LogicalRow>> {
    if (ids.length === 0) return new Map();
    const rows = (await this.#read(reading.byRecord, [service, ids, kind])).map(readRow);
    const found = new Map([...rows].reverse().map((row) => [row.record, row]));
    return new Map(ids.flatMap((id) => [[id, found.get(id)] as const]).filter(isFound));
  }

  async lookupPairs(pairs: readonly (readonly [RowId, RowId])[]): Promise<readonly boolean[]> {
    if (pairs.length === 0) return [];
    return (await this.#read(reading.pairs, valuesOf.pairs(pairs))).map(([areTwo]) => areTwo === true);
  }

  async entries(run: string, sheet: string, after: number, limit: number): Promise<readonly RunEntry[]> {
    const rows = await this.#read(statements.entries, [run, sheet, after, limit]);
    return rows.map((row) => entryOf(row as SqlValue[]));
  }

  async sheets(run: string): Promise<readonly string[]> {
    return (await this.#read(statements.sheets, [run])).map(([name]) => String(name));
  }

  async counts(run: string): Promise<RunCounts> {
    return Object.fromEntries((await this.#read(statements.counts, [run])) as [string, number][]);
  }

  async resolve(resolutions: readonly Resolution[]): Promise<void> {
    await this.#opened();
    await this.#connections.transaction(async (client) => {
      for (const resolution of resolutions)
        if (!(await resolve(client, resolution, this.#time()))) throw noDoubtAnyMore();
    });
  }

  async prune(before: string): Promise<{ readonly runs: number; readonly rows: number }> {
    await this.#opened();
    return this.#connections.transaction(async (client) => {
      // A load would enter a row again in the moment in which it is forgotten.
      await client.query('LOCK TABLE appearances, rows IN SHARE ROW EXCLUSIVE MODE');
      const counts = new Map<string, number>();
      for (const { sql, ofRuns: takesTime } of pruning)
        counts.set(sql, (await rowsOf(client, `${sql} RETURNING 1`, takesTime ? [before] : [])).length);
      return { runs: counts.get(deleteRuns) ?? 0, rows: counts.get(deleteRows) ?? 0 };
    });
  }

  async takeOver(id: string): Promise<number> {
    const [[service] = []] = await this.#read(`SELECT service FROM runs WHERE id = ?1 AND state = 'running'`, [id]);
    if (service === undefined)
      throw new DealsheetError('usage', `The run ${id} does not go on.`, 'dealsheet runs lists the runs.');
    return this.#connections.transaction((client) => takeOver(client, Number(service)));
  }

  async backUp(): Promise<never> {
    await this.#opened();
    throw new DealsheetError(
      'usage',
      `The ledger ${this.path} is not copied by this command.`,
      'Copy it with pg_dump, and its key with dealsheet ledger share; see docs/ledger.md.',
    );
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    for (const run of this.#runs) await run.abandon();
    this.#isClosed = true;
    await this.#opening?.catch(() => {});
    await this.#connections.close();
  }

  async #read(sql: string, values: readonly unknown[] = []): Promise<readonly (readonly unknown[])[]> {
    await this.#opened();
    return this.#connections.query(sql, values);
  }

  /** Gives the time of a lease. */
  #opened(): Promise<number> {
    if (this.#isClosed) throw closedTooEarly(this.path);
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = null;
      throw error;
    });
    return this.#opening;
  }

  async #open(): Promise<number> {
    const [[version, check, leaseMs] = []] = await this.#connections.query(
      'SELECT version, key_check, lease_ms FROM ledger',
    );
    if (Number(version) > schemaVersion) throw newerLedger(this.path, Number(version), schemaVersion);
    if (Number(version) < schemaVersion) throw olderLedger(this.path, Number(version));
    if (!keyCheck(this.#key).equals(check as Buffer)) throw otherKey(this.path, this.files);
    const left = await this.#connections.query(`SELECT DISTINCT service FROM runs WHERE state = 'running'`);
    for (const [service] of left)
      await this.#connections.transaction((client) => settleIfLeft(client, Number(service), this.#time()));
    return Number(leaseMs);
  }

  async #hold(
    { service: name, serviceUrl, person }: RunDescription,
    begin: (client: ClientBase, service: number) => Promise<Omit<BegunRun, 'service'>>,
  ): Promise<Run> {
    const leaseMs = await this.#opened();
    await this.#connections.query(
      'INSERT INTO services (name) SELECT ?1 WHERE NOT EXISTS (SELECT FROM services WHERE name = ?1) ON CONFLICT DO NOTHING',
      [name],
    );
    const [[number] = []] = await this.#connections.query('SELECT number FROM services WHERE name = ?1', [name]);
    const service = Number(number);
    let begun: Omit<BegunRun, 'service'> | null = null;
    const lease = await TeamLease.take(this.#connections, {
      ...{ service, serviceUrl, person, leaseMs, shown: this.path, now: () => this.#time() },
      begin: async (client) => {
        begun = await begin(client, service);
        return begun.id;
      },
    });
    const run = new PostgresRun({ ...(begun as unknown as BegunRun), service }, lease, this.#connections, () =>
      this.#time(),
    );
    this.#runs.add(run);
    return run;
  }

  #time(): string {
    return this.#now().toISOString();
  }
}

function isFound<Key>(one: readonly [Key, LogicalRow | undefined]): one is readonly [Key, LogicalRow] {
  return one[1] !== undefined;
}

function otherKey(path: string, files: string): DealsheetError {
  return new DealsheetError(
    'ledger-refused',
    `The key ${files}.key is not the key of the ledger ${path}.`,
    'Ask whoever made the ledger for what dealsheet ledger share writes, and give it to dealsheet ledger join.',
  );
}

class PostgresRun implements Run {
  readonly id: string;
  readonly startedAt: string;
  readonly lease: TeamLease;
  readonly #begun: BegunRun;
  readonly #connections: Connections;
  readonly #now: () => string;
  readonly #sheets = new Map<string, Promise<number>>();
  /** As which attempt each row went out of which an outcome may come. */
  readonly #attempts = new Map<RowId, number>();
  readonly #intents: Batches<readonly write.Intended[], readonly Intent[]>;
  readonly #outcomes: Batches<readonly write.Settled[], ReadonlyMap<RowId, boolean>>;
  readonly #notes: Batches<readonly write.Noted[], undefined>;
  readonly #writing = new Set<Promise<unknown>>();
  #isEnded = false;

  constructor(begun: BegunRun, lease: TeamLease, connections: Connections, now: () => string) {
    this.id = begun.id;
    this.startedAt = begun.startedAt;
    this.lease = lease;
    this.#begun = begun;
    this.#connections = connections;
    this.#now = now;
    this.#intents = new Batches((calls) => this.#intend(calls));
    this.#outcomes = new Batches((calls) => this.#settle(calls));
    this.#notes = new Batches(async (calls) => {
      await connections.query(write.note, write.valuesOfNote(calls.flat()));
      return calls.map(() => undefined);
    });
  }

  async register(rows: readonly Registration[]): Promise<readonly RowId[]> {
    this.#needRunning();
    const { service, run } = this.#begun;
    const numbered: write.Registered[] = [];
    for (const row of rows) numbered.push({ ...row, sheetNumber: await this.#sheet(row.sheet) });
    const ids = await this.#connections.query(write.register, write.valuesOfRegister(service, run, numbered));
    return ids.map(([id]) => Number(id));
  }

  intend(intents: readonly Intent[]): Promise<void> {
    return this.#during(() => this.#intendRows(intents));
  }

  record(outcomes: readonly (Outcome & { readonly id: RowId })[]): Promise<readonly RowId[]> {
    return this.#during(() => this.#recordRows(outcomes));
  }

  note(rows: readonly Note[]): Promise<void> {
    return this.#during(() => this.#noteRows(rows));
  }

  /** Keeps what is being written: the end of the run waits for it. */
  async #during<Result>(write: () => Promise<Result>): Promise<Result> {
    this.#needRunning();
    const writing = write();
    this.#writing.add(writing);
    return writing.finally(() => this.#writing.delete(writing));
  }

  async #intendRows(intents: readonly Intent[]): Promise<void> {
    const before = new Map<string, number>();
    const call: write.Intended[] = [];
    for (const intent of intents) {
      const content = intent.content.toString('hex');
      const earlier = before.get(content) ?? 0;
      before.set(content, earlier + 1);
      call.push({ ...intent, call: 0, before: earlier, sheetNumber: await this.#sheet(intent.sheet) });
    }
    const refused = await this.#intents.add(call, [...before.keys(), ...intents.map(({ id }) => id)]);
    if (refused.length > 0) throw new IntentRefused(refused);
  }

  async #recordRows(outcomes: readonly (Outcome & { readonly id: RowId })[]): Promise<readonly RowId[]> {
    const call = outcomes.map((outcome) => {
      const doubt = outcome.record === null ? null : givenTwice(outcome).message;
      return { ...outcome, doubt, attempt: this.#attempts.get(outcome.id) ?? 0 };
    });
    const ids = outcomes.map(({ id }) => id);
    const written = await this.#outcomes.add(call, ids);
    const strays = ids.filter((id) => !written.has(id));
    if (strays.length > 0) throw notUnderWay(strays);
    // Of those that are refused, it may still turn out that the whole address is closed.
    for (const { id, state } of outcomes) if (state !== 'rejected') this.#attempts.delete(id);
    return ids.filter((id) => written.get(id) === true);
  }

  async #noteRows(rows: readonly Note[]): Promise<void> {
    const call: write.Noted[] = [];
    for (const { sheet, row, state, message } of rows)
      call.push({ sheetNumber: await this.#sheet(sheet), row, state, message: storedMessage(message) });
    await this.#notes.add(
      call,
      call.map(({ sheetNumber, row }) => `${sheetNumber}!${row}`),
    );
  }

  async end(state: 'stopped' | 'ended'): Promise<void> {
    this.#needRunning();
    this.#isEnded = true;
    await Promise.allSettled(this.#writing);
    const { failure } = this.#outcomes;
    if (failure !== null) this.lease.lose('what came of its rows could not be written');
    await this.lease.giveBack(async (client) => {
      await settleSending(client, this.#begun.run);
      await rowsOf(client, ofRuns.setState, [state, this.#now(), this.#begun.run]);
    });
  }

  /** Gives the lease back without a word of the run: the next to open the ledger takes it for stopped. */
  async abandon(): Promise<void> {
    if (this.#isEnded) return;
    this.#isEnded = true;
    await Promise.allSettled(this.#writing);
    await this.lease.giveBack(async () => {}).catch(() => {});
  }

  async #intend(calls: readonly (readonly write.Intended[])[]): Promise<readonly (readonly Intent[])[]> {
    const { service } = this.#begun;
    const all = calls.flatMap((intents, call) => intents.map((intent) => ({ ...intent, call })));
    if (this.lease.failure !== null) throw this.lease.failure;
    stoppingPoint('intent-before-commit');
    const values = [service, this.lease.fence, ...write.valuesOfIntend(all)];
    const rows = await this.#connections.query(write.intend, values);
    stoppingPoint('intent-after-commit');
    const refused = calls.map((): Intent[] => []);
    rows.forEach(([isHeld, may, attempt], at) => {
      if (isHeld !== true) this.lease.lose('another load has taken it over');
      const intent = all[at] as write.Intended;
      if (may !== true) refused[intent.call]?.push(intent);
      else if (attempt !== null) this.#attempts.set(intent.id, Number(attempt));
    });
    if (this.lease.failure !== null) throw this.lease.failure;
    return refused;
  }

  async #settle(calls: readonly (readonly write.Settled[])[]): Promise<readonly ReadonlyMap<RowId, boolean>[]> {
    stoppingPoint('settle-before-commit');
    const rows = await this.#connections.query(write.settle, write.valuesOfSettle(calls.flat()));
    stoppingPoint('settle-after-commit');
    const written = new Map(rows.map(([id, isTaken]) => [Number(id), isTaken === true]));
    return calls.map(() => written);
  }

  /** The number of a sheet of this run, which is written where it is not there. */
  #sheet(name: string): Promise<number> {
    const known = this.#sheets.get(name);
    if (known !== undefined) return known;
    const asked = this.#connections
      .query(
        'INSERT INTO sheets (run, name) SELECT ?1, ?2 WHERE NOT EXISTS (SELECT FROM sheets WHERE run = ?1 AND name = ?2)',
        [this.#begun.run, name],
      )
      .then(() =>
        this.#connections.query('SELECT number FROM sheets WHERE run = ?1 AND name = ?2', [this.#begun.run, name]),
      )
      .then(([row]) => Number(row?.[0]));
    this.#sheets.set(name, asked);
    return asked;
  }

  #needRunning(): void {
    if (this.#isEnded) throw new Error(`The run ${this.id} is ended: nothing more is written for it.`);
  }
}
