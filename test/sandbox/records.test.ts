/** What the sandbox takes, refuses and gives back, for every endpoint of the interface. */
import { createHash } from 'node:crypto';
import Big from 'big.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aCompany, aDeal, aFunder, aNote } from './bodies.ts';
import { errorsOf, get, made, patch, post, rulesOf, send } from './requests.ts';
import { useSandbox } from './running.ts';

const sandbox = useSandbox();
const logged = () => [...sandbox().accepted()];
const addDeal = () => made(sandbox(), '/v1/deal', aDeal());

describe('Add a deal (2.1, 2.6, 4.2) and Get a deal (4.3)', () => {
  it('answers with success, id, the id of the company, and a url under which the deal is shown', async () => {
    const { status, body, headers } = await post(sandbox(), '/v1/deal', aDeal());
    expect(status).toBe(201);
    expect(Object.keys(body)).toEqual(['success', 'id', 'company', 'url']);
    expect(body).toMatchObject({ success: true, id: expect.stringMatching(/^deal_\d{6}$/) });
    expect(body.company).toEqual({ id: expect.stringMatching(/^cmp_\d{6}$/) });
    expect(body.url).toBe(`${sandbox().url}/deals/${body.id}`);
    expect(headers.location).toBe(`/v1/deal/${body.id}`);
    expect((await get(sandbox(), `/deals/${body.id}`)).text).toContain('Harbor Bakery LLC');
  });

  it('makes the company that has no id, and attaches the one that has', async () => {
    const company = { name: 'Pier Nine', ein: '12-3456789' };
    const { body } = await post(sandbox(), '/v1/deal', aDeal({ company }));
    const { id } = body.company as { id: string };
    const shown = await get(sandbox(), `/v1/company/${id}`);
    expect(shown.body).toMatchObject({ id, ...company, contactTypes: ['Merchant'] });
    const second = await post(sandbox(), '/v1/deal', aDeal({ company: { id } }));
    expect(second.body.company).toEqual({ id });
    expect((await get(sandbox(), `/v1/deal/${second.body.id}`)).body.company).toEqual({ id });
  });

  it('gives back what was sent, with the default stage and the id of its company', async () => {
    const sent = aDeal({ tags: ['a'], bank: { nsfs: 1, ownField: 'kept' } });
    const { body: result } = await post(sandbox(), '/v1/deal', { ...sent, unknown: 'not kept' });
    const { body } = await get(sandbox(), `/v1/deal/${result.id}`);
    expect(body).toMatchObject({ ...sent, id: result.id, stage: 'Lead' });
    expect(body.company).toMatchObject(result.company as object);
    expect(body).not.toHaveProperty('unknown');
    expect(body).not.toHaveProperty('fundedDeal');
  });

  it.each(['deal_999999', 'deal_1', 'deal_-00001', 'x', '%00', 'cmp_000001'])('answers 404 for %s', async (id) => {
    const { status, headers } = await get(sandbox(), `/v1/deal/${id}`);
    expect(status).toBe(404);
    expect(headers['content-type']).toBe('application/problem+json');
  });
});

