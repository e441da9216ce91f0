/** What each fault does to a request: an answer in place of its own, or something done to its connection. */
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { FaultName } from '../faults.ts';
import { type Answer, jsonAnswer, Problem, responseOf, textOf } from '../problem.ts';

const detail = 'Asked for as a fault.';
const htmlText = '<!doctype html><html lang="en"><title>Sign in</title><h1>Sign in</h1></html>';

/** A host that no resolver knows: a client that follows it gives itself away without reaching anyone. */
const elsewhere = 'http://elsewhere.invalid/';

/** The answers that stand in place of the request's own. */
const insteads: Readonly<Partial<Record<FaultName, (retryAfter: Answer['headers']) => Answer>>> = {
  '429': (headers) => new Problem('too-many-requests', { detail, headers }).answer(),
  busy: (headers) => faultAnswer(503, headers),
  '401': () => faultAnswer(401, { 'www-authenticate': 'Bearer error="invalid_token"' }),
  'success-false': () => jsonAnswer(200, { success: false, message: detail }),
  html: () => ({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: htmlText }),
  redirect: () => ({ status: 307, headers: { location: elsewhere }, body: '' }),
};

/** The answer under a fault: one in place of the request's own, or that of the request, which is made then. */
export async function answerUnder(
  fault: FaultName | null,
  retryAfterSeconds: number,
  run: () => Promise<Answer> | Answer,
): Promise<Answer> {
  const instead = fault === null ? undefined : insteads[fault];
  if (instead !== undefined) return instead({ 'retry-after': String(retryAfterSeconds) });
  const [, status, after] = /^(\d+)(-after)?$/.exec(fault ?? '') ?? [];
  if (fault?.endsWith('-before') === true) return faultAnswer(500);
  if (status !== undefined && after === undefined) return faultAnswer(Number(status));
  const answer = await run();
  if (status !== undefined) return faultAnswer(Number(status));
  return fault === 'no-id' ? withoutIds(answer) : answer;
}

/** What is done to the connection in place of sending the answer. */
const deeds: Readonly<Partial<Record<FaultName, (socket: Socket, answer: Answer) => unknown>>> = {
  'reset-before': (socket) => socket.resetAndDestroy(),
  'reset-after': (socket) => socket.resetAndDestroy(),
  'close-after': (socket) => socket.end(),
  'cut-status': (socket) => socket.end('HTTP/1.1 2'),
  'cut-body': (socket, answer) => {
    const message = wholeMessage(answer);
    socket.end(message.subarray(0, message.length - Math.ceil(Buffer.byteLength(textOf(answer)) / 2)));
  },
  slow: async (socket, answer) => {
    for (const byte of wholeMessage(answer)) {
      if (socket.destroyed) break;
      socket.write(Buffer.of(byte));
      await setImmediate();
    }
    socket.end();
  },
  stall: () => {},
  'stall-before': () => {},
};

/** Sends an answer, or does to its connection what the fault says. */
export async function deliver(fault: FaultName | null, answer: Answer, { socket }: IncomingMessage): Promise<Response> {
  const deed = fault === null ? undefined : deeds[fault];
  if (deed === undefined) return responseOf(answer);
  await deed(socket, answer);
  return RESPONSE_ALREADY_SENT;
}

function faultAnswer(status: number, headers: Readonly<Record<string, string>> = {}): Answer {
  return new Problem('requested-fault', { detail, status, headers }).answer();
}

function withoutIds({ status, headers, body }: Answer): Answer {
  const { id: _id, url: _url, company: _company, ...rest } = body as Record<string, unknown>;
  const { location: _location, ...others } = headers;
  return { status, headers: others, body: rest };
}

/** The answer as it goes over the wire, with a length, on a connection that closes after it. */
function wholeMessage(answer: Answer): Buffer {
  const text = textOf(answer);
  const headers = { ...answer.headers, 'content-length': String(Buffer.byteLength(text)), connection: 'close' };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ''}`;
  return Buffer.from(`${[head, ...lines].join('\r\n')}\r\n\r\n${text}`);
}
