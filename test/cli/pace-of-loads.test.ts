import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { workplaceHere } from '../builders/command-here.ts';
import { created } from '../builders/recording-service.ts';
import { writeCsv } from '../builders/tables.ts';
import type { Workplace } from '../builders/workplace.ts';

const ceiling = 16;
/** Each sixth answer comes at once, as one to a row that is refused; the others take up to so much. */
const longestMs = 120;

let place: Workplace;
let server: Server;
let inFlight: number[];

beforeEach(async () => {
  place = workplaceHere();
  inFlight = [];
  let now = 0;
  server = createServer((request, response: ServerResponse) => {
    if (request.url?.endsWith('/v1/health')) {
      response.end('{"status":"ok"}');
      return;
    }
    now += 1;
    inFlight.push(now);
    request.resume().on('end', () => {
      const number = inFlight.length;
      setTimeout(
        () => {
          now -= 1;
          const { status, body } = created(number);
          response.writeHead(status, { 'content-type': 'application/json' }).end(body);
        },
        ((number % 6) / 5) * longestMs,
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  place.remove();
});

describe('the pace of a load', () => {
  it('comes to its ceiling by itself, though the health check and some rows are answered at once', async () => {
    const rows = Array.from({ length: 400 }, (_, index) => [1000 + index, `Harbor ${index} LLC`, 'Moreno']);
    writeCsv(place.path('deals.csv'), [['Amount requested', 'Company name', 'Owner last name'], ...rows]);
    const { port } = server.address() as AddressInfo;
    const words = ['import', 'deals.csv', '--as', 'deals', '--url', `http://127.0.0.1:${port}`, '--yes', '--json'];
    const ended = await place.run([...words, '--concurrency', `${ceiling}`], { env: { DEALSHEET_TOKEN: 'token' } });
    expect(ended.exitCode, ended.stderr).toBe(0);
    expect(Math.max(...inFlight)).toBe(ceiling);
  });
});
