/** A plain HTTP server for services that the project has never met: it takes what its routes say, to the letter, and nothing else. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

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
  /** What stands in the places of the route's path. */
  readonly places: readonly string[];
  readonly token: string;
  readonly type: string;
  /** Of JSON; whole numbers of 16 digits and more are bigints. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly parts: readonly Part[];
}

export interface PlainService {
  readonly url: string;
  /** Method and path of each request, in their order. */
  readonly requests: string[];
  stop(): Promise<void>;
}

/** By method and path, `{}` for a place in it: `GET /deals/{}`. */
export type Routes = Readonly<Record<string, (asked: Asked) => Answer>>;

/**
 * @param before  what answers in place of a route, such as to a token that has ended
 */
export async function startPlainService(
  routes: Routes,
  before: (asked: Asked) => Answer | null = () => null,
  options: { readonly isPacked?: boolean } = {},
): Promise<PlainService> {
  const requests: string[] = [];
  const server = createServer(async (request, response) => {
    const asked = await askedBy(request);
    requests.push(`${asked.method} ${asked.path}`);
    reply(response, before(asked) ?? answerOf(routes, asked), options.isPacked === true);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    stop: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}

function answerOf(routes: Routes, asked: Asked): Answer {
  for (const [name, route] of Object.entries(routes)) {
    const pattern = name.replace(/[.*+?^$|()[\]\\]/g, '\\$&').replaceAll('{}', '([^/?]+)');
    const found = new RegExp(`^${pattern}$`).exec(`${asked.method} ${asked.path}`);
    if (found !== null) return route({ ...asked, places: found.slice(1).map(decodeURIComponent) });
  }
  return { status: 404, body: { message: `There is no ${asked.method} ${asked.path}` } };
}

async function askedBy(request: IncomingMessage): Promise<Asked> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const type = request.headers['content-type'] ?? '';
  const [, boundary] = /boundary=(.+)$/.exec(type) ?? [];
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    places: [],
    token: request.headers.authorization?.replace('Bearer ', '') ?? '',
    type,
    body: /^application\/(?:vnd\.api\+)?json$/.test(type) ? exactJson(bytes.toString('utf8')) : {},
    parts: boundary === undefined ? [] : partsOf(bytes.toString('latin1'), boundary),
  };
}

function exactJson(text: string): Asked['body'] {
  const marked = text.replace(/("(?:[^"\\]|\\.)*")|(-?\d{16,})/g, (token, quoted) => quoted ?? `"bigint ${token}"`);
  return JSON.parse(marked, (_, value) =>
    typeof value === 'string' && value.startsWith('bigint ') ? BigInt(value.slice('bigint '.length)) : value,
  );
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

function reply(response: ServerResponse, { status, body, headers = {} }: Answer, isPacked: boolean): void {
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  const type: Record<string, string> = text === '' ? {} : { 'content-type': 'application/json' };
  const encoding: Record<string, string> = isPacked && text !== '' ? { 'content-encoding': 'gzip' } : {};
  response.writeHead(status, { ...type, ...encoding, ...headers });
  response.end(isPacked && text !== '' ? gzipSync(text) : text);
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
  if (type === 'number') return typeof value === 'number';
  if (type === 'whole') return typeof value === 'bigint' || Number.isSafeInteger(value);
  return type.split('|').includes(String(value)) && typeof value === 'string';
}

function firstFault(faults: readonly (string | null)[]): string | null {
  return faults.find((fault) => fault !== null) ?? null;
}
