/** What services that nobody has met yet may do with tokens, ids, paths, forms and headers. */
import { describe, expect, it } from 'vitest';
import { contractSettingsSchema } from '../../src/contract/contract-settings.ts';
import type { RecordKindName } from '../../src/contract/record-kind.ts';
import { recordKind } from '../../src/contract/record-kinds.ts';
import { aClient, aFile, aRecord, MemoryKeeper, send, sendAll, ways } from './builders.ts';
import { answerBytes, type LoggedRequest, type ScriptedAnswer, scriptedService } from './scripted-service.ts';

const answering = (answer: (request: LoggedRequest) => ScriptedAnswer) =>
  scriptedService((socket, request) => void socket.write(answerBytes(answer(request))));

/** Sends one record of a kind under a contract, and gives its outcome and the request. */
async function sent(
  kind: RecordKindName,
  contract: object,
  answer: ScriptedAnswer,
  record: Parameters<typeof aRecord>[0] = {},
) {
  const { url, requests } = await answering(() => answer);
  const client = aClient(new URL('/api', url), { contract: contractSettingsSchema.parse(contract) });
  const outcome = await send(client, recordKind(kind), aRecord(record));
  return { outcome, requests, request: requests[0], text: requests[0]?.body.toString('utf8') ?? '' };
}

describe('a token that ends', () => {
  const ends: readonly (readonly [contract: object, answer: ScriptedAnswer])[] = [
    [{}, { status: 401, body: { message: 'expired' } }],
    [{}, { status: 401, body: '<html></html>' }],
    [{ outcomes: { create: { '419': 'token' }, read: { '419': 'token' } } }, { status: 419 }],
    [{ token: { path: 'code', is: 'SESSION_EXPIRED' } }, { status: 200, body: { code: 'SESSION_EXPIRED' } }],
    [{ token: { path: 'code', is: 17 } }, { status: 400, body: { code: 17 } }],
    [
      {
        token: [
          { path: 'x', is: 1 },
          { path: 'errors[].code', is: 'T1' },
        ],
      },
      { status: 403, body: { errors: [{ code: 'T0' }, { code: 'T1' }] } },
    ],
    [{ token: { path: 'expired', is: true } }, { status: 500, body: { expired: true } }],
    [{ token: { path: '.', is: 'Token expired' } }, { status: 403, body: 'Token expired\n' }],
  ];
  it.each(ends)('is renewed, and its request goes out again: %j %j', async (contract, answer) => {
    const { url } = await answering(({ headers }) =>
      headers.authorization === 'Bearer new'
        ? { status: 200, body: { success: true, id: 'd1', balances: [] } }
        : answer,
    );
    const tokens = ['new', 'old'];
    for (const way of ['create', 'read'] as const) {
      const tokensLeft = [...tokens];
      const credentials = { token: async () => tokensLeft.pop() ?? '' };
      const client = aClient(url, { credentials, contract: contractSettingsSchema.parse(contract) });
      const state =
        way === 'create'
          ? (await send(client, recordKind('deals'), aRecord())).state
          : (await client.keep({ query: [] }, new MemoryKeeper())).state;
      expect(state).toBe(way === 'create' ? 'created' : 'kept');
    }
  });
});

const throttled = { errors: [{ extensions: { code: 'THROTTLED' } }] };
it.each<[busy: object, answer: ScriptedAnswer]>([
  [
    { path: 'errors[].extensions.code', is: 'THROTTLED' },
    { status: 200, body: throttled },
  ],
  [
    [
      { path: 'x', is: 1 },
      { path: '.', is: 'Slow down' },
    ],
    { status: 403, body: 'Slow down' },
  ],
])('P28: a service that is busy is waited for where a body says so: %j %j', async (busy, answer) => {
  const contract = contractSettingsSchema.parse({ busy });
  for (const way of ['create', 'bulk', 'read'] as const) {
    const yes = { status: 200, body: { success: true, id: 'd1', company: {} } };
    const { url, requests } = await answering(() => (requests.length > 7 ? yes : answer));
    const told = new Set<number>();
    const events = { onWait: ({ status }: { status: number }) => told.add(status) };
    expect(await ways[way](aClient(url, { contract, events }))).toBe(
      { create: 'created', bulk: 'accepted', read: 'found' }[way],
    );
    expect(requests).toHaveLength(8);
    expect([...told]).toEqual([answer.status]);
  }
});

