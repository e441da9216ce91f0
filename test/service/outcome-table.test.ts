import { describe, expect, it } from 'vitest';
import { aClientOf, type Way, ways } from './builders.ts';
import { answerBytes, hangUp, type Reaction, reset, silence } from './scripted-service.ts';

/** What becomes of each way of sending, and how many requests the service saw. */
type Expected = Readonly<Record<Exclude<Way, 'note'>, Became>>;
type Became = readonly [state: string, requests: number, stops?: string];

const answer =
  (status: number, body: unknown = '', headers: Record<string, string> = {}): Reaction =>
  (socket) =>
    void socket.write(answerBytes({ status, body, headers }));
const cut =
  (text: string): Reaction =>
  (socket) =>
    void socket.end(text);

const became = (create: Became, update: Became, read: Became, others: Partial<Expected> = {}) => ({
  ...{ create, bulk: create, upload: create, update, read, ...others },
});
const alike = (state: string, read: Became) => became([state, 1], [state, 1], read);

const allRejected = alike('rejected', ['failed', 1]);
const notFound = alike('rejected', ['not-found', 1]);
const unknownAfterSending = became(['in-doubt', 1], ['in-doubt', 5], ['failed', 5]);
const retried = became(['failed', 5], ['failed', 5], ['failed', 5]);
const stopped = alike('in-doubt', ['failed', 1]);
const doubtedAtOnce = ['in-doubt', 1, 'stopped-undeclared'] as const;
const nothingSaid = became(['in-doubt', 1], doubtedAtOnce, ['failed', 5], {
  bulk: doubtedAtOnce,
  upload: doubtedAtOnce,
});
const unreadable = alike('in-doubt', ['failed', 5]);
const accepted = ['accepted', 1] as const;
const goodWithId = became(['created', 1], ['updated', 1], ['found', 1], { bulk: accepted });
const goodWithoutId = became(['in-doubt', 1], ['updated', 1], ['found', 1], { bulk: accepted, upload: accepted });

const json = { 'content-type': 'application/json' };
const page = '<!DOCTYPE html><title>Sign in</title>';
const abroad = { location: 'https://elsewhere.example.com/' };

const rows: readonly (readonly [what: string, reaction: Reaction, expected: Expected, stops?: string])[] = [
  ['a reset after the request', reset, unknownAfterSending],
  ['the end of the connection without an answer', hangUp, unknownAfterSending],
  ['a part of a status line', cut('HTTP/1.1 20'), unknownAfterSending],
  ['something that is not HTTP', cut('220 mail.example.com ready\r\n\r\n'), unknownAfterSending],
  ['a 2xx with an id', answer(201, { success: true, id: 'x1' }), goodWithId],
  ['a 2xx without an id', answer(200, { success: true }), goodWithoutId],
  ['a 2xx with nothing', answer(204), nothingSaid],
  ['a 2xx that cannot be read', answer(200, '{"id": "x', json), unreadable],
  [
    'a 2xx of levels without end',
    answer(200, `{"id":"x1","a":${'['.repeat(9e4)}${']'.repeat(9e4)}}`, json),
    unreadable,
  ],
  ['a 2xx with success: false', answer(200, { success: false, message: 'No.' }), alike('rejected', ['found', 1])],
  ...[400, 402, 409, 412, 413, 415, 418, 422].map(
    (status) => [`a ${status}`, answer(status, { message: 'No.' }), allRejected] as const,
  ),
  ['a 404', answer(404, { message: 'No.' }), notFound],
  ['a 410', answer(410), notFound],
  ['a 403', answer(403), allRejected],
  ['a 405', answer(405), allRejected],
  ['a 401', answer(401), alike('not-sent', ['failed', 1]), 'stopped-token-refused'],
  ['a 408', answer(408), retried],
  ['a 425', answer(425), retried],
  ...[500, 502, 503, 504, 520].map(
    (status) => [`a bare ${status}`, answer(status, { message: 'Out of order.' }), unknownAfterSending] as const,
  ),
  ['a redirect', answer(302, '', abroad), stopped, 'stopped-by-redirect'],
  [
    'a permanent redirect that keeps the method',
    answer(308, '', { location: '/v2/deal' }),
    stopped,
    'stopped-by-redirect',
  ],
  ['a 200 with a web page', answer(200, page, { 'content-type': 'text/html' }), stopped, 'stopped-not-the-service'],
];

describe('P15: what came back, and what it means', () => {
  for (const [what, reaction, expected, stops] of rows) {
    for (const [way, [state, requests, itsStop = null]] of Object.entries(expected)) {
      it(`${what}: ${way} is ${state} after ${requests} request${requests === 1 ? '' : 's'}`, async () => {
        const { service, client } = await aClientOf(reaction);
        expect(await ways[way as Way](client)).toBe(state);
        expect(service.requests).toHaveLength(requests);
        const isFirstDoubt = state === 'in-doubt' && way !== 'create';
        const firstDoubt = isFirstDoubt ? 'stopped-many-doubts' : null;
        expect(client.stopReason?.message.code ?? null).toBe(stops ?? itsStop ?? firstDoubt);
      });
    }
  }

  it('no answer at all: in doubt for a create after the time-out', async () => {
    const { service, client } = await aClientOf(silence, { timeoutMs: 200 });
    expect(await ways.create(client)).toBe('in-doubt');
    expect(service.requests).toHaveLength(1);
  });

  it('a retry that is answered well: the row is in, and counts its attempts', async () => {
    const { service, client } = await aClientOf((socket, request) => {
      socket.write(answerBytes(request.number < 4 ? { status: 408 } : { status: 201, body: { id: 'x' } }));
    });
    expect(await ways.create(client)).toBe('created');
    expect(service.requests).toHaveLength(4);
  });
});
