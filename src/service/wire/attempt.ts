/**
 * One request and what came back on the wire, without retries or interpretation. Whether a request left is known from undici's
 * channel `undici:client:sendHeaders`, which fires when the head is written. It is never guessed from an error.
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
  /** The most bytes of a body that are read, before and after decoding. */
  readonly bodyLimit: number;
  readonly keeper?: BodyKeeper;
  /** From the moment the request may leave to the last byte of its answer. */
  readonly wholeTimeoutMs: number;
  /** The longest time without a byte of the body going to the OS or a byte coming back. */
  readonly silenceMs: number;
  /** Called just before the head is written; `false` holds the request back. */
  readonly mayLeave: () => boolean;
}

export type WireEnd =
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'no-answer'; readonly left: boolean; readonly error: Error }
  | { readonly kind: 'held-back' };

/** Lower statuses are interim (1xx): the answer is still to come. */
const firstFinalStatus = 200;
const firstStatusAfterSuccess = 300;
const beginningLength = 512;

/** The client asks for identity, but a server may encode anyway. */
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

/** The request that is about to be written. Set and read within one synchronous step of undici. */
let aboutToLeave: ((socket: Socket) => void) | null = null;

subscribe('undici:client:sendHeaders', (message) => {
  aboutToLeave?.((message as DiagnosticsChannel.ClientSendHeadersMessage).socket);
  aboutToLeave = null;
});

/** Observes connections: `used` when a head leaves, `idle` when the answer has arrived. */
export interface ConnectionWatch {
  used(socket: Socket): void;
  idle(socket: Socket): void;
}

export function attempt(
  request: WireRequest,
  watch: ConnectionWatch,
  resolve: (end: WireEnd) => void,
): Dispatcher.DispatchHandler {
  let leftOn: Socket | null = null;
  let status = 0;
  let headers: IncomingHttpHeaders = {};
  let encoding = '';
  let decoder: Transform | null = null;
  let keeper: BodyKeeper | null = null;
  const chunks: Buffer[] = [];
  let last = '';
  let [received, size] = [0, 0];
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;

  const settle = (wireEnd: WireEnd): void => {
    isOver = true;
    clearTimeout(timer);
    resolve(wireEnd);
  };
  const end = (isWhole: boolean): void => {
    if (isOver) return;
    const body = Buffer.concat(chunks);
    const kept = keeper === null ? null : { isShort: body.length === size, last };
    settle({ kind: 'answer', answer: { status, headers, body: bodyOf(body, headers, kept, isWhole) } });
  };
  const stop = (controller: Dispatcher.DispatchController): void => {
    end(false);
    decoder?.destroy();
    controller.abort(new Error('Nothing more is read of the answer.'));
  };
  const take = (controller: Dispatcher.DispatchController, chunk: Buffer): void => {
    if (isOver) return;
    if (keeper === null || size < beginningLength) chunks.push(chunk);
    size += chunk.length;
    last = chunk.subarray(-beginningLength).toString('latin1').trimEnd().at(-1) ?? last;
    keeper?.add(chunk);
    if (size > request.bodyLimit || (keeper?.failure ?? null) !== null) stop(controller);
  };
  /** Opens the decoder with the first chunk, because a server may name an encoding for an empty body. */
  const decode = (controller: Dispatcher.DispatchController, chunk: Buffer, open: () => Transform): void => {
    decoder ??= open()
      .on('data', (piece: Buffer) => take(controller, piece))
      .once('end', () => end(true))
      .on('error', () => stop(controller));
    // Some chunks still arrive after a pause.
    if (decoder.destroyed || decoder.write(chunk) || decoder.listenerCount('drain') > 0) return;
    controller.pause();
    decoder.once('drain', () => controller.resume());
  };

  return {
    onRequestStart(controller) {
      // undici requeues a request in rare cases. A record must not be sent twice because of that.
      if (leftOn !== null) {
        controller.abort(new SentTwiceError('The request would have been written twice.'));
      } else if (!request.mayLeave()) {
        controller.abort(new HeldBackError());
      } else {
        aboutToLeave = (socket) => {
          leftOn = socket;
          watch.used(socket);
        };
        const tooSlow = () => controller.abort(new WholeTimeoutError('The answer was not complete in time.'));
        timer = setTimeout(tooSlow, timerMs(request.wholeTimeoutMs));
      }
    },
    onResponseStart(_controller, given, givenHeaders) {
      [status, headers] = [given, givenHeaders];
      if (status < firstFinalStatus) return;
      encoding = headerOf(headers, 'content-encoding').trim().toLowerCase();
      if (status < firstStatusAfterSuccess) keeper = request.keeper ?? null;
      keeper?.begin();
    },
    onResponseData(controller, chunk) {
      received += chunk.length;
      const open = decoders[encoding];
      if (received > request.bodyLimit) stop(controller);
      else if (encoding === '' || encoding === 'identity') take(controller, chunk);
      else if (open === undefined) stop(controller);
      else decode(controller, chunk, open);
    },
    onResponseEnd() {
      if (leftOn !== null) watch.idle(leftOn);
      if (decoder === null) end(true);
      else decoder.end();
    },
    onResponseError(_controller, error) {
      if (status >= firstFinalStatus) end(false);
      else if (error instanceof HeldBackError) settle({ kind: 'held-back' });
      else settle({ kind: 'no-answer', left: leftOn !== null, error });
    },
  };
}
