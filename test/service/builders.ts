/** A client and rows for tests, with everything said that the test does not care about. */
import { Readable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { assumedContract } from '../../src/contract/contract-settings.ts';
import type { RecordKind } from '../../src/contract/record-kind.ts';
import { recordKind } from '../../src/contract/record-kinds.ts';
import type { BodyKeeper } from '../../src/service/answer.ts';
import type { AnswerToRows } from '../../src/service/classify.ts';
import { type OutgoingRecord, ServiceClient, type ServiceOptions } from '../../src/service/client.ts';
import type { Outcome } from '../../src/service/outcome.ts';
import { type Clock, systemClock } from '../../src/service/retry.ts';
import { fixedToken } from '../../src/service/tokens.ts';
import { type Reaction, type ScriptedService, scriptedService } from './scripted-service.ts';

export const testToken = 'tok_4f3e2d1c0b9a';

/** A clock on which a second passes in a millisecond, and no backoff is left to chance. */
export const hurriedClock: Clock = {
  now: () => performance.now() * 1000,
  date: () => Date.now(),
  after: (milliseconds, action) => systemClock.after(milliseconds / 1000, action),
  random: () => 0.5,
};

/** A client that is closed when the test is over. */
export function aClient(url: URL, options: Partial<ServiceOptions> = {}, clock: Clock = hurriedClock): ServiceClient {
  const client = new ServiceClient(
    {
      url,
      credentials: fixedToken(testToken, 'the test'),
      contract: assumedContract,
      timeoutMs: 2_000,
      concurrency: 8,
      rate: null,
      idempotencyKeys: false,
      ...options,
    },
    clock,
  );
  onTestFinished(() => client.close());
  return client;
}

/** A client of a service that answers in that way, and the service. */
export async function aClientOf(
  reaction: Reaction,
  ...how: readonly [options?: Partial<ServiceOptions>, clock?: Clock]
): Promise<{ readonly service: ScriptedService; readonly client: ServiceClient }> {
  const service = await scriptedService(reaction);
  return { service, client: aClient(service.url, ...how) };
}

export function aRecord(
  changes: Partial<OutgoingRecord> & { readonly body?: Record<string, unknown> } = {},
): OutgoingRecord {
  const body = changes.body ?? { amountRequested: 50000 };
  return {
    body,
    json: JSON.stringify(body),
    pathId: null,
    file: null,
    idempotencyKey: null,
    secrets: () => [],
    ...changes,
  };
}

/** An answer of a good status with such JSON, to be judged. */
export function anAnswer(value: unknown, status = 200): AnswerToRows {
  return { means: 'success', status, body: { kind: 'json', value, bytes: Buffer.alloc(0) }, located: null };
}

export function aFile(content: string | Buffer, name = 'june.pdf'): NonNullable<OutgoingRecord['file']> {
  const bytes = Buffer.from(content);
  return { name, size: bytes.length, open: () => Readable.from([bytes], { objectMode: false }) };
}

/** Sends one row in a room of its own. */
export async function send(client: ServiceClient, kind: RecordKind, record: OutgoingRecord): Promise<Outcome> {
  const room = await client.slot();
  if (room === null) throw new Error(`There is no room any more: ${client.stopReason?.message.code}`);
  const [outcome] = await room.send(kind, [record]);
  return outcome as Outcome;
}

export async function sendAll(client: ServiceClient, records: readonly OutgoingRecord[]): Promise<readonly Outcome[]> {
  const room = await client.slot();
  if (room === null) throw new Error(`There is no room any more: ${client.stopReason?.message.code}`);
  return room.send(recordKind('transactions'), records);
}

/** The five ways in which a request goes out, each giving the state of what came of it. */
export const ways = {
  create: async (client: ServiceClient) => (await send(client, recordKind('deals'), aRecord())).state,
  note: async (client: ServiceClient) => (await send(client, recordKind('notes'), aRecord())).state,
  bulk: async (client: ServiceClient) => {
    const outcomes = await sendAll(client, [aRecord(), aRecord()]);
    return outcomes.every(({ state }) => state === outcomes[0]?.state) ? outcomes[0]?.state : 'differing';
  },
  upload: async (client: ServiceClient) =>
    (await send(client, recordKind('attachments'), aRecord({ body: { dealId: 'deal_1' }, file: aFile('content') })))
      .state,
  update: async (client: ServiceClient) =>
    (await send(client, recordKind('company-updates'), aRecord({ pathId: 'cmp_1' }))).state,
  read: async (client: ServiceClient) => (await client.read(recordKind('deals'), 'deal_1')).state,
};

/** Keeps a body in memory. */
export class MemoryKeeper implements BodyKeeper {
  readonly failure = null;
  #chunks: Buffer[] = [];

  begin(): void {
    this.#chunks = [];
  }

  add(chunk: Buffer): void {
    this.#chunks.push(chunk);
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }
}

export type Way = keyof typeof ways;
