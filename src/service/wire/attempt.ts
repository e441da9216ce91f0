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
import { type BodyKeeper, KeptBody, type KeptEdges } from './body-keeper.ts';
import type { IdleConnections } from './idle-connections.ts';
import { AnswerTimer } from './sleep-watch.ts';

export interface WireRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
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
  /** The longest time in which nothing of the body goes out to the system, or nothing comes back. */
  readonly silenceMs: number;
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

/** undici's handler of one request. */
export class Attempt implements Dispatcher.DispatchHandler {
  readonly #request: WireRequest;
  readonly #idleConnections: IdleConnections;
  readonly #resolve: (exchange: Exchange) => void;
  #socket: Socket | null = null;
  #status = 0;
  #headers: IncomingHttpHeaders = {};
  #chunks: Buffer[] = [];
  #kept: KeptBody | null = null;
  #size = 0;
  #timer: AnswerTimer | null = null;

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
      this.#timer = new AnswerTimer(this.#request.wholeTimeoutMs, () =>
        controller.abort(new WholeTimeoutError('The answer was not complete in time.')),
      );
    }
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
    this.#endTimer();
    if (this.#status >= firstFinalStatus) this.#end(endingAfter(error));
    else if (error instanceof HeldBackError) this.#resolve({ kind: 'held-back' });
    else this.#resolve({ kind: 'no-answer', left: this.#socket !== null, error });
  }

  /** What a timer holds is let go: an exchange that lives on by chance would hold the request of undici as well. */
  #endTimer(): void {
    this.#timer?.end();
    this.#timer = null;
  }

  #end(ending: BodyEnding): void {
    this.#endTimer();
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
