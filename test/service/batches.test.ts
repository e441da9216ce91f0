import { describe, expect, it } from 'vitest';
import { contractSettingsSchema } from '../../src/contract/contract-settings.ts';
import { recordKind } from '../../src/contract/record-kinds.ts';
import { aClient, aRecord, send, sendAll } from './builders.ts';
import { always, answerBytes, created, type ScriptedAnswer, scriptedService } from './scripted-service.ts';

const rows = [
  { dealId: 'd1', amount: 100, reference: 'a' },
  { dealId: 'd2', amount: 250.5, reference: 'b' },
  { dealId: 'd1', amount: 75, reference: 'c' },
].map((body) => aRecord({ body }));

/** The bodies of the requests that carry the rows of a kind by the rules of a profile. */
const answers = { transactions: { yes: '2xx', items: null } };
async function sentBy(requests: object, kind: 'transactions' | 'deals' | 'attachments', records = rows) {
  const service = await scriptedService(created);
  const client = aClient(service.url, { contract: contractSettingsSchema.parse({ requests, answers }) });
  if (kind === 'transactions') await sendAll(client, records);
  else for (const record of records) await send(client, recordKind(kind), record);
  return service.requests;
}
const bodiesOf = async (...how: Parameters<typeof sentBy>) => (await sentBy(...how)).map(({ body }) => body.toString());

describe('the body of a batch', () => {
  const list = rows.map(({ body }) => body);

  it.each<[envelope: string | null | undefined, body: unknown]>([
    [undefined, { transactions: list }],
    ['data.items', { data: { items: list } }],
    [null, list],
  ])('stands in the envelope %s', async (envelope, body) => {
    const [sent = ''] = await bodiesOf({ transactions: { envelope } }, 'transactions');
    expect(JSON.parse(sent)).toEqual(body);
  });

  it('is grouped by a value that rows share, in one request or in one for each group', async () => {
    const groupBy = { field: 'dealId', list: 'payments' };
    const group = (dealId: string, ...payments: object[]) => ({ dealId, payments });
    const first = group('d1', { amount: 100, reference: 'a' }, { amount: 75, reference: 'c' });
    const second = group('d2', { amount: 250.5, reference: 'b' });
    const [together = ''] = await bodiesOf({ transactions: { groupBy, envelope: 'deals' } }, 'transactions');
    expect(JSON.parse(together)).toEqual({ deals: [first, second] });
    const apart = await bodiesOf({ transactions: { groupBy, alone: true } }, 'transactions');
    expect(apart.map((body) => JSON.parse(body))).toEqual([first, second]);
  });

  it('is grouped by several values, which may stand in groups of their own', async () => {
    const dated = rows.map(({ body }, at) =>
      aRecord({ body: { ...body, date: at === 2 ? '2026-07-01' : '2026-06-30' } }),
    );
    const requests = {
      transactions: {
        rename: { dealId: 'deal.no:text', date: 'paid_on', reference: 'trace' },
        groupBy: { field: ['dealId', 'date'], list: 'body.payments' },
        envelope: 'groups',
      },
    };
    const [sent = ''] = await bodiesOf(requests, 'transactions', dated);
    const group = (no: string, paid_on: string, payment: object) => ({
      deal: { no },
      paid_on,
      body: { payments: [payment] },
    });
    expect(JSON.parse(sent)).toEqual({
      groups: [
        group('d1', '2026-06-30', { amount: 100, trace: 'a' }),
        group('d2', '2026-06-30', { amount: 250.5, trace: 'b' }),
        group('d1', '2026-07-01', { amount: 75, trace: 'c' }),
      ],
    });
  });

  it('that goes out in groups gives each row its own outcome, whatever the order of the groups', async () => {
    const service = await scriptedService((socket, { body }) => {
      const { deals } = JSON.parse(body.toString()) as { deals: { payments: { reference: string }[] }[] };
      const items = deals.flatMap(({ payments }) => payments.map(({ reference }) => ({ id: `t-${reference}` })));
      always({ body: { success: true, transactions: items } })(socket, service?.requests[0] as never);
    });
    const groupBy = { field: 'dealId', list: 'payments' };
    const contract = contractSettingsSchema.parse({ requests: { transactions: { groupBy, envelope: 'deals' } } });
    const client = aClient(service.url, { contract });
    expect(await sendAll(client, rows)).toMatchObject(['t-a', 't-b', 't-c'].map((record) => ({ record })));
  });
});

