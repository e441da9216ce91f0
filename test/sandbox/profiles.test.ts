/** The sandbox as another service: what a profile says is rehearsed with that profile, and by no client that does not know it. */
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { contractSettingsSchema } from '../../src/contract/contract-settings.ts';
import { defaultSandboxOptions, type RunningSandbox, startSandbox } from '../../src/sandbox/server.ts';
import { workplaceForEachTest } from '../builders/command-here.ts';
import { oneRow, type Table, writeCsv } from '../builders/tables.ts';
import { companyId, type KindSample, kindSamples, sampleTable } from '../faults/kind-samples.ts';
import { errorsOf, get, post, send } from './requests.ts';

const snake = { dealId: 'deal_id', companyId: 'company_id' };
const counted = { items: null, yes: '2xx', count: ['result.count'] };

/** What is written under `contract` in a profile. */
const profiles: Readonly<Record<string, Record<string, unknown>>> = {
  'snake_case in data, paths of its own, rows by index': {
    paths: {
      addDeal: '/api/opportunities',
      addNote: '/api/opportunities/notes',
      updateCompany: '/api/merchants/{id}/',
    },
    requests: {
      companies: { rename: { name: 'legal_name', contactTypes: 'contact_types' }, envelope: 'data' },
      'company-updates': { rename: { name: 'legal_name' } },
      deals: {
        rename: {
          amountRequested: 'requested_amount:text',
          '{owner1.lastName}, {owner1.firstName} {owner1.emails[0].email}': 'signer.name:text(Signer:{})',
          'company.name': 'merchant.legal_name',
          owner1: 'owners[0]',
        },
        envelope: 'data',
      },
      notes: { rename: { dealId: 'deal_id', note: 'body.text' }, constants: { source: 'sheet' } },
      attachments: {
        rename: { dealId: 'deal_id' },
        constants: { category: 'statement', public: false, 'tags[]': 'import', 'by.whom': ['a', 'b'] },
        filePart: 'file[]',
      },
      leads: { rename: { company: 'merchant' } },
      submissions: { rename: snake },
      'submission-loans': { rename: { ...snake, amount: 'amount:text' } },
      transactions: { rename: snake, envelope: 'data' },
    },
    answers: {
      '*': { record: ['data'], id: ['uuid'], yes: '2xx', reason: ['errors[].message'] },
      deals: { record: ['data.deal'], id: ['deal_id'], companyId: ['merchant.id'], url: ['links.self'], yes: '2xx' },
      'company-updates': { id: [], yes: { status: 'ok' } },
      transactions: { items: { at: ['data'], index: 'row', first: 1 }, record: ['.'], itemYes: { posted: true } },
    },
    wire: { date: 'MM/DD/YYYY' },
  },
  'always 200, rows in groups with a count': {
    requests: { transactions: { groupBy: { field: 'dealId', list: 'payments' }, envelope: 'deals' } },
    answers: {
      '*': { record: ['result'], yes: '2xx', no: ['errorMessage'], reason: ['errorMessage'] },
      notes: { id: [], yes: { 'result.saved': true }, no: ['errorMessage'] },
      transactions: counted,
    },
  },
  'jobs to ask for': {
    answers: {
      '*': {
        job: {
          ...{ id: ['jobId'], path: '/v2/jobs/{id}', state: 'state', done: ['DONE'], failed: ['FAILED'] },
          ...{ result: 'result', everyMs: 10 },
        },
      },
      transactions: {
        ...{ id: [], yes: '2xx', itemYes: { is: 'IN' }, no: [{ is: 'OUT' }], reason: ['why'] },
        items: { at: ['all.rows'] },
        job: { header: 'x-job', state: 'all.rows[].is', done: ['IN'], failed: ['OUT'], everyMs: 10 },
      },
    },
  },
  'a request for each group, rows that repeat a value': {
    requests: { transactions: { groupBy: { field: 'dealId', list: 'rows' }, alone: true } },
    answers: {
      '*': { id: ['recordId'], yes: { ok: 1 }, no: ['problem'], reason: ['problem.text'] },
      transactions: {
        items: { at: ['data', 'other'], index: '@', row: 'reference' },
        itemYes: { ok: true },
        no: ['problem'],
      },
    },
  },
  'words and codes, lists of one, payments one by one': {
    requests: {
      deals: { envelope: 'data[0]' },
      'company-updates': { rename: { id: 'key' } },
      transactions: { alone: true, envelope: 'Request.Body', beside: { 'Request.From': 'me' } },
    },
    answers: {
      '*': { id: ['Id'], yes: { Code: ['00', '000'] }, no: [{ Code: ['05'] }], reason: ['Text'] },
      deals: { read: { record: ['data[0]'], id: ['Key'] } },
      'company-updates': { id: [] },
    },
    wire: { mediaType: 'application/vnd.api+json' },
  },
  'a token that a body tells of, constants and booleans': {
    requests: {
      deals: { constants: { 'meta.channel': 'import', 'meta.test': true } },
      notes: { rename: { status: null } },
      transactions: { envelope: null },
    },
    answers: {
      '*': { id: ['id'], yes: { success: true } },
      submissions: { record: ['items[0]'], id: ['.'], url: [], yes: '2xx' },
      leads: { id: ['.'], yes: '2xx' },
      transactions: { items: { at: ['.'] }, record: ['.'] },
    },
    outcomes: { create: { '419': 'token' } },
    token: { path: 'code', is: 'SESSION_EXPIRED' },
  },
  'cents, words of its own, days as seconds, a key in a header': {
    requests: {
      companies: {
        rename: {
          contactTypes: null,
          'contactTypes[]': 'types[]:words(Merchant=merchant|Broker=7|Funder=8)',
          ein: 'tax.no',
        },
      },
      deals: { rename: { amountRequested: 'amount.cents:times(100)', 'company.id': 'merchant:text(/companies/{})' } },
      transactions: { alone: true, rename: { amount: 'cents:times(100)', dealId: 'metadata.deal' } },
      attachments: { rename: { dealId: 'metadata.deal', file: 'metadata.name' } },
    },
    answers: { '*': { id: ['id'], yes: '2xx', no: ['[].code'], reason: ['[].text'] } },
    wire: { date: 'unix' },
    headers: { authorization: 'Basic {token}', 'x-version': '2026-06' },
  },
  'a list of the rows that failed, and of no others': {
    answers: {
      '*': { id: ['id'], yes: { success: true } },
      transactions: {
        items: { at: ['failed'], index: 'row', others: 'in' },
        yes: '2xx',
        id: [],
        no: ['why'],
        reason: ['why'],
      },
    },
  },
  'one address for every call': {
    paths: Object.fromEntries(
      ['Company', 'Lead', 'Deal', 'Note', 'Submission', 'SubmissionLoan', 'Transactions'].map((name) => [
        `add${name}`,
        '/rpc',
      ]),
    ),
    requests: Object.fromEntries(
      ['companies', 'leads', 'deals', 'notes', 'submissions', 'submission-loans', 'transactions'].map((model) => [
        model,
        { envelope: 'params.args[0]', beside: { 'params.model': model } },
      ]),
    ),
    answers: {
      '*': { id: ['result'], yes: '2xx', no: ['error'], reason: ['error.message'] },
      'company-updates': { id: [] },
      transactions: { id: ['.'], itemYes: '2xx', items: { at: ['result'] } },
    },
  },
  'fields of a form, a line for each row, ids beside a word, jobs behind a 201': {
    requests: {
      companies: { envelope: 'company', beside: { test: true }, constants: { 'meta.rank': 7 } },
      deals: { rename: { amountRequested: 'cents:times(100)' }, headers: { prefer: 'return=minimal' } },
      notes: { mediaType: 'application/json' },
      transactions: { mediaType: 'application/x-ndjson' },
    },
    answers: {
      '*': { id: ['id'], idIf: { state: ['made', 'kept'] }, yes: '2xx', no: ['fault'], reason: ['fault'] },
      submissions: { job: { status: 201, path: '/jobs/{id}', id: ['job'], state: 'is', done: ['ok'], result: 'out' } },
      transactions: {
        ...{ items: { at: ['made'], index: 'line', first: 1, others: 'refused' }, no: ['fault'], yes: { ok: true } },
        ...{ id: ['id'], idIf: null, itemYes: '2xx' },
      },
    },
    wire: { mediaType: 'application/x-www-form-urlencoded' },
  },
  'paths with a method, a query, brackets, and a value of the row': {
    paths: {
      addDeal: '/odata/merchants({company.name})/deals?$format=json',
      addNote: '/odata/deals({dealId})/notes',
      addSubmissionLoan: '/odata/loans?amount={amount}',
      updateCompany: 'POST /odata/companies({id})/update',
    },
    requests: {
      deals: { rename: { 'company.name': null } },
      notes: { rename: { dealId: null } },
      'submission-loans': { rename: { amount: null } },
    },
    answers: { '*': { id: ['id'], yes: '2xx' } },
    headers: { 'x-api-key': '{token}' },
  },
};

