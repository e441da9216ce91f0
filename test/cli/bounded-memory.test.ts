import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeSampleDeals } from '../bench/sample-deals.ts';
import { environmentOf, newWorkplace, root, type Workplace } from '../builders/workplace.ts';

const rows = process.env.DEALSHEET_LONG === '1' ? 100_000 : 10_000;
const mostMegabytes = 220;
/** The default of Node 24, also where the tests run with another. */
const halvesOfNode24 = '--max-semi-space-size=64';
const tellsItsPeak =
  "data:text/javascript,process.on('exit',()=>console.error('peak '+process.resourceUsage().maxRSS/1024))";

describe('a load of many rows', () => {
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
      await writeSampleDeals(place.path(`deals.${format}`), rows);
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const main = join(root, 'dist', 'cli', 'main.js');
      const words = [
        halvesOfNode24,
        '--import',
        tellsItsPeak,
        main,
        'import',
        `deals.${format}`,
        '--as',
        'deals',
        '--url',
        url,
        '--yes',
        '--json',
        '--ledger',
        place.path(`${format}.db`),
      ];
      const ended = await execa(process.execPath, words, {
        cwd: place.folder,
        env: environmentOf(place.folder, { DEALSHEET_TOKEN: 'token' }),
        extendEnv: false,
        stdin: 'ignore',
      });
      expect(JSON.parse(ended.stdout).counts).toMatchObject({ rows, created: rows });
      expect(made).toBe(rows);
      const peak = Number(/peak ([\d.]+)/.exec(ended.stderr)?.[1]);
      expect(peak).toBeLessThan(mostMegabytes);
    },
    600_000,
  );
});
