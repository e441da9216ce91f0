import { afterEach, describe, expect, it } from 'vitest';
import { recordKind } from '../../../src/contract/record-kinds.ts';
import { aClient, aRecord, send } from '../builders.ts';
import { answerBytes, type ScriptedService, scriptedService } from '../scripted-service.ts';

let service: ScriptedService | null = null;
afterEach(() => service?.close());

describe('the address of a record without an origin', () => {
  it.each<[string, string | null]>([
    ['/app/deal/1', '/app/deal/1'],
    ['//evil.example/deal/1', null],
    ['/\\evil.example/deal/1', null],
  ])('%s is of the service, or none', async (url, path) => {
    const body = { success: true, id: 'deal_1', url };
    service = await scriptedService((socket) => void socket.write(answerBytes({ status: 201, body, headers: {} })));
    const client = aClient(service.url);
    const outcome = await send(client, recordKind('deals'), aRecord());
    const expected = path === null ? null : new URL(path, service.url).href;
    expect(outcome).toMatchObject({ state: 'created', url: expected });
    await client.close();
  });
});
