import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aClient, aRecord, sendAll } from '../builders.ts';
import { answerBytes, type ScriptedService, scriptedService } from '../scripted-service.ts';

let body: unknown = {};
let service: ScriptedService;
beforeAll(async () => {
  service = await scriptedService((socket) => void socket.write(answerBytes({ status: 200, body })));
});
afterAll(() => service.close());

const sent = [
  { reference: 'A1', date: '2026-06-01', amount: 100 },
  { reference: 'A2', date: '2026-06-02', amount: 250.5 },
  { reference: 'A3', date: '2026-06-03', amount: 75 },
] as const;

async function statesOf(answer: unknown, rows: readonly Record<string, unknown>[] = sent): Promise<string> {
  body = answer;
  const client = aClient(service.url);
  const outcomes = await sendAll(
    client,
    rows.map((row) => aRecord({ body: row })),
  );
  await client.close();
  return outcomes.map((outcome) => ('id' in outcome && outcome.id !== null ? outcome.id : outcome.state)).join(' ');
}

/** The first two rows have changed their places, and the first of the file is refused. */
const turned = [
  { row: sent[1], number: 1, said: { status: 'created' } },
  { row: sent[0], number: 0, said: { status: 'rejected', message: 'Deal is closed' } },
  { row: sent[2], number: 2, said: { status: 'created' } },
] as const;
const allInDoubt = 'in-doubt in-doubt in-doubt';

describe('an item for each row, in another order', () => {
  it.each(['Reference', 'REFERENCE', 'external_id', 'externalID', 'ExternalReference'])(
    'is matched by the name of its row in whatever letters: %s',
    async (name) => {
      const results = turned.map(({ row, said }) => ({ [name]: row.reference, ...said }));
      expect(await statesOf({ results })).toBe('rejected accepted accepted');
    },
  );

  it.each([
    ['Amount', 'amount'],
    ['AMOUNT', 'amount'],
    ['Date', 'date'],
  ] as const)('is matched by what it repeats, in whatever letters: %s', async (name, field) => {
    for (const around of [(held: object) => held, (held: object) => ({ transaction: held })]) {
      const results = turned.map(({ row, said }) => ({ ...around({ [name]: row[field] }), ...said }));
      expect(await statesOf({ results })).toBe('rejected accepted accepted');
    }
  });

  it.each([
    ['ref', 'reference'],
    ['transaction_reference', 'reference'],
    ['clientReference', 'reference'],
    ['trace', 'reference'],
    ['value', 'amount'],
    ['valueDate', 'date'],
  ] as const)(
    'leaves all in doubt where it names other rows under a name that is not known: %s',
    async (name, field) => {
      for (const around of [(held: object) => held, (held: object) => ({ request: [held] })]) {
        const results = turned.map(({ row, said }) => ({ ...around({ [name]: row[field] }), ...said }));
        expect(await statesOf({ results })).toBe(allInDoubt);
        // A day alone may have been moved.
        if (field === 'date') continue;
        const onlyOne = results.map((item, place) => (place === 0 ? item : turned[place]?.said));
        expect(await statesOf({ results: onlyOne })).toBe(allInDoubt);
      }
    },
  );

  it.each(['idx', 'i', 'order', 'seq', 'rowNo', 'row_num', 'recordIndex', 'itemIndex', 'k', 'id'])(
    'leaves all in doubt where it is numbered otherwise under a name that is not known: %s',
    async (name) => {
      for (const base of [0, 1]) {
        const results = turned.map(({ number, said }) => ({ [name]: number + base, ...said }));
        expect(await statesOf({ results })).toBe(allInDoubt);
        expect(await statesOf({ results: results.slice(0, 2) }, sent.slice(0, 2))).toBe('in-doubt in-doubt');
      }
    },
  );

  it('leaves all in doubt where some items alone have numbers of places, or a number and a name differ', async () => {
    const some = turned.map(({ number, said }, place) => (place === 2 ? said : { idx: number, ...said }));
    expect(await statesOf({ results: some })).toBe(allInDoubt);
    const both = turned.map(({ row, said }, index) => ({ index, ref: row.reference, ...said }));
    expect(await statesOf({ results: both })).toBe(allInDoubt);
  });

  it.each<[string, readonly unknown[]]>([
    ['names of its members', [{ A2: 'created' }, { A1: 'rejected' }, { A3: 'created' }]],
    ['texts', ['A2', 'A1', 'A3']],
    ['words in its texts', ['A2: created', 'A1: rejected', 'A3: created']],
    ['words in its messages', [{ message: 'A2 saved' }, { success: false, message: 'A1 refused' }, {}]],
    ['its errors', [{ success: true }, { success: false, errors: [{ on: 'A1' }] }, { success: true }]],
  ])('leaves all in doubt where it names other rows by %s', async (_what, results) => {
    expect(await statesOf({ results })).toBe(allInDoubt);
  });
});

