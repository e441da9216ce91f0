/** Serves the endpoints: token, rate, body, latency, fault, the operation itself, and its answer, in this order. */
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context, Hono } from 'hono';
import { type EndpointName, endpoints } from '../../contract/endpoints.ts';
import { bearerOf, digestOf, type Tokens } from '../access.ts';
import type { Conditions } from '../conditions.ts';
import type { Dialect } from '../dialect.ts';
import type { FaultName } from '../faults.ts';
import { endpointNames } from '../kinds.ts';
import { type Answer, Problem, responseOf } from '../problem.ts';
import type { Commit, ServiceOptions } from '../records.ts';
import type { Store } from '../store.ts';
import { answerUnder, deliver } from './fault-answers.ts';
import { type Operation, operationOf, type Prepared } from './operations.ts';
import { readBody } from './request-body.ts';

export interface ApiParts {
  readonly store: Store;
  readonly tokens: Tokens;
  readonly conditions: Conditions;
  readonly options: ServiceOptions;
  readonly dialect: Dialect;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

type SandboxContext = Context<{ Bindings: HttpBindings }>;
export type SandboxApp = Hono<{ Bindings: HttpBindings }>;

/** Puts every endpoint on the app, and a problem on whatever else stands below /v1. */
export function mountApi(app: SandboxApp, parts: ApiParts): void {
  const { dialect, tokens } = parts;
  for (const name of endpointNames) {
    const operation = operationOf(name);
    const path = withId(dialect.pathOf(name));
    app.on(endpoints[name].method, path, (context) => respond(context, parts, name, operation));
  }
  for (const path of dialect.jobPaths) {
    app.get(withId(path), (context) =>
      responseOf(refusalOfToken(context, tokens)?.answer() ?? dialect.job(context.req.param('id') ?? '')),
    );
  }
  app.all('/v1/*', (context) => {
    const refusal = refusalOfToken(context, tokens) ?? refusalOfAddress(context.req.path, dialect);
    return responseOf(refusal.answer());
  });
}

/** `/v1/deal/{dealId}` to `/v1/deal/:id` */
function withId(path: string): string {
  return path.replace(/\{\w+\}/, ':id');
}

async function respond(
  context: SandboxContext,
  parts: ApiParts,
  name: EndpointName,
  operation: Operation,
): Promise<Response> {
  const { store, conditions, tokens, dialect, options, clock } = parts;
  const { takes, prepare } = operation;
  const { incoming } = context.env;
  const { req } = context;
  let sent: unknown;
  let fault: FaultName | null = null;
  let answer: Answer;
  try {
    const refusal = refusalOfToken(context, tokens) ?? refusalOfRate(conditions.secondsToWait());
    if (refusal !== null) throw refusal;
    const { body, text } = takes === 'nothing' ? { body: undefined, text: '' } : await readBody(incoming, takes);
    const call = { id: req.param('id') ?? '', query: new URL(req.url).searchParams, text };
    const key = takes === 'nothing' ? undefined : req.header('idempotency-key');
    if (key !== undefined && !usableKey.test(key)) throw new Problem('unusable-key', { detail: keyDetail });
    const delay = conditions.nextDelay();
    if (delay > 0) await sleep(delay);
    fault = conditions.nextFault(name);
    answer = await answerUnder(fault, conditions.settings().faults.retryAfterSeconds, async () => {
      sent = dialect.fromWire(name, body);
      const prepared = await prepare({ ...call, body: sent }, options);
      const { publicUrl } = options;
      if (takes === 'nothing') return prepared.run({ tables: store.tables, at: clock(), publicUrl });
      return store.write((tables) => runOnce(name, key, prepared, { tables, at: clock(), publicUrl }));
    });
  } catch (error) {
    if (isGone(error, incoming)) return RESPONSE_ALREADY_SENT;
    fault = null;
    answer = problemOf(error).answer();
  }
  return deliver(fault, dialect.toWire(name, answer, sent), incoming);
}

/** The problem that stopped a request. What should not happen is told on the standard error of the process, not to the client. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const reason = error instanceof Error ? error : new Error(String(error));
  process.emitWarning(`The sandbox failed: ${reason.message}`, { type: 'SandboxFailure' });
  return new Problem('unexpected-failure', { detail: 'The sandbox failed. Nothing was made; its own log says why.' });
}

/** Whether the client left before its request was whole. */
function isGone(error: unknown, incoming: IncomingMessage): boolean {
  return !(error instanceof Problem) && incoming.destroyed && !incoming.complete;
}

function refusalOfToken(context: SandboxContext, tokens: Tokens): Problem | null {
  const token = bearerOf(context.req.header('authorization'));
  if (token !== undefined && tokens.accepts(token)) return null;
  const [reason, challenge] =
    token === undefined
      ? ['Send a token as “Authorization: Bearer …”.', '']
      : ['The token is unknown or has ended.', ', error="invalid_token"'];
  const headers = { 'www-authenticate': `Bearer realm="sandbox"${challenge}` };
  return new Problem('token-refused', { detail: `${reason} POST /sandbox/token gives one.`, headers });
}

function refusalOfRate(seconds: number): Problem | null {
  if (seconds === 0) return null;
  const detail = `More requests came than the sandbox was told to take in a second. Wait ${seconds} s.`;
  return new Problem('too-many-requests', { detail, headers: { 'retry-after': String(seconds) } });
}

/** A known path with another method, or a path that nobody knows. */
function refusalOfAddress(path: string, { pathOf }: Dialect): Problem {
  const methods = endpointNames
    .filter((name) => new RegExp(`^${pathOf(name).replace(/\{\w+\}/, '[^/]+')}$`).test(path))
    .map((name) => endpoints[name].method);
  if (methods.length === 0) return new Problem('no-such-address', { detail: 'The interface has no such path.' });
  const allow = [...new Set(methods)].join(', ');
  return new Problem('method-not-allowed', { detail: `This path takes ${allow}.`, headers: { allow } });
}

const usableKey = /^.{1,255}$/s;
const keyDetail = 'An Idempotency-Key has 1 to 255 characters.';

/**
 * Runs a write under its Idempotency-Key, in one commit: the same key with the same request gives the same answer and makes nothing.
 * Only accepted requests are kept, so a refused one may be corrected under its key.
 */
function runOnce(endpoint: EndpointName, key: string | undefined, write: Prepared, commit: Commit): Answer {
  const { tables } = commit;
  if (key === undefined) return write.run(commit);
  const digest = digestOf(write.content);
  const kept = tables.answer(endpoint, key);
  if (kept === undefined) {
    const answer = write.run(commit);
    tables.keepAnswer(endpoint, key, digest, JSON.stringify(answer));
    return answer;
  }
  if (kept.digest !== digest) {
    throw new Problem('key-reused', { detail: 'This Idempotency-Key came earlier with another request.' });
  }
  const answer = JSON.parse(kept.answer) as Answer;
  return { ...answer, headers: { ...answer.headers, 'idempotency-replayed': 'true' } };
}
