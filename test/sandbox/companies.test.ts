import { describe, expect, it } from 'vitest';
import { aCompany, aFunder } from './bodies.ts';
import { get, made, patch, post, rulesOf } from './requests.ts';
import { useSandbox } from './running.ts';

const sandbox = useSandbox();
const path = '/v1/company';
const add = (body: unknown) => post(sandbox(), path, body);

describe('Add a company (2.4, 4.6)', () => {
  it('answers with success, id and url', async () => {
    const { status, body } = await add(aCompany());
    expect(status).toBe(201);
    expect(body).toEqual({ success: true, id: body.id, url: `${sandbox().url}/companies/${body.id}` });
    expect((await get(sandbox(), `/companies/${body.id}`)).status).toBe(200);
  });

  it('refuses Funder fields on a company that is no Funder', async () => {
    const refused = await add(aFunder({ contactTypes: ['Broker', 'Investor'] }));
    expect(rulesOf(refused)).toEqual(['submissionEmail rule', 'defaultReceivableCommission rule']);
  });
});

describe('Get a company (4.7)', () => {
  it('gives the Funder fields at the top level', async () => {
    const id = await made(sandbox(), path, aFunder());
    const { body } = await get(sandbox(), `${path}/${id}`);
    expect(body).toMatchObject({ id, submissionEmail: 'deals@north.example', defaultReceivableCommission: 10 });
  });

  it('answers 404 for a company that is not here', async () => {
    expect((await get(sandbox(), `${path}/cmp_999999`)).status).toBe(404);
  });
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

  it('takes a body without fields and changes nothing', async () => {
    const id = await made(sandbox(), path, aCompany());
    const { updatedAt: _before, ...before } = await present(id);
    expect((await change(id, {})).status).toBe(200);
    const { updatedAt: _after, ...after } = await present(id);
    expect(after).toEqual(before);
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

  it('leaves the company as it was when it refuses', async () => {
    const id = await made(sandbox(), path, aFunder());
    const before = await present(id);
    await change(id, { name: 'Other name', contactTypes: ['Other'] });
    expect(await present(id)).toEqual(before);
  });

  it('answers 404 for a company that is not here', async () => {
    expect((await change('cmp_999999', { dba: 'x' })).status).toBe(404);
  });

  it('is listed by its new name and not by the old one', async () => {
    const id = await made(sandbox(), path, aCompany({ name: 'Oldname Ltd' }));
    await change(id, { name: 'Newname Ltd' });
    const { text } = await get(sandbox(), '/companies');
    expect(text).toContain('Newname Ltd');
    expect(text).not.toContain('Oldname Ltd');
  });
});
