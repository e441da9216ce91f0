/** What is shown of a request and its answer: enough to see what they mean, and nothing of a person. */
import { beforeEach, describe, expect, it } from 'vitest';
import { recordKind } from '../../src/contract/record-kinds.ts';
import type { Exchange } from '../../src/service/outcome.ts';
import { serviceForEachTest } from '../builders/recording-service.ts';
import { aClient, aFile, aRecord, send, testToken } from './builders.ts';

const service = serviceForEachTest(() => ({ status: 200, body: JSON.stringify(body) }));
let body: unknown;
let seen: Exchange[];
beforeEach(() => {
  seen = [];
});

const watched = (onExchange = (exchange: Exchange): void => void seen.push(exchange)) =>
  aClient(new URL(service.url), { events: { onExchange } });
const company = aRecord({
  body: { name: 'Harbor Bakery', dba: 'Ada', ein: '12-3456789', contactTypes: ['Merchant'] },
  secrets: () => [
    { value: 'Harbor Bakery', label: 'Company name' },
    { value: 'Ada', label: 'DBA' },
    { value: '12-3456789', label: 'EIN' },
  ],
});

describe('an exchange that is shown', () => {
  it.each<[what: string, answered: unknown, shown: unknown]>([
    ['ids, flags, addresses', { ok: true, id: 'c-17', url: '/app/c-17' }, { ok: true, id: 'c-17', url: '/app/c-17' }],
    ['no value of the row', { message: 'Harbor Bakery is closed' }, { message: '[Company name] is closed' }],
    [
      'no value of anybody else',
      { owner: 'Ada', note: 'call her', no: 219099999 },
      { owner: '[text]', note: '[text]', no: '[number]' },
    ],
    ['no id of a person', { tax_id: 'A-1234', ssn: 12 }, { tax_id: '[text]', ssn: '[number]' }],
    ['no mix of both', { holder: 'Ada of Harbor Bakery' }, { holder: '[text]' }],
    ['no token', { id: testToken, echo: testToken }, { id: '[token]', echo: '[token]' }],
    ['no value among the names', { 'Harbor Bakery': { state: 'OK' } }, { '[Company name]': { state: 'OK' } }],
  ])('has %s', async (_what, answered, shown) => {
    body = answered;
    await send(watched(), recordKind('companies'), company);
    expect(seen).toMatchObject([{ method: 'POST', path: '/v1/company', status: 200, answer: shown }]);
    expect(seen[0]?.request).toEqual({
      name: '[Company name]',
      dba: '[DBA]',
      ein: '[EIN]',
      contactTypes: ['Merchant'],
    });
  });

  it('has the parts of a form by their names, and no file', async () => {
    body = { success: true };
    const record = aRecord({ body: { dealId: 'deal_1', file: 'x' }, file: aFile('secret content') });
    await send(watched(), recordKind('attachments'), record);
    expect(seen[0]?.request).toEqual({ dealId: 'deal_1', file: 'june.pdf' });
  });

  it('has no reasons where a record is read', async () => {
    body = { id: 'deal_1', description: 'Ada owes', amountRequested: 5 };
    await watched().read(recordKind('deals'), 'deal_1');
    expect(seen[0]).toMatchObject({ method: 'GET', request: null, answer: { id: 'deal_1', description: '[text]' } });
  });

  it('changes nothing of what came of a row, also where whoever looks fails', async () => {
    body = { success: true, id: 'c-17' };
    const client = watched(() => {
      throw new Error('no paper');
    });
    expect(await send(client, recordKind('companies'), company)).toMatchObject({ state: 'created', record: 'c-17' });
    expect(client.listenerFailure).toEqual(new Error('no paper'));
  });
});
