/** A server of PostgreSQL for tests, in a temporary folder, run by somebody who is not root. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { sessionOptions } from '../../src/ledger/postgres/connections.ts';
import { freePort } from './free-port.ts';
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
  /** Fills its own disk but for so many kilobytes; `null` empties it again. */
  fill(kilobytes: number | null): void;
  remove(): Promise<void>;
}

/** @param megabytes  of a disk of its own, which goes with the server; `null` for that of the machine */
export async function startPostgres(megabytes: number | null = null): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'dealsheet-postgres-'));
  const port = await freePort();
  const as = unprivileged();
  const data = join(folder, 'data');
  const init = ['--no-sync', '-A', 'trust', '-U', 'owner', '--locale=C.UTF-8', '-E', 'UTF8', '--wal-segsize=1'];
  const initdb = [join(programs, 'initdb'), ...init, '-D', data];
  const postgres = [join(programs, 'postgres'), '-D', data, '-k', folder, '-p', String(port), '-h', '127.0.0.1'];
  mkdirSync(data);
  if (as.uid !== undefined && as.gid !== undefined) for (const path of [folder, data]) chownSync(path, as.uid, as.gid);
  if (megabytes === null) execFileSync(initdb[0] ?? '', initdb.slice(1), { ...as, stdio: 'ignore' });
  let child: ChildProcess;
  /** One for each database: of what a test of a ledger costs, most is to begin sessions. */
  const pools = new Map<string, pg.Pool>();
  const poolOf = (database: string) => {
    const found = pools.get(database);
    if (found !== undefined) return found;
    const made = new pg.Pool({ connectionString: server.url(database), options: sessionOptions });
    // What was asked tells of a server that is gone.
    made.on('error', () => {});
    pools.set(database, made);
    return made;
  };
  const ended = (one: ChildProcess) =>
    one.exitCode !== null || one.signalCode !== null
      ? Promise.resolve()
      : new Promise<void>((resolve) => one.once('exit', () => resolve()));
  const server: Server = {
    port,
    url: (database = 'postgres') => `postgres://owner@127.0.0.1:${port}/${database}`,
    query: async (sql, database = 'postgres') => {
      const result: unknown = await poolOf(database).query<unknown[]>({ text: sql, rowMode: 'array' });
      return (result as { rows?: unknown[][] }).rows ?? [];
    },
    kill: async () => {
      child.kill('SIGQUIT');
      await ended(child);
      const left = [...pools.values()];
      pools.clear();
      await Promise.all(left.map((pool) => pool.end()));
    },
    start: async () => {
      const [program = '', ...words] = megabytes === null ? postgres : onOwnDisk(megabytes, data, [initdb, postgres]);
      child = spawn(program, words, { ...(megabytes === null && as), stdio: 'ignore' });
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
    fill: (kilobytes) => {
      const disk = `/proc/${child.pid}/root${data}`;
      rmSync(join(disk, 'ballast'), { force: true });
      const { bavail, bsize } = statfsSync(disk);
      if (kilobytes !== null) writeFileSync(join(disk, 'ballast'), Buffer.alloc(bavail * bsize - kilobytes * 1024));
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
function unprivileged(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/** The words that run commands one after another, with a disk in the memory that nobody else sees. */
function onOwnDisk(megabytes: number, folder: string, commands: readonly (readonly string[])[]): readonly string[] {
  const { uid, gid } = unprivileged();
  const as = `exec setpriv --reuid=${uid} --regid=${gid} --clear-groups`;
  const [first = '', second = ''] = commands.map((words) => `${as} ${words.join(' ')}`);
  const mount = `mount -t tmpfs -o size=${megabytes}m,mode=700,uid=${uid},gid=${gid} tmpfs ${folder}`;
  return ['unshare', '-m', 'sh', '-c', `${mount} && (${first}) && ${second}`];
}
