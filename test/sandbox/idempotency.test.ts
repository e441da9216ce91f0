import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { aDeal } from './bodies.ts';
import { send } from './requests.ts';
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
    expect(logged()).toBe(before);
  });

  it('refuses another request under the same key', async () => {
    const key = newKey();
    await withKey(key, aDeal());
    const { status, body } = await withKey(key, aDeal({ amountRequested: 1 }));
    expect(status).toBe(422);
    expect(body.type).toBe('key-reused');
  });

  it('makes one record of many requests at once', async () => {
    const key = newKey();
    const before = logged();
    const answers = await Promise.all(Array.from({ length: 20 }, () => withKey(key, aDeal())));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(logged()).toBe(before + 1);
  });
});
