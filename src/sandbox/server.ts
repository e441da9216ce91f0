/** Starts the sandbox in this process: the complete service on loopback, its pages, and its controls below /sandbox. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import * as z from 'zod';
import type { ContractSettings } from '../contract/contract-settings.ts';
import { errorOf } from '../messages/text.ts';
import { newSecret, openTokens, sameMachineOnly, withKeyOnly } from './access.ts';
import { type ApiParts, mountApi, problemOf, type SandboxApp } from './api/api.ts';
import { openDialect } from './dialect.ts';
import { type ConditionSettings, noFaults, openConditions } from './faults.ts';
import { mountSite } from './pages/site.ts';
import { checked, jsonAnswer, responseOf } from './problem.ts';
import { openStore } from './store.ts';

export interface SandboxOptions extends ConditionSettings {
  readonly port: number;
  readonly whenPortTaken: 'fail' | 'next';
  /** The file that keeps the records, created when missing; `null` keeps them in memory. */
  readonly dataFile: string | null;
  readonly tokenTtlSeconds: number | null;
  readonly fixedToken: string | null;
  /** The profile's contract that the sandbox follows; `null` for the interface itself. */
  readonly contract: ContractSettings | null;
}

/** Fast, without faults, in memory, on any free loopback port. */
export const defaultSandboxOptions: SandboxOptions = {
  port: 0,
  whenPortTaken: 'fail',
  dataFile: null,
  tokenTtlSeconds: null,
  fixedToken: null,
  faults: noFaults,
  ratePerSecond: null,
  latency: { from: 0, to: 0 },
  contract: null,
};

export type RunningSandbox = Awaited<ReturnType<typeof startSandbox>>;

const host = '127.0.0.1';
/** How long running requests may take when the sandbox stops. */
const drainMilliseconds = 1000;

/**
 * Starts the sandbox.
 *
 * @param clock  milliseconds since 1970; a test replaces it to expire tokens
 * @throws DealsheetError `usage` when the port is taken (its cause has the code EADDRINUSE) or the data file cannot be used
 */
export async function startSandbox(options: SandboxOptions, clock: () => number = Date.now) {
  const store = openStore(options.dataFile);
  const tokens = openTokens(options.fixedToken, options.tokenTtlSeconds, clock);
  const token = options.fixedToken ?? tokens.issue();
  const app = new Hono<{ Bindings: HttpBindings }>();
  const server = createAdaptorServer({
    fetch: app.fetch,
    hostname: host,
    serverOptions: { noDelay: true },
  }) as Server;
  const port = await listen(server, options).catch((error: unknown) => {
    store.close();
    throw error;
  });
  const url = `http://${host}:${port}`;
  const key = newSecret('key');
  const conditions = openConditions(options, clock);
  const parts = { store, tokens, conditions, url, dialect: openDialect(options.contract), clock };
  app.onError((error) => responseOf(problemOf(error).answer()));
  mountApi(app, parts);
  app.use('*', sameMachineOnly);
  mountControl(app, parts, key);
  mountSite(app, parts, options.dataFile);

  return {
    /** `http://127.0.0.1:4010`, without a trailing slash. */
    url,
    port,
    /** A valid token: the fixed one, or one issued at the start with the lifetime from the options. */
    token,
    /** Control addresses require it as `Authorization: Bearer`. New at every start. */
    key,
    /** The log of accepted requests, oldest first, for tests. */
    accepted: () => store.tables.accepted(0, Number.MAX_SAFE_INTEGER),
    change: conditions.change,
    /** Stops listening, gives running requests a moment to finish, and closes the data file. */
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      const impatience = setTimeout(() => server.closeAllConnections(), drainMilliseconds);
      await closed;
      clearTimeout(impatience);
      store.close();
    },
  };
}

const furtherPorts = 50;

async function listen(server: Server, { port, whenPortTaken }: SandboxOptions): Promise<number> {
  const last = whenPortTaken === 'next' ? port + furtherPorts : port;
  for (let candidate = port; ; candidate += 1) {
    try {
      const listening = once(server, 'listening');
      server.listen(candidate, host);
      await listening;
      return (server.address() as AddressInfo).port;
    } catch (cause) {
      const isTaken = cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE';
      if (isTaken && candidate < last) continue;
      throw errorOf('port-unusable', { host, port: candidate, isTaken }, cause);
    }
  }
}

const mostEntries = 10_000;

const logQuery = z.object({
  after: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(mostEntries).default(mostEntries),
});

function mountControl(app: SandboxApp, { store, tokens }: ApiParts, key: string): void {
  app.use('/sandbox/*', withKeyOnly(key));
  app.post('/sandbox/token', () => {
    const body = { access_token: tokens.issue(), token_type: 'Bearer', expires_in: tokens.lifetimeSeconds };
    return responseOf(jsonAnswer(201, body, { 'cache-control': 'no-store' }));
  });
  app.delete('/sandbox/token', () => {
    tokens.revokeAll();
    return responseOf(jsonAnswer(200, { success: true }));
  });
  app.get('/sandbox/accepted', ({ req }) => {
    const { after, limit } = checked(logQuery, req.query());
    const accepted = store.tables.accepted(after, limit);
    const next = accepted.length < limit ? null : (accepted.at(-1)?.sequence ?? null);
    return responseOf(jsonAnswer(200, { accepted, next }));
  });
}
