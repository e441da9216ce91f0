/** Serves the endpoints: token, rate, body, latency, fault, the endpoint itself, and its answer, in this order. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context, Hono } from 'hono';
import { type EndpointName, endpoints } from '../../contract/endpoints.ts';
import type { Conduct } from '../conduct.ts';
import { type Answer, Problem } from '../problem.ts';
import type { Store } from '../store/store.ts';
import type { Surroundings } from '../surroundings.ts';
import type { Tokens } from '../tokens.ts';
import type { PreparedWrite, SandboxEndpoint } from './endpoint.ts';
import { sandboxEndpoints } from './endpoints.ts';
import { answerAfter, answerBefore, type Spoiled } from './fault-answers.ts';
import { idempotencyKey, runOnce } from './idempotency.ts';
import { readForm, readJson } from './request-body.ts';

export interface ApiParts {
  readonly store: Store;
  readonly tokens: Tokens;
  readonly conduct: Conduct;
  readonly surroundings: Surroundings;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

export type SandboxContext = Context<{ Bindings: HttpBindings }>;
export type SandboxApp = Hono<{ Bindings: HttpBindings }>;

const prefix = '/v1';

/** Puts every endpoint on the app, and a problem on whatever else stands below /v1. */
export function mountApi(app: SandboxApp, parts: ApiParts): void {
  for (const [name, { method, path }] of Object.entries(endpoints) as [
    EndpointName,
    (typeof endpoints)[EndpointName],
  ][]) {
    const endpoint = sandboxEndpoints[name];
    app.on(method, path.replace(/\{(\w+)\}/, ':id'), (context) =>
      sendAnswer(context, () => answerOf(context, parts, name, endpoint)),
    );
  }
  app.all(`${prefix}/*`, (context) => {
    const refusal = refusalOfToken(context, parts.tokens) ?? refusalOfAddress(context.req.path);
    return responseOf(refusal.answer());
  });
}

/** Sends what the work comes to: its answer, or the problem that it threw. */
export async function sendAnswer(context: SandboxContext, work: () => Promise<Answer | Spoiled>): Promise<Response> {
  try {
    const answer = await work();
    return answer === 'handled' ? RESPONSE_ALREADY_SENT : responseOf(answer);
  } catch (error) {
    if (error instanceof Problem) return responseOf(error.answer());
    if (context.env.incoming.destroyed && !context.env.incoming.complete) return RESPONSE_ALREADY_SENT;
    return responseOf(unexpected(error).answer());
  }
}

async function answerOf(
  context: SandboxContext,
  parts: ApiParts,
  name: EndpointName,
  endpoint: SandboxEndpoint,
): Promise<Answer | Spoiled> {
  const { conduct, tokens } = parts;
  const { incoming } = context.env;
  const refusal = refusalOfToken(context, tokens) ?? refusalOfRate(conduct.secondsToWait());
  if (refusal !== null) throw refusal;
  const run = await readCall(context, parts, name, endpoint);
  const delay = conduct.nextDelay();
  if (delay > 0) await sleep(delay);
  const fault = conduct.nextFault(name);
  if (fault === null) return run();
  const before = answerBefore(fault, incoming, conduct.settings.faults.retryAfterSeconds);
  if (before !== null) return before;
  return answerAfter(fault, await run(), incoming);
}

/** Reads what the request brings and gives what is left to do. */
async function readCall(
  context: SandboxContext,
  { store, surroundings, clock }: ApiParts,
  name: EndpointName,
  endpoint: SandboxEndpoint,
): Promise<() => Answer | Promise<Answer>> {
  const { incoming } = context.env;
  const id = context.req.param('id') ?? '';
  const write = async (key: string | null, prepare: () => PreparedWrite | Promise<PreparedWrite>) => {
    const prepared = await prepare();
    return store.write((tables) => runOnce(name, key, prepared, tables, clock()));
  };
  switch (endpoint.takes) {
    case 'nothing': {
      const query = new URL(context.req.url).searchParams;
      return () => endpoint.answer({ id, query }, store.tables, surroundings);
    }
    case 'json': {
      const { body, text } = await readJson(incoming);
      const key = idempotencyKey(incoming.headers['idempotency-key']);
      return () => write(key, () => endpoint.prepare({ id, body, text }, surroundings));
    }
    case 'form': {
      const form = await readForm(incoming);
      const key = idempotencyKey(incoming.headers['idempotency-key']);
      return () => write(key, () => endpoint.prepare({ form }, surroundings));
    }
  }
}

function responseOf({ status, headers, text }: Answer): Response {
  return new Response(text, { status, headers });
}

function refusalOfToken(context: SandboxContext, tokens: Tokens): Problem | null {
  const header = context.req.header('authorization');
  const token = /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1];
  if (token !== undefined && tokens.accepts(token)) return null;
  const challenge = token === undefined ? 'Bearer realm="sandbox"' : 'Bearer realm="sandbox", error="invalid_token"';
  const detail =
    token === undefined ? 'Send a token as “Authorization: Bearer …”.' : 'The token is unknown or has ended.';
  return new Problem('token-refused', {
    detail: `${detail} POST /sandbox/token gives one.`,
    headers: { 'www-authenticate': challenge },
  });
}

function refusalOfRate(seconds: number): Problem | null {
  if (seconds === 0) return null;
  const detail = `More requests came than the sandbox was told to take in a second. Wait ${seconds} s.`;
  return new Problem('too-many-requests', { detail, headers: { 'retry-after': String(seconds) } });
}

/** A known path with another method, or a path that nobody knows. */
function refusalOfAddress(path: string): Problem {
  const methods = Object.values(endpoints)
    .filter((endpoint) => new RegExp(`^${endpoint.path.replace(/\{\w+\}/, '[^/]+')}$`).test(path))
    .map((endpoint) => endpoint.method);
  if (methods.length === 0) return new Problem('no-such-address', { detail: 'The interface has no such path.' });
  const allow = [...new Set(methods)].join(', ');
  return new Problem('method-not-allowed', { detail: `This path takes ${allow}.`, headers: { allow } });
}

/** Something that should not happen: told on the standard error of the process, and to the client without its contents. */
function unexpected(error: unknown): Problem {
  const reason = error instanceof Error ? error : new Error(String(error));
  process.emitWarning(`The sandbox failed: ${reason.message}`, { type: 'SandboxFailure' });
  return new Problem('unexpected-failure', { detail: 'The sandbox failed. Nothing was made; its own log says why.' });
}
