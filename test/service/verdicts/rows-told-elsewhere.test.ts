import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Outcome } from '../../../src/service/records/outcome.ts';
import { aClient, aRecord, sendAll } from '../builders.ts';
import { answerBytes, type ScriptedService, scriptedService } from '../scripted-service.ts';

let body: unknown = {};
let service: ScriptedService;
beforeAll(async () => {
  service = await scriptedService((socket) => void socket.write(answerBytes({ status: 200, body })));
});
afterAll(() => service.close());

const rowsNamed = (...names: string[]) => names.map((reference) => aRecord({ body: { reference, amount: 10 } }));

async function outcomesOf(answer: unknown, rows = rowsNamed('A1', 'A2', 'A3')): Promise<readonly Outcome[]> {
  body = answer;
  const client = aClient(service.url);
  const outcomes = await sendAll(client, rows);
  await client.close();
  return outcomes;
}

async function statesOf(answer: unknown, rows?: ReturnType<typeof rowsNamed>): Promise<string> {
  return (await outcomesOf(answer, rows)).map(({ state }) => state).join(' ');
}

const allAccepted = 'accepted accepted accepted';
const allInDoubt = 'in-doubt in-doubt in-doubt';

describe('an object with the names of rows, where their list is', () => {
  it.each<[unknown, string]>([
    [{ A1: 'created', A2: 'rejected', A3: 'created' }, 'accepted rejected accepted'],
    [{ a3: true, a2: false, a1: true }, 'accepted rejected accepted'],
    [{ A1: 't1', A2: null, A3: 't3' }, 'created in-doubt created'],
    [{ A1: { id: 't1' }, A2: { error: 'closed' }, A3: { id: 't3' } }, 'created rejected created'],
    [{ A1: 'created', A3: 'created' }, 'accepted in-doubt accepted'],
    [{ A1: 'created', A2: 'account closed', A3: 'created' }, 'accepted in-doubt accepted'],
    [{ A1: 'created', A2: 'created', A3: 'created' }, allAccepted],
  ])('tells of each by its name: %j', async (said, states) => {
    expect(await statesOf({ results: said })).toBe(states);
    expect(await statesOf({ data: { results: said } })).toBe(states);
    expect(await statesOf(said)).toBe(states);
  });

  it('tells of each by its number, from 0 or from 1', async () => {
    for (const results of [
      { 0: 'created', 1: 'rejected', 2: 'created' },
      { 1: 'created', 2: 'rejected', 3: 'created' },
    ])
      expect(await statesOf({ results })).toBe('accepted rejected accepted');
  });

  it('leaves all in doubt where its numbers may be names, and those are in another order', async () => {
    const results = { 1: 'created', 2: 'rejected', 3: 'created' };
    for (const answer of [results, { results }]) {
      expect(await statesOf(answer, rowsNamed('3', '1', '2'))).toBe(allInDoubt);
      expect(await statesOf(answer, rowsNamed('1', '2', '3'))).toBe('accepted rejected accepted');
    }
  });

  it('is none where its names are those of an answer, and a row happens to be called so', async () => {
    expect(await statesOf({ id: 'b-1' }, rowsNamed('Id', 'Status', 'Ok'))).toBe(allAccepted);
    expect(await statesOf({ status: 'ok' }, rowsNamed('Id', 'Status', 'Ok'))).toBe(allAccepted);
  });
});

describe('an object with the names of rows, elsewhere', () => {
  it.each<unknown>([
    { statuses: { A1: 'created', A2: 'rejected', A3: 'created' } },
    { outcomes: { a1: 'ok', a2: null, a3: 'ok' } },
    { outcomes: { A1: 'ok', A2: 'account closed', A3: 'ok' } },
    { outcomes: { A1: 'ok', A3: 'ok' } },
    { outcomes: { 1: 'ok', 2: 'rejected', 3: 'ok' } },
    { records: { A1: { id: 't1' }, A3: { id: 't3' } } },
    { ids: { A1: 't1', A3: 't3' } },
    { failed: { A2: null } },
    { A1: 'created', A2: 'rejected', A3: 'created' },
  ])('leaves all in doubt where it is no yes to each: %j', async (said) => {
    expect(await statesOf({ success: true, ...Object(said) })).toBe(allInDoubt);
  });

  it.each<unknown>([
    { ids: { A1: 't1', A2: 't2', A3: 't3' } },
    { outcomes: { A1: 'created', A2: 'created', A3: 'created' } },
    { dates: { A1: '2026-06-01', A2: '2026-06-02', A3: '2026-06-03' } },
    { fees: { A2: 0 } },
    { notes: { A2: 'declined' } },
    { warnings: { A2: 'The date is a Sunday.' } },
    { failed: { A1: null, A2: null, A3: null } },
  ])('says nothing where it tells of something else, or of all alike: %j', async (said) => {
    expect(await statesOf({ success: true, ...Object(said) })).toBe(allAccepted);
  });

  it('is named to the person', async () => {
    const [outcome] = await outcomesOf({ success: true, statuses: { A2: 'rejected' } });
    expect(outcome).toMatchObject({
      message: expect.stringContaining(
        'The service answered 200, but what it says by the names of rows in "statuses" is no plain yes to each. ',
      ),
    });
  });
});

