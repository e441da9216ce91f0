/**
 * How fast a load is with the ledger of a team, at a service 50 ms away: rows a second, beside those with a ledger in a file.
 * Run: npm run --silent build && npx jiti test/bench/team-ledger.ts [ROWS [CONCURRENCY [TIMES]]]
 * With TIMES, all distances are so many times as long, and what else the machine does counts for less.
 */

import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';
import { defaultSandboxOptions, startSandbox } from '../../src/sandbox/server.ts';
import { startPostgres } from '../builders/postgres.ts';
import { writeManyDeals } from '../builders/tables.ts';
import { newWorkplace } from '../builders/workplace.ts';

const rows = Number(process.argv[2] ?? 5_000);
const concurrency = ['--concurrency', process.argv[3] ?? '32'];
const times = Number(process.argv[4] ?? 1);
const serviceMs = 50 * times;
const distancesMs = [0, 5 * times, 20 * times];

/** Passes everything on after half of a round trip, in each direction. */
async function startFarAway(port: number, roundTripMs: number): Promise<{ port: number; stop(): void }> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const target = connect(port, '127.0.0.1');
    for (const [from, to] of [
      [client, target],
      [target, client],
    ] as const) {
      sockets.add(from.setNoDelay(true));
      from.on('data', (chunk) => setTimeout(() => to.write(chunk), roundTripMs / 2));
      from.on('error', () => {});
      from.on('close', () => setTimeout(() => to.destroy(), roundTripMs));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { port: (server.address() as AddressInfo).port, stop };
}

async function rowsASecond(ledger: string | null): Promise<number> {
  const place = newWorkplace();
  const service = await startSandbox({
    ...defaultSandboxOptions,
    fixedToken: 'sandbox-token',
    latency: { from: serviceMs, to: serviceMs },
  });
  const env = { DEALSHEET_TOKEN: 'sandbox-token', ...(ledger !== null && { DEALSHEET_LEDGER: ledger }) };
  writeManyDeals(place.path('deals.csv'), rows);
  if (ledger !== null) await place.run(['ledger', 'create'], { env });
  const began = performance.now();
  const words = ['import', 'deals.csv', '--as', 'deals', '--url', service.url, '--yes', '--quiet', ...concurrency];
  const { exitCode, stderr } = await place.run(words, { env });
  const seconds = (performance.now() - began) / 1000;
  if (exitCode !== 0) throw new Error(stderr);
  await service.stop();
  place.remove();
  return rows / seconds;
}

const server = await startPostgres();
const inFile = await rowsASecond(null);
process.stdout.write(`a ledger in a file: ${inFile.toFixed(0)} rows/s\n`);
for (const distanceMs of distancesMs) {
  const far = await startFarAway(server.port, distanceMs);
  const speed = await rowsASecond(`postgres://owner@127.0.0.1:${far.port}/postgres`);
  const share = ((100 * speed) / inFile).toFixed(0);
  process.stdout.write(`PostgreSQL ${distanceMs} ms away: ${speed.toFixed(0)} rows/s, ${share} %\n`);
  far.stop();
  await server.query('DROP SCHEMA dealsheet CASCADE');
}
await server.remove();
