/** A stranger of jobs: tokens that soon end, numeric ids longer than numbers are exact, relative addresses, a limit told by its reset. */
import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readWorkbook } from '../builders/tables.ts';
import { type Answer, type Asked, faultIn, type Shape, type Stranger, startStranger } from './stranger.ts';
import { type Desk, deskOf, everyKind } from './stranger-load.ts';

const shapes = {
  companies: { title: 'text', kinds: ['text'], taxNo: 'text' },
  updates: { alias: 'text' },
  leads: { title: 'text', sum: 'number', renewal: 'text' },
  deals: { company: 'whole', sum: 'number', signer: { first: 'text', last: 'text' }, use: 'text' },
  notes: { deal: 'whole', state: 'text', text: 'text' },
  submissions: { deal: 'whole', funder: 'whole', state: 'text' },
  loans: { submission: 'whole', deal: 'whole', sum: 'number', on: 'text' },
  payments: { list: [{ deal: 'whole', on: 'text', sum: 'number', trace: 'text' }] },
} satisfies Record<string, Shape>;

const contractWith = (longestMs: number) => ({
  paths: {
    addCompany: '/companies',
    updateCompany: '/companies/{id}',
    getCompany: '/companies/{id}',
    addLead: '/leads',
    addDeal: '/deals',
    getDeal: '/deals/{dealId}',
    addNote: '/notes',
    addAttachment: '/files',
    addSubmission: '/submissions',
    addSubmissionLoan: '/loans',
    addTransactions: '/payments',
  },
  requests: {
    companies: { rename: { name: 'title', contactTypes: 'kinds', ein: 'taxNo' } },
    'company-updates': { rename: { dba: 'alias' } },
    leads: { rename: { 'company.name': 'title', amountRequested: 'sum' } },
    deals: {
      rename: {
        ...{ 'company.id': 'company:number', amountRequested: 'sum', useOfProceeds: 'use', stage: null },
        ...{ 'owner1.firstName': 'signer.first', 'owner1.lastName': 'signer.last' },
      },
    },
    notes: { rename: { dealId: 'deal:number', status: 'state', note: 'text' } },
    attachments: { rename: { dealId: 'deal' }, filePart: 'content' },
    submissions: { rename: { dealId: 'deal:number', companyId: 'funder:number', status: 'state' } },
    'submission-loans': {
      rename: { submissionId: 'submission:number', dealId: 'deal:number', amount: 'sum', fundedDate: 'on' },
    },
    transactions: {
      envelope: 'list',
      rename: { dealId: 'deal:number', date: 'on', amount: 'sum', reference: 'trace' },
    },
  },
  answers: {
    '*': { id: ['no'], url: ['page'], yes: '2xx' },
    leads: { idInUrl: '/leads/{id}' },
    deals: {
      idInUrl: '/deals/{id}',
      url: ['made'],
      job: { state: 'phase', done: ['finished'], failed: ['broken'], everyMs: 10, longestMs },
    },
    'company-updates': { id: [] },
    notes: { id: [], job: { id: ['task'], path: '/tasks/{id}', everyMs: 10 } },
    transactions: {
      items: { at: ['rows'], index: 'row', first: 1 },
      job: { address: ['follow'], state: 'phase', done: ['finished'], everyMs: 10 },
    },
  },
  token: [
    { path: 'error', is: 'token_expired' },
    { path: 'fault.code', is: 17 },
  ],
});

/** Past what a number holds exactly: each is rounded to an even one. */
const firstId = 9007199254740993n;
const fewUses = 10;