it.each(['token', 'busy'])('P8: a record that is in does not go out again for what looks like: %s', async (sign) => {
  const contract = { [sign]: { path: 'code', is: 17 }, answers: { deals: { yes: '2xx', id: ['no'] } } };
  const { outcome, requests } = await sent('deals', contract, { status: 201, body: { no: 'd1', code: 17 } });
  expect(outcome.state).toBe('in-doubt');
  expect(requests).toHaveLength(1);
});

describe('an id', () => {
  const raw = (text: string): ScriptedAnswer => ({
    status: 200,
    body: text,
    headers: { 'content-type': 'application/json' },
  });
  it.each([
    ['{"success":true,"id":9007199254740993}', '9007199254740993'],
    ['{"success":true,"id":123456789012345678901234567890}', '123456789012345678901234567890'],
    ['{"success":true,"id":7,"rate":0.30000000000000004,"note":"id 9007199254740993"}', '7'],
    ['{"rate":1.2345678901234567890e-12,"success":true,"id":12345678901234567}', '12345678901234567'],
    ['{"success":true,"id":9007199254740993.5}', null],
    ['{"success":true,"id":9.007199254740993e15}', null],
    ['{"success":true,"id":-9007199254740993}', null],
    ['{"success":true,"id":1e21}', null],
  ])('is held to its last digit, or leaves a doubt: %s', async (body, id) => {
    const { outcome } = await sent('deals', {}, raw(body));
    expect(outcome).toMatchObject(id === null ? { state: 'in-doubt' } : { state: 'created', record: id });
  });

  it('goes out again as the number that it was', async () => {
    const rename = { dealId: 'deal.id:number', note: 'text', status: 'done:boolean(1|0)', flag: 'flag:boolean(Y|N)' };
    const body = { dealId: '9007199254740993', note: '0123456789012345678', status: 'Yes', flag: false };
    const { text } = await sent('submissions', { requests: { submissions: { rename } } }, raw('{}'), { body });
    expect(text).toBe('{"deal":{"id":9007199254740993},"text":"0123456789012345678","done":1,"flag":"N"}');
  });

  it.each([
    ['/api/v1/deal/', '/api/v1/deal/31/'],
    ['/api/v1/deal?source=x', 'deal/31'],
    ['/api/v1/deal', '/api/v1/deal/31?fresh=1'],
  ])('is read from a Location: %s, %s', async (path, location) => {
    const contract = { paths: { addDeal: path.slice('/api'.length) } };
    const { outcome, request } = await sent('deals', contract, { status: 201, headers: { location } });
    expect(request?.path).toBe(path);
    expect(outcome).toMatchObject({ state: 'created', record: '31' });
  });

  it('is read from a relative Location as it is declared', async () => {
    const contract = { paths: { addLead: '/v1/leads/' }, answers: { leads: { idInUrl: '/leads/{id}', yes: '2xx' } } };
    const { outcome } = await sent('leads', contract, { status: 201, headers: { location: './31/' } });
    expect(outcome).toMatchObject({ state: 'created', record: '31' });
  });

  it('is read from no Location beside another value than that of "idIf"', async () => {
    const answer = { headers: { location: '/api/v1/deal/31' }, body: { id: '31', is: 'queued' } };
    const { outcome } = await sent('deals', { answers: { deals: { idIf: { is: 'made' } } } }, answer);
    expect(outcome.state).toBe('in-doubt');
  });

  it.each([
    ['OData-EntityId', 'https://crm.example/data/deals(31-a)', '({id})', '31-a'],
    ['x-record-id', '31', '/{id}', '31'],
    ['x-record-id', 'none', '/{id}', null],
  ])('is read from a header as it is declared: %s: %s', async (header, value, idInUrl, id) => {
    const contract = { answers: { deals: { header: header.toLowerCase(), idInUrl, yes: '2xx' } } };
    const { outcome } = await sent('deals', contract, { status: 204, headers: { [header]: value } });
    expect(outcome).toMatchObject(id === null ? { state: 'in-doubt' } : { state: 'created', record: id });
  });

  it.each([
    ['/deals/{id}', 'https://app.example/x/deals/31/', '31'],
    ['/deal?id={id}', '/app/deal?id=a%20b', 'a b'],
    ['/deals/{id}/view', 'deals/31/view', '31'],
    ['/deals/{id}', '/deals/31{?projection}', '31'],
    ['/deals/{id}', '/companies/31', null],
    ['/deals/{id}', '/deals/31/notes', null],
  ])('is read from an address as it is declared: %s, %s', async (idInUrl, url, id) => {
    const { outcome } = await sent(
      'leads',
      { answers: { leads: { idInUrl, yes: '2xx' } } },
      { status: 200, body: { url } },
    );
    expect(outcome).toMatchObject(id === null ? { state: 'in-doubt' } : { state: 'created', record: id });
  });
});

