import { afterEach, describe, expect, it } from 'vitest';
import { aClient, type Way, ways } from './builders.ts';
import {
  answerBytes,
  hangUp,
  type Reaction,
  reset,
  type ScriptedService,
  scriptedService,
  silence,
} from './scripted-service.ts';

let service: ScriptedService | null = null;
afterEach(() => service?.close());

interface Row {
  readonly what: string;
  readonly reaction: Reaction;
  /** What becomes of each way of sending, and how many requests the service saw. */
  readonly expected: Readonly<Record<Exclude<Way, 'note'>, readonly [state: string, requests: number]>>;
  readonly stops?: string;
}

const answer =
  (status: number, body: unknown = '', headers: Record<string, string> = {}): Reaction =>
  (socket) =>
    void socket.write(answerBytes({ status, body, headers }));
const cut =
  (text: string): Reaction =>
  (socket) =>
    void socket.end(text);

const allRejected: Row['expected'] = {
  create: ['rejected', 1],
  bulk: ['rejected', 1],
  upload: ['rejected', 1],
  update: ['rejected', 1],
  read: ['failed', 1],
};
const unknownAfterSending: Row['expected'] = {
  create: ['in-doubt', 1],
  bulk: ['in-doubt', 1],
  upload: ['in-doubt', 1],
  update: ['in-doubt', 5],
  read: ['failed', 5],
};
const retried: Row['expected'] = {
  create: ['failed', 5],
  bulk: ['failed', 5],
  upload: ['failed', 5],
  update: ['failed', 5],
  read: ['failed', 5],
};
const stopped: Row['expected'] = {
  create: ['in-doubt', 1],
  bulk: ['in-doubt', 1],
  upload: ['in-doubt', 1],
  update: ['in-doubt', 1],
  read: ['failed', 1],
};

const table: readonly Row[] = [
  { what: 'a reset after the request', reaction: reset, expected: unknownAfterSending },
  { what: 'the end of the connection without an answer', reaction: hangUp, expected: unknownAfterSending },
  { what: 'a part of a status line', reaction: cut('HTTP/1.1 20'), expected: unknownAfterSending },
  {
    what: 'something that is not HTTP',
    reaction: cut('220 mail.example.com ready\r\n\r\n'),
    expected: unknownAfterSending,
  },
  {
    what: 'a 2xx with an id',
    reaction: answer(201, { success: true, id: 'x1' }),
    expected: {
      create: ['created', 1],
      bulk: ['accepted', 1],
      upload: ['created', 1],
      update: ['updated', 1],
      read: ['found', 1],
    },
  },
  {
    what: 'a 2xx without an id',
    reaction: answer(200, { success: true }),
    expected: {
      create: ['in-doubt', 1],
      bulk: ['accepted', 1],
      upload: ['accepted', 1],
      update: ['updated', 1],
      read: ['found', 1],
    },
  },
  {
    what: 'a 2xx with nothing',
    reaction: answer(204),
    expected: {
      create: ['in-doubt', 1],
      bulk: ['in-doubt', 1],
      upload: ['in-doubt', 1],
      update: ['in-doubt', 1],
      read: ['failed', 5],
    },
  },
  {
    what: 'a 2xx that cannot be read',
    reaction: answer(200, '{"id": "x', { 'content-type': 'application/json' }),
    expected: {
      create: ['in-doubt', 1],
      bulk: ['in-doubt', 1],
      upload: ['in-doubt', 1],
      update: ['in-doubt', 1],
      read: ['failed', 5],
    },
  },
  {
    what: 'a 2xx with success: false',
    reaction: answer(200, { success: false, message: 'No.' }),
    expected: {
      ...allRejected,
      read: ['found', 1],
    },
  },
  ...[400, 402, 404, 409, 412, 413, 415, 418, 422].map(
    (status): Row => ({
      what: `a ${status}`,
      reaction: answer(status, { message: 'No.' }),
      expected: status === 404 ? { ...allRejected, read: ['not-found', 1] } : allRejected,
    }),
  ),
  { what: 'a 410', reaction: answer(410), expected: { ...allRejected, read: ['not-found', 1] } },
  { what: 'a 403', reaction: answer(403), expected: allRejected },
  { what: 'a 405', reaction: answer(405), expected: allRejected },
  {
    what: 'a 401',
    reaction: answer(401),
    stops: 'token-refused',
    expected: {
      create: ['not-sent', 1],
      bulk: ['not-sent', 1],
      upload: ['not-sent', 1],
      update: ['not-sent', 1],
      read: ['failed', 1],
    },
  },
  { what: 'a 408', reaction: answer(408), expected: retried },
  { what: 'a 425', reaction: answer(425), expected: retried },
  ...[500, 502, 503, 504, 520].map(
    (status): Row => ({
      what: `a bare ${status}`,
      reaction: answer(status, { message: 'Out of order.' }),
      expected: unknownAfterSending,
    }),
  ),
  {
    what: 'a redirect',
    reaction: answer(302, '', { location: 'https://elsewhere.example.com/' }),
    stops: 'redirected',
    expected: stopped,
  },
  {
    what: 'a permanent redirect that keeps the method',
    reaction: answer(308, '', { location: '/v2/deal' }),
    stops: 'redirected',
    expected: stopped,
  },
  {
    what: 'a 200 with a web page',
    reaction: answer(200, '<!DOCTYPE html><title>Sign in</title>', { 'content-type': 'text/html' }),
    stops: 'not-the-service',
    expected: stopped,
  },
];

describe('what came back, and what it means', () => {
  for (const { what, reaction, expected, stops } of table) {
    for (const [way, [state, requests]] of Object.entries(expected)) {
      it(`${what}: ${way} is ${state} after ${requests} request${requests === 1 ? '' : 's'}`, async () => {
        service = await scriptedService(reaction);
        const client = aClient(service.url);
        expect(await ways[way as Way](client)).toBe(state);
        expect(service.requests).toHaveLength(requests);
        expect(client.stopReason?.kind ?? null).toBe(stops ?? null);
        await client.close();
      });
    }
  }

  it('no answer at all: in doubt for a create after the time-out', async () => {
    service = await scriptedService(silence);
    const client = aClient(service.url, { timeoutMs: 200 });
    expect(await ways.create(client)).toBe('in-doubt');
    expect(service.requests).toHaveLength(1);
    await client.close();
  });

  it('a retry that is answered well: the row is in, and counts its attempts', async () => {
    service = await scriptedService((socket, request) => {
      socket.write(answerBytes(request.number < 4 ? { status: 408 } : { status: 201, body: { id: 'x' } }));
    });
    const client = aClient(service.url);
    expect(await ways.create(client)).toBe('created');
    expect(service.requests).toHaveLength(4);
    await client.close();
  });
});
