import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { recordKind } from '../../../src/contract/record-kinds.ts';
import { aClient, aRecord, send } from '../builders.ts';
import { answerBytes, type ScriptedService, scriptedService } from '../scripted-service.ts';

let service: ScriptedService;
let id: string;
beforeAll(async () => {
  service = await scriptedService((socket) => {
    socket.write(answerBytes({ status: 201, body: { success: true, id } }));
  });
});
beforeEach(() => {
  id = '17';
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

describe('an id that a row of another kind got', () => {
  const company = aRecord({ body: { name: 'Harbor' } });

  it('is not that of a deal, too: its answer is that of the company', async () => {
    id = 'cmp_17';
    const client = aClient(service.url);
    expect(await send(client, recordKind('companies'), company)).toMatchObject({ state: 'created', id });
    const deal = await send(client, recordKind('deals'), aRecord());
    expect(deal).toMatchObject({
      state: 'in-doubt',
      message: expect.stringContaining('gave the id cmp_17 to this row'),
    });
    await client.close();
  });

  it('may be that of a deal, too, where it is a number', async () => {
    const client = aClient(service.url);
    await send(client, recordKind('companies'), company);
    expect(await send(client, recordKind('deals'), aRecord())).toMatchObject({ state: 'created', id: '17' });
    await client.close();
  });
});

describe('an answer to an update', () => {
  const update = (pathId: string) => aRecord({ body: { name: 'Harbor' }, pathId });

  it('with the id of the company of another row is the answer to that one', async () => {
    id = 'cmp_1';
    const client = aClient(service.url);
    expect(await send(client, recordKind('company-updates'), update('cmp_1'))).toMatchObject({ state: 'updated' });
    expect(await send(client, recordKind('company-updates'), update('cmp_2'))).toMatchObject({
      state: 'in-doubt',
      message: expect.stringMatching(
        /^The service answered with the id cmp_1, which is that of the company of another row/,
      ),
    });
    await client.close();
  });

  it('with an id of something else says yes: the interface does not show what it has', async () => {
    id = 'change_8';
    const client = aClient(service.url);
    for (const pathId of ['cmp_1', 'cmp_2'])
      expect(await send(client, recordKind('company-updates'), update(pathId))).toMatchObject({ state: 'updated' });
    await client.close();
  });
});
