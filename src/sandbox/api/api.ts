/** Serves the endpoints. The order for each request: token, rate, body, latency, fault, operation, answer. */
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context, Hono } from 'hono';
import { isObject } from '../../contract/body-path.ts';
import { type EndpointName, endpoints } from '../../contract/record-kind.ts';
import { placesOf } from '../../contract/rename.ts';
import { literal } from '../../messages/plain-text.ts';
import { digestOf, type Tokens } from '../access.ts';
import type { Dialect } from '../dialect.ts';
import type { Conditions, FaultName } from '../faults.ts';
import { endpointNames, kindWith } from '../kinds.ts';
import { type Answer, jsonAnswer, Problem, responseOf, textOf } from '../problem.ts';
import type { Store, Tables } from '../store.ts';
import { type Operation, operationOf } from './operations.ts';
import { readBody } from './request-body.ts';

export interface ApiParts {
  readonly store: Store;
  readonly tokens: Tokens;
  readonly conditions: Conditions;
  readonly url: string;
  readonly dialect: Dialect;
  readonly clock: () => number;
}

type SandboxContext = Context<{ Bindings: HttpBindings }>;
export type SandboxApp = Hono<{ Bindings: HttpBindings }>;

/** Mounts every endpoint, and a problem for anything else below /v1. */
export function mountApi(app: SandboxApp, parts: ApiParts): void {
  const { dialect } = parts;
  const served = endpointNames.map((name) => ({ name, operation: operationOf(name), ...routeOf(name, dialect) }));
  const jobs = dialect.jobPaths.map(placesFinder);
  app.use('*', (context, next) => {
    const { method } = context.req;
    const url = new URL(context.req.url);
    const routes = served.flatMap(({ method: taken, placesIn, ...route }) => {
      const places = method === taken ? placesIn(url) : null;
      return places === null ? [] : [{ ...route, places }];
    });
    if (routes.length > 0) return respond(context, parts, routes);
    const [job] = method === 'GET' ? jobs.flatMap((placesIn) => placesIn(url)?.id ?? []) : [];
    if (job === undefined) return next();
    return Promise.resolve(responseOf(refusalOfToken(context, parts)?.answer() ?? dialect.job(job)));
  });
  app.all('/v1/*', (context) => {
    throw (
      refusalOfToken(context, parts) ?? new Problem('no-such-address', { detail: 'The interface does not have this.' })
    );
  });
}

function routeOf(name: EndpointName, { pathOf }: Dialect) {
  const [, method = endpoints[name].method, path = ''] = /^(?:([A-Z]+) )?(.*)$/.exec(pathOf(name)) ?? [];
  return { method, placesIn: placesFinder(path) };
}

