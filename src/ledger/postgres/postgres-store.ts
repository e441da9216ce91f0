/**
 * The team ledger in PostgreSQL. Its one rule: whether a row may be sent is checked by the statement that writes the intent,
 * because another machine may have changed what was read before.
 */
import type { KeyObject } from 'node:crypto';
import { errorOf } from '../../messages/text.ts';
import { killPoint } from '../kill-points.ts';
import type { RunDescription } from '../ledger.ts';
import { needVersion } from '../ledger-errors.ts';
import { keyBeside, keyCheck, keyPathOf } from '../ledger-key.ts';
import { serviceNumber, servicesOfRunning } from '../run-records.ts';
import type { BegunRun, Holding, Read, Row, Statement, Steps, Store } from '../store.ts';
import { Connections, isOfMeeting, type TeamPlace } from './connections.ts';
import { endLease, settleIfLeft, TeamLease } from './lease.ts';

const mostTries = 5;

export class PostgresStore implements Store {
  readonly path: string;
  readonly files: string;
  readonly key: KeyObject;
  readonly leftBehind = new Set<number>();
  readonly rowsAtOnce = 2048;
  readonly #now: () => string;
  readonly #connections: Connections;
  #opening: Promise<number> | null = null;
  #isClosed = false;

  /** Does not connect. The first call does. */
  constructor(place: TeamPlace, now: () => string) {
    this.path = place.address.shown;
    this.files = place.files;
    this.key = place.key?.() ?? keyBeside(place.files, this.path);
    this.#now = now;
    this.#connections = new Connections(place);
  }

  stillUnderWay(row: number): Statement {
    return {
      sql: `SELECT ceil(extract(epoch FROM u.silent_from - clock_timestamp()))::int
        FROM rows r JOIN sheets s ON s.number = r.sheet JOIN runs u ON u.number = s.run
        WHERE r.id = ?1 AND u.silent_from > clock_timestamp()`,
      values: [row],
    };
  }

  async read(statement: Statement): Promise<readonly Row[]> {
    await this.#opened();
    return this.#connections.read(statement);
  }

  transaction<Result>(name: string, steps: () => Steps<Result>): Promise<Result> {
    return this.#tried([name], () => this.#connections.transaction(steps()));
  }

  async write(names: readonly string[], statements: readonly Statement[]): Promise<Read> {
    const read = await this.#tried(names, () => this.#connections.write(statements));
    return new Map(statements.map((one, at) => [one, read[at] ?? []]));
  }

  async hold(
    { service: name, serviceUrl, person }: RunDescription,
    begin: (service: number) => Steps<BegunRun>,
  ): Promise<Holding> {
    const leaseMs = await this.#opened();
    const service = await this.#connections.transaction(serviceNumber(name));
    const load = { service, serviceUrl, person, leaseMs, shown: this.path, now: this.#now, begin };
    return TeamLease.take(this.#connections, load);
  }

  async takeOver(id: string): Promise<number> {
    const sql = `SELECT service FROM runs WHERE id = ?1 AND state = 'running'`;
    const [[service] = []] = await this.read({ sql, values: [id] });
    if (service === undefined) throw errorOf('run-not-running', { run: id });
    return this.#connections.transaction(endLease(Number(service)));
  }

  async backUp(): Promise<never> {
    await this.#opened();
    throw errorOf('team-ledger-not-copied', { ledger: this.path });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#opening?.catch(() => {});
    await this.#connections.close();
  }

  /** Again, where it merely met another transaction. */
  async #tried<Result>(names: readonly string[], work: () => Promise<Result>): Promise<Result> {
    await this.#opened();
    for (let tries = 1; ; tries += 1) {
      try {
        for (const name of names) killPoint(`${name}-before-commit`);
        const result = await work();
        for (const name of names) killPoint(`${name}-after-commit`);
        return result;
      } catch (error) {
        if (tries === mostTries || !isOfMeeting((error as Error).cause)) throw error;
      }
    }
  }

  #opened(): Promise<number> {
    if (this.#isClosed) throw errorOf('ledger-closed', { path: this.path });
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = null;
      throw error;
    });
    return this.#opening;
  }

  async #open(): Promise<number> {
    const [[version, check, leaseMs] = []] = await this.#connections.read({
      sql: 'SELECT version, key_check, lease_ms FROM ledger',
    });
    needVersion(this.path, Number(version));
    if (!keyCheck(this.key).equals(check as Buffer))
      throw errorOf('team-key-missing', { ledger: this.path, key: keyPathOf(this.files) });
    for (const [service] of await this.#connections.read({ sql: servicesOfRunning }))
      await this.#connections.transaction(settleIfLeft(Number(service), this.#now()));
    return Number(leaseMs);
  }
}
