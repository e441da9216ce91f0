/**
 * Connections to the server of a team ledger. Its one rule: a connection through a pooler, or to a server that confirms commits
 * before they are durable, is never used.
 */
import type { KeyObject } from 'node:crypto';
import type { Client, ClientBase, ClientConfig, Pool } from 'pg';
import { DealsheetError, isDealsheetError } from '../../errors.ts';
import { type ErrorReason, errorOf } from '../../messages/text.ts';
import type { ColumnType, Row, Statement, Steps } from '../store.ts';
import type { TeamAddress } from './address.ts';

export interface TeamPlace {
  readonly address: TeamAddress;
  /** Called for each connection. Without it, the environment and ~/.pgpass are used. */
  readonly password?: (() => Promise<string>) | undefined;
  /** The key of the ledger, if it is not stored beside {@link files}. */
  readonly key?: KeyObject | undefined;
  /** The local path that the key and the copies of sources stand beside. */
  readonly files: string;
}

const mostConnections = 6;
const oldestServer = 140_000;
const connectMs = 10_000;
const statementMs = 60_000;
/** A session that stalls in a transaction ends before the others give up waiting for its locks. */
const idleMs = 15_000;
const lockMs = 20_000;
/**
 * Each statement starts with a few rows and finds others by index, in the order in which it names the tables. These settings make
 * the planner do so even before the server has statistics.
 */
const asWritten = ['seqscan', 'hashjoin', 'mergejoin'].map((way) => `-c enable_${way}=off`).join(' ');
export const sessionOptions = `-c search_path=dealsheet,pg_temp ${asWritten} -c join_collapse_limit=1 -c jit=off`;

export type Connections = ReturnType<typeof connectionsTo>;

export function connectionsTo(place: TeamPlace) {
  const { shown, host, port, database, user, password, tls } = place.address;
  let pool: Pool | null = null;

  const config = (further = ''): ClientConfig => {
    const given = password ?? place.password;
    const limits = `-c idle_in_transaction_session_timeout=${idleMs} -c lock_timeout=${lockMs}`;
    return {
      host,
      port,
      database,
      ssl: tls,
      application_name: 'dealsheet',
      keepAlive: true,
      pipeline: true,
      ...(user !== null && { user }),
      ...(given !== undefined && { password: given }),
      options: `${sessionOptions} -c statement_timeout=${statementMs} ${limits} ${further}`,
      connectionTimeoutMillis: connectMs,
      query_timeout: statementMs + lockMs,
    };
  };

  const opened = async (): Promise<Pool> => {
    if (pool !== null) return pool;
    const { default: pg } = await import('pg');
    const onConnect = (client: ClientBase) => refuseUnsafe(client, shown);
    pool ??= new pg.Pool({ ...config(), max: mostConnections, allowExitOnIdle: true, onConnect });
    // An idle connection that fails is replaced by the next one.
    pool.on('error', () => {});
    return pool;
  };

  const withErrors = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      throw serverFailed(error, shown);
    }
  };

  const withClient = async <Result>(work: (client: ClientBase) => Promise<Result>): Promise<Result> => {
    const connected = await opened();
    return withErrors(async () => {
      const client = await connected.connect();
      // Each query on the connection reports the loss itself.
      const onLost = () => {};
      client.on('error', onLost);
      let failure: Error | undefined;
      try {
        return await work(client);
      } catch (error) {
        failure = error as Error;
        throw error;
      } finally {
        client.off('error', onLost);
        client.release(failure instanceof DealsheetError ? undefined : failure);
      }
    });
  };

  return {
    /** A dedicated connection for one load. If it is silent for `silentMs`, the server ends its session and releases its locks. */
    async single(silentMs: number, onLost: (error: Error) => void): Promise<Client> {
      const { default: pg } = await import('pg');
      const client = new pg.Client(config(`-c idle_session_timeout=${silentMs}`));
      client.on('error', onLost);
      client.on('end', () => onLost(new Error('the connection was closed')));
      return withErrors(async () => {
        await client.connect();
        await refuseUnsafe(client, shown);
        return client;
      });
    },
    async read(statement: Statement): Promise<readonly Row[]> {
      const connected = await opened();
      return withErrors(() => ask(connected, statement));
    },
    transaction: <Result>(steps: Steps<Result>) => withClient((client) => inTransaction(client, steps)),
    write: (statements: readonly Statement[]) => withClient((client) => writeAtOnce(client, statements)),
    async close(): Promise<void> {
      const closing = pool;
      pool = null;
      await closing?.end();
    },
  };
}

