/** The sandbox as another service: what a profile says is rehearsed with that profile, and by no client that does not know it. */
import { writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { contractSettingsSchema } from '../../src/contract/contract-settings.ts';
import { defaultSandboxOptions, type RunningSandbox, startSandbox } from '../../src/sandbox/server.ts';
import { workplaceHere } from '../builders/command-here.ts';
import { type Table, writeCsv } from '../builders/tables.ts';
import { companyId, type KindSample, kindSamples, sampleTable } from '../faults/kind-samples.ts';
import { patch, post } from './requests.ts';

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
          'company.name': 'merchant.legal_name',
          owner1: 'owners[0]',
        },
        envelope: 'data',
      },
      notes: { rename: { ...snake, note: 'body.text' }, constants: { source: 'sheet' } },
      attachments: { rename: snake, constants: { category: 'statement', public: false }, filePart: 'file[]' },
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
          id: ['jobId'],
          path: '/v2/jobs/{id}',
          state: 'state',
          done: ['DONE'],
          failed: ['FAILED'],
          result: 'result',
          everyMs: 10,
        },
      },
    },
  },
  'a request for each group, rows that repeat a value': {
    requests: { transactions: { groupBy: { field: 'dealId', list: 'rows', alone: true } } },
    answers: {
      '*': { id: ['recordId'], yes: { ok: 1 }, no: ['problem'], reason: ['problem.text'] },
      transactions: {
        items: { at: ['data'], match: { item: 'externalId', row: 'reference' } },
        itemYes: { ok: true },
        no: ['problem'],
      },
    },
  },
  'a token that a body tells of, constants and booleans': {
    requests: { deals: { constants: { 'meta.channel': 'import', 'meta.test': true } } },
    answers: { '*': { id: ['id'], yes: { success: true } } },
    outcomes: { create: { '419': 'token' } },
    token: { path: 'code', is: 'SESSION_EXPIRED' },
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

let sandbox: RunningSandbox | null = null;
afterEach(() => sandbox?.stop());

/** A workplace with two profiles for one sandbox: `right` says what the sandbox was told, `plain` says nothing. */
async function rehearsal(contract: Record<string, unknown>) {
  sandbox = await startSandbox({ ...defaultSandboxOptions, contract: contractSettingsSchema.parse(contract) });
  const place = workplaceHere();
  const { url, token } = sandbox;
  writeFileSync(place.path('config.json'), JSON.stringify({ profiles: { right: { url, contract }, plain: { url } } }));
  const load = async (kind: string, table: Table, profile = 'right') => {
    writeCsv(place.path(`${kind}.csv`), table);
    const words = [
      '--as',
      kind,
      '--profile',
      profile,
      '--config',
      'config.json',
      '--yes',
      '--json',
      '--results',
      'results.csv',
    ];
    const ended = await place.run(['import', `${kind}.csv`, ...words], { env: { DEALSHEET_TOKEN: token } });
    return { ...ended, counts: JSON.parse(ended.stdout).counts as Record<string, number> };
  };
  return { sandbox, place, load };
}

describe.each(Object.entries(profiles))('a sandbox that speaks as a profile says: %s', (_name, contract) => {
  it('takes every kind from a client with the same profile, each row once, and refuses with a reason', async () => {
    const { sandbox: running, place, load } = await rehearsal(contract);
    for (const sample of samples) {
      const { counts, stderr } = await load(sample.kind, sampleTable(sample, rows, place));
      const { created = 0, accepted = 0, updated = 0 } = counts;
      expect(created + accepted + updated, `${sample.kind}: ${stderr}`).toBe(rows);
      expect(running.accepted().filter(({ endpoint }) => endpoint === sample.endpoint)).toHaveLength(rows);
    }
    const before = running.accepted().length;
    const unknown = [
      ['Deal id', 'Deal status', 'Note'],
      ['deal_000099', 'Open', 'To nobody'],
    ];
    expect(await load('notes', unknown)).toMatchObject({ counts: { rejected: 1 } });
    const payments = [
      ['Deal id', 'Date', 'Amount', 'Reference'],
      ['deal_000099', '2026-06-30', 5, 'ACH-9'],
    ];
    expect(await load('transactions', payments)).toMatchObject({ counts: { rejected: 1 } });
    expect(running.accepted()).toHaveLength(before);
  });
});
