import { expect, it } from 'vitest';
import { recordKind } from '../../src/contract/record-kinds.ts';
import { systemClock } from '../../src/service/retry.ts';
import { aClientOf, aRecord, send } from './builders.ts';
import { created } from './scripted-service.ts';

it.each([2 ** 31, 1e12, Number.MAX_VALUE])('a timeout may be longer than a timer takes (%d ms)', async (timeoutMs) => {
  const { client } = await aClientOf(created, { timeoutMs }, systemClock);
  expect(await send(client, recordKind('deals'), aRecord())).toMatchObject({ state: 'created' });
});
