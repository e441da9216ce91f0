import { randomBytes } from 'node:crypto';
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { contractSettingsSchema } from '../../src/contract/contract-settings.ts';
import { recordKind } from '../../src/contract/record-kinds.ts';
import { freePort } from '../builders/free-port.ts';
import { aClient, aClientOf, MemoryKeeper, testToken } from './builders.ts';
import { always, answerBytes, hangUp, inTurn, scriptedService, silence } from './scripted-service.ts';

describe('reading', () => {
  it('asks with the id in the path, and gives the body as it is', async () => {
    const { service, client } = await aClientOf(always({ body: { id: 'deal/1', fundedDeal: { balance: 12.5 } } }));
    expect(await client.read(recordKind('deals'), 'deal/1')).toEqual({
      state: 'found',
      path: '.',
      bytes: Buffer.from('{"id":"deal/1","fundedDeal":{"balance":12.5}}'),
      record: { id: 'deal/1', fundedDeal: { balance: 12.5 } },
      httpStatus: 200,
      noRecord: null,
    });
    expect(service.requests[0]).toMatchObject({ method: 'GET', path: '/v1/deal/deal%2F1' });
    expect(service.requests[0]?.headers.authorization).toBe(`Bearer ${testToken}`);
  });

  it('never repeats the token, whatever the service does', async () => {
    const { client } = await aClientOf(
      always({ status: 400, body: { message: `Bad request, headers were: authorization: Bearer ${testToken}` } }),
    );
    const told = [
      await client.read(recordKind('deals'), 'deal_1'),
      await client.keep({ query: [] }, new MemoryKeeper()),
      await client.health(),
    ];
    for (const result of told) {
      expect(JSON.stringify(result)).toContain('Bearer [token]');
      expect(JSON.stringify(result)).not.toContain(testToken);
    }
  });

  it('is tried again after a failure on the way', async () => {
    const { service, client } = await aClientOf(
      inTurn(
        hangUp,
        always({ status: 502 }),
        always({ body: '{"cut', headers: { 'content-type': 'application/json' } }),
        always({ body: { id: 'd1' } }),
      ),
    );
    expect(await client.read(recordKind('deals'), 'd1')).toMatchObject({ state: 'found', noRecord: null });
    expect(service.requests).toHaveLength(4);
  });

  it('that fails says why, and whether to stop', async () => {
    const contract = contractSettingsSchema.parse({ answers: { deals: { reason: ['o:why[].note'] } } });
    const body = { title: 'Bad Request', 'o:why': [{ note: 'Bad query' }] };
    const { client } = await aClientOf(always({ status: 400, body }), { contract });
    expect(await client.read(recordKind('deals'), 'd1')).toEqual({
      state: 'failed',
      httpStatus: 400,
      message: { code: 'refused', params: { status: 400, reason: 'Bad query.', together: null } },
      stopReason: null,
    });
    const closed = await scriptedService(always({ status: 401 }));
    expect(await aClient(closed.url).read(recordKind('deals'), 'd1')).toMatchObject({
      state: 'failed',
      stopReason: { message: { code: 'stopped-token-refused' } },
    });
  });

  it('goes on to a next page of the same origin, and to no other', async () => {
    const { service, client } = await aClientOf((socket, request) => {
      const next = request.path.includes('page=2')
        ? 'https://elsewhere.example.com/v1/loan/balances?page=3'
        : '/v1/loan/balances?page=2';
      socket.write(
        answerBytes({
          body: [request.path],
          headers: { 'content-type': 'application/json', link: `</first>; rel="first", <${next}>; rel="next"` },
        }),
      );
    });
    const keeper = new MemoryKeeper();
    const first = await client.keep({ query: [] }, keeper);
    expect(first).toMatchObject({ state: 'kept', nextPage: `${service.url}v1/loan/balances?page=2` });
    expect(keeper.bytes.toString()).toBe('["/v1/loan/balances"]');
    const second = await client.keep({ query: [], page: '/v1/loan/balances?page=2' }, keeper);
    expect(second).toMatchObject({ state: 'kept', nextPage: 'https://elsewhere.example.com/v1/loan/balances?page=3' });
    const third = await client.keep(
      { query: [], page: 'https://elsewhere.example.com/v1/loan/balances?page=3' },
      keeper,
    );
    expect(third).toMatchObject({ state: 'failed', httpStatus: null });
    expect(third).toMatchObject({ message: { code: 'page-elsewhere' } });
    expect(service.requests).toHaveLength(2);
  });

  it('has the body of the first page on a further one, but not what the first page has in place of a parameter', async () => {
    const balances = { body: { rename: { dealId: 'deal', at: 'page.at:number' }, constants: { 'page.at': 1, n: 5 } } };
    const contract = contractSettingsSchema.parse({ paths: { getLoanBalances: 'POST /q?size=2&page=1' }, balances });
    const { client, service } = await aClientOf(always({ body: [] }), { contract });
    await client.keep({ query: [['dealId', 'd1']], page: '/q?page=2' }, new MemoryKeeper());
    await client.keep({ query: ['at', 'page'].map((name) => [name, '2']) }, new MemoryKeeper());
    expect(service.requests.map(({ path, body }) => `${path} ${body}`)).toEqual([
      '/q?page=2 {"deal":"d1","page":{"at":1},"n":5}',
      '/q?size=2&page=2 {"page":{"at":2},"n":5}',
    ]);
  });
});

