import { afterEach, describe, expect, it } from 'vitest';
import { type ContractSettings, contractSettingsSchema } from '../../../src/contract/contract-settings.ts';
import type { Outcome } from '../../../src/service/records/outcome.ts';
import { aClient, aRecord, sendAll } from '../builders.ts';
import { always, created, type ScriptedAnswer, type ScriptedService, scriptedService } from '../scripted-service.ts';

let service: ScriptedService | null = null;
afterEach(() => service?.close());

const amounts = [100, 250.5, 75];
const rows = amounts.map((amount, index) => aRecord({ body: { amount, reference: `ACH-${index}` } }));

async function outcomesOf(
  answer: ScriptedAnswer,
  contract: Partial<ContractSettings> = {},
): Promise<readonly Outcome[]> {
  service = await scriptedService(always(answer));
  const client = aClient(service.url, { contract: { ...contractSettingsSchema.parse({}), ...contract } });
  const outcomes = await sendAll(client, rows);
  await client.close();
  return outcomes;
}

const statesOf = (outcomes: readonly Outcome[]): readonly string[] => outcomes.map(({ state }) => state);

describe('the body of a bulk request', () => {
  it('is the list of the rows in the envelope of the contract, each as it was given', async () => {
    service = await scriptedService(created);
    const list = `[${rows.map(({ json }) => json).join(',')}]`;
    for (const [transactionsEnvelope, body] of [
      ['transactions', `{"transactions":${list}}`],
      ['items', `{"items":${list}}`],
      [null, list],
    ] as const) {
      const client = aClient(service.url, { contract: contractSettingsSchema.parse({ transactionsEnvelope }) });
      await sendAll(client, rows);
      expect(service.requests.at(-1)?.body.toString()).toBe(body);
      await client.close();
    }
  });
});

