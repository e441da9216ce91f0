import { describe, expect, it } from 'vitest';
import { contractSettingsSchema } from '../../../src/contract/contract-settings.ts';
import { recordKind } from '../../../src/contract/record-kinds.ts';
import { aClient, aClientOf, aRecord, send, testToken, type Way, ways } from '../builders.ts';
import { always, created, inTurn, type ScriptedAnswer, scriptedService } from '../scripted-service.ts';

const yes = { success: true, id: 'rec_17' };
const told = { 'retry-after': '0' };
const askForAnotherTry: readonly (readonly [string, ScriptedAnswer])[] = [
  ['401', { status: 401 }],
  ['408', { status: 408 }],
  ['425', { status: 425 }],
  ['429', { status: 429 }],
  ['429 with Retry-After', { status: 429, headers: told }],
  ['503 with Retry-After', { status: 503, headers: told }],
];

describe.each(askForAnotherTry)('%s whose body says that the record was made', (_, answer) => {
  it.each<Way>(['create', 'note', 'bulk', 'upload'])('leaves a %s in doubt, and is not sent again', async (way) => {
    const { service, client } = await aClientOf(always({ ...answer, body: yes }));
    expect(await ways[way](client)).toBe('in-doubt');
    expect(service.requests).toHaveLength(1);
  });
});

it('503 whose plain text says the declared yes leaves a note in doubt, and is not sent again', async () => {
  const service = await scriptedService(always({ status: 503, headers: told, body: 'OK' }));
  const answers = { notes: { id: [], yes: { '.': 'OK' } } };
  const client = aClient(service.url, { contract: contractSettingsSchema.parse({ answers }) });
  expect(await ways.note(client)).toBe('in-doubt');
  expect(service.requests).toHaveLength(1);
});

it('429 whose body says yes without the id that a deal would have is tried again as any other', async () => {
  const busy = always({ status: 429, headers: told, body: { success: true } });
  const { service, client } = await aClientOf(inTurn(busy, busy, created));
  expect(await ways.create(client)).toBe('created');
  expect(service.requests).toHaveLength(3);
});

it('a refusal of the token that says that the record was made is told without the token, though it was never taken before', async () => {
  const { client } = await aClientOf(always({ status: 401, body: { ...yes, message: `No ${testToken} here` } }));
  const outcome = await send(client, recordKind('deals'), aRecord());
  expect(outcome).toMatchObject({ state: 'in-doubt', message: { params: { id: 'rec_17' } } });
  expect(JSON.stringify(outcome)).not.toContain(testToken);
});