const rows = 3;
const withReference = (sample: KindSample): Pick<KindSample, 'kind' | 'headers' | 'row' | 'endpoint'> =>
  sample.kind === 'transactions'
    ? { ...sample, headers: [...sample.headers, 'Reference'], row: (n) => [...sample.row(n), `ACH-${n}`] }
    : sample;
const samples = [
  ...kindSamples.map(withReference),
  {
    kind: 'company-updates' as const,
    endpoint: 'updateCompany' as const,
    headers: ['Company to update', 'Company name'],
    row: (n: number): Table[number] => [companyId(n), `Renamed ${n}`],
  },
];

const place = workplaceForEachTest();
let sandbox: RunningSandbox | null = null;
afterEach(() => sandbox?.stop());

/** A workplace with two profiles for one sandbox: `right` says what the sandbox was told, `plain` says nothing. */
async function rehearsal(contract: Record<string, unknown>) {
  sandbox = await startSandbox({ ...defaultSandboxOptions, contract: contractSettingsSchema.parse(contract) });
  const { url, token } = sandbox;
  place.write('config.json', { profiles: { right: { url, contract }, plain: { url } } });
  const load = async (kind: string, table: Table, profile = 'right') => {
    writeCsv(place.path(`${kind}.csv`), table);
    const words = [
      ...['--as', kind, '--profile', profile, '--config', 'config.json', '--yes', '--json'],
      ...['--results', 'results.csv'],
    ];
    const ended = await place.run(['import', `${kind}.csv`, ...words], { env: { DEALSHEET_TOKEN: token } });
    const { counts, results } = JSON.parse(ended.stdout) as { counts: Record<string, number>; results: string };
    return { ...ended, counts, results: readFileSync(results, 'utf8') };
  };
  return { sandbox, load };
}

