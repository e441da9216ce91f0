import { readFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { workplaceHere } from '../builders/command-here.ts';
import { writeCsv } from '../builders/tables.ts';
import type { Workplace } from '../builders/workplace.ts';

const mostAhead = 128;
const momentMs = 300;

let place: Workplace;
let server: Server;
let asked: string[];
/** The answer to the first id, which is given late. */
let late: ServerResponse | null;
let onAsked: () => void;

function answer(response: ServerResponse, id: string): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ id }));
}

beforeEach(async () => {
  place = workplaceHere();
  [asked, late, onAsked] = [[], null, () => {}];
  server = createServer((request, response) => {
    const id = request.url?.split('/').at(-1) ?? '';
    if (id === 'health') {
      response.end('{"status":"ok"}');
      return;
    }
    asked.push(id);
    if (id === 'deal_1') late = response;
    else answer(response, id);
    onAsked();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  place.remove();
});

/**
 * Reads deals by their ids. The first one is answered a moment after so many were asked for; `askedBefore` tells how many it
 * were by then.
 */
async function exportDeals(count: number, until: number): Promise<{ askedBefore: number; rows: readonly string[] }> {
  writeCsv(place.path('ids.csv'), [['Deal id'], ...Array.from({ length: count }, (_, index) => [`deal_${index + 1}`])]);
  let askedBefore = 0;
  const answerFirst = () => {
    askedBefore = asked.length;
    if (late !== null) answer(late, 'deal_1');
  };
  onAsked = () => {
    if (asked.length === until) setTimeout(answerFirst, momentMs);
  };
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const words = ['export', 'deals', '--ids', 'ids.csv', '-o', 'deals.ndjson', '--url', url, '--quiet'];
  const ended = await place.run(words, { env: { DEALSHEET_TOKEN: 'token' } });
  expect(ended.exitCode, ended.stderr).toBe(0);
  const lines = readFileSync(place.path('deals.ndjson'), 'utf8').trim().split('\n');
  return { askedBefore, rows: lines.map((line) => (/"(deal_\d+)"/.exec(line) ?? [])[1] ?? '') };
}

describe('records read by their ids', () => {
  it('are asked for while one of them takes long, and stand in the order of their ids all the same', async () => {
    const { rows } = await exportDeals(100, 100);
    expect(rows).toEqual(Array.from({ length: 100 }, (_, index) => `deal_${index + 1}`));
  });

  it('are not asked for without end while one of them takes long', async () => {
    const { askedBefore } = await exportDeals(300, mostAhead);
    expect(askedBefore).toBe(mostAhead);
  });
});
