import { describe, expect, it } from 'vitest';
import { aCompany, aDeal } from './bodies.ts';
import { errorsOf, get, made, post, rulesOf, send } from './requests.ts';
import { useSandbox } from './running.ts';

const sandbox = useSandbox();
const path = '/v1/deal';

describe('Add a deal (2.1, 2.6, 4.2)', () => {
  it('answers with success, id, the id of the company, and a url under which the deal is shown', async () => {
    const { status, body, headers } = await post(sandbox(), path, aDeal());
    expect(status).toBe(201);
    expect(Object.keys(body)).toEqual(['success', 'id', 'company', 'url']);
    expect(body).toMatchObject({ success: true, id: expect.stringMatching(/^deal_\d{6}$/) });
    expect(body.company).toEqual({ id: expect.stringMatching(/^cmp_\d{6}$/) });
    expect(body.url).toBe(`${sandbox().url}/deals/${body.id}`);
    expect(headers.location).toBe(`/v1/deal/${body.id}`);
    const page = await get(sandbox(), `/deals/${body.id}`);
    expect(page.status).toBe(200);
    expect(page.text).toContain('Harbor Bakery LLC');
  });

  it('tells every error at once', async () => {
    const refused = await post(sandbox(), path, { amountRequested: -1, stage: 'x', company: {}, owner1: { ssn: 1 } });
    expect(rulesOf(refused)).toEqual([
      'amountRequested minimum',
      'stage allowed-values',
      'company rule',
      'owner1.ssn type',
    ]);
  });
});

describe('the company of a deal', () => {
  it('is made when the nested company has no id', async () => {
    const { body } = await post(sandbox(), path, aDeal({ company: { name: 'Pier Nine', ein: '12-3456789' } }));
    const { id } = body.company as { id: string };
    const company = await get(sandbox(), `/v1/company/${id}`);
    expect(company.body).toMatchObject({ id, name: 'Pier Nine', ein: '12-3456789', contactTypes: ['Merchant'] });
  });

  it('is attached when the nested company has the id of one that is here', async () => {
    const id = await made(sandbox(), '/v1/company', aCompany({ name: 'Known Company' }));
    const { body } = await post(sandbox(), path, aDeal({ company: { id } }));
    expect(body.company).toEqual({ id });
    expect((await get(sandbox(), `/v1/deal/${body.id}`)).body.company).toEqual({ id });
  });

  it.each(['cmp_999999', 'cmp_1', 'deal_000001', '', 'cmp_0000001'])(
    'is refused with the unknown id “%s”',
    async (id) => {
      const refused = await post(sandbox(), path, aDeal({ company: { id } }));
      expect(refused.status).toBe(422);
      expect(errorsOf(refused)).toEqual([expect.objectContaining({ path: 'company.id', rule: 'unknown-id' })]);
    },
  );
});

describe('Get a deal (4.3)', () => {
  it('gives back what was sent, with the default stage and the id of its company', async () => {
    const sent = aDeal({ tags: ['a'], bank: { nsfs: 1, ownField: 'kept' }, unknown: 'not kept' });
    const { body: result } = await post(sandbox(), path, sent);
    const { status, body } = await get(sandbox(), `/v1/deal/${result.id}`);
    const { unknown: _unknown, ...known } = sent as Record<string, unknown>;
    expect(status).toBe(200);
    expect(body).toMatchObject({ ...known, id: result.id, stage: 'Lead' });
    expect(body.company).toMatchObject(result.company as object);
    expect(body).not.toHaveProperty('unknown');
    expect(body).not.toHaveProperty('fundedDeal');
  });

  it.each(['deal_999999', 'deal_1', 'deal_-00001', 'x', '%00', 'cmp_000001'])('answers 404 for %s', async (id) => {
    const { status, headers } = await get(sandbox(), `/v1/deal/${id}`);
    expect(status).toBe(404);
    expect(headers['content-type']).toBe('application/problem+json');
  });
});

describe('a body', () => {
  it.each([
    ['is not JSON', '{', 400],
    ['is not UTF-8', Buffer.from([0x22, 0xff, 0x22]), 400],
    ['is a list', '[]', 422],
    ['is null', 'null', 422],
    ['is empty', '', 400],
  ])('that %s is refused', async (_what, raw, status) => {
    expect((await send(sandbox(), { method: 'POST', path, raw })).status).toBe(status);
  });

  it('of 5 MB is read, and one byte more is 413', async () => {
    const limit = 5 * 1024 * 1024;
    const padded = (length: number) => `${JSON.stringify(aDeal())}${' '.repeat(length)}`.slice(0, length);
    expect((await send(sandbox(), { method: 'POST', path, raw: padded(limit) })).status).toBe(201);
    expect((await send(sandbox(), { method: 'POST', path, raw: padded(limit + 1) })).status).toBe(413);
  });

  it('of another media type is 415', async () => {
    const headers = { 'content-type': 'text/plain' };
    expect((await send(sandbox(), { method: 'POST', path, raw: '{}', headers })).status).toBe(415);
  });

  it('with the names of object internals does no harm', async () => {
    const raw = `{"__proto__":{"x":1},"constructor":1,${JSON.stringify(aDeal({ bank: {} })).slice(1)}`;
    const { status, body } = await send(sandbox(), { method: 'POST', path, raw });
    expect(status).toBe(201);
    expect((await get(sandbox(), `/v1/deal/${body.id}`)).status).toBe(200);
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });
});

it('a known path is refused to other methods', async () => {
  expect((await send(sandbox(), { method: 'DELETE', path: '/v1/company/cmp_000001' })).status).toBe(404);
});