describe('an item for each row, in its place', () => {
  const ids = ['t1', 't2', 't3'];
  it.each<[string, (row: (typeof sent)[number], place: number) => object]>([
    ['names its row under any name', ({ reference, amount }) => ({ ref: reference, value: amount })],
    ['names its row in other letters', ({ reference }) => ({ Reference: reference.toLowerCase() })],
    ['has a number of its place', (_, place) => ({ idx: place, seq: place + 1, line: place + 2 })],
    ['has a day that is the same for all', () => ({ postedOn: '2026-06-03', fee: 75 })],
    ['has the day after that of its row', (_, place) => ({ settlementDate: `2026-06-0${place + 2}` })],
    ['has a balance', (_, place) => ({ balance: [1000, 750, 75][place] })],
    ['repeats its row beside amounts of others', (row, place) => ({ ...row, balance: [75, 100, 250.5][place] })],
    ['says what it is a copy of', (_, place) => (place === 1 ? { message: 'Looks like A1.' } : {})],
    ['has counts', (_, place) => ({ retries: 2 - place, warnings: 2 - place, fee: 2 - place })],
  ])('may have what looks like that of others: it %s', async (_what, said) => {
    const results = sent.map((row, place) => ({ id: ids[place], ...said(row, place) }));
    expect(await statesOf({ results })).toBe('t1 t2 t3');
  });

  it('may have ids that are numbers as the amounts of others are', async () => {
    expect(await statesOf({ results: [75, 100, 250].map((id) => ({ id })) })).toBe('75 100 250');
  });

  it('may have numbers of other things, which happen to be those of places, where all else tells of its place', async () => {
    for (const said of [
      (place: number) => ({ idx: place }),
      (place: number) => ({ ref: sent[place]?.reference }),
      (place: number) => ({ amount: sent[place]?.amount }),
    ]) {
      const results = [2, 3, 1].map((term, place) => ({ id: ids[place], term, ...said(place) }));
      expect(await statesOf({ results })).toBe('t1 t2 t3');
    }
    const numbered = [1, 0, 2].map((idx, place) => ({ id: ids[place], idx, amount: sent[place]?.amount }));
    expect(await statesOf({ results: numbered })).toBe(allInDoubt);
  });

  it('may have numbers that are among those by which rows are named', async () => {
    const named = ['1', '2', '3'].map((reference) => ({ reference }));
    const results = [0, 2, 2].map((fee, place) => ({ id: ids[place], seq: place, fee }));
    expect(await statesOf({ results }, named)).toBe('t1 t2 t3');
  });

  it('may have the small amounts of its row under another name', async () => {
    const small = [3, 1, 2].map((amount) => ({ amount }));
    const results = small.map(({ amount }, place) => ({ id: ids[place], value: amount }));
    expect(await statesOf({ results }, small)).toBe('t1 t2 t3');
  });
});
