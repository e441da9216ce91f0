/**
 * A service that nobody has seen: plain HTTP on loopback. It takes nothing but what its own routes allow, and keeps what it took, so
 * that a test can count it.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type * as z from 'zod';

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
  readonly type: string;
  /** JSON, whose whole numbers of 16 digits and more are bigints; or the parts of a form by their names. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly parts: readonly Part[];
}

/** What the service has kept of one kind, in the order in which it came. */
export interface Kept {
  readonly id: string;
  value: Record<string, unknown>;
}

export interface Shelf {
  readonly kept: Record<string, Kept[]>;
  /** Keeps a value under a new id. */
  add(name: string, id: string, value: Record<string, unknown>): Kept;
  find(name: string, id: string | undefined): Kept | undefined;
}

/** By method and path, `{}` for a place in it: `GET /deals/{}`. */
export type Routes = Readonly<Record<string, (asked: Asked, shelf: Shelf) => Answer>>;

/** What a body breaks: the place and the fault, in the words of the service. */
export interface Fault {
  readonly place: readonly PropertyKey[];
  readonly message: string;
}

export class Refused extends Error {
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    super('refused');
    this.faults = faults;
  }
}

/** @throws Refused when a body has an unknown name, lacks one, or has a value of another type */
export function taken<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new Refused(parsed.error.issues.map(({ path, message }) => ({ place: path, message })));
}

export interface Stranger {
  readonly url: string;
  readonly kept: Record<string, Kept[]>;
  /** `POST /v1/deal`, in their order, health checks left out. */
  readonly requests: string[];
  /** The next answer to a request at this path goes out by half, and then the connection breaks. */
  breakAfter(path: string): void;
  stop(): Promise<void>;
}

export interface StrangerOptions {
  /** What answers in place of a route, such as to a token that has ended. */
  readonly before?: (asked: Asked) => Answer | null;
  /** How the service says that it does not take a body. */
  readonly refusal?: (faults: readonly Fault[]) => Answer;
  readonly isPacked?: boolean;
}

export const token = 'token-of-the-test';

export async function startStranger(
  routes: Routes,
  { before = onlyOurs, refusal = () => ({ status: 422 }), isPacked = false }: StrangerOptions = {},
): Promise<Stranger> {
  const kept: Record<string, Kept[]> = {};
  const requests: string[] = [];
  let breaking: string | null = null;
  const shelf: Shelf = {
    kept,
    add: (name, id, value) => {
      const record = { id, value };
      kept[name] = [...(kept[name] ?? []), record];
      return record;
    },
    find: (name, id) => kept[name]?.find((each) => each.id === id),
  };
  const answer = (asked: Asked): Answer => {
    try {
      return before(asked) ?? answerOf(routes, asked, shelf);
    } catch (error) {
      return error instanceof Refused ? refusal(error.faults) : { status: 500, body: String(error) };
    }
  };
  const server = createServer(async (request, response) => {
    const asked = await askedBy(request);
    if (!asked.path.endsWith('/health')) requests.push(`${asked.method} ${asked.path}`);
    const isBroken = breaking === asked.path;
    if (isBroken) breaking = null;
    reply(response, answer(asked), isPacked, isBroken);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    kept,
    requests,
    breakAfter: (path) => {
      breaking = path;
    },
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => void server.close(() => resolve()));
    },
  };
}

function onlyOurs(asked: Asked): Answer | null {
  return asked.token === token ? null : { status: 401, body: {} };
}

function answerOf(routes: Routes, asked: Asked, shelf: Shelf): Answer {
  for (const [name, route] of Object.entries(routes)) {
    const pattern = name.replace(/[.*+?^$|()[\]\\]/g, '\\$&').replaceAll('{}', '([^/?]+)');
    const path = name.includes('?') ? asked.path : asked.path.replace(/\?.*$/, '');
    const found = new RegExp(`^${pattern}$`).exec(`${asked.method} ${path}`);
    if (found !== null) return route({ ...asked, places: found.slice(1).map(decodeURIComponent) }, shelf);
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
    body: /^application\/(?:vnd\.api\+)?json$/.test(type)
      ? exactJson(bytes.toString('utf8'))
      : (Object.fromEntries(named) as Record<string, unknown>),
  };
}

function exactJson(text: string): Record<string, unknown> {
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

function reply(response: ServerResponse, answer: Answer, isPacked: boolean, isBroken: boolean): void {
  const { status, body, headers = {} } = answer;
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  const bytes = isPacked && text !== '' ? gzipSync(text) : Buffer.from(text);
  const type: Record<string, string> = text === '' ? {} : { 'content-type': 'application/json' };
  const encoding: Record<string, string> = isPacked && text !== '' ? { 'content-encoding': 'gzip' } : {};
  response.writeHead(status, { ...type, ...encoding, 'content-length': bytes.length, ...headers });
  if (!isBroken) return void response.end(bytes);
  response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
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