describe('the answer to a bulk request', () => {
  it('without a list says yes to each row', async () => {
    expect(statesOf(await outcomesOf({ body: { success: true } }))).toEqual(['accepted', 'accepted', 'accepted']);
    expect(statesOf(await outcomesOf({ status: 204 }))).toEqual(['accepted', 'accepted', 'accepted']);
  });

  it('with new ids for more or fewer than the rows, or for some of them, leaves all in doubt, whatever their list is called', async () => {
    const two = [{ id: 't1' }, { id: 't3' }];
    for (const body of [
      { success: true, records: two },
      { success: true, result: two },
      { _embedded: { entries: [...two, { id: 't4' }, { id: 't5' }] } },
      { records: [{ id: 't1' }, { reason: 'account closed' }] },
      { success: true, transactionIds: ['t1', 't3'] },
      { success: true, transactionIds: [] },
      { keys: ['t1', 't3'] },
      { references: ['ACH-0', 'ACH-2'] },
      { success: true, records: [{ id: 't1' }, null, { id: 't3' }] },
      { success: true, records: [{ id: 't1' }, { message: 'account closed' }, { id: 't3' }] },
      { rows: [{ id: 't1' }, { id: null }, { id: 't3' }] },
      { success: true, data: { entries: ['t1', 'account closed', 't3'] } },
      { success: true, batch: { id: 'b-1', transactions: two } },
      { success: true, records: [{ _id: 'abc' }, { transactionId: 'def' }] },
      { success: true, transactionResults: [{ transactionId: 't1' }, { transactionId: 't3' }] },
      { payload: { list: [{ _id: 't1' }, { reason: 'closed' }, { _id: 't3' }] } },
      { success: true, loaded: 2 },
      { acknowledged: true, insertedIds: { 0: 't1', 1: 't3' } },
    ]) {
      const outcomes = await outcomesOf({ body });
      expect(statesOf(outcomes), JSON.stringify(body)).toEqual(['in-doubt', 'in-doubt', 'in-doubt']);
    }
    const [outcome] = await outcomesOf({ body: { success: true, records: two } });
    expect(outcome).toMatchObject({
      message: expect.stringContaining('but the list "records" in it tells of 2, and 3 rows were sent. '),
    });
    const [hole] = await outcomesOf({ body: { success: true, records: [...two, {}] } });
    expect(hole).toMatchObject({
      message: expect.stringContaining('but the list "records" in it gives ids for 2, and 3 rows were sent. '),
    });
  });

  it('with a list of something else beside its yes says yes to each row', async () => {
    const deals = amounts.map((amount) => aRecord({ body: { amount, dealId: 'deal_1' } }));
    for (const body of [
      { success: true, warnings: [{ id: 'W12', message: 'The date is a Sunday.' }] },
      { success: true, tags: [{ id: 7 }], links: ['/v1/batches/17', '/v1/batches/17/rows'] },
      { success: true, updated: [{ id: 'deal_1', balance: 425.5 }] },
      { success: true, affectedDeals: [{ id: 'deal_9' }], dealIds: ['deal_9'] },
      { success: true, batch: { id: 'b_1', steps: [{ id: 's1' }] } },
      { success: true, batches: [{ id: 'b_1' }] },
      { success: true, deal: { id: 'deal_1', transactions: [{ id: 't0' }] } },
      { success: true, columns: [{ id: 'amount' }, { id: 'date' }] },
      { success: true, records: [{ id: 't1' }, { id: 't2' }, { id: 't3' }] },
      { success: true, codes: ['A1', 'A2'], references: [] },
    ]) {
      service = await scriptedService(always({ body }));
      const client = aClient(service.url);
      expect(statesOf(await sendAll(client, deals)), JSON.stringify(body)).toEqual([
        'accepted',
        'accepted',
        'accepted',
      ]);
      await client.close();
      await service.close();
    }
  });

  it('with as many items as rows is matched by position, and gives their ids', async () => {
    const outcomes = await outcomesOf({
      status: 201,
      body: { transactions: [{ id: 't1' }, { id: 't2', url: 'https://app.example.com/t2' }, { success: true }] },
    });
    expect(outcomes).toMatchObject([
      { state: 'created', id: 't1' },
      { state: 'created', id: 't2', url: 'https://app.example.com/t2' },
      { state: 'accepted', id: null },
    ]);
  });

  it('may be a bare list, a list of ids, or a list in another place', async () => {
    expect(statesOf(await outcomesOf({ body: [{ id: 1 }, { id: 2 }, { id: 3 }] }))).toEqual([
      'created',
      'created',
      'created',
    ]);
    expect(await outcomesOf({ body: { results: ['a', 'b', 'c'] } })).toMatchObject([
      { id: 'a' },
      { id: 'b' },
      { id: 'c' },
    ]);
    const answers = contractSettingsSchema.parse({ answers: { transactionResults: ['data.made'] } }).answers;
    expect(await outcomesOf({ body: { data: { made: ['a', 'b', 'c'] } } }, { answers })).toMatchObject([
      { id: 'a' },
      { id: 'b' },
      { id: 'c' },
    ]);
  });

  it('that refuses a row refuses that row alone, in its own words', async () => {
    const outcomes = await outcomesOf({
      body: {
        success: false,
        transactions: [
          { success: true, id: 't1' },
          { success: false, message: 'deal is closed' },
          { error: { field: 'amount', message: 'is too small' } },
        ],
      },
    });
    expect(outcomes).toMatchObject([
      { state: 'created', id: 't1' },
      { state: 'rejected', message: 'Deal is closed.', httpStatus: 200 },
      { state: 'rejected', message: 'amount: is too small.', fields: [{ path: 'amount' }] },
    ]);
  });

  it('in another order is matched by what each item names: its number from 0 or 1, or the reference of the row', async () => {
    for (const items of [
      [
        { index: 2, id: 'c' },
        { index: 0, id: 'a' },
        { index: 1, id: 'b' },
      ],
      [
        { row: 3, id: 'c' },
        { row: 1, id: 'a' },
        { row: 2, id: 'b' },
      ],
      [
        { row_number: 3, id: 'c' },
        { row_number: 1, id: 'a' },
        { row_number: 2, id: 'b' },
      ],
      [
        { Index: 2, id: 'c' },
        { Index: 0, id: 'a' },
        { Index: 1, id: 'b' },
      ],
      [
        { reference: 'ACH-2', id: 'c' },
        { reference: 'ACH-0', id: 'a' },
        { reference: 'ACH-1', id: 'b' },
      ],
    ]) {
      expect(await outcomesOf({ body: { transactions: items } })).toMatchObject([
        { id: 'a' },
        { id: 'b' },
        { id: 'c' },
      ]);
    }
  });

  it('with fewer items than rows tells of those that it names; the others are in doubt', async () => {
    const outcomes = await outcomesOf({
      body: {
        transactions: [
          { index: 0, id: 'a' },
          { index: 2, success: false, message: 'no' },
        ],
      },
    });
    expect(statesOf(outcomes)).toEqual(['created', 'in-doubt', 'rejected']);
    expect(statesOf(await outcomesOf({ body: { transactions: [{ reference: 'ACH-1', id: 'b' }] } }))).toEqual([
      'in-doubt',
      'created',
      'in-doubt',
    ]);
  });

  it('with fewer or more items that name no row, or name one in two ways, leaves the whole request in doubt', async () => {
    for (const transactions of [[], [{ id: 'a' }], [{ index: 1, id: 'a' }], [1, 2, 3, 4].map((id) => ({ id }))]) {
      expect(statesOf(await outcomesOf({ body: { transactions } })), JSON.stringify(transactions)).toEqual([
        'in-doubt',
        'in-doubt',
        'in-doubt',
      ]);
    }
  });

  it('that says yes and tells of an error leaves the request in doubt', async () => {
    expect(statesOf(await outcomesOf({ body: { errors: ['one row failed'] } }))).toEqual([
      'in-doubt',
      'in-doubt',
      'in-doubt',
    ]);
  });

  it('that refuses the request refuses each row, those that it names in their own words', async () => {
    const outcomes = await outcomesOf({
      status: 422,
      body: { message: 'Invalid', errors: [{ path: 'transactions[1].amount', message: 'is too small' }] },
    });
    expect(outcomes).toMatchObject([
      { state: 'rejected', fields: [] },
      { state: 'rejected', message: 'amount: Is too small.', fields: [{ path: 'amount', message: 'Is too small.' }] },
      { state: 'rejected', fields: [] },
    ]);
    expect('message' in (outcomes[0] ?? {}) && outcomes[0]).toMatchObject({
      message:
        'The service refused the whole request of 3 rows, this one with them: Invalid: transactions[1].amount: is too small.',
    });
    expect(statesOf(await outcomesOf({ body: { success: false, message: 'No.' } }))).toEqual([
      'rejected',
      'rejected',
      'rejected',
    ]);
  });

  it('that repeats a value of any row is masked in each, whether it refuses them or leaves a doubt', async () => {
    const message = 'Reference ACH-20260630-17 is not known.';
    const secret = aRecord({ secrets: () => [{ value: 'ACH-20260630-17', label: 'Reference' }] });
    for (const answer of [
      { status: 422, body: { message } },
      { status: 500, body: { message } },
      { status: 200, body: { message, failed: 1 } },
      { status: 200, body: { message, transactions: [] } },
    ]) {
      service = await scriptedService(always(answer));
      const client = aClient(service.url);
      const outcomes = await sendAll(client, [aRecord(), secret]);
      expect(JSON.stringify(outcomes)).not.toContain('20260630');
      expect(JSON.stringify(outcomes)).toContain('Reference [Reference] is not known.');
      await client.close();
      await service.close();
    }
  });

  it('that repeats a value of another row in what it says of one is masked too, whether that is refused or in doubt', async () => {
    const born = aRecord({ secrets: () => [{ value: '1983-11-27', label: 'Born' }] });
    const told = { success: false, reason: 'Same as the row of Moreno, born 27 Nov 1983.' };
    for (const item of [told, { success: true, id: 't9', error: told.reason }]) {
      service = await scriptedService(always({ body: { transactions: [item, { success: true, id: 't2' }] } }));
      const client = aClient(service.url);
      const [outcome] = await sendAll(client, [aRecord(), born]);
      expect(JSON.stringify(outcome)).toContain('[Born]');
      expect(JSON.stringify(outcome)).not.toContain('1983');
      await client.close();
      await service.close();
    }
  });

  it('that says a number which is the amount of another row can be read', async () => {
    const message = 'At most 1000 transactions are allowed.';
    service = await scriptedService(always({ status: 413, body: { message } }));
    const client = aClient(service.url);
    const round = aRecord({ secrets: () => [{ value: '1000', label: 'Amount' }] });
    const [other, own] = await sendAll(client, [aRecord(), round]);
    expect(JSON.stringify(other)).toContain(message);
    expect(JSON.stringify(own)).toContain('At most [Amount] transactions are allowed.');
    await client.close();
  });

  it('that repeats the rows gives no reason by what another row sent', async () => {
    const described = ['Daily debit', 'Failed debit'].map((description) =>
      aRecord({ body: { description }, secrets: () => [{ value: description, label: 'Description' }] }),
    );
    service = await scriptedService(always({ body: { errors: described.map(({ body }) => body) } }));
    const client = aClient(service.url);
    const outcomes = await sendAll(client, described);
    expect(outcomes).toMatchObject([{ state: 'in-doubt' }, { state: 'in-doubt' }]);
    expect(JSON.stringify(outcomes)).not.toMatch(/It said|debit/);
    await client.close();
  });
});