describe('a list without ids under a name of rows', () => {
  const told = (reference: string) => ({ reference, status: 'created' });

  it.each(['records', 'rows', 'entries', 'objects', 'list', 'newTransactions'])(
    'leaves all in doubt where it is not of each row alike: %s',
    async (name) => {
      for (const list of [
        [told('A1'), told('A3')],
        ['created', 'created'],
        [],
        [told('A1'), told('A2'), told('A3'), told('A4')],
        ['created', null, 'created'],
        [told('A1'), {}, told('A3')],
        [told('A1'), { reference: 'A2', status: 'account closed' }, told('A3')],
      ]) {
        expect(await statesOf({ success: true, [name]: list }), JSON.stringify(list)).toBe(allInDoubt);
        expect(await statesOf({ batch: { id: 'b-1', [name]: list } }), JSON.stringify(list)).toBe(allInDoubt);
      }
      expect(await statesOf({ success: true, [name]: ['A1', 'A2', 'A3'].map(told) })).toBe(allAccepted);
      expect(await statesOf({ success: true, [name]: ['created', 'created', 'created'] })).toBe(allAccepted);
      expect(await statesOf({ success: true, [name]: [{ idx: 0 }, { idx: 1 }, { idx: 2 }] })).toBe(allAccepted);
    },
  );

  it.each<unknown>([
    { errors: { rows: [] }, warnings: { list: [] }, duplicates: { records: [] } },
    { report: { rows: [{ label: 'Total' }] }, table: { rows: [] } },
    { deals: { list: [] }, links: { items: [] } },
    { deal: { name: 'Harbor', transactions: [{ amount: 5 }] } },
    { rows: 3, records: null, list: {} },
  ])('says nothing where it is in something else: %j', async (said) => {
    expect(await statesOf({ success: true, ...Object(said) })).toBe(allAccepted);
  });

  it('tells of rows wherever it is, when each of its items is called as one', async () => {
    const report = { rows: [{ reference: 'A1' }, { reference: 'A3' }] };
    const [outcome] = await outcomesOf({ success: true, report });
    expect(outcome).toMatchObject({
      state: 'in-doubt',
      message: expect.stringContaining('but the list "rows" in it tells of 2, and 3 rows were sent. '),
    });
  });
});

describe('an answer that says nothing of a row but words that are not known', () => {
  it.each<unknown>([
    { results: ['A1', 'A2', 'A3'].map((reference) => ({ reference, message: 'Deal is closed' })) },
    { results: ['A1', 'A2', 'A3'].map((reference) => ({ reference, code: 'E_CLOSED', reason: 'Deal is closed' })) },
    { results: [1, 2, 3].map((row) => ({ row, status: 'bounced' })) },
    { results: [1, 2, 3].map((row) => ({ row, message: 'Could not be posted' })) },
    { outcomes: [1, 2, 3].map((row) => ({ row, message: 'Deal is closed' })) },
    { records: ['Deal is closed', 'Deal is closed', 'Deal is closed'] },
    { outcomes: { A1: { success: true }, A2: { message: 'Deal is closed' }, A3: { success: true } } },
    { outcomes: { A1: { id: 't1' }, A2: { id: null }, A3: { id: 't3' } } },
    { success: true, output: [1, 3].map((row) => ({ row, success: true })) },
    { success: true, details: [1, 3].map((row) => ({ row, success: true })) },
    { success: true, details: [1, 2, 3].map((row) => ({ row, message: 'Deal is closed' })) },
    { records: [1, 2, 3].map((row) => ({ row, id: null })) },
    { success: true, problems: [{ message: 'Deal is closed' }] },
  ])('is no yes to it: %j', async (answer) => {
    expect(await statesOf(answer)).toMatch(/in-doubt/);
    expect((await statesOf(answer)).split(' ')[1]).toBe('in-doubt');
  });

  it.each<unknown>([
    { results: [1, 2, 3].map((row) => ({ row, message: 'Payment posted' })) },
    { results: [1, 2, 3].map((row) => ({ row, code: '00', status: 'settled' })) },
    { results: [1, 2, 3].map((row) => ({ row, type: 'payment', level: 'info' })) },
    { results: ['A1', 'A2', 'A3'].map((reference) => ({ title: reference })) },
    { outcomes: [1, 2, 3].map((row) => ({ row, message: 'Payment received' })) },
    { success: true, details: ['Posted on 2026-06-30', 'By batch 7'] },
    { success: true, details: [1, 2, 3].map((row) => ({ row, success: true })), issues: [] },
  ])('is told from one that the row is taken: %j', async (answer) => {
    expect(await statesOf(answer)).toBe(allAccepted);
  });
});

describe('a list of troubles whose items say no more than that something was not made', () => {
  it.each<unknown>([
    { failures: [{ ok: false }] },
    { errors: [{ success: false }] },
    { result: { errors: [{ created: false }] } },
    { rejected: [{ id: null }] },
  ])('is one: %j', async (answer) => {
    expect(await statesOf(answer)).toBe(allInDoubt);
  });
});
