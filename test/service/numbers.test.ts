import { afterEach, describe, expect, it } from 'vitest';
import { assumedContract } from '../../src/contract/contract-settings.ts';
import { recordKind } from '../../src/contract/record-kinds.ts';
import { createServiceClient } from '../../src/service/create-client.ts';
import { silentEvents } from '../../src/service/sending/events.ts';
import { fixedToken } from '../../src/service/tokens/credentials.ts';
import { aRecord, send } from './builders.ts';
import { created, type ScriptedService, scriptedService } from './scripted-service.ts';

let service: ScriptedService | null = null;
afterEach(() => service?.close());

function aClientWith(url: URL, numbers: Record<string, number>) {
  const usual = { timeoutMs: 1000, concurrency: 1, rate: null, idempotencyKeys: false, retryBudget: 5 };
  const credentials = fixedToken('token', 'the test');
  return createServiceClient({
    url,
    credentials,
    contract: assumedContract,
    events: silentEvents,
    ...usual,
    ...numbers,
  });
}

describe('the numbers of a client', () => {
  it.each([
    ['timeoutMs', 0],
    ['timeoutMs', Number.POSITIVE_INFINITY],
    ['concurrency', 0],
    ['concurrency', 1.5],
    ['rate', 0],
    ['rate', Number.NaN],
    ['retryBudget', -1],
  ])('are refused in words where they cannot be worked with (%s %d)', (name, value) => {
    const refused = () => aClientWith(new URL('http://127.0.0.1:1'), { [name]: value });
    expect(refused).toThrow(
      expect.objectContaining({ code: 'usage', message: expect.stringContaining(`${name} is ${value}, and `) }),
    );
  });

  it.each([2 ** 31, 1e12, Number.MAX_VALUE])('may be a longer time than a timer takes (%d ms)', async (timeoutMs) => {
    service = await scriptedService(created);
    const client = aClientWith(service.url, { timeoutMs });
    expect(await send(client, recordKind('deals'), aRecord())).toMatchObject({ state: 'created' });
    await client.close();
  });
});
