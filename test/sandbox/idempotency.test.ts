import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { aCompany, aDeal } from './bodies.ts';
import { get, made, send } from './requests.ts';
import { useSandbox } from './running.ts';

const sandbox = useSandbox();
const newKey = () => randomUUID();

const withKey = (key: string, json: unknown, path = '/v1/deal', method = 'POST') =>
  send(sandbox(), { method, path, json, headers: { 'idempotency-key': key } });
const logged = () => [...sandbox().accepted()].length;

describe('the Idempotency-Key', () => {
  it('gives the same answer for the same request and makes nothing more', async () => {
    const key = newKey();
    const first = await withKey(key, aDeal());
    const before = logged();
    const second = await withKey(key, aDeal());
    expect(second.status).toBe(201);
    expect(second.text).toBe(first.text);
    expect(second.headers.location).toBe(first.headers.location);
    expect([first.headers['idempotency-replayed'], second.headers['idempotency-replayed']]).toEqual([
      undefined,
      'true',
    ]);
    expect(logged()).toBe(before);
  });

  it('refuses another request under the same key', async () => {
    const key = newKey();
    await withKey(key, aDeal());
    const { status, body } = await withKey(key, aDeal({ amountRequested: 1 }));
    expect(status).toBe(422);
    expect(body.type).toBe('key-reused');
  });

  it('keeps the endpoints apart', async () => {
    const key = newKey();
    expect((await withKey(key, aDeal())).status).toBe(201);
    expect((await withKey(key, aCompany(), '/v1/company')).status).toBe(201);
  });

  it('lets a refused request be corrected under its key', async () => {
    const key = newKey();
    expect((await withKey(key, aDeal({ amountRequested: -1 }))).status).toBe(422);
    expect((await withKey(key, aDeal())).status).toBe(201);
  });

  it('makes one record of many requests at once', async () => {
    const key = newKey();
    const before = logged();
    const answers = await Promise.all(Array.from({ length: 20 }, () => withKey(key, aDeal())));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(logged()).toBe(before + 1);
  });

  it('covers the record that a change concerns', async () => {
    const key = newKey();
    const [first, second] = [
      await made(sandbox(), '/v1/company', aCompany()),
      await made(sandbox(), '/v1/company', aCompany()),
    ];
    expect((await withKey(key, { dba: 'x' }, `/v1/company/${first}`, 'PATCH')).status).toBe(200);
    expect((await withKey(key, { dba: 'x' }, `/v1/company/${second}`, 'PATCH')).status).toBe(422);
    expect((await get(sandbox(), `/v1/company/${second}`)).body).not.toHaveProperty('dba');
  });

  it('has 1 to 255 characters', async () => {
    expect((await withKey('k'.repeat(255), aDeal())).status).toBe(201);
    expect((await withKey('k'.repeat(256), aDeal())).status).toBe(400);
    expect((await withKey('', aDeal())).status).toBe(400);
  });
});
