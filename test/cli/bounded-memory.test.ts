import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeSampleDeals } from '../bench/sample-deals.ts';
import { commandWithPeak } from '../builders/command-with-peak.ts';
import { newWorkplace, type Workplace } from '../builders/workplace.ts';

const rows = process.env.DEALSHEET_LONG === '1' ? 100_000 : 2_000;
const mostMegabytes = 220;
/**
 * V8 lets its heap grow with the memory of the machine, further in each version, and later on a busy one. What is measured here
 * is the memory of the work: with a heap of this size it goes through, and the process stays within its bound.
 */
const boundedHeap = ['--max-semi-space-size=16', '--max-old-space-size=96'];

describe('P29: a load of many rows', () => {
  let place: Workplace;
  let made = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      if (request.method === 'POST') made += 1;
      response.writeHead(201, { 'content-type': 'application/json' });
      response.end(`{"success":true,"id":"d${made}","company":{"id":"c${made}"},"url":"http://127.0.0.1/d${made}"}`);
    });
  });

  beforeAll(async () => {
    place = newWorkplace();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
    place.remove();
  });

  it.each(['csv', 'xlsx'])(
    'of 33 columns stays within its memory (%s)',
    async (format) => {
      made = 0;
      await writeSampleDeals(place.path(`${format}.${format}`), rows);
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const ledger = place.path(`${format}.db`);
      const words = [
        'import',
        `${format}.${format}`,
        '--as',
        'deals',
        '--url',
        url,
        '--yes',
        '--json',
        '--ledger',
        ledger,
      ];
      const ended = await commandWithPeak(place, words, boundedHeap);
      expect(JSON.parse(ended.stdout).counts).toMatchObject({ rows, created: rows });
      expect(made).toBe(rows);
      expect(ended.peakMegabytes).toBeLessThan(mostMegabytes);
    },
    600_000,
  );
});
