/**
 * One request and what came back on the wire, no more: no retries, no meaning.
 * Its one rule: whether a request had left is known from undici's own channel `undici:client:sendHeaders`, which speaks
 * at the moment when the head is written, and is never guessed from an error.
 */
import { subscribe } from 'node:diagnostics_channel';
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { type Dispatcher, Pool } from 'undici';

export interface WireRequest {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** The path with its query, from the root of the origin on. */
  readonly path: string;
  /** Names and values in turn. */
  readonly headers: string[];
  readonly body: string | Readable | null;
  /** The most bytes of a body that are read. */
  readonly bodyLimit: number;
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
}

/** A connection that cannot be made within this time will not be made at all. */
const longestConnectMs = 10_000;
/**
 * How long an idle connection is kept: well under the idle time of any usual server, so that no request goes out on a
 * connection that the server is just closing. Both of undici's settings, since a server's hint overrides the first.
 */
const keepAliveMs = 1_000;
/** Statuses below are interim: the answer is still to come. */
const firstFinalStatus = 200;

export class WholeTimeoutError extends Error {
  override readonly name = 'WholeTimeoutError';
}
class TooLongError extends Error {}
class HeldBackError extends Error {}
class SentTwiceError extends Error {}

/** The request that is about to be written: set and read within one synchronous step of undici. */
let aboutToLeave: Attempt | null = null;

subscribe('undici:client:sendHeaders', () => {
  aboutToLeave?.leave();
  aboutToLeave = null;
});

export function openTransport({ origin, connections, silenceMs }: TransportOptions): Transport {
  const pool = new Pool(origin, {
    connections,
    pipelining: 1,
    connectTimeout: Math.min(longestConnectMs, silenceMs),
    headersTimeout: silenceMs,
    bodyTimeout: silenceMs,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMs,
    keepAliveTimeoutThreshold: keepAliveMs,
  });
  return {
    exchange: (request) =>
      new Promise((resolve) => {
        const { method, path, headers, body } = request;
        pool.dispatch({ method, path, headers, body }, new Attempt(request, resolve));
      }),
    close: () => pool.close(),
    destroy: () => pool.destroy(),
  };
}

/** undici's handler of one request. */
class Attempt implements Dispatcher.DispatchHandler {
  readonly #request: WireRequest;
  readonly #resolve: (exchange: Exchange) => void;
  #left = false;
  #status = 0;
  #headers: IncomingHttpHeaders = {};
  #chunks: Buffer[] = [];
  #size = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(request: WireRequest, resolve: (exchange: Exchange) => void) {
    this.#request = request;
    this.#resolve = resolve;
  }

  leave(): void {
    this.#left = true;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // undici puts a request back in its queue in rare cases; a record must not go out twice for that.
    if (this.#left) {
      controller.abort(new SentTwiceError('The request would have been written twice.'));
    } else if (!this.#request.mayLeave()) {
      controller.abort(new HeldBackError());
    } else {
      aboutToLeave = this;
      this.#timer = setTimeout(
        () => controller.abort(new WholeTimeoutError('The answer was not complete in time.')),
        this.#request.wholeTimeoutMs,
      );
    }
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size > this.#request.bodyLimit) controller.abort(new TooLongError());
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.#end('whole');
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    clearTimeout(this.#timer);
    if (this.#status >= firstFinalStatus) this.#end(endingAfter(error));
    else if (error instanceof HeldBackError) this.#resolve({ kind: 'held-back' });
    else this.#resolve({ kind: 'no-answer', left: this.#left, error });
  }

  #end(ending: BodyEnding): void {
    clearTimeout(this.#timer);
    const [first] = this.#chunks;
    const body = this.#chunks.length === 1 && first !== undefined ? first : Buffer.concat(this.#chunks);
    this.#resolve({ kind: 'answer', status: this.#status, headers: this.#headers, body, ending });
  }
}

function endingAfter(error: Error): BodyEnding {
  if (error instanceof TooLongError) return 'too-long';
  return error instanceof WholeTimeoutError || error.name === 'BodyTimeoutError' ? 'stalled' : 'cut';
}
