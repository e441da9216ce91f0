/**
 * A service that nobody has seen: plain HTTP on loopback. It takes nothing but what its own rules allow, and keeps what it took,
 * so that a test can count it.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type * as z from 'zod';

export interface Asked {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The part of the path behind the endpoint, such as an id. */
  readonly id: string;
  /** JSON, or the parts of a form by their names; a file as its name and content. */
  readonly body: unknown;
}

export interface Answered {
  readonly status: number;
  readonly body: unknown;
  readonly type?: string;
}

/** What the service has kept of one kind, in the order in which it came. */
export interface Kept {
  readonly id: string;
  value: Record<string, unknown>;
}

export interface Stranger {
  readonly url: string;
  /** By the names under which endpoints keep. */
  readonly kept: Readonly<Record<string, Kept[]>>;
  /** `POST /v1/deal`, in their order, health checks left out. */
  readonly asked: readonly string[];
  /** The next answer to a request that fits goes out by half, and then the connection breaks. */
  breakAfter(path: string): void;
  stop(): Promise<void>;
}

/** Checks and keeps: gives the value as it came, or refuses it. */
export interface Shelf {
  readonly kept: Record<string, Kept[]>;
  /** Keeps a value under a new id, or changes the one that is there. */
  add(name: string, id: string, value: Record<string, unknown>): Kept;
  find(name: string, id: string): Kept | undefined;
}

/** An endpoint by its method and path (`GET /v1/deal/`; one with a slash at its end takes an id). */
export type Endpoints = Readonly<Record<string, (asked: Asked, shelf: Shelf) => Answered>>;

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

export const token = 'stranger-token-7c1f';

/** @param refusal  how the service says that it does not take a request */
export async function startStranger(
  endpoints: Endpoints,
  refusal: (faults: readonly Fault[]) => Answered,
): Promise<Stranger> {
  const kept: Record<string, Kept[]> = {};
  const asked: string[] = [];
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
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://stranger');
    const method = request.method ?? '';
    if (request.headers.authorization !== `Bearer ${token}`) return send(response, { status: 401, body: {} }, false);
    if (pathname.endsWith('/health')) return send(response, { status: 200, body: { up: true } }, false);
    asked.push(`${method} ${pathname}`);
    const { name, id } = endpointOf(endpoints, method, pathname);
    const endpoint = endpoints[name];
    if (endpoint === undefined) return send(response, { status: 404, body: {} }, false);
    const isBroken = breaking === pathname;
    if (isBroken) breaking = null;
    const body = await bodyOf(request);
    try {
      send(response, endpoint({ method, path: pathname, query: searchParams, id, body }, shelf), isBroken);
    } catch (error) {
      send(response, error instanceof Refused ? refusal(error.faults) : { status: 500, body: String(error) }, isBroken);
    }
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    kept,
    asked,
    breakAfter: (path) => {
      breaking = path;
    },
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => void server.close(() => resolve()));
    },
  };
}

function endpointOf(endpoints: Endpoints, method: string, path: string): { name: string; id: string } {
  const whole = `${method} ${path}`;
  if (Object.hasOwn(endpoints, whole)) return { name: whole, id: '' };
  const end = whole.lastIndexOf('/') + 1;
  return { name: whole.slice(0, end), id: decodeURIComponent(whole.slice(end)) };
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const type = request.headers['content-type'] ?? '';
  if (bytes.length === 0) return undefined;
  if (type === 'application/json') return JSON.parse(bytes.toString('utf8'));
  const form = await new Response(bytes, { headers: { 'content-type': type } }).formData();
  const parts = await Promise.all(
    [...form].map(async ([name, part]) => [
      name,
      typeof part === 'string' ? part : { name: part.name, content: await part.text() },
    ]),
  );
  return Object.fromEntries(parts) as unknown;
}

function send(
  response: ServerResponse,
  { status, body, type = 'application/json' }: Answered,
  isBroken: boolean,
): void {
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, { 'content-type': type, 'content-length': bytes.length });
  if (!isBroken) return void response.end(bytes);
  response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
}
