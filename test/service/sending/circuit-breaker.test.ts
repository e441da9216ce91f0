import { describe, expect, it } from 'vitest';
import { contractSettingsSchema } from '../../../src/contract/contract-settings.ts';
import { recordKind } from '../../../src/contract/record-kinds.ts';
import type { ServiceClient } from '../../../src/service/client.ts';
import type { StopReason } from '../../../src/service/outcome.ts';
import { aClient, aClientOf, aRecord, send, sendAll } from '../builders.ts';
import { always, answerBytes, created, inTurn, type Reaction, reset, scriptedService } from '../scripted-service.ts';

const deals = recordKind('deals');

/** Sends rows one after the other until the client stops, or so many. */
async function sendUntilStopped(client: ServiceClient, most: number): Promise<readonly string[]> {
  const states: string[] = [];
  while (states.length < most) {
    const room = await client.slot();
    if (room === null) break;
    const [outcome] = await room.send(deals, [aRecord()]);
    states.push(outcome?.state ?? 'none');
  }
  return states;
}

describe('an address that is closed', () => {
  for (const status of [403, 404, 405]) {
    it(`${status} to everything stops the run after five, and says so once`, async () => {
      const service = await scriptedService(always({ status }));
      const stops: StopReason[] = [];
      const client = aClient(service.url, { events: { onStop: (reason) => stops.push(reason) } });
      expect(await sendUntilStopped(client, 20)).toEqual(['rejected', 'rejected', 'rejected', 'rejected', 'not-sent']);
      expect(client.stopReason).toMatchObject({ message: { code: 'stopped-closed' }, code: 'service-unusable' });
      expect(stops).toEqual([client.stopReason]);
      expect(service.requests).toHaveLength(5);
    });
  }

  it('is none when an earlier answer was another one', async () => {
    const { client } = await aClientOf(inTurn(created, always({ status: 403 })));
    expect(await sendUntilStopped(client, 10)).toEqual(['created', ...Array(9).fill('rejected')]);
  });

  it('is none for 404 on a path with an id, or where the profile says what 404 means', async () => {
    const service = await scriptedService(always({ status: 404 }));
    const contract = contractSettingsSchema.parse({ outcomes: { create: { '404': 'rejected' } } });
    const told = aClient(service.url, { contract });
    expect(await sendUntilStopped(told, 10)).toEqual(Array(10).fill('rejected'));
    const client = aClient(service.url);
    for (let row = 0; row < 10; row += 1) {
      expect((await send(client, recordKind('company-updates'), aRecord({ pathId: `cmp_${row}` }))).state).toBe(
        'rejected',
      );
    }
  });
});

describe('doubts', () => {
  it('five in a row stop the run', async () => {
    const { client } = await aClientOf(reset);
    expect(await sendUntilStopped(client, 20)).toEqual(Array(5).fill('in-doubt'));
    expect(client.stopReason?.message.code).toBe('stopped-many-doubts');
  });

  it.each(['', 'OK', { posted: 1 }])(
    'of a first row whose answers nothing declares stops the run: %j',
    async (body) => {
      const { client } = await aClientOf(always({ status: 200, body }));
      expect((await send(client, recordKind('notes'), aRecord())).state).toBe('in-doubt');
      expect(client.stopReason?.message.code).toBe('stopped-undeclared');
    },
  );

  it('of the first several rows, after one that was in, stops the run too', async () => {
    const { client } = await aClientOf(
      inTurn(always({ status: 200, body: { success: true } }), always({ status: 200, body: 'OK' })),
    );
    expect(await sendAll(client, [aRecord()])).toMatchObject([{ state: 'accepted' }]);
    await sendAll(client, [aRecord(), aRecord()]);
    expect(client.stopReason?.message.code).toBe('stopped-undeclared');
  });

  it('with good answers between them do not', async () => {
    const { client } = await aClientOf((socket, request) =>
      (request.number % 5 === 0 ? created : reset)(socket, request),
    );
    expect(await sendUntilStopped(client, 20)).toHaveLength(20);
  });
});

describe('rejections', () => {
  const rejecting =
    (bodyOf: (number: number) => unknown): Reaction =>
    (socket, request) =>
      void socket.write(answerBytes({ status: 422, body: bodyOf(request.number) }));

  it('of 50 rows in a row stop the run, whatever their words are', async () => {
    const { client } = await aClientOf(rejecting((number) => `Field "ein" of deal_${number} is not "${number * 7}".`));
    expect(await sendUntilStopped(client, 100)).toHaveLength(50);
    expect(client.stopReason).toMatchObject({ message: { code: 'stopped-same-rejection', params: { rows: 50 } } });
  });

  it('with a good answer between them do not', async () => {
    const { client } = await aClientOf((socket, request) =>
      (request.number % 40 === 0 ? created : rejecting(() => 'No.'))(socket, request),
    );
    expect(await sendUntilStopped(client, 100)).toHaveLength(100);
  });

  it('of whole bulk requests count once a request, for their rows were not judged one by one', async () => {
    const { client } = await aClientOf(always({ status: 422, body: { message: 'No.' } }));
    const outcomes = await sendAll(
      client,
      Array.from({ length: 60 }, () => aRecord()),
    );
    expect(outcomes.every(({ state }) => state === 'rejected')).toBe(true);
    expect(client.stopReason).toBeNull();
    while (client.stopReason === null) await sendAll(client, [aRecord(), aRecord()]);
    expect(client.stopReason).toMatchObject({
      message: { code: 'stopped-same-rejection', params: { rows: 60 + 49 * 2 } },
    });
  });
});
