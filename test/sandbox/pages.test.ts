import { request } from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import { storedKinds } from '../../src/sandbox/kinds.ts';
import { aDeal, aFunder, aNote } from './bodies.ts';
import { get, made, post, send } from './requests.ts';
import { useSandbox } from './running.ts';

const sandbox = useSandbox();
const evil = `<script>document.title='taken'</script>"'&`;
const escaped = '&lt;script&gt;document.title=&#39;taken&#39;&lt;/script&gt;&quot;&#39;&amp;';
const show = (path: string) => send(sandbox(), { method: 'GET', path, token: null });
let dealId: string;
let companyId: string;

beforeAll(async () => {
  const owner2 = { firstName: evil, ssn: '219 09 9998', dob: '1981-05-18', addresses: [{ ssn: '111-22-3333' }] };
  dealId = await made(
    sandbox(),
    '/v1/deal',
    aDeal({
      company: { name: evil, dba: evil, addresses: [{ [evil]: evil }] },
      owner2,
      tags: [evil],
      bank: { [evil]: evil },
    }),
  );
  companyId = await made(sandbox(), '/v1/company', aFunder({ name: evil, note: evil }));
  await made(sandbox(), '/v1/deal/note', aNote(dealId, { status: evil, note: evil }));
  await made(sandbox(), '/v1/lead', {
    company: { name: evil },
    owner1: { ssn: '219-09-9997', dob: '1982-06-19' },
    [evil]: 1,
  });
  const submissionId = await made(sandbox(), '/v1/submission', { dealId, companyId, status: evil, note: evil });
  await made(sandbox(), '/v1/submissionLoan', { submissionId, amount: 45_000, factorRate: 1.28, fundedDate: evil });
  await post(sandbox(), '/v1/transactions', {
    transactions: [{ dealId, amount: 228.57, type: evil, description: evil }],
  });
  const form = `--x\r\ncontent-disposition: form-data; name="dealId"\r\n\r\n${dealId}\r\n--x\r\ncontent-disposition: form-data; name="file"; filename="<b>.pdf"\r\n\r\na\r\n--x--\r\n`;
  const headers = { 'content-type': 'multipart/form-data; boundary=x' };
  await send(sandbox(), { method: 'POST', path: '/v1/deal/attachment', raw: form, headers });
});

const records = {
  companies: 'cmp_000002',
  deals: 'deal_000001',
  notes: 'note_000001',
  attachments: 'att_000001',
  leads: 'lead_000001',
  submissions: 'sub_000001',
  'submission-loans': 'loan_000001',
  transactions: 'txn_000001',
};
const paths = [
  '/',
  ...storedKinds.map(({ name }) => `/${name}`),
  ...Object.entries(records).map(([name, id]) => `/${name}/${id}`),
  '/nothing',
];

