import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordKind } from '../../../src/contract/record-kinds.ts';
import { aClient, aRecord, send } from '../builders.ts';
import { answerBytes, type ScriptedService, scriptedService } from '../scripted-service.ts';

let service: ScriptedService;
beforeAll(async () => {
  service = await scriptedService((socket) => {
    socket.write(answerBytes({ status: 201, body: { success: true, id: '17' } }));
  });
});
afterAll(() => service.close());

describe('an id that is that of the record that a row belongs to', () => {
  it('is that of the deal too: a service may count companies and deals by themselves', async () => {
    const client = aClient(service.url);
    const deal = aRecord({ body: { company: { id: '17' }, amountRequested: 100 } });
    expect(await send(client, recordKind('deals'), deal)).toMatchObject({ state: 'created', id: '17' });
    await client.close();
  });

  it('is no id of a note, which gets none', async () => {
    const client = aClient(service.url);
    const note = aRecord({ body: { dealId: '17', note: 'Called.' } });
    expect(await send(client, recordKind('notes'), note)).toMatchObject({ state: 'accepted', id: null });
    await client.close();
  });
});
