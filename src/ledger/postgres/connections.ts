/**
 * Connections to the server of a team's ledger. Its one rule: one that is not answered by the server itself, or by a server that says
 * "kept" before it is, is never used.
 */
import type { KeyObject } from 'node:crypto';
import type { Client, ClientBase, ClientConfig, Pool } from 'pg';
import { DealsheetError } from '../../errors.ts';
import type { TeamAddress } from './address.ts';
import { serverFailed } from './errors.ts';

export type Values = readonly unknown[];
export type Row = readonly unknown[];

export interface TeamPlace {
  readonly address: TeamAddress;
  /** Asked for with each connection; where it gives none, the environment and ~/.pgpass are looked into. */
  readonly password?: (() => Promise<string>) | undefined;
  /** The key of the ledger, where it does not stand beside {@link files}. */
  readonly key?: (() => KeyObject) | undefined;
  /** Beside which the key and the private copies of sources stand on this computer. */
  readonly files: string;
}

const mostConnections = 6;
const oldestServer = 140_000;
const connectMs = 10_000;
const statementMs = 60_000;
/** Sessions that are stopped in the middle of a transaction hold up nobody for longer. */
const idleMs = 15_000;
const lockMs = 10_000;
/** Each statement is about few rows among many: by index, also before the server has counted them. */
export const sessionOptions = '-c search_path=dealsheet,pg_temp -c enable_seqscan=off';

export class Connections {
  readonly #place: TeamPlace;
  #pool: Pool | null = null;

  constructor(place: TeamPlace) {
    this.#place = place;
  }

  /** A connection of its own, for as long as a load goes. */
  async single(onLost: (error: Error) => void): Promise<Client> {
    const { default: pg } = await import('pg');
    const client = new pg.Client(this.#config());
    client.on('error', onLost);
    client.on('end', () => onLost(new Error('the connection was closed')));
    return this.#told(async () => {
      await client.connect();
      await refuseUnsafe(client, this.#place.address.shown);
      return client;
    });
  }

  /** @param sql  with `?1` for the first value, as every ledger has it */
  async query(sql: string, values: Values = []): Promise<readonly Row[]> {
    const pool = await this.#opened();
    return this.#told(() => rowsOf(pool, sql, values));
  }

  /** Does something within a transaction. */
  async transaction<Result>(work: (client: ClientBase) => Promise<Result>): Promise<Result> {
    const pool = await this.#opened();
    return this.#told(async () => {
      const client = await pool.connect();
      let failure: Error | undefined;
      try {
        return await inTransaction(client, () => work(client));
      } catch (error) {
        failure = error as Error;
        throw error;
      } finally {
        client.release(failure instanceof DealsheetError ? undefined : failure);
      }
    });
  }

  async close(): Promise<void> {
    const pool = this.#pool;
    this.#pool = null;
    await pool?.end();
  }

  async #opened(): Promise<Pool> {
    if (this.#pool !== null) return this.#pool;
    const { default: pg } = await import('pg');
    const { shown } = this.#place.address;
    const onConnect = (client: ClientBase) => refuseUnsafe(client, shown);
    this.#pool ??= new pg.Pool({ ...this.#config(), max: mostConnections, onConnect } as ClientConfig);
    // What a connection without work dies of is met by the next one.
    this.#pool.on('error', () => {});
    return this.#pool;
  }

  async #told<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw serverFailed(error, this.#place.address.shown);
    }
  }

  #config(): ClientConfig {
    const { host, port, database, user, password, tls } = this.#place.address;
    const given = password ?? this.#place.password;
    const limits = `-c idle_in_transaction_session_timeout=${idleMs} -c lock_timeout=${lockMs}`;
    return {
      ...{ host, port, database, ssl: tls, application_name: 'dealsheet', keepAlive: true },
      ...(user !== null && { user }),
      ...(given !== undefined && { password: given }),
      options: `${sessionOptions} -c statement_timeout=${statementMs} ${limits}`,
      connectionTimeoutMillis: connectMs,
      query_timeout: statementMs + lockMs,
    };
  }
}

export async function rowsOf(client: Pool | ClientBase, sql: string, values: Values = []): Promise<readonly Row[]> {
  const text = sql.replace(/\?(\d+)/g, '$$$1');
  const { rows } = await client.query<unknown[]>({ text, values: [...values], rowMode: 'array' });
  return rows;
}

export async function inTransaction<Result>(client: ClientBase, work: () => Promise<Result>): Promise<Result> {
  await client.query('BEGIN');
  try {
    const result = await work();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

/** A pooler gives each transaction another session: locks of one are then held by nobody in particular. */
async function refuseUnsafe(client: ClientBase, shown: string): Promise<void> {
  const [[pid, commits, fsync, version, isStandby] = []] = await rowsOf(
    client,
    `SELECT pg_backend_pid(), current_setting('synchronous_commit'), current_setting('fsync'),
       current_setting('server_version_num')::int, pg_is_in_recovery()`,
  );
  const { processID } = client as ClientBase & { readonly processID?: number };
  const fault =
    pid !== processID
      ? 'a connection pooler answers in place of its server. Name the server itself'
      : commits === 'off' || fsync === 'off'
        ? `its server says that a row is kept before it is (${commits === 'off' ? 'synchronous_commit' : 'fsync'} = off). Set it to on`
        : isStandby === true
          ? 'its server is a standby. Name the server that takes writes'
          : Number(version) < oldestServer
            ? 'its server is older than PostgreSQL 14. Use a newer one'
            : null;
  if (fault === null) return;
  const [what = '', remedy = ''] = fault.split('. ');
  throw new DealsheetError('ledger-refused', `The ledger ${shown} cannot be used: ${what}.`, `${remedy}.`);
}
