/** What each fault does to a request: an answer in place of its own, or something done to its connection. */
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { FaultName } from '../faults.ts';
import { type Answer, jsonAnswer, Problem, responseOf, textOf } from '../problem.ts';

const detail = 'Asked for as a fault.';
const htmlText = '<!doctype html><html lang="en"><title>Sign in</title><h1>Sign in</h1></html>';

/** A host that no resolver knows: a client that follows it gives itself away without reaching anyone. */
const elsewhere = 'http://elsewhere.invalid/';

/** The answer under a fault: one in place of the request's own, or that of the request, which is made then. */
export async function answerUnder(
  fault: FaultName | null,
  retryAfterSeconds: number,
  run: () => Promise<Answer> | Answer,
): Promise<Answer> {
  const retryAfter = { 'retry-after': String(retryAfterSeconds) };
  switch (fault) {
    case '429':
      return new Problem('too-many-requests', { detail, headers: retryAfter }).answer();
    case 'busy':
      return faultAnswer(503, retryAfter);
    case '401':
      return faultAnswer(401, { 'www-authenticate': 'Bearer error="invalid_token"' });
    case 'success-false':
      return jsonAnswer(200, { success: false, message: detail });
    case 'html':
      return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: htmlText };
    case 'redirect':
      return { status: 307, headers: { location: elsewhere }, body: '' };
    case 'reset-before':
    case 'stall-before':
      return faultAnswer(500);
    case 'no-id':
      return withoutIds(await run());
    default: {
      const [, status, after] = /^(\d+)(-after)?$/.exec(fault ?? '') ?? [];
      if (status === undefined) return run();
      if (after !== undefined) await run();
      return faultAnswer(Number(status));
    }
  }
}

/** Sends an answer, or does to its connection what the fault says. */
export async function deliver(fault: FaultName | null, answer: Answer, { socket }: IncomingMessage): Promise<Response> {
  switch (fault) {
    case 'reset-before':
    case 'reset-after':
      socket.resetAndDestroy();
      break;
    case 'close-after':
      socket.end();
      break;
    case 'cut-status':
      socket.end('HTTP/1.1 2');
      break;
    case 'cut-body': {
      const message = wholeMessage(answer);
      socket.end(message.subarray(0, message.length - Math.ceil(Buffer.byteLength(textOf(answer)) / 2)));
      break;
    }
    case 'slow':
      for (const byte of wholeMessage(answer)) {
        if (socket.destroyed) break;
        socket.write(Buffer.of(byte));
        await setImmediate();
      }
      socket.end();
      break;
    case 'stall':
    case 'stall-before':
      break;
    default:
      return responseOf(answer);
  }
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
