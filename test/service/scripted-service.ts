/** A service on a real socket that answers as a test says, byte by byte where it matters, and logs what it was sent. */
import { createServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface LoggedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** From 1, over all connections. */
  readonly number: number;
  /** Milliseconds since the process began. */
  readonly at: number;
}

/** What happens to a request that has come in as a whole. */
export type Reaction = (socket: Socket, request: LoggedRequest) => void | Promise<void>;

export interface ScriptedService {
  readonly url: URL;
  readonly requests: LoggedRequest[];
  readonly connections: () => number;
  close(): Promise<void>;
}

/**
 * One that is closed when the test is over.
 *
 * @param at  the port; any free one by default
 */
export async function scriptedService(
  react: Reaction,
  server: Server = createServer(),
  at = 0,
): Promise<ScriptedService> {
  const requests: LoggedRequest[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const isSecure = 'setSecureContext' in server;
  server.on(isSecure ? 'secureConnection' : 'connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => {});
    let received = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      for (let next = takeRequest(received); next !== null; next = takeRequest(received)) {
        received = received.subarray(next.length);
        const request = { ...next.request, number: requests.length + 1, at: performance.now() };
        requests.push(request);
        void react(socket, request);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(at, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise<void>((resolve) => void server.close(() => resolve()));
  };
  onTestFinished(close);
  return {
    url: new URL(`${isSecure ? 'https' : 'http'}://127.0.0.1:${port}`),
    requests,
    connections: () => connections,
    close,
  };
}

function takeRequest(bytes: Buffer): { length: number; request: Omit<LoggedRequest, 'number' | 'at'> } | null {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const [first = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const [method = '', path = ''] = first.split(' ');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const start = end + '\r\n\r\n'.length;
  const length = start + Number(headers['content-length'] ?? 0);
  if (bytes.length < length) return null;
  return { length, request: { method, path, headers, body: bytes.subarray(start, length) } };
}

export interface ScriptedAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON when it is no text and no bytes. */
  readonly body?: unknown;
}

/** The bytes of an answer. */
export function answerBytes({ status = 200, headers = {}, body = '' }: ScriptedAnswer): Buffer {
  const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
  const content = Buffer.from(isRaw ? body : JSON.stringify(body));
  const all: Record<string, string> = {
    'content-type': isRaw ? 'text/plain' : 'application/json',
    'content-length': String(content.length),
    ...headers,
  };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status} Whatever\r\n${head.join('')}\r\n`), content]);
}

/** Answers every request in the same way. */
export function always(answer: ScriptedAnswer): Reaction {
  return (socket) => void socket.write(answerBytes(answer));
}

/** Answers the requests in turn, the last answer for all further ones. */
export function inTurn(...reactions: readonly Reaction[]): Reaction {
  return (socket, request) => {
    const reaction = reactions[Math.min(request.number, reactions.length) - 1];
    return reaction?.(socket, request);
  };
}

let made = 0;
/** A record was made: the documented answer (service interface 2.6), with a new id each time. */
export const created: Reaction = (socket) => {
  made += 1;
  const body = {
    success: true,
    id: `rec_${made}`,
    company: { id: `cmp_${made}` },
    url: `https://app.example.com/rec_${made}`,
  };
  socket.write(answerBytes({ status: 201, body }));
};

/** Closes the connection with a reset, unanswered. */
export const reset: Reaction = (socket) => void socket.resetAndDestroy();
/** Closes the connection in good order, unanswered. */
export const hangUp: Reaction = (socket) => void socket.end();
/** Never answers. */
export const silence: Reaction = () => {};
