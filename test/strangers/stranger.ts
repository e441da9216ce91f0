/**
 * A service that nobody has seen: plain HTTP on loopback. It takes nothing but what its own routes allow.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync } from 'node:zlib';

export interface Answer {
  readonly status: number;
  /** A text goes out as it is, anything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Part {
  readonly name: string;
  readonly filename: string | null;
  readonly content: string;
}

export interface Asked {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** What stands in the places of the route's path. */
  readonly places: readonly string[];
  readonly token: string;
  readonly headers: IncomingMessage['headers'];
  readonly type: string;
  /** JSON, whose whole numbers of 16 digits and more are bigints; or the parts or fields of a form by their names. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly parts: readonly Part[];
}

/** By method and path, `{}` for a place in it: `GET /deals/{}`. */
export type Routes = Readonly<Record<string, (asked: Asked) => Answer>>;

export interface Stranger {
  readonly url: string;
  stop(): Promise<void>;
}

export interface StrangerOptions {
  /** What answers in place of a route, such as to a token that has ended. */
  readonly before?: (asked: Asked) => Answer | null;
}

export const token = 'token-of-the-test';

export async function startStranger(routes: Routes, { before = onlyOurs }: StrangerOptions = {}): Promise<Stranger> {
  const server = createServer(async (request, response) => {
    const asked = await askedBy(request);
    reply(response, before(asked) ?? answerOf(routes, asked));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => void server.close(() => resolve()));
    },
  };
}

function onlyOurs(asked: Asked): Answer | null {
  return asked.token === token ? null : { status: 401, body: {} };
}

function answerOf(routes: Routes, asked: Asked): Answer {
  for (const [name, route] of Object.entries(routes)) {
    const pattern = name.replace(/[.*+?^$|()[\]\\]/g, '\\$&').replaceAll('{}', '([^/?]+)');
    const path = name.includes('?') ? asked.path : asked.path.replace(/\?.*$/, '');
    const found = new RegExp(`^${pattern}$`).exec(`${asked.method} ${path}`);
    if (found !== null) return route({ ...asked, places: found.slice(1).map(decodeURIComponent) });
  }
  if (asked.path.endsWith('/health')) return { status: 200, body: { up: true } };
  return { status: 404, body: { message: `There is no ${asked.method} ${asked.path}` } };
}

async function askedBy(request: IncomingMessage): Promise<Asked> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const { method = '', url = '', headers } = request;
  const type = headers['content-type'] ?? '';
  const [, boundary] = /boundary=(.+)$/.exec(type) ?? [];
  const parts = boundary === undefined ? [] : partsOf(bytes.toString('latin1'), boundary);
  const named = parts.map(({ name, filename, content }) => [
    name,
    filename === null ? content : { name: filename, content },
  ]);
  return {
    ...{ method, path: url, query: new URL(url, 'http://stranger').searchParams, places: [], type, parts },
    token: headers.authorization?.replace('Bearer ', '') ?? '',
    headers,
    body: /^application\/(?:vnd\.api\+)?json$/.test(type)
      ? exactJson(bytes.toString('utf8'))
      : type === 'application/x-www-form-urlencoded'
        ? nested(new URLSearchParams(bytes.toString('utf8')))
        : (Object.fromEntries(named) as Record<string, unknown>),
  };
}

function exactJson(text: string): Record<string, unknown> {
  const marked = text.replace(/("(?:[^"\\]|\\.)*")|(-?\d{16,})/g, (token, quoted) => quoted ?? `"bigint ${token}"`);
  return JSON.parse(marked, (_, value) =>
    typeof value === 'string' && value.startsWith('bigint ') ? BigInt(value.slice('bigint '.length)) : value,
  );
}

/** `a[b][0]=c` as PHP and Rack read it. */
function nested(fields: URLSearchParams): Record<string, unknown> {
  const body = {};
  for (const [name, value] of fields) {
    const [first = '', ...inner] = name.replaceAll(']', '').split('[');
    let [at, last] = [body as Record<string, unknown>, first];
    for (const each of inner) {
      at[last] ??= /^\d*$/.test(each) ? [] : {};
      at = at[last] as Record<string, unknown>;
      last = each === '' ? String(Object.keys(at).length) : each;
    }
    at[last] = value;
  }
  return body;
}

function partsOf(text: string, boundary: string): readonly Part[] {
  return text
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => {
      const [head = '', ...content] = part.slice(2, -2).split('\r\n\r\n');
      const named = (name: string) => new RegExp(`[ ;]${name}="([^"]*)"`).exec(head)?.[1] ?? null;
      return { name: named('name') ?? '', filename: named('filename'), content: content.join('\r\n\r\n') };
    });
}

function reply(response: ServerResponse, answer: Answer): void {
  const { status, body, headers = {} } = answer;
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  const bytes = headers['content-encoding'] === 'br' ? brotliCompressSync(text) : Buffer.from(text);
  const type: Record<string, string> = text === '' ? {} : { 'content-type': 'application/json' };
  response.writeHead(status, { ...type, 'content-length': bytes.length, ...headers });
  response.end(bytes);
}

/** `'text'`, `'number'`, `'whole'`, `'Y|N'`: one of several texts; a list of one shape, or an object whose names may end with `?`. */
export type Shape = string | readonly [Shape] | { readonly [name: string]: Shape };

/** What does not fit a shape: a name that is missing or unknown, or a value of another type; `null` when all fits. */
export function faultIn(value: unknown, shape: Shape, at = ''): string | null {
  if (typeof shape === 'string') return fits(value, shape) ? null : `${at} must be ${shape}`;
  if (Array.isArray(shape)) {
    if (!Array.isArray(value)) return `${at} must be a list`;
    return firstFault(value.map((each, place) => faultIn(each, shape[0] as Shape, `${at}[${place}]`)));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return `${at} must be an object`;
  const known = new Map(Object.entries(shape).map(([name, each]) => [name.replace('?', ''), each]));
  const unknown = Object.keys(value).find((name) => !known.has(name));
  if (unknown !== undefined) return `${at}.${unknown} is not known`;
  const missing = Object.keys(shape).find((name) => !name.endsWith('?') && !Object.hasOwn(value, name));
  if (missing !== undefined) return `${at}.${missing} is missing`;
  return firstFault(Object.entries(value).map(([name, each]) => faultIn(each, known.get(name) ?? '', `${at}.${name}`)));
}

function fits(value: unknown, type: string): boolean {
  if (type === 'text') return typeof value === 'string';
  if (type === 'flag') return typeof value === 'boolean';
  if (type === 'number') return typeof value === 'number';
  if (type === 'whole') return typeof value === 'bigint' || Number.isSafeInteger(value);
  return type.split('|').includes(String(value)) && typeof value === 'string';
}

function firstFault(faults: readonly (string | null)[]): string | null {
  return faults.find((fault) => fault !== null) ?? null;
}
