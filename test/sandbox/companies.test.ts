import { describe, expect, it } from 'vitest';
import { aCompany, aFunder } from './bodies.ts';
import { get, made, patch, post, rulesOf } from './requests.ts';
import { useSandbox } from './running.ts';

const sandbox = useSandbox();
const path = '/v1/company';
const add = (body: unknown) => post(sandbox(), path, body);

it('Add a company (2.4, 4.6) refuses Funder fields on a company that is no Funder', async () => {
  const refused = await add(aFunder({ contactTypes: ['Broker', 'Investor'] }));
  expect(rulesOf(refused)).toEqual(['submissionEmail rule', 'defaultReceivableCommission rule']);
});

it('Get a company (4.7) gives the Funder fields at the top level', async () => {
  const id = await made(sandbox(), path, aFunder());
  const { body } = await get(sandbox(), `${path}/${id}`);
  expect(body).toMatchObject({ id, submissionEmail: 'deals@north.example', defaultReceivableCommission: 10 });
});

describe('Update a company (4.8)', () => {
  const change = (id: string, body: unknown) => patch(sandbox(), `${path}/${id}`, body);
  const present = async (id: string) => (await get(sandbox(), `${path}/${id}`)).body;

  it('changes the fields that are sent and no others', async () => {
    const id = await made(sandbox(), path, aCompany({ dba: 'Harbor', ein: '12-3456789' }));
    const { status, body } = await change(id, { dba: 'Pier' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ success: true, id });
    expect(await present(id)).toMatchObject({ name: 'Harbor Bakery LLC', dba: 'Pier', ein: '12-3456789' });
  });

  it('empties a field with null', async () => {
    const id = await made(sandbox(), path, aCompany({ dba: 'Harbor' }));
    expect((await change(id, { dba: null })).status).toBe(200);
    expect(await present(id)).not.toHaveProperty('dba');
  });

  it('judges the Funder rule on the company as it would be', async () => {
    const merchant = await made(sandbox(), path, aCompany());
    expect(rulesOf(await change(merchant, { submissionEmail: 'a@b.example' }))).toEqual(['submissionEmail rule']);
    expect((await change(merchant, { contactTypes: ['Funder'], submissionEmail: 'a@b.example' })).status).toBe(200);
    expect(rulesOf(await change(merchant, { contactTypes: ['Merchant'] }))).toEqual(['submissionEmail rule']);
    expect((await change(merchant, { contactTypes: ['Merchant'], submissionEmail: null })).status).toBe(200);
    const funder = await made(sandbox(), path, aFunder());
    expect((await change(funder, { submissionEmail: 'new@north.example' })).status).toBe(200);
  });
});
