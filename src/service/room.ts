/** Room for one request. Its one rule: it is used once, and given back whatever comes of that. */
import type { RecordKind } from '../contract/record-kind.ts';
import type { Room } from './client.ts';
import type { Outcome } from './records/outcome.ts';
import type { OutgoingRecord } from './records/outgoing-record.ts';

/** Sends the request for which there is room. */
export type RequestSender = Pick<Room, 'sendRecord' | 'sendBatch'>;

export class RoomForOne implements Room {
  readonly #sender: RequestSender;
  #leave: (() => void) | null;

  constructor(sender: RequestSender, leave: () => void) {
    this.#sender = sender;
    this.#leave = leave;
  }

  sendRecord(kind: RecordKind, record: OutgoingRecord): Promise<Outcome> {
    return this.#use(() => this.#sender.sendRecord(kind, record));
  }

  sendBatch(kind: RecordKind, records: readonly OutgoingRecord[]): Promise<readonly Outcome[]> {
    return this.#use(() => this.#sender.sendBatch(kind, records));
  }

  release(): void {
    this.#leave?.();
    this.#leave = null;
  }

  async #use<T>(send: () => Promise<T>): Promise<T> {
    const leave = this.#leave;
    if (leave === null) throw new Error('This room has been used or given back: ask for another one.');
    this.#leave = null;
    try {
      return await send();
    } finally {
      leave();
    }
  }
}
