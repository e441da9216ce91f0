/** A small real proxy on loopback that opens tunnels (`CONNECT`), all of them to one service, and writes down what it is asked for. */
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

export interface AskedTunnel {
  /** As it was asked for: host and port. */
  readonly to: string;
  readonly authorization: string | undefined;
}

export interface ConnectProxy {
  readonly host: string;
  readonly asked: readonly AskedTunnel[];
  stop(): Promise<void>;
}

/**
 * @param service  the address to which every tunnel leads
 * @param statusOf  what is answered to the n-th request for a tunnel, counted from 1; 200 opens it
 */
export async function startConnectProxy(
  service: string,
  statusOf: (count: number) => number = () => 200,
): Promise<ConnectProxy> {
  const asked: AskedTunnel[] = [];
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  };
  const server = createServer();
  server.on('connection', keep);
  server.on('connect', (request, client: Socket) => {
    asked.push({ to: request.url ?? '', authorization: request.headers['proxy-authorization'] });
    const status = statusOf(asked.length);
    if (status !== 200) {
      client.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    const tunnel = connect(Number(new URL(service).port), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      client.pipe(tunnel).pipe(client);
    });
    keep(tunnel);
    client.on('close', () => tunnel.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    stop: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