describe('P2: a batch that is refused as a whole, and yet lists a row as in', () => {
  const transactions = {
    ...{ yes: '2xx', id: ['id'], no: ['error'], items: { at: ['rows'] }, count: ['taken'] },
    job: { state: 'is', done: ['DONE'], failed: ['FAILED'], everyMs: 10, longestMs: 60_000 },
  };
  const some = { is: 'FAILED', rows: [{ id: 't1' }, { error: 'closed' }, { error: 'late' }] };
  const none = { is: 'FAILED', rows: [{ error: 'closed', id: null }, { error: 'closed' }, { error: 'late' }] };
  const bare = { rows: [{ code: 7 }, { error: 'EIN is wrong' }, {}] };
  const closed = 'The account is closed.';
  const half = { is: 'FAILED', error: 'closed', inserted: 2 };
  const each = (state: string) => [state, state, state];
  it.each<[what: string, first: ScriptedAnswer, then: ScriptedAnswer, states: readonly string[]]>([
    ['by its status', { status: 422, body: some }, {}, each('in-doubt')],
    ['by a status that asks for another try', { status: 429, body: some }, {}, each('in-doubt')],
    ['by its job', { status: 202, headers: { location: '/j' } }, { body: some }, each('in-doubt')],
    ['by its status and a count', { status: 400, body: { error: 'closed', taken: 2 } }, {}, each('in-doubt')],
    ['by its job and a number', { status: 202, headers: { location: '/j' } }, { body: half }, each('in-doubt')],
    ['by its status, with no row in', { status: 422, body: none }, {}, each('rejected')],
    ['by its job, with no row in', { status: 202, headers: { location: '/j' } }, { body: none }, each('rejected')],
  ])('leaves a doubt: %s', async (_, first, then, states) => {
    const service = await scriptedService((socket, { method }) => {
      socket.write(answerBytes({ status: 200, ...(method === 'POST' ? first : then) }));
    });
    const contract = contractSettingsSchema.parse({ answers: { transactions } });
    const outcomes = await sendAll(aClient(service.url, { contract }), rows);
    expect(outcomes.map(({ state }) => state)).toEqual(states);
    expect(service.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  it.each([
    [{ message: 'Late' }, [3, 3, 3]],
    [{ rows: [{ error: 'Late' }, { error: 'Late' }, { error: 'Late' }] }, [null, null, null]],
    [{ rows: [{}, { error: 'Late' }, {}] }, [3, null, 3]],
  ])('says whether the reason may be of another row: %j', async (body, together) => {
    const service = await scriptedService(always({ status: 422, body }));
    const contract = contractSettingsSchema.parse({ answers: { transactions } });
    const outcomes = await sendAll(aClient(service.url, { contract }), rows);
    expect(outcomes.map(({ message }) => message?.params.together)).toEqual(together);
  });

  const inDoubt = { state: 'in-doubt', message: { params: { reason: 'Bad file.' } } };
  const refused = { ...inDoubt, state: 'rejected' };
  it.each([
    ['.', {}, refused],
    ['.', { links: { self: '/j' } }, inDoubt],
    ['made', { link: '/j', user: { id: 90 }, j: 1 }, refused],
    ['made', { user: { id: 1 } }, refused],
    ['made', { user: { t1: 'in' }, links: {} }, refused],
    ['made', { links: { self: '/j' } }, inDoubt],
    ['made', { inserted: 2 }, inDoubt],
    ['made', { of: { state: 'FAILED', inserted: '2' } }, inDoubt],
    ['made', { made: { by: { t1: 'ok' } } }, inDoubt],
    ['made', { made: [{ line: 1, is: 'posted' }] }, inDoubt],
    ['made', { rows: ['t1'] }, inDoubt],
    ['.', { rows: ['t1'] }, inDoubt],
    ['.', { total: 3, rows: rows.map(() => ({ error: 'Bad file' })) }, refused],
  ])('tells a failed job with its reason, and looks for rows at %s: %j', async (result, said, told) => {
    const job = { ...transactions.job, id: ['j'], path: '/j/{id}', result, address: ['of.self'] };
    const body = { is: 'FAILED', message: 'Bad file', ...said };
    const service = await scriptedService((socket, { method }) => {
      socket.write(answerBytes({ status: 200, body: method === 'POST' ? { j: 1 } : body }));
    });
    const contract = contractSettingsSchema.parse({
      answers: { transactions: { ...transactions, job, unrelated: ['user'] } },
    });
    expect(await sendAll(aClient(service.url, { contract }), rows)).toMatchObject([told, told, told]);
  });

  it.each([
    [none, ['Closed.', 'Closed.', 'Late.']],
    [bare, ['{"code":7}', 'EIN is wrong.', null]],
    [{ ...bare, message: 'no' }, ['No.', 'EIN is wrong.', 'No.']],
    [{ ...bare, error: { message: 'The account is closed' } }, [closed, 'EIN is wrong.', closed]],
  ])('tells each row its own reason, or that of the whole: %j', async (body, reasons) => {
    const service = await scriptedService((socket) => void socket.write(answerBytes({ status: 422, body })));
    const contract = contractSettingsSchema.parse({ answers: { transactions } });
    const outcomes = await sendAll(aClient(service.url, { contract }), rows);
    const told = outcomes.map(({ message }) => message?.params.reason);
    expect(told).toEqual(reasons);
  });
});

it('finds the row of an item by a value in the form in which it went out', async () => {
  const contract = contractSettingsSchema.parse({
    wire: { date: 'MM/DD/YYYY' },
    answers: { transactions: { yes: '2xx', id: ['id'], items: { at: ['.'], index: 'day', row: 'date' } } },
  });
  const service = await scriptedService((socket) => {
    const body = [
      { id: 't2', day: '07/01/2026' },
      { id: 't1', day: '06/30/2026' },
    ];
    socket.write(answerBytes({ status: 200, body: JSON.stringify(body) }));
  });
  const dated = ['2026-06-30', '2026-07-01'].map((date) => aRecord({ body: { amount: 1, date } }));
  const outcomes = await sendAll(aClient(service.url, { contract }), dated);
  expect(outcomes).toMatchObject([{ record: 't1' }, { record: 't2' }]);
});

it('sends rows that their value cannot tell apart in requests of their own', async () => {
  const contract = contractSettingsSchema.parse({
    answers: { transactions: { yes: '2xx', id: ['id'], items: { at: ['.'], index: 'ref', row: 'reference' } } },
  });
  const service = await scriptedService((socket, { body }) => {
    const { transactions: sent } = JSON.parse(String(body)) as {
      transactions: { amount: number; reference?: string }[];
    };
    const items = sent.map(({ amount, reference }) => ({ id: `t${amount}`, ref: reference }));
    socket.write(answerBytes({ status: 200, body: JSON.stringify(items.reverse()) }));
  });
  const references = ['R1', 'R2', 'R1', undefined, 'R3', undefined];
  const records = references.map((reference, amount) => aRecord({ body: { amount, reference } }));
  const outcomes = await sendAll(aClient(service.url, { contract }), records);
  expect(outcomes).toMatchObject(references.map((_, amount) => ({ state: 'created', record: `t${amount}` })));
  expect(service.requests).toHaveLength(4);
});

describe('the body of a record', () => {
  const deal = aRecord({
    body: { amountRequested: 500, company: { name: 'Harbor', phones: [{ number: '1' }, { number: '2' }] }, tags: [] },
  });

  it('has the names, types, constants and the envelope of the profile', async () => {
    const rename = {
      amountRequested: 'request.amount:text',
      'company.phones[].number': 'merchant.telephones[]',
      company: 'merchant',
      tags: null,
    };
    const [sent = ''] = await bodiesOf(
      { deals: { rename, constants: { 'meta.source': 'upload' }, envelope: 'data' } },
      'deals',
      [deal],
    );
    expect(JSON.parse(sent)).toEqual({
      data: {
        request: { amount: '500' },
        merchant: { name: 'Harbor', telephones: ['1', '2'] },
        meta: { source: 'upload' },
      },
    });
  });

  it('carries the token in the header that the profile declares', async () => {
    const service = await scriptedService(created);
    const contract = contractSettingsSchema.parse({ headers: { 'x-api-key': 'key {token}' } });
    await sendAll(aClient(service.url, { contract }), [aRecord()]);
    const [asked] = service.requests;
    expect(asked?.headers['x-api-key']).toMatch(/^key \S+$/);
    expect(asked?.headers.authorization).toBeUndefined();
  });

  it.each(['application/vnd.platform+json', 'application/json; profile=jsonld'])(
    'is JSON by the type %s',
    async (mediaType) => {
      const service = await scriptedService(created);
      const contract = contractSettingsSchema.parse({ wire: { mediaType } });
      await sendAll(aClient(service.url, { contract }), [aRecord({ body: { amount: 5 } })]);
      const [asked] = service.requests;
      expect(asked?.headers['content-type']).toBe(mediaType);
      expect(JSON.parse(String(asked?.body))).toMatchObject({ transactions: [{ amount: 5 }] });
    },
  );

  it('goes out as it is where nothing is declared', async () => {
    expect(await bodiesOf({}, 'deals', [deal])).toEqual([deal.json]);
  });
});