/** Finds the values of the braces in a path and its query, by their names; `null` for another path. */
function placesFinder(declared: string): (url: URL) => Places | null {
  const [path = '', query = ''] = declared.split('?').map((text) => literal(text).replace(/\\\{.+?\\\}/g, '([^/&]+)'));
  const [ofPath, ofQuery] = [new RegExp(`^${path}$`), new RegExp(query)];
  return ({ pathname, search }) => {
    const found = ofPath.exec(pathname);
    const values = [found, ofQuery.exec(search)].flatMap((each) => each?.slice(1) ?? []).map(decoded);
    return found && Object.fromEntries(placesOf(declared).map((name, at) => [name, values[at] ?? '']));
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

type Places = Readonly<Record<string, string>>;
type Route = Readonly<{ name: EndpointName; operation: Operation; places: Places }>;

/** @param routes  all that a profile has at this address: the body shows which one is meant */
async function respond(context: SandboxContext, parts: ApiParts, routes: readonly Route[]): Promise<Response> {
  const { store, conditions, dialect, url, clock } = parts;
  let [route] = routes as [Route];
  const { takes } = route.operation;
  const { incoming } = context.env;
  const { req } = context;
  let sent: unknown;
  let fault: FaultName | null = null;
  let answer: Answer;
  try {
    const refusal = refusalOfToken(context, parts) ?? refusalOfRate(conditions.secondsToWait());
    if (refusal !== null) throw refusal;
    const { body, text } = req.method === 'GET' ? { body: undefined, text: '' } : await readBody(incoming, takes);
    route = routes.find(({ name }) => speaks(name, body, dialect)) ?? route;
    const { name, operation, places } = route;
    const [idInPath = ''] = Object.values(places);
    const isRead = kindWith('endpoint', name) === undefined;
    const call = { query: new URL(req.url).searchParams, text };
    const key = isRead ? undefined : req.header('idempotency-key');
    const delay = conditions.nextDelay();
    if (delay > 0) await sleep(delay);
    fault = conditions.nextFault(name);
    answer = answerUnder(fault, conditions.settings().faults.retryAfterSeconds, () => {
      sent = dialect.fromWire(name, body, places);
      if (isRead) sent = { ...Object.fromEntries(call.query), ...(isObject(sent) && sent) };
      const { takesWholeBatches } = dialect;
      const commit = { tables: store.tables, at: clock(), url, takesWholeBatches };
      const id = idInPath || (isRead && isObject(sent) ? String(sent.id ?? '') : '');
      const run = () => operation.run({ ...call, id, body: sent }, commit);
      return isRead ? run() : store.write(() => runOnce(name, key, `${id}\n${text}`, run, store.tables));
    });
  } catch (error) {
    if (isGone(error, incoming)) return RESPONSE_ALREADY_SENT;
    fault = null;
    answer = problemOf(error).answer();
  }
  return deliver(fault, dialect.toWire(route.name, answer, sent), incoming);
}

function speaks(name: EndpointName, body: unknown, dialect: Dialect): boolean {
  try {
    dialect.fromWire(name, body);
    return true;
  } catch {
    return false;
  }
}

/** The problem that stopped a request. Unexpected errors go to the process's stderr, not to the client. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const reason = error instanceof Error ? error : new Error(String(error));
  process.emitWarning(`The sandbox failed: ${reason.message}`, { type: 'SandboxFailure' });
  return new Problem('unexpected-failure', { detail: 'The sandbox failed. Nothing was made; its own log says why.' });
}

function isGone(error: unknown, incoming: IncomingMessage): boolean {
  return !(error instanceof Problem) && incoming.destroyed && !incoming.complete;
}

function refusalOfToken({ req }: SandboxContext, { tokens, dialect }: ApiParts): Problem | null {
  const token = dialect.tokenIn((name) => req.header(name));
  if (token !== undefined && tokens.accepts(token)) return null;
  const [reason, challenge] =
    token === undefined
      ? [`Send a token as “${dialect.tokenPlace}”.`, '']
      : ['The token is unknown or has ended.', ', error="invalid_token"'];
  const headers = { 'www-authenticate': `Bearer realm="sandbox"${challenge}` };
  return new Problem('token-refused', { detail: `${reason} POST /sandbox/token gives one.`, headers });
}

function refusalOfRate(seconds: number): Problem | null {
  if (seconds === 0) return null;
  const detail = `The sandbox got more requests in a second than it is set to answer. Wait ${seconds} s.`;
  return new Problem('too-many-requests', { detail, headers: { 'retry-after': String(seconds) } });
}

/**
 * Runs a write under its Idempotency-Key in one commit: the same key and request return the same answer and create nothing. Only
 * accepted requests are kept, so that a refused one can be corrected under its key.
 */
function runOnce(
  endpoint: EndpointName,
  key: string | undefined,
  content: string,
  run: () => Answer,
  tables: Tables,
): Answer {
  if (key === undefined) return run();
  const digest = digestOf(content);
  const kept = tables.answer(endpoint, key);
  if (kept === undefined) {
    const answer = run();
    tables.keepAnswer(endpoint, key, digest, JSON.stringify(answer));
    return answer;
  }
  if (kept.digest !== digest) {
    throw new Problem('key-reused', { detail: 'This Idempotency-Key came earlier with another request.' });
  }
  return JSON.parse(kept.answer) as Answer;
}

const detail = 'This sandbox runs with faults.';
const htmlText = '<!doctype html><html lang="en"><title>Sign in</title><h1>Sign in</h1></html>';

/** A host that never resolves. A client that follows it is exposed without reaching anyone. */
const elsewhere = 'http://elsewhere.invalid/';

const insteads: Readonly<Partial<Record<FaultName, (retryAfter: Answer['headers']) => Answer>>> = {
  '429': (headers) => new Problem('too-many-requests', { detail, headers }).answer(),
  busy: (headers) => faultAnswer(503, headers),
  '401': () => faultAnswer(401, { 'www-authenticate': 'Bearer error="invalid_token"' }),
  'success-false': () => jsonAnswer(200, { success: false, message: detail }),
  html: () => ({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: htmlText }),
  redirect: () => ({ status: 307, headers: { location: elsewhere }, body: '' }),
};

/** The answer under a fault. Some faults replace the request; others run it first and then spoil the answer. */
function answerUnder(fault: FaultName | null, retryAfterSeconds: number, run: () => Answer): Answer {
  const instead = fault === null ? undefined : insteads[fault];
  if (instead !== undefined) return instead({ 'retry-after': String(retryAfterSeconds) });
  const [, status, after] = /^(\d+)(-after)?$/.exec(fault ?? '') ?? [];
  if (fault?.endsWith('-before') === true) return faultAnswer(500);
  if (status !== undefined && after === undefined) return faultAnswer(Number(status));
  const answer = run();
  if (status !== undefined) return faultAnswer(Number(status));
  return fault === 'no-id' ? withoutIds(answer) : answer;
}

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

async function deliver(fault: FaultName | null, answer: Answer, { socket }: IncomingMessage): Promise<Response> {
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

/** The answer as bytes on the wire, with a length, for a connection that closes after it. */
function wholeMessage(answer: Answer): Buffer {
  const text = textOf(answer);
  const headers = { ...answer.headers, 'content-length': String(Buffer.byteLength(text)), connection: 'close' };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ''}`;
  return Buffer.from(`${[head, ...lines].join('\r\n')}\r\n\r\n${text}`);
}
