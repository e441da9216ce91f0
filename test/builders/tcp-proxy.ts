/** A bad network on loopback: passes bytes on to a service, and resets, cuts, stalls or slices connections as it is told. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** What befalls one connection. Counts are bytes of the answers; `null` never. */
export interface NetworkFate {
  /** Reset both ends once so many bytes of answers have passed. */
  readonly resetAfter?: number;
  /** Close the connection orderly once so many bytes of answers have passed. */
  readonly closeAfter?: number;
  /** Pass nothing on any more once so many bytes of answers have passed. */
  readonly stallAfter?: number;
  /** Reset as soon as the service answers: it has the request, and its answer is lost. */
  readonly answersLost?: boolean;
  /** Reset once a request begins, before any byte of it is passed on. */
  readonly resetBeforeRequest?: boolean;
  /** Pass bytes on one by one, in both directions. */
  readonly sliced?: boolean;
}

export interface TcpProxy {
  readonly url: string;
  /** How many connections were made. */
  readonly connections: number;
  /** Resets every connection that there is; new ones pass. */
  cut(): void;
  stop(): Promise<void>;
}

/** @param fateOf  what befalls the n-th connection, counted from 0 */
export async function startTcpProxy(target: string, fateOf: (connection: number) => NetworkFate): Promise<TcpProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((client) => {
    const fate = fateOf(connections);
    connections += 1;
    const service = connect(Number(port), hostname);
    for (const socket of [client, service]) {
      socket.setNoDelay(true);
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      socket.on('error', () => undefined);
    }
    pass(client, service, fate);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get connections() {
      return connections;
    },
    cut: () => {
      for (const socket of sockets) socket.resetAndDestroy();
    },
    stop: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

function pass(client: Socket, service: Socket, fate: NetworkFate): void {
  let answered = 0;
  const reset = () => {
    client.resetAndDestroy();
    service.end();
  };
  client.on('data', (chunk: Buffer) => {
    if (fate.resetBeforeRequest === true) {
      reset();
      return;
    }
    write(service, chunk, fate);
  });
  service.on('data', (chunk: Buffer) => {
    if (fate.answersLost === true) {
      reset();
      return;
    }
    const limit = fate.resetAfter ?? fate.closeAfter ?? fate.stallAfter ?? Number.POSITIVE_INFINITY;
    if (answered >= limit) return;
    const passed = chunk.subarray(0, limit - answered);
    answered += chunk.length;
    if (passed.length > 0) write(client, passed, fate);
    if (answered < limit) return;
    if (fate.resetAfter !== undefined) setImmediate(reset);
    else if (fate.closeAfter !== undefined) client.end();
  });
  client.on('end', () => service.end());
  service.on('end', () => client.end());
}

function write(socket: Socket, chunk: Buffer, { sliced = false }: NetworkFate): void {
  if (!sliced) {
    socket.write(chunk);
    return;
  }
  for (const byte of chunk) socket.write(Buffer.of(byte));
}