describe('what is refused', () => {
  const deal = (changes: object) => ['/v1/deal', aDeal({ ...changes })] as const;
  it.each<[path: string, body: unknown, rules: readonly string[]]>([
    [
      '/v1/deal',
      { amountRequested: -1, stage: 'x', company: {}, owner1: { ssn: 1 } },
      ['amountRequested minimum', 'stage allowed-values', 'company rule', 'owner1.ssn type'],
    ],
    [...deal({ entityType: 'LTD' }), ['entityType allowed-values']],
    [...deal({ owner1: 'Ada' }), ['owner1 type']],
    [...deal({ tags: 'a' }), ['tags type']],
    [...deal({ company: { emails: [{ email: 'nobody' }] } }), ['company.emails[0].email format']],
    [...deal({ amountRequested: undefined }), ['amountRequested required']],
    ...['cmp_999999', 'cmp_1', 'deal_000001', '', 'cmp_0000001'].map((id): [string, unknown, string[]] => [
      ...deal({ company: { id } }),
      ['company.id unknown-id'],
    ]),
    [
      '/v1/company',
      aFunder({ contactTypes: ['Broker', 'Investor'] }),
      ['submissionEmail rule', 'defaultReceivableCommission rule'],
    ],
    ['/v1/lead', { amountRequested: -1 }, ['amountRequested minimum']],
    ['/v1/deal/note', aNote('deal_999999'), ['dealId unknown-id']],
    ['/v1/submission', { dealId: 'deal_999999' }, ['dealId unknown-id']],
    ['/v1/submission', { companyId: 'x' }, ['companyId unknown-id']],
    ['/v1/submissionLoan', { dealId: 'deal_999999' }, ['dealId unknown-id']],
    ['/v1/submissionLoan', { submissionId: 'sub_999999' }, ['submissionId unknown-id']],
  ])('at %s: %j', async (path, body, rules) => {
    const refused = await post(sandbox(), path, body);
    expect(refused.status).toBe(422);
    expect(rulesOf(refused)).toEqual(rules);
    for (const each of errorsOf(refused)) expect(each.message).toContain(each.path);
  });

  it('is told as a problem (RFC 9457)', async () => {
    const { headers, body } = await post(sandbox(), '/v1/deal', aDeal({ amountRequested: -5 }));
    expect(headers['content-type']).toBe('application/problem+json');
    expect(body).toEqual({
      type: 'invalid-fields',
      title: 'The fields are not as they should be',
      status: 422,
      detail: 'amountRequested: Too small: expected number to be >=0.',
      errors: [{ path: 'amountRequested', rule: 'minimum', message: expect.any(String) }],
    });
  });

  it.each([
    [{ owner1: { ssn: 219_099_999 } }, '219099999'],
    [{ stage: '219-09-9999' }, '219-09-9999'],
    [{ company: { id: '219099999' } }, '219099999'],
  ])('P23: is not repeated: %j', async (changes, value) => {
    const { status, text } = await post(sandbox(), '/v1/deal', aDeal(changes));
    expect(status).toBe(422);
    expect(text).not.toContain(value);
  });

  const limit = 5 * 1024 * 1024;
  const padded = (length: number) => `${JSON.stringify(aDeal())}${' '.repeat(length)}`.slice(0, length);
  it.each<[what: string, raw: string | Buffer, status: number, headers?: Record<string, string>]>([
    ['no JSON', '{', 400],
    ['no UTF-8', Buffer.from([0x22, 0xff, 0x22]), 400],
    ['nothing', '', 400],
    ['a list', '[]', 422],
    ['null', 'null', 422],
    ['5 MB', padded(limit), 201],
    ['more than 5 MB', padded(limit + 1), 413],
    ['another media type', '{}', 415, { 'content-type': 'text/plain' }],
  ])('as a body: %s', async (_what, raw, status, headers = {}) => {
    expect((await send(sandbox(), { method: 'POST', path: '/v1/deal', raw, headers })).status).toBe(status);
  });

  it('is not a body with the names of object internals, which do no harm', async () => {
    const raw = `{"__proto__":{"x":1},"constructor":1,${JSON.stringify(aDeal({ bank: {} })).slice(1)}`;
    const { status, body } = await send(sandbox(), { method: 'POST', path: '/v1/deal', raw });
    expect(status).toBe(201);
    expect((await get(sandbox(), `/v1/deal/${body.id}`)).status).toBe(200);
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });

  it('is another method at a known path', async () => {
    expect((await send(sandbox(), { method: 'DELETE', path: '/v1/company/cmp_000001' })).status).toBe(404);
  });
});

describe('Get a company (4.7) and Update a company (4.8)', () => {
  const change = (id: string, body: unknown) => patch(sandbox(), `/v1/company/${id}`, body);
  const present = async (id: string) => (await get(sandbox(), `/v1/company/${id}`)).body;

  it('changes the fields that are sent and no others, and empties one with null', async () => {
    const id = await made(sandbox(), '/v1/company', aCompany({ dba: 'Harbor', ein: '12-3456789' }));
    expect(await change(id, { dba: 'Pier' })).toMatchObject({ status: 200, body: { success: true, id } });
    expect(await present(id)).toMatchObject({ name: 'Harbor Bakery LLC', dba: 'Pier', ein: '12-3456789' });
    expect((await change(id, { dba: null })).status).toBe(200);
    expect(await present(id)).not.toHaveProperty('dba');
  });

  it('gives the Funder fields at the top level, and judges their rule on the company as it would be', async () => {
    const funder = await made(sandbox(), '/v1/company', aFunder());
    expect(await present(funder)).toMatchObject({ submissionEmail: 'deals@north.example' });
    expect((await change(funder, { submissionEmail: 'new@north.example' })).status).toBe(200);
    const merchant = await made(sandbox(), '/v1/company', aCompany());
    expect(rulesOf(await change(merchant, { submissionEmail: 'a@b.example' }))).toEqual(['submissionEmail rule']);
    expect((await change(merchant, { contactTypes: ['Funder'], submissionEmail: 'a@b.example' })).status).toBe(200);
    expect(rulesOf(await change(merchant, { contactTypes: ['Merchant'] }))).toEqual(['submissionEmail rule']);
    expect((await change(merchant, { contactTypes: ['Merchant'], submissionEmail: null })).status).toBe(200);
  });
});

