/**
 * One request and what came back on the wire, no more: no retries, no meaning.
 * Its one rule: whether a request had left is known from undici's own channel `undici:client:sendHeaders`, which speaks
 * at the moment when the head is written, and is never guessed from an error.
 */
import { subscribe } from 'node:diagnostics_channel';
import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { DiagnosticsChannel, Dispatcher } from 'undici';
import connect from 'undici/lib/api/api-connect.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import ProxyAgent from 'undici/lib/dispatcher/proxy-agent.js';
import { type BodyKeeper, KeptBody, type KeptEdges } from './body-keeper.ts';
import { IdleConnections } from './idle-connections.ts';
import { SleepWatch, wasSleptThrough } from './sleep-watch.ts';
import { timerMs } from './timers.ts';

export interface WireRequest {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** The path with its query, from the root of the origin on. */
  readonly path: string;
  /** Names and values in turn. */
  readonly headers: string[];
  readonly body: string | Readable | null;
  /** The most bytes of a body that are read. */
  readonly bodyLimit: number;
  /** Takes the body of a good answer, which then is not held in memory; or `null`. */
  readonly keeper: BodyKeeper | null;
  /** From the moment at which the request may leave to the last byte of its answer. */
  readonly wholeTimeoutMs: number;
  /** Asked when a connection stands, just before the head is written; `false` holds the request back. */
  readonly mayLeave: () => boolean;
}

/** How the body of an answer ended. */
export type BodyEnding = 'whole' | 'cut' | 'stalled' | 'too-long';

export interface WireAnswer {
  readonly kind: 'answer';
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The bytes that came, as they came: still encoded, and perhaps not all of them. */
  readonly body: Buffer;
  /** The edges of the body when the keeper has it, and then `body` is empty; else `null`. */
  readonly kept: KeptEdges | null;
  readonly ending: BodyEnding;
}

export type Exchange =
  | WireAnswer
  /** No answer. `left` tells whether the head of the request was written. */
  | { readonly kind: 'no-answer'; readonly left: boolean; readonly error: Error }
  /** `mayLeave` said no: nothing was written. */
  | { readonly kind: 'held-back' };

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
/** What has come while the process slept is read in less. */
const timeToReadMs = 1_000;
/** Statuses below are interim: the answer is still to come. */
const firstFinalStatus = 200;
const firstStatusAfterSuccess = 300;

export class WholeTimeoutError extends Error {
  override readonly name = 'WholeTimeoutError';
}
class TooLongError extends Error {}
class NotKeptError extends Error {}
class HeldBackError extends Error {}
class SentTwiceError extends Error {}

/** The request that is about to be written: set and read within one synchronous step of undici. */
let aboutToLeave: Attempt | null = null;

subscribe('undici:client:sendHeaders', (message) => {
  aboutToLeave?.leave((message as DiagnosticsChannel.ClientSendHeadersMessage).socket);
  aboutToLeave = null;
});

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
        const { method, path, headers, body } = request;
        pool.dispatch({ origin, method, path, headers, body }, new Attempt(request, idleConnections, resolve));
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

/** undici's handler of one request. */
class Attempt implements Dispatcher.DispatchHandler {
  readonly #request: WireRequest;
  readonly #idleConnections: IdleConnections;
  readonly #resolve: (exchange: Exchange) => void;
  #socket: Socket | null = null;
  #status = 0;
  #headers: IncomingHttpHeaders = {};
  #chunks: Buffer[] = [];
  #kept: KeptBody | null = null;
  #size = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(request: WireRequest, idleConnections: IdleConnections, resolve: (exchange: Exchange) => void) {
    this.#request = request;
    this.#idleConnections = idleConnections;
    this.#resolve = resolve;
  }

  /** The head of the request is being written to this connection. */
  leave(socket: Socket): void {
    this.#socket = socket;
    this.#idleConnections.used(socket);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // undici puts a request back in its queue in rare cases; a record must not go out twice for that.
    if (this.#socket !== null) {
      controller.abort(new SentTwiceError('The request would have been written twice.'));
    } else if (!this.#request.mayLeave()) {
      controller.abort(new HeldBackError());
    } else {
      aboutToLeave = this;
      this.#abortIn(timerMs(this.#request.wholeTimeoutMs), controller);
    }
  }

  /** A timer that rings late was slept through, as by Ctrl-Z: the answer may have come meanwhile, and is read now. */
  #abortIn(milliseconds: number, controller: Dispatcher.DispatchController): void {
    const dueAt = performance.now() + milliseconds;
    this.#timer = setTimeout(() => {
      if (wasSleptThrough(dueAt)) this.#abortIn(timeToReadMs, controller);
      else controller.abort(new WholeTimeoutError('The answer was not complete in time.'));
    }, milliseconds);
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    this.#status = status;
    this.#headers = headers;
    const { keeper } = this.#request;
    const isGood = status >= firstFinalStatus && status < firstStatusAfterSuccess;
    if (keeper !== null && isGood) this.#kept = new KeptBody(keeper);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size > this.#request.bodyLimit) controller.abort(new TooLongError());
    else if (this.#kept === null) this.#chunks.push(chunk);
    else if (!this.#kept.add(chunk)) controller.abort(new NotKeptError('The answer could not be kept.'));
  }

  onResponseEnd(): void {
    if (this.#socket !== null) this.#idleConnections.idle(this.#socket);
    this.#end('whole');
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    clearTimeout(this.#timer);
    if (this.#status >= firstFinalStatus) this.#end(endingAfter(error));
    else if (error instanceof HeldBackError) this.#resolve({ kind: 'held-back' });
    else this.#resolve({ kind: 'no-answer', left: this.#socket !== null, error });
  }

  #end(ending: BodyEnding): void {
    clearTimeout(this.#timer);
    const [first] = this.#chunks;
    const body = this.#chunks.length === 1 && first !== undefined ? first : Buffer.concat(this.#chunks);
    const kept = this.#kept?.edges ?? null;
    this.#resolve({ kind: 'answer', status: this.#status, headers: this.#headers, body, kept, ending });
  }
}

function endingAfter(error: Error): BodyEnding {
  if (error instanceof TooLongError) return 'too-long';
  return error instanceof WholeTimeoutError || error.name === 'BodyTimeoutError' ? 'stalled' : 'cut';
}