describe('the pages', () => {
  const personal = [
    ...['219-09-9999', '219 09 9998', '219-09-9997', '111-22-3333', '1980-04-17', '1981-05-18', '1982-06-19'],
  ];
  it.each(paths)('escape what %s shows, hold no script, and mask SSN and date of birth', async (path) => {
    const { status, text, headers } = await show(path);
    expect(status).toBe(path === '/nothing' ? 404 : 200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(text).not.toMatch(/<script|<b>\.pdf| on\w+=/i);
    expect(text).toMatch(/<html lang="en">[\s\S]*<h1>[\s\S]*<\/html>/);
    for (const value of personal) expect(text).not.toContain(value);
  });

  it.each(['/deals', '/deals/deal_000001', '/companies/cmp_000002', '/notes'])(
    'show the text of a name with tags at %s',
    async (path) => {
      expect((await show(path)).text).toContain(escaped);
    },
  );

  it('P23: mask what the contract does not name, and an SSN in any text', async () => {
    const note = await made(sandbox(), '/v1/deal/note', aNote(dealId, { note: 'His SSN: 219-09-9996' }));
    const lead = await made(sandbox(), '/v1/lead', {
      company: { name: 'B 219099995 Ltd' },
      born: '1983-07-20',
      owner1: { taxId: 'x-77' },
    });
    const shown = await Promise.all(
      ['/leads', `/leads/${lead}`, '/notes', `/notes/${note}`, `/deals/${dealId}`].map(show),
    );
    for (const { text } of shown) expect(text).not.toMatch(/219-09-9996|219099995|1983-07-20|x-77/);
  });

  it('allow nothing from elsewhere', async () => {
    const { headers } = await show('/');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect((await show('/style.css')).headers['content-type']).toBe('text/css; charset=utf-8');
  });

  it('show on a deal its company, owners, notes, attachments, submissions, loan and balance', async () => {
    const { text } = await show(`/deals/${dealId}`);
    for (const part of [
      ...['cmp_000001', 'Owner 1', 'Owner 2', 'note_000001', 'att_000001'],
      ...['sub_000001', 'loan_000001', 'txn_000001', '57,371.43'],
    ]) {
      expect(text).toContain(part);
    }
  });

  it('call a deal by the name of its company, also when the deal gave the id alone', async () => {
    const company = await made(sandbox(), '/v1/company', aFunder({ name: 'Quayside Dental PC' }));
    const deal = await made(sandbox(), '/v1/deal', aDeal({ company: { id: company } }));
    expect((await show(`/deals/${deal}`)).text).toContain(`<h1>Quayside Dental PC · ${deal}</h1>`);
    const { text } = await show('/deals');
    expect(text).toContain(`/deals/${deal}"`);
    expect(text).toContain('Quayside Dental PC');
  });

  it('answer 404 for a record that is not here', async () => {
    expect((await show('/deals/deal_999999')).status).toBe(404);
    expect((await show('/deals/cmp_000001')).status).toBe(404);
  });
});

describe('a list', () => {
  const full = useSandbox();

  beforeAll(async () => {
    for (let number = 1; number <= 120; number += 1) {
      await made(full(), '/v1/deal', aDeal({ company: { name: `Company ${number}` } }));
    }
  });

  const idsAt = async (path: string) =>
    [...(await get(full(), path)).text.matchAll(/>(deal_\d{6})</g)].map(([, id]) => id);
  const idOf = (number: number) => `deal_${String(number).padStart(6, '0')}`;
  const range = (from: number, count: number) => Array.from({ length: count }, (_, index) => idOf(from - index));

  it('shows fifty on a page, the newest first', async () => {
    expect(await idsAt('/deals')).toEqual(range(120, 50));
    expect(await idsAt('/deals?page=2')).toEqual(range(70, 50));
    expect(await idsAt('/deals?page=3')).toEqual(range(20, 20));
    expect(await idsAt('/deals?page=4')).toEqual([]);
  });
});

describe('access to pages and controls', () => {
  const statusWith = (path: string, headers: Record<string, string>, method = 'GET') =>
    new Promise<number>((resolve, reject) => {
      request(new URL(path, sandbox().url), { method, headers }, (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      })
        .on('error', reject)
        .end();
    });
  const withKey = () => ({ authorization: `Bearer ${sandbox().key}` });

  it.each(['/', '/deals', '/openapi.json', '/sandbox/accepted'])(
    'P27: refuses %s under the name of another host',
    async (path) => {
      expect(await statusWith(path, { ...withKey(), host: 'elsewhere.example' })).toBe(403);
      expect(await statusWith(path, { ...withKey(), host: 'localhost:1' })).toBe(200);
    },
  );

  it.each([
    ['POST', '/sandbox/token'],
    ['DELETE', '/sandbox/token'],
    ['GET', '/sandbox/accepted'],
  ])('P27: wants the key for %s %s, and nothing else will do', async (method, path) => {
    for (const token of [null, 'key_unknown', sandbox().token]) {
      expect((await send(sandbox(), { method, path, token })).status).toBe(401);
    }
    expect(await statusWith(path, { ...withKey(), origin: 'https://elsewhere.example' }, method)).toBe(403);
    expect(await statusWith(path, { ...withKey(), origin: 'null' }, method)).toBe(403);
    expect((await send(sandbox(), { method, path, json: {} })).status).toBeLessThan(300);
  });
});
