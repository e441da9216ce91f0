/**
 * One request and what came back on the wire: no retries, no meaning. Whether a request had left is known from undici's own channel
 * `undici:client:sendHeaders`, which speaks when the head is written, and is never guessed from an error.
 */
import { subscribe } from 'node:diagnostics_channel';
import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { DiagnosticsChannel, Dispatcher } from 'undici';
import type { BodyKeeper } from './body-keeper.ts';
import { type Decoding, decodingOf } from './content-encoding.ts';
import { AnswerTimer } from './sleep-watch.ts';

export interface WireRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  /** The path with its query, from the root of the origin on. */
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string | Readable | null;
  /** The most bytes of a body that are read, also once it is decoded. */
  readonly bodyLimit: number;
  /** Takes the body of a good answer in place of memory. */
  readonly keeper: BodyKeeper | null;
  /** From the moment at which the request may leave to the last byte of its answer. */
  readonly wholeTimeoutMs: number;
  /** The longest time in which nothing of the body goes out to the system, or nothing comes back. */
  readonly silenceMs: number;
  /** Asked just before the head is written; `false` holds the request back. */
  readonly mayLeave: () => boolean;
}

export interface WireAnswer {
  readonly kind: 'answer';
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** What came of the body, decoded; the beginning alone where a keeper has it. */
  readonly body: Buffer;
  /** What is seen of a kept body besides; else `null`. */
  readonly kept: { readonly isWhole: boolean; readonly tail: Buffer } | null;
  /** Whether the body came to its end, could be decoded, and is not too long. */
  readonly isWhole: boolean;
}

export type Exchange =
  | WireAnswer
  /** No answer. `left` tells whether the head of the request was written. */
  | { readonly kind: 'no-answer'; readonly left: boolean; readonly error: Error }
  /** `mayLeave` said no: nothing was written. */
  | { readonly kind: 'held-back' };

/** Statuses below are interim: the answer is still to come. */
const firstFinalStatus = 200;
const firstStatusAfterSuccess = 300;
/** What is looked at of a kept body, at each end. */
const edgeLength = 512;

export class WholeTimeoutError extends Error {
  override readonly name = 'WholeTimeoutError';
}
class HeldBackError extends Error {}
class SentTwiceError extends Error {}

/** The request that is about to be written: set and read within one synchronous step of undici. */
let aboutToLeave: Attempt | null = null;

subscribe('undici:client:sendHeaders', (message) => {
  aboutToLeave?.leave((message as DiagnosticsChannel.ClientSendHeadersMessage).socket);
  aboutToLeave = null;
});

/** Told of the connection of a request: when its head leaves, and when its answer has come. */
export interface ConnectionWatch {
  used(socket: Socket): void;
  idle(socket: Socket): void;
}

/** undici's handler of one request. */
export class Attempt implements Dispatcher.DispatchHandler {
  readonly #request: WireRequest;
  readonly #watch: ConnectionWatch;
  readonly #resolve: (exchange: Exchange) => void;
  #socket: Socket | null = null;
  #status = 0;
  #headers: IncomingHttpHeaders = {};
  #decoding: Decoding | null = null;
  #keeper: BodyKeeper | null = null;
  #chunks: Buffer[] = [];
  #tail: Buffer = Buffer.alloc(0);
  #received = 0;
  #size = 0;
  #timer: AnswerTimer | null = null;
  #isOver = false;

  constructor(request: WireRequest, watch: ConnectionWatch, resolve: (exchange: Exchange) => void) {
    this.#request = request;
    this.#watch = watch;
    this.#resolve = resolve;
  }

  /** The head of the request is being written to this connection. */
  leave(socket: Socket): void {
    this.#socket = socket;
    this.#watch.used(socket);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // undici puts a request back in its queue in rare cases; a record must not go out twice for that.
    if (this.#socket !== null) {
      controller.abort(new SentTwiceError('The request would have been written twice.'));
    } else if (!this.#request.mayLeave()) {
      controller.abort(new HeldBackError());
    } else {
      aboutToLeave = this;
      this.#timer = new AnswerTimer(this.#request.wholeTimeoutMs, () =>
        controller.abort(new WholeTimeoutError('The answer was not complete in time.')),
      );
    }
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    this.#status = status;
    this.#headers = headers;
    if (status < firstFinalStatus) return;
    if (status < firstStatusAfterSuccess) this.#keeper = this.#request.keeper;
    this.#keeper?.begin();
    this.#decoding = decodingOf(String(headers['content-encoding'] ?? ''), controller, {
      take: (chunk) => this.#take(controller, chunk),
      end: () => this.#end(true),
      fail: () => this.#stop(controller),
    });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#received += chunk.length;
    if (this.#received > this.#request.bodyLimit) this.#stop(controller);
    else this.#decoding?.take(chunk);
  }

  onResponseEnd(): void {
    if (this.#socket !== null) this.#watch.idle(this.#socket);
    this.#decoding?.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#status >= firstFinalStatus) {
      this.#end(false);
    } else {
      this.#settle(
        error instanceof HeldBackError
          ? { kind: 'held-back' }
          : { kind: 'no-answer', left: this.#socket !== null, error },
      );
    }
  }

  /** @returns whether more is wanted */
  #take(controller: Dispatcher.DispatchController, chunk: Buffer): boolean {
    if (this.#isOver) return false;
    if (this.#keeper === null || this.#size < edgeLength) this.#chunks.push(chunk);
    this.#size += chunk.length;
    if (this.#size > this.#request.bodyLimit) return this.#stop(controller);
    if (this.#keeper === null) return true;
    this.#tail = Buffer.from(Buffer.concat([this.#tail, chunk.subarray(-edgeLength)]).subarray(-edgeLength));
    this.#keeper.add(chunk);
    return this.#keeper.failure === null || this.#stop(controller);
  }

  #stop(controller: Dispatcher.DispatchController): false {
    this.#end(false);
    controller.abort(new Error('Nothing more is read of the answer.'));
    return false;
  }

  #end(isWhole: boolean): void {
    const [first] = this.#chunks;
    const body = this.#chunks.length === 1 && first !== undefined ? first : Buffer.concat(this.#chunks);
    const kept = this.#keeper === null ? null : { isWhole: body.length === this.#size, tail: this.#tail };
    this.#settle({ kind: 'answer', status: this.#status, headers: this.#headers, body, kept, isWhole });
  }

  /** What a timer holds is let go: an exchange that lives on by chance would hold the request of undici as well. */
  #settle(exchange: Exchange): void {
    this.#isOver = true;
    this.#timer?.end();
    this.#timer = null;
    this.#resolve(exchange);
  }
}
