/** A stranger below a path of its own: slashes at the ends, packed answers, required constants, Y and N, forms with `file[]`. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readWorkbook } from '../builders/tables.ts';
import { type Answer, type Asked, faultIn, type Shape, type Stranger, startStranger } from './stranger.ts';
import { type Desk, deskOf, everyKind } from './stranger-load.ts';

const money = { tenant: 'acme', amount: 'number' } as const;
const shapes = {
  companies: { tenant: 'acme', legal_name: 'text', roles: ['text'], tax_number: 'text' },
  updates: { tenant: 'acme', trade_name: 'text' },
  prospects: { ...money, who: 'text', is_renewal: 'Y|N' },
  deals: { ...money, merchant: 'text', signer: 'text', purpose: 'text', active: 'number' },
  notes: { tenant: 'acme', state: 'text', text: 'text' },
  submissions: { tenant: 'acme', deal: 'text', funder: 'text', state: 'text' },
  advances: { ...money, submission: 'text', deal: 'text', funded: 'text' },
  rows: { tenant: 'acme', rows: [{ deal: 'text', day: 'text', amount: 'number', trace: 'text' }] },
} satisfies Record<string, Shape>;

const tenant = { constants: { tenant: 'acme' } };
const contract = {
  paths: {
    addCompany: '/companies/',
    updateCompany: 'PUT /companies/{id}/',
    getCompany: '/companies/{id}/',
    addLead: '/prospects/',
    addDeal: '/deals/?source=sheet',
    getDeal: '/deals/{dealId}/',
    addNote: '/deals/{dealId}/notes/',
    addAttachment: '/deals/{dealId}/files/',
    addSubmission: '/submissions/',
    addSubmissionLoan: '/advances/',
    addTransactions: '/movements/',
  },
  requests: {
    companies: { ...tenant, rename: { name: 'legal_name', contactTypes: 'roles', ein: 'tax_number' } },
    'company-updates': { ...tenant, rename: { dba: 'trade_name' } },
    leads: {
      ...tenant,
      rename: { 'company.name': 'who', amountRequested: 'amount', renewal: 'is_renewal:boolean(Y|N)' },
    },
    deals: {
      constants: { tenant: 'acme', active: 1 },
      rename: {
        ...{ 'company.id': 'merchant', amountRequested: 'amount', useOfProceeds: 'purpose', stage: null },
        ...{ 'owner1.lastName': 'signer', 'owner1.firstName': null },
      },
    },
    notes: { ...tenant, rename: { dealId: null, status: 'state', note: 'text' } },
    attachments: {
      constants: { category: 'statement', 'labels[]': 'import' },
      rename: { dealId: 'deal[id]' },
      filePart: 'file[]',
    },
    submissions: { ...tenant, rename: { dealId: 'deal', companyId: 'funder', status: 'state' } },
    'submission-loans': { ...tenant, rename: { submissionId: 'submission', dealId: 'deal', fundedDate: 'funded' } },
    transactions: {
      envelope: 'rows',
      beside: { tenant: 'acme' },
      rename: { dealId: 'deal', date: 'day', reference: 'trace' },
    },
  },
  answers: {
    '*': { record: ['data'], id: ['key'], yes: { status: 'ok' }, no: ['problems'], reason: ['problems[].text'] },
    leads: { idInUrl: '/prospects/{id}' },
    'company-updates': { id: [] },
    notes: { id: [] },
    transactions: { items: null, id: [], count: ['data.saved'] },
  },
};

describe('a service below a path of its own', () => {
  let service: Stranger;
  let desk: Desk;
  let made: Record<string, unknown[]>;

  const refused = (text: string): Answer => ({ status: 200, body: { status: 'error', problems: [{ text }] } });
  const taking = (name: keyof typeof shapes, answer: (asked: Asked, number: number) => Answer) => (asked: Asked) => {
    const fault = faultIn(asked.body, shapes[name]);
    if (fault !== null) return refused(fault);
    if (JSON.stringify(asked.body).includes('Casino')) return refused('No casinos');
    made[name] = [...(made[name] ?? []), { ...asked.body, ...(asked.places.length > 0 && { of: asked.places[0] }) }];
    return answer(asked, made[name].length);
  };
  const keyed = (prefix: string) => (_: Asked, number: number) => ({
    status: 200,
    body: { status: 'ok', data: { key: `${prefix}-${number}`, url: `../../ui/${prefix}/${number}` } },
  });
  const file = ({ places, parts }: Asked): Answer => {
    made.files = [...(made.files ?? []), { of: places[0], parts }];
    return { status: 200, body: { status: 'ok', data: { key: 'f-1' } } };
  };

  beforeEach(async () => {
    made = {};
    service = await startStranger(
      {
        'POST /v3/finance/companies/': taking('companies', keyed('c')),
        'PUT /v3/finance/companies/{}/': taking('updates', () => ({ status: 200, body: { status: 'ok' } })),
        'POST /v3/finance/prospects/': taking('prospects', (_, number) => ({
          status: 201,
          headers: { location: `/v3/finance/prospects/p-${number}/` },
        })),
        'POST /v3/finance/deals/?source=sheet': taking('deals', keyed('d')),
        'POST /v3/finance/deals/{}/notes/': taking('notes', () => ({ status: 200, body: { status: 'ok' } })),
        'POST /v3/finance/deals/{}/files/': file,
        'POST /v3/finance/submissions/': taking('submissions', keyed('s')),
        'POST /v3/finance/advances/': taking('advances', keyed('a')),
        'POST /v3/finance/movements/': taking('rows', ({ body }) => ({
          status: 200,
          body: { status: 'ok', data: { saved: (body.rows as unknown[]).length } },
        })),
        'GET /v3/finance/deals/{}/': ({ places: [key = ''] }) => ({
          status: 200,
          body: { status: 'ok', data: { key, ...(made.deals?.[Number(key.slice(2)) - 1] as object) } },
        }),
        'GET /v3/finance/companies/{}/': ({ places: [key = ''] }) => ({
          status: 200,
          body: {
            status: 'ok',
            data: { key, legal_name: 'Mill', ...(made.companies?.[Number(key.slice(2)) - 1] as object) },
          },
        }),
      },
      { isPacked: true },
    );
  });
  afterEach(async () => {
    await service.stop();
    desk.remove();
  });
  const profile = () => ({ url: `${service.url}/v3/finance`, contract });

  it('takes every record of every kind once, under its own names', async () => {
    desk = await deskOf(profile(), everyKind());
    const { exitCode, stderr } = await desk.load();
    expect(exitCode, stderr).toBe(0);
    expect(made.companies).toEqual([
      { tenant: 'acme', legal_name: 'Harbor LLC', roles: ['Merchant'], tax_number: '12-3456789' },
      { tenant: 'acme', legal_name: 'Blue Funding', roles: ['Funder'], tax_number: '98-7654321' },
    ]);
    expect(made.updates).toEqual([{ tenant: 'acme', trade_name: 'Old Mill', of: '900' }]);
    expect(made.prospects).toEqual([
      { tenant: 'acme', who: 'Kite Toys', amount: 1000, is_renewal: 'Y' },
      { tenant: 'acme', who: 'Pine Movers', amount: 2000.5, is_renewal: 'N' },
    ]);
    expect(made.deals).toHaveLength(3);
    expect(made.deals).toContainEqual({
      ...{ tenant: 'acme', active: 1, merchant: 'c-1', amount: 5001, signer: 'Moreno', purpose: 'Chairs' },
    });
    const dealOf = new Map((await desk.results('Deals')).map(([, id], place) => [`D-${place + 1}`, id]));
    expect(made.notes).toHaveLength(3);
    for (const [ref, of] of dealOf)
      expect(made.notes).toContainEqual({ tenant: 'acme', state: 'In review', text: `Statements of ${ref}`, of });
    expect(made.files).toEqual([
      {
        of: dealOf.get('D-1'),
        parts: [
          { name: 'deal[id]', filename: null, content: dealOf.get('D-1') },
          { name: 'category', filename: null, content: 'statement' },
          { name: 'labels[]', filename: null, content: 'import' },
          { name: 'file[]', filename: 'june.txt', content: 'June: 100.00' },
        ],
      },
    ]);
    expect(made.submissions).toEqual([{ tenant: 'acme', deal: dealOf.get('D-1'), funder: 'c-2', state: 'Sent' }]);
    expect(made.advances).toEqual([
      { tenant: 'acme', submission: 's-1', deal: dealOf.get('D-1'), amount: 4500, funded: '2026-06-15' },
    ]);
    const movements = (made.rows as { rows: { trace: string; deal: string }[] }[]).flatMap(({ rows }) => rows);
    expect(movements.map(({ trace }) => trace).sort()).toEqual(
      [1, 2, 3].flatMap((deal) => [1, 2, 3].map((day) => `ACH-${deal}-${day}`)),
    );
    expect(movements.every(({ deal, trace }) => deal === dealOf.get(`D-${trace[4]}`))).toBe(true);
    expect(await desk.results('Companies')).toEqual([
      ['Created', 'c-1'],
      ['Created', 'c-2'],
    ]);
    expect((await desk.results('Leads')).map(([, id]) => id).sort()).toEqual(['p-1', 'p-2']);
    expect(await desk.results('Company updates')).toEqual([['Updated', '900']]);
    expect((await desk.results('Transactions')).every(([status]) => status === 'Accepted')).toBe(true);
    const links = (await desk.rows('Companies')).map(({ Link }) => Link);
    expect(links[0]).toBe(`${service.url}/v3/ui/c/1`);
    const before = service.requests.length;
    expect((await desk.load()).exitCode).toBe(0);
    expect(service.requests.slice(before)).toEqual([]);
  });

  it('refuses a row for its own reason, which leaves those that refer to it waiting', async () => {
    desk = await deskOf(profile(), everyKind(['Ovens', 'Casino']));
    expect((await desk.load()).exitCode).toBe(1);
    const deals = await desk.rows('Deals');
    expect(deals.map(({ Status }) => Status)).toEqual(['Created', 'Rejected']);
    expect(deals[1]?.Problems).toContain('No casinos');
    expect((await desk.results('Notes')).map(([status]) => status)).toEqual(['Accepted', 'Waiting']);
    expect(made.notes).toHaveLength(1);
  });

  it('gives its deals and companies back under the documented names', async () => {
    desk = await deskOf(profile(), everyKind());
    await desk.load();
    for (const kind of ['deals', 'companies']) {
      const words = ['export', kind, '--profile', 'stranger', '-o', `${kind}.xlsx`, '--ids', 'month.results.xlsx'];
      const { exitCode, stderr } = await desk.run(...words);
      expect(exitCode, stderr).toBe(0);
    }
    const deals = await readWorkbook(desk.path('deals.xlsx'), 'Deals');
    expect(deals.map((row) => [row.amountRequested, row.useOfProceeds])).toEqual(
      expect.arrayContaining([
        [5000, 'Ovens'],
        [5001, 'Chairs'],
        [5002, 'Vans'],
      ]),
    );
    const companies = await readWorkbook(desk.path('companies.xlsx'), 'Companies');
    expect(companies.map((row) => [row.name, row.ein])).toEqual([
      ['Harbor LLC', '12-3456789'],
      ['Blue Funding', '98-7654321'],
      ['Mill', null],
    ]);
  });
});
