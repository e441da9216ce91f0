/** A server of PostgreSQL for tests, in a temporary folder, run by somebody who is not root. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { sessionOptions } from '../../src/ledger/postgres/connections.ts';
import { runs } from './tools.ts';

const versions = '/usr/lib/postgresql';
const newest = (existsSync(versions) ? readdirSync(versions) : [])
  .sort((one, other) => Number(one) - Number(other))
  .at(-1);
const programs = join(versions, newest ?? '15', 'bin');
export const hasPostgres = (): boolean => runs(join(programs, 'postgres'), '--version');

export interface Server {
  readonly port: number;
  /** The address of a database in it. */
  url(database?: string): string;
  query(sql: string, database?: string): Promise<readonly (readonly unknown[])[]>;
  /** At once, as a power cut. */
  kill(): Promise<void>;
  start(): Promise<void>;
  remove(): Promise<void>;
}

export async function startPostgres(): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'dealsheet-postgres-'));
  const port = await freePort();
  const as = unprivileged();
  if ('uid' in as) chownSync(folder, as.uid, as.gid);
  const data = join(folder, 'data');
  const words = ['--no-sync', '-A', 'trust', '-U', 'owner', '--locale=C.UTF-8', '-E', 'UTF8', '-D', data];
  execFileSync(join(programs, 'initdb'), words, { ...as, stdio: 'ignore' });
  let child: ChildProcess;
  const ended = (one: ChildProcess) =>
    one.exitCode !== null || one.signalCode !== null
      ? Promise.resolve()
      : new Promise<void>((resolve) => one.once('exit', () => resolve()));
  const server: Server = {
    port,
    url: (database = 'postgres') => `postgres://owner@127.0.0.1:${port}/${database}`,
    query: async (sql, database = 'postgres') => {
      const client = new pg.Client({ connectionString: server.url(database), options: sessionOptions });
      await client.connect();
      try {
        const result: unknown = await client.query<unknown[]>({ text: sql, rowMode: 'array' });
        return (result as { rows?: unknown[][] }).rows ?? [];
      } finally {
        await client.end();
      }
    },
    kill: async () => {
      child.kill('SIGQUIT');
      await ended(child);
    },
    start: async () => {
      const options = ['-k', folder, '-p', String(port), '-h', '127.0.0.1'];
      child = spawn(join(programs, 'postgres'), ['-D', data, ...options], { ...as, stdio: 'ignore' });
      for (;;) {
        if (child.exitCode !== null) throw new Error('PostgreSQL does not start.');
        if (
          await server.query('SELECT 1').then(
            () => true,
            () => false,
          )
        )
          return;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    remove: async () => {
      await server.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await server.start();
  return server;
}

/** The server refuses to be run by root. */
function unprivileged(): { readonly uid: number; readonly gid: number } | Record<string, never> {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
