/**
 * Learns how long the service keeps an idle connection open, from those that it has closed. A request that is written
 * on a connection while the service is closing it is lost without a trace, so none may be written near that moment.
 */
import type { Socket } from 'node:net';

/** What of the service's patience is used. */
const shareUsed = 0.5;
/** A connection that is closed so soon was not idle for too long: the service may have been restarted. */
const leastIdleMs = 5;

export class IdleConnections {
  /** When each connection became idle; `null` while it is in use. */
  readonly #idleSince = new WeakMap<Socket, number | null>();
  readonly #onLimit: (milliseconds: number) => void;
  #closedAtOnce = 0;

  /** @param onLimit  told how long a connection may be idle and still be used; 0 for not at all */
  constructor(onLimit: (milliseconds: number) => void) {
    this.#onLimit = onLimit;
  }

  used(socket: Socket): void {
    if (!this.#idleSince.has(socket)) socket.once('end', () => this.#closedByService(socket));
    this.#idleSince.set(socket, null);
  }

  idle(socket: Socket): void {
    this.#idleSince.set(socket, performance.now());
  }

  #closedByService(socket: Socket): void {
    const since = this.#idleSince.get(socket);
    if (typeof since !== 'number') return;
    const milliseconds = performance.now() - since;
    if (milliseconds < leastIdleMs) this.#closedAtOnce += 1;
    if (milliseconds >= leastIdleMs) this.#onLimit(milliseconds * shareUsed);
    else if (this.#closedAtOnce > 1) this.#onLimit(0);
  }
}
