/** A computer of its own for a command: it has another name, and a network on which some ports of this one are to be reached. */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';

export const mayMakeHosts = (): boolean =>
  spawnSync('unshare', ['-n', '-u', 'ip', 'link', 'set', 'lo', 'up']).status === 0;

/** Sockets that are files are met from every network. */
const passOn = `
  const { connect, createServer } = require('node:net');
  const [folder, ...ports] = process.argv.slice(1);
  const listening = ports.map((port) => new Promise((resolve) => {
    createServer((client) => {
      const target = connect(folder + '/' + port);
      for (const one of [client, target]) one.on('error', () => {});
      client.pipe(target).pipe(client);
    }).listen(Number(port), '127.0.0.1', resolve);
  }));
  Promise.all(listening).then(() => console.log('ready'));`;

const script = `hostname "$1"; ip link set lo up; mkfifo "$2/$1"
  "$3" -e "$PASS_ON" "$2" $4 > "$2/$1" & relay=$!
  read ready < "$2/$1"; shift 4
  "$@"; code=$?; kill $relay; exit $code`;

export interface Hosts {
  /** The words before a command by which it runs on the host of this name, and what its environment needs besides. */
  on(name: string): { readonly words: readonly string[]; readonly env: Record<string, string> };
  stop(): void;
}

/** @param folder  for the sockets */
export async function startHosts(folder: string, ports: readonly number[]): Promise<Hosts> {
  const servers = ports.map((port) =>
    createServer((client) => {
      const target = connect(port, '127.0.0.1');
      for (const one of [client, target]) one.on('error', () => {});
      client.pipe(target).pipe(client);
    }),
  );
  for (const [at, server] of servers.entries())
    await new Promise<void>((resolve) => server.listen(join(folder, String(ports[at])), resolve));
  return {
    on: (name) => ({
      words: ['unshare', '-n', '-u', 'sh', '-c', script, 'sh', name, folder, process.execPath, ports.join(' ')],
      env: { PASS_ON: passOn },
    }),
    stop: () => {
      for (const server of servers) server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
