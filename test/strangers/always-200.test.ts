import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { always200, startAlways200 } from './always-200.ts';
import { known, month, rowsOf, withCell } from './month.ts';
import type { Stranger } from './stranger.ts';
import { type Desk, deskOf } from './stranger-load.ts';

let stranger: Stranger;
let desk: Desk;
beforeEach(async () => {
  stranger = await startAlways200();
  desk = await deskOf({ url: stranger.url, contract: always200 }, month, 1);
});
afterEach(async () => {
  await stranger.stop();
  desk.remove();
});

const values = (name: string) => stranger.kept[name]?.map(({ value }) => value) ?? [];
const rows = (sheet: string) => desk.rows(sheet);
const statuses = async (sheet: string) => (await rows(sheet)).map(({ Status }) => Status);
const withoutId = ['Notes', 'Attachments', 'Transactions'];
const accepted = 7;

describe('a service that answers 200 to everything', () => {
  it('gets every record of every kind once, and gives the ids that it has', async () => {
    const loaded = await desk.load();
    const counts = { created: rowsOf(month) - accepted - 2, accepted, updated: 2 };
    expect(loaded, loaded.stderr).toMatchObject({ exitCode: 0, counts });

    const phones = ['(518) 555-0142', '(518) 555-0177'];
    expect(values('businesses')).toEqual([
      { title: 'Lantern Goods', roles: ['Merchant'], alias: 'Lantern', phones: null, comment: null },
      {
        ...{ title: 'Harbor Bakery LLC', roles: ['Merchant'], alias: 'Harbor', phones, mail: 'office@harbor.example' },
        address: { street: '120 Main Street', town: 'Albany', state: 'NY', zip: '12207' },
        taxNumber: '12-3456789',
      },
      { title: 'Northgate Capital', roles: ['Funder', 'Broker'] },
    ]);
    const ada = { first: 'Ada', last: 'Moreno', birthDate: '04/17/1980' };
    expect(values('leads')).toEqual([{ amount: 15000, applicant: { title: 'Cedar Supply' }, people: [ada] }]);
    const harbor = { businessNo: 'businesses/2', title: 'Harbor Bakery LLC', alias: 'Harbor' };
    expect(values('deals')).toEqual([
      {
        ...{ amount: 45000.5, phase: 'Application', tags: ['renewal', 'june'], yearly: 504000 },
        applicant: { ...harbor, founded: '03/04/2012', phones, address: { street: '120 Main Street', town: 'Albany' } },
        people: [{ ...ada, ssn: '219-09-9999', mobile: '(518) 555-0199' }, { last: 'Okafor' }],
      },
      { amount: 20000, applicant: harbor, people: [{ first: 'Ben', last: 'Lind' }] },
    ]);
    expect(values('notes')).toEqual([
      { dealNo: 'deals/1', phase: 'Open', said: 'Statements received' },
      { dealNo: 'deals/2', phase: 'Closed', said: 'Called back' },
    ]);
    expect(values('files')).toEqual([{ dealNo: 'deals/1', file: { name: 'june.txt', content: 'June: 100.00' } }]);
    expect(values('submissions')).toEqual([
      { dealNo: 'deals/1', funderNo: 'businesses/3', phase: 'Submitted', comment: 'Twelve months' },
    ]);
    expect(values('loans')).toEqual([
      {
        ...{ submissionNo: 'submissions/1', dealNo: 'deals/1', amount: 44000, months: 12, factor: 1.28 },
        ...{ instalment: 226, every: 'Daily', paidOut: '06/15/2026' },
      },
    ]);
    const paid = (no: string, paidOn: string, amount: number, reference: string, more: object = {}) => ({
      ...{ deal: { no }, paidOn, amount, type: 'Payment', reference, ...more },
    });
    expect(values('payments')).toEqual([
      paid('deals/1', '06/30/2026', 228.57, 'ACH-1', { text: 'Daily debit' }),
      paid('deals/2', '06/30/2026', 100, 'ACH-2'),
      paid('deals/1', '07/01/2026', 228.57, 'ACH-3'),
      paid('deals/2', '07/02/2026', -25.5, 'ACH-4', { type: 'Fee', text: 'Returned' }),
    ]);

    expect(await rows('Companies')).toMatchObject([{ ID: 'businesses/2' }, { ID: 'businesses/3' }]);
    expect(await rows('Deals')).toMatchObject([{ ID: 'deals/1' }, { ID: 'deals/2' }]);
    expect(await rows('Company updates')).toMatchObject([{ ID: known }, { ID: known }]);
    for (const sheet of withoutId) expect(new Set(await statuses(sheet)), sheet).toEqual(new Set(['Accepted']));

    const before = stranger.requests.length;
    const again = await desk.load('--skip-loaded');
    expect(again, again.stderr).toMatchObject({ exitCode: 0, counts: { alreadyLoaded: rowsOf(month) } });
    expect(stranger.requests).toHaveLength(before);
  });

  it('has what it says in place of a result told as a refusal', async () => {
    await desk.write({
      ...month,
      Notes: withCell('Notes', 'Closed', 'Never heard of'),
      Transactions: withCell('Transactions', 100, 0),
    });
    expect((await desk.load()).exitCode).toBe(1);
    expect(await statuses('Notes')).toEqual(['Accepted', 'Rejected']);
    expect((await rows('Notes'))[1]?.Problems).toMatch(/Phase: Invalid option/);
    expect(await statuses('Transactions')).toEqual(['Rejected', 'Rejected', 'Rejected', 'Rejected']);
    expect((await rows('Transactions'))[0]?.Problems).toMatch(/No amount/);
    expect(stranger.kept.payments).toBeUndefined();
  });

  it('is sent no row of which it has no place for a value', async () => {
    const [header = [], first = []] = month.Deals;
    await desk.write({
      Deals: [
        [...header, 'Owner 1 phone 2'],
        [...first, '(518) 555-0100'],
      ].map((row) => row.filter((_, at) => at !== 1)),
    });
    expect((await desk.load()).exitCode).toBe(1);
    expect((await rows('Deals'))[0]?.Problems).toMatch(/Owner 1 phone 2 has no place/);
    expect(stranger.requests).toEqual([]);
  });

  it('leaves payments in doubt whose answer breaks off, and a resume sends none of them again', async () => {
    stranger.breakAfter('/v1/transactions');
    expect(await desk.load()).toMatchObject({ exitCode: 6, counts: { inDoubt: 4 } });
    expect(await statuses('Transactions')).toEqual(['In doubt', 'In doubt', 'In doubt', 'In doubt']);
    const run = String((await rows('Transactions'))[0]?.Run).split('#')[0] ?? '';
    expect((await desk.run('resume', run, '--yes')).exitCode).toBe(6);
    expect((await desk.load('--skip-loaded')).exitCode).toBe(6);
    expect(values('payments')).toHaveLength(4);
    expect(stranger.requests.filter((each) => each === 'POST /v1/transactions')).toHaveLength(1);
  });

  it('gives its deals, companies and balances by the names that the person knows', async () => {
    await desk.load();
    expect(await desk.exported('deals', '--id', 'deals/1')).toMatchObject([
      {
        record: {
          amountRequested: 45000.5,
          company: {
            ...{ name: 'Harbor Bakery LLC', businessStartDate: '2012-03-04' },
            phones: [{ number: '(518) 555-0142' }, { number: '(518) 555-0177' }],
            addresses: [{ line1: '120 Main Street', city: 'Albany' }],
          },
          owner1: { lastName: 'Moreno', phones: [{ number: '(518) 555-0199' }] },
          owner2: { lastName: 'Okafor' },
        },
      },
    ]);
    expect(await desk.exported('companies', '--id', 'businesses/2')).toMatchObject([
      {
        record: {
          name: 'Harbor Bakery LLC',
          phones: [{}, { number: '(518) 555-0177' }],
          addresses: [{ zip: '12207' }],
        },
      },
    ]);
    expect(await desk.exported('balances')).toMatchObject([
      { dealNo: 'deals/1' },
      { dealNo: 'deals/2', balance: 100.25 },
    ]);
  });
});