describe('a service of jobs', () => {
  let service: Stranger;
  let desk: Desk;
  let made: Record<string, Record<string, unknown>[]>;
  let mostUses: number;
  /** The path at which the token ends and no other is to be had. */
  let endsAt: string | null;

  const stored = (name: string, id: string) => made[name]?.[Number(BigInt(id) - firstId) / 2] ?? {};
  const store = (name: string, record: Record<string, unknown>): bigint => {
    const list = [...(made[name] ?? []), record];
    made[name] = list;
    return firstId + 2n * BigInt(list.length - 1);
  };
  const taking = (name: keyof typeof shapes, answer: (id: bigint, asked: Asked) => Answer) => (asked: Asked) => {
    const fault = faultIn(asked.body, shapes[name]);
    if (fault !== null) return { status: 422, body: { message: fault } };
    return answer(store(name, asked.body), asked);
  };
  const numbered = (status: number) => (id: bigint, asked: Asked) => ({
    status,
    body: `{"no":${id},"page":"../ui${asked.path}/${id}"}`,
  });
  const record =
    (name: string) =>
    ({ places: [id = ''] }: Asked) => ({
      status: 200,
      body: JSON.stringify({ no: 'NO', ...stored(name, id) }, (_, value) =>
        typeof value === 'bigint' ? String(value) : value,
      ).replace('"NO"', id),
    });
  const polls = new Map<string, number>();
  const asked = (job: string) => polls.set(job, (polls.get(job) ?? 0) + 1).get(job) ?? 0;

  beforeEach(async () => {
    made = {};
    mostUses = fewUses;
    endsAt = null;
    let isEnded = false;
    polls.clear();
    const tokens: string[] = [];
    let uses = 0;
    let requests = 0;
    const gate = ({ path, token }: Asked): Answer | null => {
      if (path === '/oauth/token') return null;
      isEnded = endsAt !== null && (isEnded || path === endsAt);
      if (isEnded || token !== tokens.at(-1) || ++uses > mostUses)
        return tokens.length % 2 === 0
          ? { status: 403, body: { error: 'token_expired' } }
          : { status: 400, body: { fault: { code: 17 } } };
      return ++requests % 11 === 0 ? { status: 429, headers: { 'x-ratelimit-reset': '0.05' } } : null;
    };
    service = await startStranger(
      {
        'POST /oauth/token': () => {
          if (isEnded && endsAt !== null) return { status: 503 };
          uses = 0;
          tokens.push(`tok-${Math.random()}-${tokens.length}`);
          return { status: 200, body: tokens.at(-1) };
        },
        'POST /api/companies': taking('companies', numbered(201)),
        'PATCH /api/companies/900': taking('updates', numbered(200)),
        'POST /api/leads': taking('leads', (id) => ({ status: 201, headers: { location: `leads/${id}` } })),
        'POST /api/deals': taking('deals', (id) => ({ status: 202, headers: { location: `jobs/${id}` } })),
        'GET /api/jobs/{}': ({ places: [id = ''] }) => {
          const { use } = stored('deals', id);
          if (use === 'never' || asked(id) < 2) return { status: 200, body: { phase: 'busy' } };
          if (use === 'broken') return { status: 200, body: { phase: 'broken', message: 'No such use' } };
          return { status: 200, body: { phase: 'finished', made: `/api/deals/${id}` } };
        },
        'POST /api/notes': taking('notes', (id) => ({ status: 202, body: `{"task":${id}}` })),
        'GET /api/tasks/{}': ({ places: [id = ''] }) =>
          asked(`task ${id}`) < 2 ? { status: 202, headers: { 'retry-after': '0' } } : { status: 200, body: {} },
        'POST /api/files': ({ parts }) => numbered(201)(store('files', { parts }), { path: '/files' } as Asked),
        'POST /api/submissions': taking('submissions', numbered(201)),
        'POST /api/loans': taking('loans', numbered(200)),
        'POST /api/payments': taking('payments', (id) => ({ status: 202, body: { follow: `payments/${id}` } })),
        'GET /api/payments/{}': ({ places: [id = ''] }) => {
          const { list = [] } = stored('payments', id) as { list?: { trace: string }[] };
          const rows = list.map(({ trace }, place) => ({ row: place + 1, no: trace })).reverse();
          return { status: 200, body: { phase: 'finished', rows } };
        },
        'GET /api/companies/{}': record('companies'),
        'GET /api/deals/{}': record('deals'),
      },
      { before: gate },
    );
  });
  afterEach(async () => {
    await service.stop();
    desk.remove();
  });

  async function deskWith(proceeds?: readonly string[], longestMs = 60_000): Promise<Desk> {
    const tokenCommand = [process.execPath, 'get-token.mjs'];
    const place = await deskOf(
      { url: `${service.url}/api`, tokenCommand, contract: contractWith(longestMs) },
      everyKind(proceeds),
    );
    const script = `const answer = await fetch('${service.url}/oauth/token', { method: 'POST' });
      if (!answer.ok) process.exit(1);
      console.log(await answer.text());`;
    writeFileSync(place.path('config/dealsheet/get-token.mjs'), script);
    return place;
  }
  const creates = () => service.requests.filter((request) => /^(?:POST|PATCH) \/api/.test(request)).length;
  const counts = () => Object.fromEntries(Object.entries(made).map(([name, list]) => [name, list.length]));
  const traces = () =>
    (made.payments ?? []).flatMap(({ list }) => (list as { trace: string }[]).map(({ trace }) => trace)).sort();
  const whole = { companies: 2, updates: 1, leads: 2, deals: 3, notes: 3, files: 1, submissions: 1, loans: 1 };
  const allTraces = [1, 2, 3].flatMap((deal) => [1, 2, 3].map((day) => `ACH-${deal}-${day}`));

  it('takes every record of every kind once, by ids that no number holds, while its tokens end and its limit is met', async () => {
    desk = await deskWith();
    const { exitCode, stderr } = await desk.load();
    expect(exitCode, stderr).toBe(0);
    expect(counts()).toMatchObject(whole);
    expect(traces()).toEqual(allTraces);
    expect(service.requests.filter((request) => request === 'POST /oauth/token').length).toBeGreaterThan(2);
    expect(await desk.results('Companies')).toEqual([
      ['Created', String(firstId)],
      ['Created', String(firstId + 2n)],
    ]);
    const deals = await desk.results('Deals');
    const uses = deals.map(([, id]) => stored('deals', String(id)).use);
    expect(uses).toEqual(['Ovens', 'Chairs', 'Vans']);
    expect(made.deals?.every(({ company }) => company === firstId)).toBe(true);
    const [, id] = deals[0] ?? [];
    expect(made.submissions).toEqual([{ deal: BigInt(String(id)), funder: firstId + 2n, state: 'Sent' }]);
    expect(made.loans).toEqual([{ submission: firstId, deal: BigInt(String(id)), sum: 4500, on: '2026-06-15' }]);
    expect(made.files?.[0]?.parts).toEqual([
      { name: 'deal', filename: null, content: id },
      { name: 'content', filename: 'june.txt', content: 'June: 100.00' },
    ]);
    expect(await desk.results('Notes')).toEqual(Array.from({ length: 3 }, () => ['Accepted', null]));
    const payments = await desk.rows('Transactions');
    expect(payments.map(({ Status, ID, Reference }) => [Status, ID === Reference])).toEqual(
      Array.from({ length: 9 }, () => ['Created', true]),
    );
    const [company] = await desk.rows('Companies');
    expect(company?.Link).toBe(`${service.url}/ui/api/companies/${firstId}`);
    const before = creates();
    expect((await desk.load()).exitCode).toBe(0);
    expect(creates()).toBe(before);
  });

  it('goes on after a stop for want of a token, with no row lost or sent twice', async () => {
    desk = await deskWith();
    endsAt = '/api/submissions';
    expect((await desk.load()).exitCode).toBe(4);
    expect(made.submissions).toBeUndefined();
    endsAt = null;
    const { exitCode, stderr } = await desk.run('resume', '--yes');
    expect(exitCode, stderr).toBe(0);
    expect(counts()).toMatchObject(whole);
    expect(traces()).toEqual(allTraces);
  });

  it('refuses the deal whose job fails, and leaves the one whose job never ends in doubt', async () => {
    mostUses = 10_000;
    desk = await deskWith(['Ovens', 'broken', 'never'], 3_000);
    expect((await desk.load()).exitCode).toBe(6);
    const deals = await desk.rows('Deals');
    expect(deals.map(({ Status }) => Status)).toEqual(['Created', 'Rejected', 'In doubt']);
    expect(deals[1]?.Problems).toContain('No such use');
    expect((await desk.results('Notes')).map(([status]) => status)).toEqual(['Accepted', 'Waiting', 'Waiting']);
    const stored = made.deals?.length;
    await desk.load();
    expect(made.deals?.filter(({ use }) => use !== 'broken')).toHaveLength(2);
    expect(made.deals).toHaveLength((stored ?? 0) + 1);
  });

  it('gives its deals and companies back, ids to the last digit', async () => {
    desk = await deskWith();
    await desk.load();
    for (const kind of ['deals', 'companies']) {
      const words = ['export', kind, '--profile', 'stranger', '-o', `${kind}.xlsx`, '--id', String(firstId)];
      const { exitCode, stderr } = await desk.run(...words);
      expect(exitCode, stderr).toBe(0);
    }
    const [deal] = await readWorkbook(desk.path('deals.xlsx'), 'Deals');
    expect(deal).toMatchObject({ no: String(firstId), 'company.id': String(firstId), 'owner1.firstName': 'Ada' });
    const [company] = await readWorkbook(desk.path('companies.xlsx'), 'Companies');
    expect(company).toMatchObject({ Answer: 'Found', name: 'Harbor LLC', ein: '12-3456789' });
  });
});
