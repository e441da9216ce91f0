/** What each fault does to a request: an answer in place of its own, or something done to its connection. */
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import type { FaultName } from '../faults.ts';
import { type Answer, jsonAnswer, Problem } from '../problem.ts';

/** Answered on the connection itself, or not at all. */
export type Spoiled = 'handled';

const htmlAnswer: Answer = {
  status: 200,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  text: '<!doctype html><html lang="en"><title>Sign in</title><h1>Sign in</h1></html>',
};

/** A host that no resolver knows: a client that follows it gives itself away without reaching anyone. */
const elsewhere = 'http://elsewhere.invalid/';

/** The answer of a fault that makes nothing, or `null` for one that lets the request through first. */
export function answerBefore(
  fault: FaultName,
  incoming: IncomingMessage,
  retryAfterSeconds: number,
): Answer | Spoiled | null {
  const told = { 'retry-after': String(retryAfterSeconds) };
  switch (fault) {
    case '429':
      return new Problem('too-many-requests', { detail: 'Asked for as a fault.', headers: told }).answer();
    case 'busy':
      return faultAnswer(503, told);
    case '401':
      return faultAnswer(401, { 'www-authenticate': 'Bearer error="invalid_token"' });
    case '403':
    case '500':
    case '502':
    case '503':
    case '504':
      return faultAnswer(Number(fault), {});
    case 'success-false':
      return jsonAnswer(200, { success: false, message: 'Asked for as a fault.' });
    case 'html':
      return htmlAnswer;
    case 'redirect':
      return { status: 307, headers: { location: elsewhere }, text: '' };
    case 'reset-before':
      incoming.socket.resetAndDestroy();
      return 'handled';
    case 'stall-before':
      return 'handled';
    default:
      return null;
  }
}

/** What becomes of the true answer, once the record is made. */
export async function answerAfter(
  fault: FaultName,
  answer: Answer,
  incoming: IncomingMessage,
): Promise<Answer | Spoiled> {
  const { socket } = incoming;
  switch (fault) {
    case '500-after':
    case '502-after':
    case '503-after':
    case '504-after':
      return faultAnswer(Number.parseInt(fault, 10), {});
    case 'no-id':
      return withoutIds(answer);
    case 'reset-after':
      socket.resetAndDestroy();
      return 'handled';
    case 'close-after':
      socket.end();
      return 'handled';
    case 'cut-status':
      socket.end('HTTP/1.1 2');
      return 'handled';
    case 'cut-body':
      socket.end(cutInHalf(answer));
      return 'handled';
    case 'slow':
      for (const byte of wholeMessage(answer)) {
        if (socket.destroyed) break;
        socket.write(Buffer.of(byte));
        await setImmediate();
      }
      socket.end();
      return 'handled';
    case 'stall':
      return 'handled';
    default:
      return answer;
  }
}

function faultAnswer(status: number, headers: Readonly<Record<string, string>>): Answer {
  return new Problem('requested-fault', { detail: 'Asked for as a fault.', status, headers }).answer();
}

function withoutIds(answer: Answer): Answer {
  const { id: _id, url: _url, company: _company, ...rest } = JSON.parse(answer.text) as Record<string, unknown>;
  const { location: _location, ...headers } = answer.headers;
  return { ...answer, headers, text: JSON.stringify(rest) };
}

/** The answer as it goes over the wire, with a length, on a connection that closes after it. */
function wholeMessage(answer: Answer): Buffer {
  const lines = Object.entries({
    ...answer.headers,
    'content-length': String(Buffer.byteLength(answer.text)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`);
  const head = `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ''}`;
  return Buffer.from(`${[head, ...lines].join('\r\n')}\r\n\r\n${answer.text}`);
}

function cutInHalf(answer: Answer): Buffer {
  const message = wholeMessage(answer);
  return message.subarray(0, message.length - Math.ceil(Buffer.byteLength(answer.text) / 2));
}
