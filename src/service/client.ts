/**
 * The face of the service: what the pipeline sends and asks, and what it is told. Whatever service or network do comes
 * back as a value; nothing here rejects for it.
 */

import type { ContractSettings } from '../contract/contract-settings.ts';
import type { RecordKind, RecordKindName } from '../contract/record-kind.ts';
import type { ServiceEvents } from './events.ts';
import type { Exchange } from './exchange.ts';
import type { Outcome, OutgoingRecord, StopReason } from './outcome.ts';
import type { ServiceProxy } from './proxy.ts';
import type { HealthResult, KeptRequest, KeptResult, ReadResult, RecordEndpoint } from './reading.ts';
import type { Credentials } from './tokens/credentials.ts';
import type { BodyKeeper } from './wire/body-keeper.ts';

export type { HealthResult, KeptRequest, KeptResult, OutgoingRecord, ReadResult, RecordEndpoint };

export interface ServiceOptions {
  /** The base address, before `/v1`. */
  readonly url: URL;
  readonly credentials: Credentials;
  readonly contract: ContractSettings;
  /** The longest silence of the service, in a connect, before an answer and inside one. */
  readonly timeoutMs: number;
  /** The most requests in flight; the pace is found below it. */
  readonly concurrency: number;
  /** The most requests a second, or `null` for no such limit. */
  readonly rate: number | null;
  /** Whether creates that carry a key may be sent again when they are in doubt. */
  readonly idempotencyKeys: boolean;
  /** How many requests may be sent again in this run. */
  readonly retryBudget: number;
  readonly events: ServiceEvents;
  /** The proxy by which the service is reached, as `proxyOf` finds it in an environment; none by default. */
  readonly proxy?: ServiceProxy | null;
  /** Is shown every answer to rows and to reads of records, with its request; for a person who looks into one of them. */
  readonly onExchange?: (exchange: Exchange) => void;
}

export interface ServiceClient {
  /** How the ledger knows the service that it sends to, as `identityOf` makes it of the address. */
  readonly identity: string;
  /**
   * Waits until the pace has room for one more request, and keeps it: send in it, or give it back. A caller writes its
   * intent after this and before it sends. `null` when nothing more will be sent: the client was stopped or drained.
   * Ask for few at a time: one producer that waits for each room is enough.
   */
  room(): Promise<Room | null>;
  /** Reads one record. Takes its own room: not to be called while holding the last one. */
  read(endpoint: RecordEndpoint, id: string): Promise<ReadResult>;
  /**
   * Reads like {@link read}, with the body left to a keeper: it may be larger than memory, and its numbers keep their
   * digits. A further page is named by the address that an answer gave; another origin is refused, unasked.
   */
  keep(request: KeptRequest, keeper: BodyKeeper): Promise<KeptResult>;
  /** A text of an answer that was kept, as it may be shown: without the token and what looks like an SSN, on one line. */
  shown(text: string): string;
  /** Asks whether the service is there. Changes nothing else: a blocked answer is no {@link stopReason}. */
  health(): Promise<HealthResult>;
  /** Notes an id that a row of this run got before: no further row can have it. */
  noteGivenId(kind: RecordKindName, id: string): void;
  /** Why nothing more may be sent, or `null`. The first reason stays. */
  readonly stopReason: StopReason | null;
  /**
   * What the first of {@link ServiceOptions.events} threw that failed, or `null`. Nothing more is sent after it, what came
   * back for a row is told all the same, and `read`, `keep` and `health` reject with it.
   */
  readonly listenerFailure: unknown;
  /**
   * Ends the sending in good order: no new request leaves, rows that wait for another try come back `not-sent`, and what
   * is in flight is waited for.
   */
  drain(): Promise<void>;
  /** Closes every connection at once. What is in flight comes back in doubt. */
  close(): Promise<void>;
}

/** Room for one request, retries included. It is given back by itself when the outcome is known. */
export interface Room {
  /** Sends rows of one kind: one, or for a batch as many as one request takes. One outcome for each, in their order. */
  send(kind: RecordKind, records: readonly OutgoingRecord[]): Promise<readonly Outcome[]>;
  /** Gives the room back without sending. Does nothing once something was sent in it. */
  release(): void;
}