it('Add a note (4.4) and a lead (4.1) answer as every create does', async () => {
  const { status, body } = await post(sandbox(), '/v1/deal/note', aNote(await addDeal()));
  expect(status).toBe(201);
  expect(body).toEqual({ success: true, id: body.id, url: `${sandbox().url}/notes/${body.id}` });
  expect((await get(sandbox(), `/notes/${body.id}`)).text).toContain('Bank statements received');
  for (const lead of [{}, { company: { name: 'Pier' }, source: 'fair' }])
    expect((await post(sandbox(), '/v1/lead', lead)).status).toBe(201);
});

describe('Add a deal attachment (4.5)', () => {
  type Part = readonly [name: string, content: string | Buffer, fileName?: string];
  function attach(parts: readonly Part[]) {
    const raw = Buffer.concat([
      ...parts.flatMap(([name, content, fileName]) => {
        const file = fileName === undefined ? '' : `; filename="${fileName}"\r\ncontent-type: application/pdf`;
        const head = `--x\r\ncontent-disposition: form-data; name="${name}"${file}\r\n\r\n`;
        return [Buffer.from(head), Buffer.from(content), Buffer.from('\r\n')];
      }),
      Buffer.from('--x--\r\n'),
    ]);
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    return send(sandbox(), { method: 'POST', path: '/v1/deal/attachment', raw, headers });
  }

  it('keeps name, size and digest', async () => {
    const deal = await addDeal();
    const content = Buffer.from([0, 13, 10, 255, 45, 45]);
    const { status, body } = await attach([
      ['dealId', deal],
      ['file', content, 'june.pdf'],
    ]);
    expect(status).toBe(201);
    const sha256 = createHash('sha256').update(content).digest('hex');
    const kept = { name: 'june.pdf', mediaType: 'application/pdf', size: content.length, sha256 };
    expect(JSON.parse(logged().at(-1)?.body ?? '')).toEqual({ dealId: deal, file: kept });
    expect((await get(sandbox(), `/attachments/${body.id}`)).text).toContain('june.pdf');
  });

  const deal: Part = ['dealId', 'deal_000001'];
  it.each<[string, Part[], string[]]>([
    ['without the deal', [['file', 'a', 'a']], ['dealId required']],
    ['without a file', [deal], ['file required']],
    ['with a text in place of the file', [deal, ['file', 'a']], ['file required']],
    ['with two files', [deal, ['file', 'a', 'a'], ['file', 'b', 'b']], ['file required']],
    [
      'of an unknown deal',
      [
        ['dealId', 'deal_999999'],
        ['file', 'a', 'a'],
      ],
      ['dealId unknown-id'],
    ],
  ])('refuses a form %s', async (_what, parts, rules) => {
    const refused = await attach(parts);
    expect(refused.status).toBe(422);
    expect(rulesOf(refused)).toEqual(rules);
  });
});

const addTransactions = (transactions: unknown) => post(sandbox(), '/v1/transactions', { transactions });

it('Add transactions (4.11) makes the good rows, logs each, and tells for each what became of it', async () => {
  const dealId = await addDeal();
  const before = logged().length;
  const good = [
    { dealId, amount: 10, further: 'kept' },
    { dealId, amount: 20 },
  ] as const;
  const sent = [good[0], { dealId, amount: '10' }, { dealId: 'deal_999999', amount: 10 }, good[1]];
  const { status, body } = await addTransactions(sent);
  expect(status).toBe(200);
  const created = { success: true, id: expect.stringMatching(/^txn_\d{6}$/), url: expect.any(String) };
  const refused = (path: string, rule: string) => ({
    success: false,
    errors: [expect.objectContaining({ path, rule })],
  });
  const results = [created, refused('amount', 'type'), refused('dealId', 'unknown-id'), created];
  const transactions = results.map((result, index) => ({ index, ...result }));
  expect(body).toEqual({ success: true, made: 2, refused: 2, transactions });
  const entries = logged().slice(before);
  expect(entries.map(({ endpoint, body: entry }) => [endpoint, JSON.parse(entry)])).toEqual(
    good.map((row) => ['addTransactions', row]),
  );
  const none = await addTransactions([{ amount: 'x' }, { dealId: 'deal_999999' }]);
  expect(none.body).toMatchObject({ success: false, made: 0, refused: 2 });
});

