/**
 * One request and what came back on the wire: no retries, no meaning. Whether a request had left is known from undici's own channel
 * `undici:client:sendHeaders`, which speaks when the head is written, and is never guessed from an error.
 */
import { subscribe } from 'node:diagnostics_channel';
import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createUnzip } from 'node:zlib';
import type { DiagnosticsChannel, Dispatcher } from 'undici';
import { type Answer, type BodyKeeper, bodyOf, headerOf } from '../answer.ts';
import { timerMs } from '../retry.ts';

export interface WireRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string | Readable | null;
  /** The most bytes of a body that are read, also once it is decoded. */
  readonly bodyLimit: number;
  readonly keeper?: BodyKeeper;
  /** From the moment at which the request may leave to the last byte of its answer. */
  readonly wholeTimeoutMs: number;
  /** The longest time in which nothing of the body goes out to the system, or nothing comes back. */
  readonly silenceMs: number;
  /** Asked just before the head is written; `false` holds the request back. */
  readonly mayLeave: () => boolean;
}

export type WireEnd =
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'no-answer'; readonly left: boolean; readonly error: Error }
  | { readonly kind: 'held-back' };

/** Statuses below are interim: the answer is still to come. */
const firstFinalStatus = 200;
const firstStatusAfterSuccess = 300;
const beginningLength = 512;

/** Identity is asked for, but a server may encode all the same. */
const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createUnzip,
  'x-gzip': createUnzip,
  deflate: createUnzip,
  br: createBrotliDecompress,
};

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

export class Attempt implements Dispatcher.DispatchHandler {
  readonly #request: WireRequest;
  readonly #watch: ConnectionWatch;
  readonly #resolve: (end: WireEnd) => void;
  #socket: Socket | null = null;
  #status = 0;
  #headers: IncomingHttpHeaders = {};
  #encoding = '';
  #decoder: Transform | null = null;
  #keeper: BodyKeeper | null = null;
  #chunks: Buffer[] = [];
  #last = '';
  #received = 0;
  #size = 0;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(request: WireRequest, watch: ConnectionWatch, resolve: (end: WireEnd) => void) {
    this.#request = request;
    this.#watch = watch;
    this.#resolve = resolve;
  }

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
      this.#timer = setTimeout(
        () => controller.abort(new WholeTimeoutError('The answer was not complete in time.')),
        timerMs(this.#request.wholeTimeoutMs),
      );
    }
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    this.#status = status;
    this.#headers = headers;
    if (status < firstFinalStatus) return;
    this.#encoding = headerOf(headers, 'content-encoding').trim().toLowerCase();
    if (status < firstStatusAfterSuccess) this.#keeper = this.#request.keeper ?? null;
    this.#keeper?.begin();
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#received += chunk.length;
    if (this.#received > this.#request.bodyLimit) this.#stop(controller);
    else if (this.#encoding === '' || this.#encoding === 'identity') this.#take(controller, chunk);
    else this.#decode(controller, chunk);
  }

  onResponseEnd(): void {
    if (this.#socket !== null) this.#watch.idle(this.#socket);
    if (this.#decoder === null) this.#end(true);
    else this.#decoder.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#status >= firstFinalStatus) this.#end(false);
    else if (error instanceof HeldBackError) this.#settle({ kind: 'held-back' });
    else this.#settle({ kind: 'no-answer', left: this.#socket !== null, error });
  }

  /** A server may name an encoding also where there is nothing to encode: the stream is opened with the first piece. */
  #decode(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const open = decoders[this.#encoding];
    if (open === undefined) {
      this.#stop(controller);
      return;
    }
    this.#decoder ??= open()
      .on('data', (piece: Buffer) => this.#take(controller, piece))
      .once('end', () => this.#end(true))
      .on('error', () => this.#stop(controller));
    const decoder = this.#decoder;
    // Some pieces still come after a pause.
    if (decoder.destroyed || decoder.write(chunk) || decoder.listenerCount('drain') > 0) return;
    controller.pause();
    decoder.once('drain', () => controller.resume());
  }

  #take(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isOver) return;
    if (this.#keeper === null || this.#size < beginningLength) this.#chunks.push(chunk);
    this.#size += chunk.length;
    this.#last = chunk.subarray(-beginningLength).toString('latin1').trimEnd().at(-1) ?? this.#last;
    this.#keeper?.add(chunk);
    if (this.#size > this.#request.bodyLimit || (this.#keeper?.failure ?? null) !== null) this.#stop(controller);
  }

  #stop(controller: Dispatcher.DispatchController): void {
    this.#end(false);
    this.#decoder?.destroy();
    controller.abort(new Error('Nothing more is read of the answer.'));
  }

  #end(isWhole: boolean): void {
    if (this.#isOver) return;
    const body = Buffer.concat(this.#chunks);
    const kept = this.#keeper === null ? null : { isShort: body.length === this.#size, last: this.#last };
    const answer = { status: this.#status, headers: this.#headers };
    this.#settle({ kind: 'answer', answer: { ...answer, body: bodyOf(body, answer.headers, kept, isWhole) } });
  }

  #settle(end: WireEnd): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#resolve(end);
  }
}
