import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { recordKind } from '../../../src/contract/record-kinds.ts';
import { systemClock } from '../../../src/service/retry.ts';
import { aClient, aRecord, send } from '../builders.ts';

/** So much goes out at once, into the hands of the system, and is on its way for long. */
const fileSize = 2 * 1024 * 1024;
const timeoutMs = 300;
const unreadMs = 1200;

let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function slowService(): Promise<URL> {
  server = createServer((request, response) => {
    let received = 0;
    void wait(unreadMs).then(() => request.on('data', (chunk: Buffer) => (received += chunk.length)));
    request.on('end', () => {
      const body = JSON.stringify({ success: true, id: `att_${received}`, url: 'http://127.0.0.1/attachments/1' });
      response.writeHead(201, { 'content-type': 'application/json' }).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

/** @param onPiece  gets the bytes of the pieces before each piece */
function fileOf(size: number, onPiece: (sent: number) => void = () => {}) {
  const piece = Buffer.alloc(64 * 1024);
  const pieces = function* () {
    for (let sent = 0; sent < size; sent += piece.length) {
      onPiece(sent);
      yield piece;
    }
  };
  return { name: 'statements.pdf', size, open: () => Readable.from(pieces(), { objectMode: false }) };
}

it('a file that takes longer to go out than the service may be silent is sent', async () => {
  const client = aClient(await slowService(), { timeoutMs }, systemClock);
  const body = { dealId: 'deal_1' };
  const outcome = await send(client, recordKind('attachments'), aRecord({ body, file: fileOf(fileSize) }));
  expect(outcome).toMatchObject({ state: 'created', attempts: 1 });
});

it('P11: a file that is on its way when its load loses the right to send does not go out to its end', async () => {
  const answers: number[] = [];
  server = createServer((request, response) => {
    request.resume().on('end', () => {
      answers.push(request.complete ? 1 : 0);
      response.writeHead(201, { 'content-type': 'application/json' }).end('{"success":true,"id":"att_1"}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = aClient(new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  let isHeld = true;
  client.sendBy({ isHeld: () => isHeld, confirm: async () => isHeld });
  const file = fileOf(64 * fileSize, (sent) => {
    isHeld = sent < fileSize;
  });
  const outcome = await send(client, recordKind('attachments'), aRecord({ body: { dealId: 'deal_1' }, file }));
  expect(outcome).toMatchObject({ state: 'in-doubt', attempts: 1 });
  expect(answers).toEqual([]);
});
