/** The connections to the service: how they are made, and which of them a request may use. */
import type { Socket } from 'node:net';
import type { Dispatcher } from 'undici';
import connect from 'undici/lib/api/api-connect.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import ProxyAgent from 'undici/lib/dispatcher/proxy-agent.js';
import { attempt, type ConnectionWatch, type WireEnd, type WireRequest } from './attempt.ts';

export type Transport = ReturnType<typeof openTransport>;

const longestConnectMs = 10_000;
/**
 * How long an idle connection is kept: well under the idle timeout of usual servers, so that no request leaves on a connection that
 * the server is closing. Reduced when the service turns out to close earlier.
 */
const longestKeepAliveMs = 1_000;
const shareUsed = 0.5;
/** A connection that closes this soon did not time out; the service may have restarted. */
const leastIdleMs = 5;

export function openTransport(origin: string, connections: number, silenceMs: number, proxy: URL | null) {
  let keepMs = longestKeepAliveMs;
  const connectTimeout = Math.min(longestConnectMs, silenceMs);
  const openPool = (): Dispatcher => {
    const options = {
      connections,
      pipelining: keepMs > 0 ? 1 : 0,
      connectTimeout,
      headersTimeout: silenceMs,
      bodyTimeout: silenceMs,
      // Both are set, because a server's hint overrides the first.
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
  const watch = watchIdle((limitMs) => {
    if (limitMs >= keepMs) return;
    keepMs = Math.floor(limitMs);
    leaveConnections();
  });
  return {
    /** Sends nothing more over the current connections. Requests in flight on them may finish. */
    leaveConnections,
    exchange: (request: WireRequest) =>
      new Promise<WireEnd>((resolve) => {
        const { method, path, headers, body, silenceMs: headersTimeout } = request;
        const handler = attempt(request, watch, resolve);
        pool.dispatch({ origin, method, path, headers, body, headersTimeout }, handler);
      }),
    async end(how: 'close' | 'destroy'): Promise<void> {
      await Promise.all([pool, ...olderPools].map((each) => each[how]()));
    },
  };
}

/**
 * Learns the idle timeout of the service from the connections that it closed. A request written while the service closes the
 * connection is lost without a trace, so none may be written near that moment.
 * @param onLimit  gets the milliseconds for which an idle connection stays usable; 0 means not at all
 */
function watchIdle(onLimit: (milliseconds: number) => void): ConnectionWatch {
  const idleSince = new WeakMap<Socket, number | null>();
  let closedAtOnce = 0;
  const closed = (socket: Socket): void => {
    const since = idleSince.get(socket);
    if (typeof since !== 'number') return;
    const milliseconds = performance.now() - since;
    if (milliseconds < leastIdleMs) closedAtOnce += 1;
    if (milliseconds >= leastIdleMs) onLimit(milliseconds * shareUsed);
    else if (closedAtOnce > 1) onLimit(0);
  };
  return {
    used(socket) {
      if (!idleSince.has(socket)) socket.once('end', () => closed(socket));
      idleSince.set(socket, null);
    },
    idle: (socket) => void idleSince.set(socket, performance.now()),
  };
}

function tunnelsThrough(proxy: URL, options: Pool.Options & { readonly connectTimeout: number }): Dispatcher {
  const tls = { timeout: options.connectTimeout };
  return new ProxyAgent({
    ...options,
    uri: proxy.href,
    requestTls: tls,
    proxyTls: tls,
    // undici's main module adds this method to every pool; the class alone lacks it.
    clientFactory: (url, way) =>
      Object.assign(new Pool(url, { ...way, headersTimeout: options.connectTimeout }), { connect }),
  });
}
