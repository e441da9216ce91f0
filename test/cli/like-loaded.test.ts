/** A record that may be the same as one of an earlier file is told of, with where that one came from, and goes out. */
import { describe, expect, it } from 'vitest';
import { deskForEachTest, refusal, tokenRefused } from '../builders/deals-desk.ts';

const desk = deskForEachTest();

interface Month {
  readonly file: string;
  readonly rows: readonly (readonly (string | number)[])[];
}

const headers = {
  deals: ['Ref', 'Amount requested', 'Company name', 'Owner last name', 'EIN'],
  companies: ['Ref', 'Name', 'Contact types', 'Email 1', 'EIN'],
  leads: ['Company name', 'Amount requested', 'Tags'],
  'submission-loans': ['Deal id', 'Amount', 'Funded date', 'Term'],
  transactions: ['Deal id', 'Date', 'Amount', 'Description'],
} as const;

async function load(kind: keyof typeof headers, { file, rows }: Month, ...further: readonly string[]) {
  desk.write(file, [headers[kind], ...rows]);
  const { printed } = await desk.load(file, '--as', kind, '--results', `${file}.results.csv`, ...further);
  const again = `${printed?.run}.csv`;
  await desk.place.run(['results', printed?.run ?? '', '-o', again]);
  expect(desk.tableOf(again)).toEqual(desk.tableOf(`${file}.results.csv`));
  return desk.rowsOf(`${file}.results.csv`).map(([status, problems]) => ({ status, problems }));
}

describe('a row of another file', () => {
  it.each([
    [
      'deals',
      ['D-1', 100, 'Harbor Bakery LLC', 'Moreno'],
      ['N-1', 100, 'HARBOR BAKERY, LLC', 'Diaz'],
      ['N-2', 200, 'Harbor Bakery LLC', 'Moreno'],
    ],
    [
      'deals',
      ['D-1', 100, "Rosa's Taqueria LLC", 'Moreno', '12-3456789'],
      ['N-1', 100, 'Rosas Taqueria', 'Diaz', '123456789'],
      ['N-2', 200, 'Rosas Taqueria', 'Diaz', '123456789'],
    ],
    [
      'companies',
      ['C-1', 'Harbor', 'Merchant', 'a@harbor.example'],
      ['N-1', 'Marina', 'Merchant', 'A@harbor.example'],
      ['N-2', 'Kite', 'Merchant', 'b@kite.example'],
    ],
    ['leads', ['Harbor', 100], ['Harbor', '100', 'food'], ['Harbor', 200, 'food']],
    ['submission-loans', ['deal_1', 100, '2026-06-01'], ['deal_1', 100, '2026-06-02', 12], ['deal_1', 99, '', 12]],
    ['transactions', ['deal_1', '2026-06-01', 5], ['deal_1', '2026-06-01', 5, 'ACH'], ['deal_2', '2026-06-01', 5]],
  ] as const)('tells of %s that may be the same, and of no others', async (kind, before, like, other) => {
    await load(kind, { file: 'may.csv', rows: [before] });
    const [first, second] = await load(kind, { file: 'june.csv', rows: [like, other] });
    const [status, same] = kind === 'transactions' ? ['Accepted', 'deal, date and amount'] : ['Created', ''];
    expect([first?.status, second?.status]).toEqual([status, status]);
    expect(first?.problems).toMatch(
      /^Note: This may be the same [\w ]+ as (?:\S+, from )?may\.csv, may row 2, on \d{4}-\d\d-\d\d /m,
    );
    expect(first?.problems).toContain(`it has the same ${same}`);
    expect(second?.problems).not.toContain('may.csv');
  });

  it('is told of where a person allows what would hold it', async () => {
    const withEin = (ref: string) => ({ file: `${ref}.csv`, rows: [[ref, ref, 'Merchant', '', '12-3456789']] });
    await load('companies', withEin('C-1'));
    const [sent] = await load('companies', withEin('C-2'), '--allow', 'possible-duplicate');
    expect(sent?.status).toBe('Created');
    expect(sent?.problems).toMatch(
      /^Note: This row has the same EIN as .*C-1 row 2.* You chose to send the row all the/,
    );
  });

  it('is held where a person wants it so, and not told of where it is in this file', async () => {
    const row = ['D-1', 100, 'Harbor', 'Moreno'] as const;
    await load('deals', { file: 'may.csv', rows: [row] });
    const longer = { file: 'may.csv', rows: [row, ['D-2', 100, 'Harbor', 'Diaz']] } as const;
    const june = { file: 'june.csv', rows: [['D-3', 100, 'Harbor', 'Diaz']] } as const;
    expect((await load('deals', june, '--strict', 'like-loaded'))[0]?.status).toBe('Not sent');
    expect((await load('deals', longer))[1]?.problems).not.toContain('may.csv');
  });

  it('is not said not to be sent for it, where its load stopped and another was refused it', async () => {
    await load('deals', { file: 'may.csv', rows: [['D-1', 100, 'Harbor', 'Moreno']] });
    desk.said.set(2, tokenRefused).set(4, refusal);
    const rows = [['N-1', 5, 'Zoo', 'Diaz'] as const, ['N-2', 100, 'HARBOR', 'Diaz'] as const];
    await load('deals', { file: 'june.csv', rows });
    await desk.load('june.csv.results.csv', '--results', 'last.csv');
    expect(desk.statuses('last.csv')).toEqual(['Created', 'Rejected']);
    const [, stopped] = JSON.parse((await desk.place.run(['runs', '--json'])).stdout).runs;
    await desk.place.run(['results', stopped.run, '-o', 'again.csv']);
    expect(desk.rowsOf('again.csv')[1]?.slice(0, 2)).toEqual(['Not sent', expect.not.stringContaining('may.csv')]);
  });
});