describe('Add a submission loan (4.10), fundedDeal (2.1) and balances (4.12)', () => {
  type Figures = Readonly<Record<'amount' | 'paybackAmount' | 'paid' | 'balance', number>>;
  const addLoan = (body: unknown) => post(sandbox(), '/v1/submissionLoan', body);
  const fundedDeal = async (deal: string) =>
    (await get(sandbox(), `/v1/deal/${deal}`)).body.fundedDeal as Figures & { readonly loans: readonly Figures[] };

  it('funds the deal with its terms', async () => {
    const deal = await addDeal();
    const submissionId = await made(sandbox(), '/v1/submission', { dealId: deal });
    const terms = { factorRate: 1.28, term: 12, paymentAmount: 228.57, paymentFrequency: 'Daily' };
    const loan = { submissionId, amount: 45_000, ...terms, fundedDate: '2026-06-15' };
    const { body } = await addLoan(loan);
    const balances = { amount: 45_000, paybackAmount: 57_600, paid: 0, balance: 57_600 };
    const loans = [expect.objectContaining({ ...loan, ...balances, loanId: body.id, dealId: deal })];
    expect(await fundedDeal(deal)).toEqual({ ...balances, loans });
  });

  it('takes an amount of more cents than can be counted', async () => {
    for (const amount of [1e308, -1e308, 1e17]) expect((await addLoan({ amount, factorRate: 2 })).status).toBe(201);
  });

  it('pay the oldest loan first, and what is too much off the last; a negative amount takes a payment back', async () => {
    const dealId = await addDeal();
    await addLoan({ dealId, amount: 100 });
    await addLoan({ dealId, amount: 200 });
    const left = async (...amounts: readonly number[]) => {
      await addTransactions(amounts.map((amount) => ({ dealId, amount })));
      return (await fundedDeal(dealId)).loans.map(({ balance }) => balance);
    };
    expect(await left(150)).toEqual([0, 150]);
    expect(await left(200)).toEqual([0, -50]);
    expect(await left(10.5, -20.25)).toEqual([0, -40.25]);
  });

  it('are exact to the cent, and the loans of a deal add up to the deal', async () => {
    const cents = fc.integer({ min: -10_000_000, max: 1_000_000_000 });
    const loans = fc.array(cents.map(Math.abs), { minLength: 1, maxLength: 4 });
    const sumOf = (all: readonly number[]) => all.reduce((sum, amount) => sum.plus(amount), Big(0));
    await fc.assert(
      fc.asyncProperty(loans, fc.array(cents, { minLength: 1, maxLength: 12 }), async (lent, paid) => {
        const dealId = await addDeal();
        for (const amount of lent) await addLoan({ dealId, amount: amount / 100 });
        await addTransactions(paid.map((amount) => ({ dealId, amount: amount / 100 })));
        const funded = await fundedDeal(dealId);
        expect(Big(funded.balance).times(100).toFixed()).toBe(sumOf(lent).minus(sumOf(paid)).toFixed());
        expect(sumOf(funded.loans.map(({ balance }) => balance)).toFixed()).toBe(Big(funded.balance).toFixed());
      }),
      { numRuns: 40 },
    );
  });
});

it('P14: the Idempotency-Key gives the same answer for the same request, makes one record, and is for no other', async () => {
  const withKey = (json: unknown) =>
    send(sandbox(), { method: 'POST', path: '/v1/deal', json, headers: { 'idempotency-key': 'one' } });
  const before = logged().length;
  const answers = await Promise.all(Array.from({ length: 20 }, () => withKey(aDeal())));
  const told = answers.map(({ status, text, headers }) => `${status} ${text} ${headers.location}`);
  expect(new Set(told).size).toBe(1);
  expect(answers[0]?.status).toBe(201);
  expect(logged()).toHaveLength(before + 1);
  expect(await withKey(aDeal({ amountRequested: 1 }))).toMatchObject({ status: 422, body: { type: 'key-reused' } });
});
