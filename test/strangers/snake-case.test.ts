import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { known, month, rowsOf, withCell } from './month.ts';
import { snakeCase, startSnakeCase } from './snake-case.ts';
import type { Stranger } from './stranger.ts';
import { type Desk, deskOf } from './stranger-load.ts';

let stranger: Stranger;
let desk: Desk;
beforeEach(async () => {
  stranger = await startSnakeCase();
  desk = await deskOf({ url: stranger.url, contract: snakeCase }, month, 1);
});
afterEach(async () => {
  await stranger.stop();
  desk.remove();
});

const values = (name: string) => stranger.kept[name]?.map(({ value }) => value) ?? [];
const idOf = (name: string, at: number) => stranger.kept[name]?.[at]?.id;
const rows = (sheet: string) => desk.rows(sheet);

describe('a service of snake_case names, with data, problems and cursors', () => {
  it('gets every record of every kind once, and gives their ids', async () => {
    const loaded = await desk.load();
    expect(loaded, loaded.stderr).toMatchObject({
      exitCode: 0,
      counts: { rows: rowsOf(month), created: rowsOf(month) - 2, updated: 2 },
    });

    const [dealOne, dealTwo] = [idOf('deals', 0), idOf('deals', 1)];
    const phone_numbers = [{ phone: '(518) 555-0142' }, { phone: '(518) 555-0177' }];
    expect(stranger.kept.companies).toEqual([
      {
        id: known,
        value: {
          legal_name: 'Lantern Goods',
          contact_types: ['Merchant'],
          trade_name: 'Lantern',
          phone_numbers: null,
          remarks: null,
        },
      },
      {
        id: idOf('companies', 1),
        value: {
          legal_name: 'Harbor Bakery LLC',
          contact_types: ['Merchant'],
          trade_name: 'Harbor',
          phone_numbers,
          email_addresses: [{ email_address: 'office@harbor.example' }],
          mailing_addresses: [{ street_1: '120 Main Street', city: 'Albany', state_code: 'NY', postal_code: '12207' }],
          tax_id: '12-3456789',
        },
      },
      { id: idOf('companies', 2), value: { legal_name: 'Northgate Capital', contact_types: ['Funder', 'Broker'] } },
    ]);
    expect(values('leads')).toEqual([
      {
        requested_amount: 15000,
        merchant: { legal_name: 'Cedar Supply' },
        primary_owner: { first_name: 'Ada', last_name: 'Moreno', date_of_birth: '1980-04-17' },
      },
    ]);
    const harbor = { company_id: idOf('companies', 1), legal_name: 'Harbor Bakery LLC', trade_name: 'Harbor' };
    expect(values('deals')).toEqual([
      {
        requested_amount: 45000.5,
        deal_stage: 'Application',
        merchant: {
          ...harbor,
          start_date: '2012-03-04',
          phone_numbers,
          mailing_addresses: [{ street_1: '120 Main Street', city: 'Albany' }],
        },
        primary_owner: {
          first_name: 'Ada',
          last_name: 'Moreno',
          social_security_number: '219-09-9999',
          date_of_birth: '1980-04-17',
          phone_numbers: [{ phone: '(518) 555-0199' }],
        },
        secondary_owner: { last_name: 'Okafor' },
        tags: ['renewal', 'june'],
        financials: { gross_annual: 504000 },
      },
      { requested_amount: 20000, merchant: harbor, primary_owner: { first_name: 'Ben', last_name: 'Lind' } },
    ]);
    expect(values('notes')).toEqual([
      { deal_id: dealOne, deal_status: 'Open', body: 'Statements received' },
      { deal_id: dealTwo, deal_status: 'Closed', body: 'Called back' },
    ]);
    expect(values('attachments')).toEqual([
      { deal_id: dealOne, document: { name: 'june.txt', content: 'June: 100.00' } },
    ]);
    expect(values('submissions')).toEqual([
      { deal_id: dealOne, funder_id: idOf('companies', 2), submission_status: 'Submitted', remarks: 'Twelve months' },
    ]);
    expect(values('loans')).toEqual([
      {
        ...{ submission_id: idOf('submissions', 0), deal_id: dealOne, loan_amount: 44000, term_months: 12 },
        ...{ factor_rate: 1.28, payment: 226, payment_frequency: 'Daily', funded_on: '2026-06-15' },
      },
    ]);
    const paid = (deal_id: string | undefined, posted_on: string, amount: number, trace_number: string, more = {}) => ({
      ...{ deal_id, posted_on, amount, entry_type: 'Payment', trace_number, ...more },
    });
    expect(values('payments')).toEqual([
      paid(dealOne, '2026-06-30', 228.57, 'ACH-1', { memo: 'Daily debit' }),
      paid(dealTwo, '2026-06-30', 100, 'ACH-2'),
      paid(dealOne, '2026-07-01', 228.57, 'ACH-3'),
      paid(dealTwo, '2026-07-02', -25.5, 'ACH-4', { entry_type: 'Fee', memo: 'Returned' }),
    ]);

    const created = (name: string) => stranger.kept[name]?.map(({ id }) => ({ Status: 'Created', ID: id }));
    for (const [sheet, name] of [
      ['Leads', 'leads'],
      ['Deals', 'deals'],
      ['Notes', 'notes'],
      ['Submissions', 'submissions'],
      ['Submission loans', 'loans'],
      ['Transactions', 'payments'],
    ] as const)
      expect(await rows(sheet), sheet).toMatchObject(created(name) ?? []);
    expect((await rows('Deals'))[0]).toMatchObject({
      'Company ID': idOf('companies', 1),
      Link: `${stranger.url}/app/deals/${dealOne}`,
    });

    const before = stranger.requests.length;
    const again = await desk.load('--skip-loaded');
    expect(again).toMatchObject({ exitCode: 0, counts: { alreadyLoaded: rowsOf(month) } });
    expect(stranger.requests).toHaveLength(before);
  });

  it('has its refusals told in its own words, without what must not be shown', async () => {
    const sheets = {
      ...month,
      Deals: withCell('Deals', '219-09-9999', '000-12-3456'),
      Notes: withCell('Notes', 'Closed', 'Never heard of'),
      Transactions: withCell('Transactions', 100, 0),
    };
    await desk.write(sheets);
    expect((await desk.load()).exitCode).toBe(1);
    const [refused] = await rows('Deals');
    expect(refused).toMatchObject({ Status: 'Rejected', ID: null });
    expect(refused?.Problems).toMatch(/is no SSN/);
    expect(refused?.Problems).not.toMatch(/000|3456|Harbor/);
    expect((await rows('Notes')).map(({ Status }) => Status)).toEqual(['Waiting', 'Rejected']);
    expect((await rows('Notes'))[1]?.Problems).toMatch(/data\/deal_status/);
    expect(await rows('Transactions')).toMatchObject([
      { Status: 'Waiting' },
      { Status: 'Rejected', ID: null, Problems: expect.stringContaining('The amount is zero') },
      { Status: 'Waiting' },
      { Status: 'Created', ID: idOf('payments', 0) },
    ]);
  });

  it('leaves a row in doubt whose answer breaks off, and the rest goes in once a person has looked', async () => {
    stranger.breakAfter('/v1/deal');
    expect(await desk.load()).toMatchObject({ exitCode: 6, counts: { inDoubt: 1 } });
    expect((await rows('Deals')).map(({ Status }) => Status)).toEqual(['In doubt', 'Created']);
    const run = String((await rows('Deals'))[0]?.Run).split('#')[0] ?? '';
    const lost = stranger.kept.deals?.[0]?.id ?? '';
    const settled = await desk.run('resolve', run, '--row', 'Deals!2', '--created', lost);
    expect(settled.exitCode, settled.stderr).toBe(0);
    expect((await desk.load('--skip-loaded')).exitCode).toBe(0);
    expect(values('deals')).toHaveLength(2);
    expect(values('payments')).toHaveLength(4);
    expect(values('loans')).toHaveLength(1);
  });

  it('gives its deals, companies and balances by the names that the person knows', async () => {
    await desk.load();
    expect(await desk.exported('deals', '--id', idOf('deals', 0) ?? '')).toMatchObject([
      {
        record: {
          amountRequested: 45000.5,
          company: {
            name: 'Harbor Bakery LLC',
            businessStartDate: '2012-03-04',
            phones: [{ number: '(518) 555-0142' }, { number: '(518) 555-0177' }],
          },
          owner1: { lastName: 'Moreno' },
          financial: { grossAnnual: 504000 },
        },
      },
    ]);
    expect(await desk.exported('companies', '--id', idOf('companies', 1) ?? '')).toMatchObject([
      { record: { name: 'Harbor Bakery LLC', dba: 'Harbor', addresses: [{ line1: '120 Main Street', zip: '12207' }] } },
    ]);
    expect(await desk.exported('balances')).toMatchObject([{ balance: 0.25 }, { balance: 100.25 }]);
  });
});
