/** A small real service on loopback that writes down every request and answers as it is told. */
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { forEachTest } from './for-each-test.ts';
import type { TlsIdentity } from './tls-identity.ts';

export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface CannedAnswer {
  readonly status: number;
  readonly body: string | Buffer;
  readonly headers?: Record<string, string>;
}

export interface RecordingService {
  readonly url: string;
  /** Every request but the health checks, in the order of their arrival. */
  readonly requests: readonly RecordedRequest[];
  stop(): Promise<void>;
}

/** The answer of a service that takes everything. */
export function created(number: number): CannedAnswer {
  const body = {
    success: true,
    id: `rec_${number}`,
    company: { id: `cmp_${number}` },
    url: `http://127.0.0.1/records/rec_${number}`,
  };
  return { status: 201, body: JSON.stringify(body) };
}

/** @param identity  speaks TLS with it, or plain HTTP without */
export async function startRecordingService(
  answer: (request: RecordedRequest, number: number) => CannedAnswer | Promise<CannedAnswer> = (_request, number) =>
    created(number),
  identity: TlsIdentity | null = null,
): Promise<RecordingService> {
  const requests: RecordedRequest[] = [];
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      const path = request.url ?? '';
      if (path.endsWith('/v1/health')) {
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":"ok"}');
        return;
      }
      const recorded = {
        method: request.method ?? '',
        path,
        headers: request.headers,
        body: Buffer.concat(chunks).toString('utf8'),
      };
      requests.push(recorded);
      const { status, body, headers } = await answer(recorded, requests.length);
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
    });
  };
  const server = identity === null ? createServer(listener) : createTlsServer(identity, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `${identity === null ? 'http' : 'https'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** One for each test of a file or of a `describe`. To be called at its top. */
export function serviceForEachTest(...how: Parameters<typeof startRecordingService>): RecordingService {
  return forEachTest(
    () => startRecordingService(...how),
    (service) => service.stop(),
  );
}
