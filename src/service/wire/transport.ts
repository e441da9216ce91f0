/** The connections to the service: which of them a request may leave on, and how one is made. */
import type { Dispatcher } from 'undici';
import connect from 'undici/lib/api/api-connect.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import ProxyAgent from 'undici/lib/dispatcher/proxy-agent.js';
import { Attempt, type Exchange, type WireRequest } from './attempt.ts';
import { IdleConnections } from './idle-connections.ts';
import { SleepWatch } from './sleep-watch.ts';

export interface Transport {
  exchange(request: WireRequest): Promise<Exchange>;
  /** Sends nothing more over the connections that stand; what is in flight on them may finish. */
  leaveConnections(): void;
  /** Waits for what is in flight, then closes. */
  close(): Promise<void>;
  /** Cuts what is in flight. */
  destroy(): Promise<void>;
}

export interface TransportOptions {
  readonly origin: string;
  readonly connections: number;
  /** The longest silence before the head of an answer, and inside its body. */
  readonly silenceMs: number;
  /** The proxy that is asked for a tunnel to the origin, or `null` for the straight way. */
  readonly proxy: URL | null;
}

/** A connection that cannot be made within this time will not be made at all. */
const longestConnectMs = 10_000;
/**
 * How long an idle connection is kept: well under the idle time of any usual server, so that no request goes out on a
 * connection that the server is just closing. Both of undici's settings, since a server's hint overrides the first.
 * Less is kept when the service turns out to close earlier.
 */
const longestKeepAliveMs = 1_000;

export function openTransport({ origin, connections, silenceMs, proxy }: TransportOptions): Transport {
  let keepMs = longestKeepAliveMs;
  const connectTimeout = Math.min(longestConnectMs, silenceMs);
  const openPool = (): Dispatcher => {
    const options = {
      connections,
      pipelining: keepMs > 0 ? 1 : 0,
      connectTimeout,
      headersTimeout: silenceMs,
      bodyTimeout: silenceMs,
      keepAliveTimeout: Math.max(1, keepMs),
      keepAliveMaxTimeout: Math.max(1, keepMs),
      keepAliveTimeoutThreshold: longestKeepAliveMs,
    };
    return proxy === null ? new Pool(origin, options) : tunnelsThrough(proxy, options);
  };
  let pool = openPool();
  const olderPools = new Set<Dispatcher>();
  const leaveConnections = (): void => {
    const older = pool;
    olderPools.add(older);
    pool = openPool();
    void older.close().finally(() => olderPools.delete(older));
  };
  const learnIdleTimes = (): IdleConnections => {
    const learning = new IdleConnections((limit) => {
      sleepWatch.look();
      if (learning !== idleConnections || limit >= keepMs) return;
      keepMs = Math.floor(limit);
      leaveConnections();
    });
    return learning;
  };
  let idleConnections = learnIdleTimes();
  const sleepWatch = new SleepWatch(() => {
    // When the service has closed those that stood says nothing of its patience: nobody was there to see it.
    idleConnections = learnIdleTimes();
    leaveConnections();
  });
  return {
    leaveConnections,
    exchange: (request) =>
      new Promise((resolve) => {
        sleepWatch.look();
        const { method, path, headers, body, silenceMs: headersTimeout } = request;
        const chosen = pool;
        // Between here and the head of a request a process may be stopped as well.
        const mayLeave = () => {
          sleepWatch.look();
          return pool === chosen && request.mayLeave();
        };
        const attempt = new Attempt({ ...request, mayLeave }, idleConnections, resolve);
        chosen.dispatch({ origin, method, path, headers, body, headersTimeout }, attempt);
      }),
    close: async () => {
      sleepWatch.end();
      await Promise.all([pool.close(), ...[...olderPools].map((older) => older.close())]);
    },
    destroy: async () => {
      sleepWatch.end();
      await Promise.all([pool.destroy(), ...[...olderPools].map((older) => older.destroy())]);
    },
  };
}

/** The same as a pool, each of whose connections is a tunnel that the proxy has opened in the time of a connect. */
function tunnelsThrough(proxy: URL, options: Pool.Options & { readonly connectTimeout: number }): Dispatcher {
  const tls = { timeout: options.connectTimeout };
  return new ProxyAgent({
    ...options,
    uri: proxy.href,
    requestTls: tls,
    proxyTls: tls,
    // The whole of undici gives every pool this method; a pool by itself has none.
    clientFactory: (url, way) =>
      Object.assign(new Pool(url, { ...way, headersTimeout: options.connectTimeout }), { connect }),
  });
}
