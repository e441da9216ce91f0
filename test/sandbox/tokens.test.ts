import { Agent } from 'node:http';
import { describe, expect, it } from 'vitest';
import { endpoints } from '../../src/contract/record-kind.ts';
import { get, send } from './requests.ts';
import { useSandbox } from './running.ts';

const lifetimeSeconds = 60;
let now = Date.UTC(2026, 5, 30);
const sandbox = useSandbox({ tokenTtlSeconds: lifetimeSeconds, fixedToken: 'always' }, () => now);

const health = (token: string | null) => send(sandbox(), { method: 'GET', path: '/v1/health', token });

async function newToken(): Promise<string> {
  const { status, body } = await send(sandbox(), { method: 'POST', path: '/sandbox/token' });
  expect(status).toBe(201);
  expect(body).toMatchObject({ token_type: 'Bearer', expires_in: lifetimeSeconds });
  return String(body.access_token);
}

describe('the bearer token (5)', () => {
  it.each(Object.values(endpoints))('is wanted by $method $path', async ({ method, path }) => {
    const { status, headers, body } = await send(sandbox(), { method, path, token: null });
    expect(status).toBe(401);
    expect(headers['www-authenticate']).toBe('Bearer realm="sandbox"');
    expect(body.status).toBe(401);
  });

  it('is refused when it is unknown, and the challenge says so', async () => {
    const challenge = { 'www-authenticate': 'Bearer realm="sandbox", error="invalid_token"' };
    expect(await health('sandbox_unknown')).toMatchObject({ status: 401, headers: challenge });
  });

  it.each(['Basic YWx3YXlz', 'Bearer', 'Bearer  ', 'always', 'Bearer always x'])(
    'is refused as “%s”',
    async (header) => {
      const headers = { authorization: header };
      expect((await send(sandbox(), { method: 'GET', path: '/v1/health', token: null, headers })).status).toBe(401);
    },
  );

  it('that is refused leaves the connection in order, whatever the body was', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const json = { note: 'x'.repeat(300_000) };
    for (const token of [null, 'always', 'unknown', 'always']) {
      const { status } = await send(sandbox(), { method: 'POST', path: '/v1/lead', json, token }, agent);
      expect(status).toBe(token === 'always' ? 201 : 401);
    }
    agent.destroy();
  });

  it('is valid until its lifetime is over, and not a moment longer', async () => {
    const token = await newToken();
    now += lifetimeSeconds * 1000 - 1;
    expect((await health(token)).status).toBe(200);
    now += 1;
    expect((await health(token)).status).toBe(401);
    expect((await health(await newToken())).status).toBe(200);
  });

  it('ends when all tokens are ended, the fixed one excepted', async () => {
    const token = await newToken();
    expect((await health(token)).status).toBe(200);
    expect((await send(sandbox(), { method: 'DELETE', path: '/sandbox/token' })).status).toBe(200);
    expect((await health(token)).status).toBe(401);
    expect((await health('always')).status).toBe(200);
    expect((await get(sandbox(), '/v1/health')).status).toBe(200);
  });
});
