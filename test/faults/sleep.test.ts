import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { created } from '../builders/recording-service.ts';
import { writeManyDeals } from '../builders/tables.ts';
import { until } from '../builders/until.ts';
import { environmentOf, main, newWorkplace, type Workplace } from '../builders/workplace.ts';

const rows = 300;
const inFlight = 8;
/** Twice this is the longest that a whole answer may take. */
const timeoutSeconds = 1;
const sleepMs = 2_500;
const latencyMs = 30;

describe('a load whose process sleeps for longer than an answer may take', () => {
  let place: Workplace;
  let server: Server;
  let requests = 0;
  let connections = 0;

  beforeEach(async () => {
    place = newWorkplace();
    [requests, connections] = [0, 0];
    writeManyDeals(place.path('deals.csv'), rows);
    server = createServer((request, response) => {
      request.resume().on('end', () => {
        if (request.url?.endsWith('/v1/health')) {
          response.end('{"status":"ok"}');
          return;
        }
        requests += 1;
        const { status, body } = created(requests);
        setTimeout(() => response.writeHead(status, { 'content-type': 'application/json' }).end(body), latencyMs);
      });
    });
    server.on('connection', () => {
      connections += 1;
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
    place.remove();
  });

  it.each([
    ['keeps its connections', 60_000],
    ['has closed its connections meanwhile', 1_000],
  ])('has no row in doubt for that where the service %s', async (_what, keepAliveMs) => {
    server.keepAliveTimeout = keepAliveMs;
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const further = ['--concurrency', String(inFlight), '--timeout', String(timeoutSeconds)];
    const load = ['import', 'deals.csv', '--as', 'deals', '--url', url, '--yes', '--json', ...further];
    const child = spawn(process.execPath, [main, ...load], {
      cwd: place.folder,
      env: environmentOf(place.folder, { DEALSHEET_TOKEN: 'token' }),
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const ended = Promise.all([text(child.stdout), once(child, 'close')]);
    await until(() => requests > rows / 4);
    child.kill('SIGSTOP');
    await wait(sleepMs);
    const before = connections;
    child.kill('SIGCONT');
    const [stdout, [exitCode]] = await ended;
    expect(JSON.parse(stdout)).toMatchObject({ counts: { created: rows, inDoubt: 0 } });
    expect(exitCode).toBe(0);
    expect(requests).toBe(rows);
    expect(connections - before).toBeLessThanOrEqual(2 * inFlight);
  });
});