describe('reading into a keeper', () => {
  const question = { query: [] } as const;

  it('keeps the bytes of the answer that came whole, and nothing of those that did not', async () => {
    const { service, client } = await aClientOf(
      inTurn(
        always({ status: 502, body: 'never kept' }),
        always({ body: '[{"a":1},{"a"', headers: { 'content-type': 'application/json' } }),
        always({ body: '[{"a":9007199254740.93}]', headers: { 'content-type': 'application/json' } }),
      ),
    );
    const keeper = new MemoryKeeper();
    expect(await client.keep(question, keeper)).toMatchObject({ state: 'kept', nextPage: null });
    expect(keeper.bytes.toString()).toBe('[{"a":9007199254740.93}]');
    expect(service.requests).toHaveLength(3);
  });

  it('keeps an answer of many pieces that comes packed, faster than it is unpacked', async () => {
    const text = JSON.stringify([randomBytes(4 << 20).toString('base64')]);
    const headers = { 'content-encoding': 'br' };
    const body = brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 0 } });
    const service = await scriptedService(always({ body, headers }));
    const keeper = new MemoryKeeper();
    expect(await aClient(service.url, { timeoutMs: 600_000 }).keep(question, keeper)).toMatchObject({ state: 'kept' });
    expect(keeper.bytes.equals(Buffer.from(text))).toBe(true);
  });

  it('keeps what comes packed as it was before, and nothing that is packed in an unknown way', async () => {
    const text = '[{"a":9007199254740.93}]';
    for (const [encoding, body] of [
      ['gzip', gzipSync(text)],
      ['DEFLATE', deflateSync(text)],
      ['gzip', gzipSync(text).subarray(0, 15)],
      ['zip', gzipSync(text)],
    ] as const) {
      const isWhole = body.length > 15 && encoding !== 'zip';
      const packed = await scriptedService(always({ body, headers: { 'content-encoding': encoding } }));
      const client = aClient(packed.url);
      const keeper = new MemoryKeeper();
      expect((await client.keep(question, keeper)).state, encoding).toBe(isWhole ? 'kept' : 'failed');
      if (isWhole) expect(keeper.bytes.toString()).toBe(text);
    }
  });

  it('stops at a web page, and says what an error answer says', async () => {
    const { client } = await aClientOf(
      always({ body: '<!doctype html><html></html>', headers: { 'content-type': 'text/html' } }),
    );
    expect(await client.keep(question, new MemoryKeeper())).toMatchObject({
      state: 'failed',
      stopReason: { message: { code: 'stopped-not-the-service' } },
    });
    const contract = contractSettingsSchema.parse({ answers: { '*': { reason: ['note'] } } });
    const other = await scriptedService(always({ status: 400, body: { title: 'Bad', note: 'No such parameter' } }));
    expect(await aClient(other.url, { contract }).keep(question, new MemoryKeeper())).toMatchObject({
      state: 'failed',
      message: { code: 'refused', params: { status: 400, reason: 'No such parameter.' } },
    });
  });

  it('gives up at once when the place takes nothing', async () => {
    const { service, client } = await aClientOf(always({ body: [1] }));
    const full = {
      failure: null as Error | null,
      begin() {},
      add() {
        this.failure = new Error('full');
      },
    };
    await client.keep(question, full);
    expect(full.failure).toBeInstanceOf(Error);
    expect(service.requests).toHaveLength(1);
  });
});

describe('the health check', () => {
  it('that is answered well is ok, whatever the body', async () => {
    for (const body of ['', 'OK', { status: 'up' }]) {
      const { service, client } = await aClientOf(always({ body }));
      expect(await client.health()).toMatchObject({ state: 'ok', httpStatus: 200 });
      expect(service.requests[0]).toMatchObject({ method: 'GET', path: '/v1/health' });
    }
  });

  it('that is answered otherwise is a warning, asked once, and stops nothing', async () => {
    for (const answer of [
      { status: 404 },
      { status: 403 },
      { status: 500 },
      { status: 503, headers: { 'retry-after': '5' } },
      { status: 429, headers: { 'retry-after': '6000' } },
      { status: 302, headers: { location: 'https://elsewhere.example.com' } },
      { body: '<!doctype html><html>', headers: { 'content-type': 'text/html' } },
    ]) {
      const { service, client } = await aClientOf(always(answer));
      expect(await client.health(), JSON.stringify(answer)).toMatchObject({
        state: 'warning',
        httpStatus: answer.status ?? 200,
      });
      expect(service.requests).toHaveLength(1);
      expect(client.stopReason).toBeNull();
    }
  });

  it('without an answer is a warning, for there is a connection', async () => {
    const { client } = await aClientOf(silence, { timeoutMs: 100 });
    expect(await client.health()).toMatchObject({ state: 'warning', httpStatus: null });
  });

  it('without a connection blocks', async () => {
    const client = aClient(new URL(`http://127.0.0.1:${await freePort()}`));
    expect(await client.health()).toMatchObject({
      state: 'blocked',
      reason: { message: { code: 'connection-failed' } },
    });
    expect(client.stopReason).toBeNull();
  });
});