describe.each(Object.entries(profiles))('a sandbox that speaks as a profile says: %s', (_name, contract) => {
  it('takes every kind from a client with the same profile, each row once, and refuses with a reason', async () => {
    const { sandbox: running, load } = await rehearsal(contract);
    for (const sample of samples) {
      const { counts, stderr } = await load(sample.kind, sampleTable(sample, rows, place));
      const { created = 0, accepted = 0, updated = 0 } = counts;
      expect(created + accepted + updated, `${sample.kind}: ${stderr}`).toBe(rows);
      expect(running.accepted().filter(({ endpoint }) => endpoint === sample.endpoint)).toHaveLength(rows);
    }
    const before = running.accepted().length;
    const unknown = oneRow({ 'Deal id': 'deal_000099', 'Deal status': 'Open', Note: 'To nobody' });
    const payments = oneRow({ 'Deal id': 'deal_000099', Date: '2026-06-30', Amount: 5, Reference: 'ACH-9' });
    for (const [kind, table] of Object.entries({ notes: unknown, transactions: payments })) {
      const { counts, results } = await load(kind, table);
      expect(counts).toMatchObject({ rows: 1, rejected: 1 });
      expect(results).toContain('names a record that does not exist');
    }
    expect(running.accepted()).toHaveLength(before);
  });
});

describe('a client that does not know the profile', () => {
  it('has nothing called in: names that are not spoken are refused with those that were expected', async () => {
    const { sandbox: running, load } = await rehearsal(
      profiles['snake_case in data, paths of its own, rows by index'] ?? {},
    );
    for (const sample of samples) {
      const { counts } = await load(sample.kind, sampleTable(sample, rows, place), 'plain');
      const { created, accepted, updated, alreadyLoaded } = counts;
      expect({ created, accepted, updated, alreadyLoaded }, sample.kind).toEqual({
        created: 0,
        accepted: 0,
        updated: 0,
        alreadyLoaded: 0,
      });
    }
    expect(running.accepted()).toHaveLength(0);
  });

  it('stops at its first row, in doubt, where the request is understood and the answer is not', async () => {
    const { sandbox: running, load } = await rehearsal({
      answers: { '*': { record: ['result'], id: ['key'], yes: { 'meta.state': 'saved' } } },
    });
    const leads = samples.find(({ kind }) => kind === 'leads');
    if (leads === undefined) throw new Error('There are leads.');
    expect(await load('leads', sampleTable(leads, rows, place), 'plain')).toMatchObject({
      exitCode: 5,
      counts: { inDoubt: 1, notSent: rows - 1 },
    });
    expect(running.accepted()).toHaveLength(1);
  });
});

const contract = {
  requests: {
    companies: { rename: { name: 'legal_name:text' }, constants: { source: 'sheet' }, envelope: 'data' },
    notes: { rename: { dealId: 'deal_id' } },
    transactions: { groupBy: { field: 'dealId', list: 'payments' }, envelope: 'deals' },
  },
  answers: { '*': { id: ['id'], yes: '2xx' } },
};
const company = { legal_name: 'Harbor', contactTypes: ['Merchant'], source: 'sheet' };