describe('a request', () => {
  const yes: ScriptedAnswer = { status: 200, body: { success: true, id: 'x1' } };

  it('has values of its record in its path, and the declared headers', async () => {
    const contract = {
      paths: { addNote: 'PUT /deals/{dealId}/notes/?v=2' },
      headers: { 'x-api-version': '3', accept: 'application/vnd.acme+json' },
      requests: { notes: { rename: { dealId: null }, envelope: 'note', beside: { 'meta.source': 'sheet' } } },
    };
    const { request, text } = await sent('notes', contract, yes, { body: { dealId: '../a/b', note: 'Hi' } });
    expect(request).toMatchObject({ method: 'PUT', path: '/api/deals/..%2Fa%2Fb/notes/?v=2' });
    expect(request?.headers).toMatchObject({ 'x-api-version': '3', accept: 'application/vnd.acme+json' });
    expect(text).toBe('{"note":{"note":"Hi"},"meta":{"source":"sheet"}}');
  });

  it('does not leave when its path needs what the row leaves blank', async () => {
    const { outcome, request } = await sent('notes', { paths: { addNote: '/deals/{dealId}/notes' } }, yes, {
      body: { note: 'Hi' },
    });
    expect(outcome.state).toBe('failed');
    expect(request).toBeUndefined();
  });

  it('carries the rows of a batch that have the same values in its path', async () => {
    const contract = contractSettingsSchema.parse({
      paths: { addTransactions: '/deals/{dealId}/payments' },
      answers: { transactions: { items: null, yes: '2xx' } },
    });
    const { url, requests } = await answering(() => yes);
    const client = aClient(url, { contract });
    const rows = ['a', 'b', 'a'].map((dealId, amount) => aRecord({ body: { dealId, amount } }));
    expect((await sendAll(client, rows)).map(({ state }) => state)).toEqual(['accepted', 'accepted', 'accepted']);
    expect(requests.map(({ path }) => path)).toEqual(['/deals/a/payments', '/deals/b/payments']);
  });

  it('has the parts of a form as they are declared: constants, lists, JSON, the file', async () => {
    const contract = {
      requests: {
        attachments: {
          rename: { dealId: 'metadata.deal.id:number' },
          constants: { 'tags[]': 'import', 'doc[type]': 'statement' },
          filePart: 'files[]',
        },
      },
    };
    const { text } = await sent('attachments', contract, yes, {
      body: { dealId: '7', file: 'x' },
      file: aFile('June', 'june.txt'),
    });
    const parts = [...text.matchAll(/form-data; (.*)\r\n(content-type: .*\r\n)?\r\n(.*)\r\n/g)];
    expect(parts.map(([, head, type, content]) => [head, type?.trim(), content])).toEqual([
      ['name="metadata"', 'content-type: application/json', '{"deal":{"id":7}}'],
      ['name="tags[]"', undefined, 'import'],
      ['name="doc[type]"', undefined, 'statement'],
      ['name="files[]"; filename="june.txt"', 'content-type: text/plain', 'June'],
    ]);
  });
});