/** A silent server must not keep a command from ending, so nothing waits for its farewell. */
export function hangUp(client: Client): void {
  (client as Client & { unref(): void }).unref();
  void client.end().catch(() => {});
}

/** The rows of a statement are passed as one array per column. */
export async function ask(client: Pool | ClientBase, { sql, values = [], q }: Statement): Promise<readonly Row[]> {
  if (q?.rows.length === 0) return [];
  const columns = q?.columns ?? [];
  const names = columns.map(([name]) => name).join(', ');
  const arrays = columns.map(([, type], at) => `?${values.length + at + 1}::${type === 'blob' ? 'bytea' : type}[]`);
  const from = `unnest(${arrays.join(', ')}) WITH ORDINALITY AS q (${names}, nr)`;
  const text = q === undefined ? sql : `WITH q AS (SELECT nr::int AS nr, ${names} FROM ${from}) ${sql}`;
  const { rows } = await client.query<unknown[]>({
    text: text.replace(/\?(\d+)/g, '$$$1'),
    values: [...values, ...columns.map(([, type], at) => q?.rows.map((row) => boundOf(type, row[at])))],
    rowMode: 'array',
  });
  return rows;
}

function boundOf(type: ColumnType, value: unknown): unknown {
  return type === 'blob' && typeof value === 'string' ? `\\x${value}` : value;
}

export async function writeAtOnce(
  client: ClientBase,
  statements: readonly Statement[],
): Promise<readonly (readonly Row[])[]> {
  const begin = client.query('BEGIN');
  const asked = statements.map((one) => ask(client, one));
  // After a failed statement, COMMIT rolls back.
  const ended = await Promise.allSettled([begin, ...asked, client.query('COMMIT')]);
  const failed = ended.find(({ status }) => status === 'rejected');
  if (failed !== undefined) throw (failed as PromiseRejectedResult).reason;
  return Promise.all(asked);
}

export async function inTransaction<Result>(client: ClientBase, steps: Steps<Result>): Promise<Result> {
  const begin = client.query('BEGIN');
  try {
    let step = steps.next();
    while (!step.done) {
      const [, read = []] = await Promise.all([begin, ...[step.value].flat().map((one) => ask(client, one))]);
      step = steps.next(read);
    }
    await client.query('COMMIT');
    return step.value;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

/** A pooler gives each transaction a different session, so session locks protect nothing. */
async function refuseUnsafe(client: ClientBase, ledger: string): Promise<void> {
  const [[pid, commits, fsync, version, isStandby] = []] = await ask(client, {
    sql: `SELECT pg_backend_pid(), current_setting('synchronous_commit'), current_setting('fsync'),
      current_setting('server_version_num')::int, pg_is_in_recovery()`,
  });
  const { processID } = client as ClientBase & { readonly processID?: number };
  const lax = commits === 'off' ? 'synchronous_commit' : fsync === 'off' ? 'fsync' : null;
  if (pid !== processID) throw errorOf('server-behind-pooler', { ledger });
  if (lax !== null) throw errorOf('server-unsynced', { ledger, setting: lax });
  if (isStandby === true) throw errorOf('server-on-standby', { ledger });
  if (Number(version) < oldestServer) throw errorOf('server-too-old', { ledger });
}

type Trouble = Extract<ErrorReason, `server-${string}`>;

/** By SQLSTATE, or its two-digit class. */
const troubles: Readonly<Record<string, Trouble>> = {
  '08': 'server-away',
  '57': 'server-away',
  '53': 'server-full',
  '25006': 'server-takes-no-writes',
  '3D': 'server-without-database',
  '3F': 'server-without-ledger',
  '42P01': 'server-without-ledger',
  '28': 'server-refuses-user',
  '42501': 'server-refuses-work',
};

export function serverFailed(error: unknown, ledger: string): DealsheetError {
  if (isDealsheetError(error)) return error;
  const detail = error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
  return errorOf(troubleOf(error), { ledger, detail }, error);
}

/** Whether two transactions merely collided, so that a retry succeeds. */
export function isCollision(error: unknown): boolean {
  return ['23505', '40001', '40P01'].includes(codeOf(error));
}

function troubleOf(error: unknown): Trouble {
  const code = codeOf(error);
  const known = troubles[code] ?? troubles[code.slice(0, 2)];
  if (known !== undefined) return known;
  // The driver reports a lost connection without a code; system errors have codes such as ECONNRESET.
  if (/^E[A-Z]+$/.test(code) || /connect|timeout/i.test(String(error))) return 'server-away';
  return /SASL|password/i.test(String(error)) ? 'server-refuses-user' : 'server-fault';
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