it.each<[what: string, path: string, body: unknown, expected: string]>([
  ['a documented name', '/v1/company', { data: { ...company, legal_name: undefined, name: 'Harbor' } }, 'legal_name'],
  ['no envelope', '/v1/company', company, 'data'],
  ['no constant', '/v1/company', { data: { ...company, source: undefined } }, 'source'],
  ['another constant', '/v1/company', { data: { ...company, source: 'hand' } }, 'source'],
  ['a number for a text', '/v1/company', { data: { ...company, legal_name: 5 } }, 'legal_name'],
  ['a note by documented names', '/v1/deal/note', { dealId: 'deal_000001', status: 'Open', note: 'Hi' }, 'deal_id'],
  ['rows without groups', '/v1/transactions', { deals: [{ amount: 5 }] }, 'payments'],
  ['groups without their deal', '/v1/transactions', { deals: [{ payments: [{ amount: 5 }] }] }, 'dealId'],
])(
  'what does not speak as the profile says is refused with the name that was expected: %s',
  async (_what, path, body, expected) => {
    const { sandbox: running } = await rehearsal(contract);
    const received = await post(running, path, body);
    expect(received.status).toBe(422);
    expect(errorsOf(received)[0]?.path).toBe(expected);
    expect(running.accepted()).toHaveLength(0);
  },
);

it('what a profile says of everything else is how a record is read, a refused token is told, and a job is asked for', async () => {
  const contract = {
    paths: { getCompany: '/api/merchants/{id}' },
    requests: { companies: { rename: { name: 'legal_name' } } },
    answers: {
      companies: {
        record: ['data'],
        id: ['uuid'],
        yes: '2xx',
        job: { id: ['job'], path: '/jobs/{id}', state: 'data.s', done: ['ok'] },
      },
    },
    outcomes: { read: { '419': 'token' } },
    token: { path: 'code', is: 'ENDED' },
  };
  const { sandbox: running } = await rehearsal(contract);
  const begun = await post(running, '/v1/company', { legal_name: 'Harbor', contactTypes: ['Merchant'] });
  expect(begun).toMatchObject({ status: 202, headers: { location: '/jobs/job_1' } });
  expect((await get(running, '/jobs/job_1')).body).toEqual({ data: { s: 'under way' } });
  expect((await get(running, '/jobs/job_1')).body).toMatchObject({ data: { s: 'ok', uuid: 'cmp_000001' } });
  const read = await get(running, '/api/merchants/cmp_000001');
  expect(read.body).toMatchObject({ data: { uuid: 'cmp_000001', legal_name: 'Harbor' } });
  const refused = { token: 'ended', path: '/api/merchants/cmp_000001' };
  expect(await send(running, { method: 'GET', ...refused })).toMatchObject({ status: 419, body: { code: 'ENDED' } });
  expect(await send(running, { method: 'POST', ...refused, path: '/v1/company', json: {} })).toMatchObject({
    status: 400,
    body: { code: 'ENDED' },
  });
});

it('reads by POST are told apart by their bodies, and a further page of balances is empty', async () => {
  const { sandbox: running } = await rehearsal({
    paths: { getCompany: 'POST /rpc', getLoanBalances: 'POST /rpc' },
    requests: { companies: { read: { rename: { id: 'key' }, constants: { call: 'one' } } } },
    balances: {
      ...{ records: 'r.rows', shape: 'rows', header: 'r.names', total: '@headers.x-all' },
      ...{
        body: { rename: { from: 'at.from:number' }, constants: { call: 'all' } },
        pages: { by: 'offset', parameter: 'from' },
      },
    },
  });
  await post(running, '/v1/company', { name: 'Harbor', contactTypes: ['Merchant'] });
  await post(running, '/v1/submissionLoan', { amount: 5 });
  const answers = await Promise.all(
    [{ call: 'one', key: 'cmp_000001' }, { call: 'one' }, { call: 'all' }, { call: 'all', at: { from: 1 } }].map(
      (body) => post(running, '/rpc', body),
    ),
  );
  expect(answers).toMatchObject([
    { body: { name: 'Harbor' } },
    { status: 422 },
    {
      body: { r: { rows: [expect.arrayContaining(['loan_000001', 5])], names: expect.arrayContaining(['loanId']) } },
      headers: { 'x-all': '1' },
    },
    { body: { r: { rows: [] } }, headers: { 'x-all': '1' } },
  ]);
});
