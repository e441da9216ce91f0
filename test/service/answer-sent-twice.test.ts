import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { deals, deskForEachTest } from '../builders/deals-desk.ts';

const desk = deskForEachTest();
let repeater: Server;
/** The companies that were made, in order: the first is deal_1. */
let made: string[];

/** Gives each answer in its turn, until the third of a connection: from then on every answer of that one comes too late. */
beforeEach(async () => {
  made = [];
  const late = new WeakMap<Socket, string>();
  repeater = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.method !== 'POST') {
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
        return;
      }
      made.push(JSON.parse(Buffer.concat(chunks).toString('utf8')).company.name);
      const answer = created(made.length);
      request.socket.write(late.get(request.socket) ?? answer);
      if (made.length === 3 || late.has(request.socket)) late.set(request.socket, answer);
    });
  });
  await new Promise<void>((resolve) => repeater.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  repeater.closeAllConnections();
  await new Promise((resolve) => repeater.close(resolve));
});

function created(number: number): string {
  const body = `{"success":true,"id":"deal_${number}"}`;
  return `HTTP/1.1 201 Created\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}

it('leaves one row in doubt, and gives no later row the id of the one before it', async () => {
  const { port } = repeater.address() as AddressInfo;
  desk.write('deals.csv', deals('A', 'B', 'C', 'D', 'E', 'F', 'G'));
  const loaded = await desk.load('deals.csv', '--url', `http://127.0.0.1:${port}`, '--results', 'r.csv');
  expect(loaded.printed?.counts, loaded.stderr).toMatchObject({ created: 6, inDoubt: 1 });
  const told = desk.rowsOf('r.csv').flatMap((cells) => (cells[0] === 'Created' ? [`${cells[2]} is ${cells[7]}`] : []));
  const inService = made.map((name, index) => `deal_${index + 1} is ${name}`);
  expect(inService.filter((record) => !told.includes(record))).toEqual(['deal_4 is D']);
  expect(told.filter((record) => !inService.includes(record))).toEqual([]);
});
