import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { month, rowsOf, withCell } from './month.ts';
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
    expect(values('companies')).toEqual([
      expect.objectContaining({ trade_name: 'Lantern', phone_numbers: null, remarks: null }),
      expect.objectContaining({
        ...{ legal_name: 'Harbor Bakery LLC', email_addresses: [{ email_address: 'office@harbor.example' }] },
        mailing_addresses: [{ street_1: '120 Main Street', city: 'Albany', state_code: 'NY', postal_code: '12207' }],
      }),
      { legal_name: 'Northgate Capital', contact_types: ['Funder', 'Broker'] },
    ]);
    expect(values('leads')[0]?.primary_owner).toMatchObject({ last_name: 'Moreno', date_of_birth: '1980-04-17' });
    expect(values('deals')[0]).toMatchObject({
      merchant: { company_id: idOf('companies', 1), phone_numbers: [{}, { phone: '(518) 555-0177' }] },
      primary_owner: { social_security_number: '219-09-9999', phone_numbers: [{ phone: '(518) 555-0199' }] },
      ...{ secondary_owner: { last_name: 'Okafor' }, tags: ['renewal', 'june'], financials: { gross_annual: 504000 } },
    });
    for (const name of ['notes', 'payments'])
      expect(new Set(values(name).map(({ deal_id }) => deal_id)), name).toEqual(new Set([dealOne, dealTwo]));
    expect(values('submissions')).toMatchObject([{ deal_id: dealOne, funder_id: idOf('companies', 2) }]);
    expect(values('loans')).toMatchObject([{ submission_id: idOf('submissions', 0), funded_on: '2026-06-15' }]);

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
