import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { deskForEachTest, refusal, serverError } from '../builders/deals-desk.ts';
import { expectCounts, expectExit } from '../builders/expected.ts';
import { oneRow, readWorkbook, type Table, writeWorkbook } from '../builders/tables.ts';

const dealHeaders = ['Ref', 'Amount requested', 'Company name', 'Company DBA', 'Owner first name', 'Owner last name'];

function deal(ref: string, amount: number | string): Table[number] {
  return [ref, amount, `Company of ${ref}`, `DBA of ${ref}`, 'Ada', 'Moreno'];
}

const withoutRefs = (...rows: Table) => [dealHeaders, ...rows].map((row) => row.slice(1));

describe('a load from file to results sheet', () => {
  const desk = deskForEachTest();
  const { place, service } = desk;
  const load: typeof desk.loadWorkbook = (...words) => desk.loadWorkbook(...words);
  const yes = { status: 200, body: '{"success":true}' };

  it('sends the good rows, keeps the wrong ones back, and tells of each in the order of the source', async () => {
    desk.write('deals.csv', [dealHeaders, deal('D-1', 100), deal('D-2', -1), deal('D-3', 300.25)]);
    const { printed } = await expectExit(load('deals.csv'), 1);
    expect(service.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(['POST /v1/deal', 'POST /v1/deal']);
    expect(printed?.counts).toMatchObject({ rows: 3, created: 2, invalid: 1 });
    const rows = await readWorkbook(printed?.results ?? '', 'deals');
    expect(rows.map((row) => [row.Status, row.Ref])).toEqual([
      ['Created', 'D-1'],
      ['Invalid', 'D-2'],
      ['Created', 'D-3'],
    ]);
    expect(rows[0]).toMatchObject({
      ID: expect.stringMatching(/^rec_/),
      'Company ID': expect.stringMatching(/^cmp_/),
      'Amount requested': '100',
    });
    expect(rows[1]?.Problems).toBe('Amount requested "-1" must be at least 0.');
    expect(rows[1]?.Run).toBe(`${printed?.run}#deals!3`);
  });

  it('sends the token as a bearer token, and shows it nowhere', async () => {
    desk.write('deals.csv', [dealHeaders, deal('D-1', 100)]);
    const words = ['import', 'deals.csv', '--url', service.url, '--yes'];
    const { stderr, stdout } = await place.run(words, { env: { DEALSHEET_TOKEN: 'secret-token' } });
    expect(service.requests[0]?.headers.authorization).toBe('Bearer secret-token');
    expect(stderr + stdout).not.toContain('secret-token');
  });

  it('gives children the ids of their parents, whatever the order of the sheets', async () => {
    await writeWorkbook(place.path('month.xlsx'), {
      Notes: [
        ['Deal ref', 'Deal status', 'Note'],
        ['D-1', 'In review', 'Statements received'],
        ['D-2', 'In review', 'Waits for its deal'],
      ],
      Deals: [
        [...dealHeaders, 'Company ref'],
        [...deal('D-1', 100), 'C-1'].map((cell, index) => (index === 2 || index === 3 ? null : cell)),
        [...deal('D-2', 200), null],
      ],
      Companies: oneRow({ Ref: 'C-1', 'Company name': 'Harbor Bakery', 'Contact types': 'Merchant' }),
    });
    desk.said.set(3, refusal);
    const { printed, stderr } = await load('month.xlsx');
    expect(stderr).toContain(
      '1  Waiting. The record that each row belongs to is not in, or has changed. The Problems column says which row, and what to do.\n',
    );
    const bodies = service.requests.map(
      ({ path, body }) => [path, JSON.parse(body) as Record<string, unknown>] as const,
    );
    expect(bodies[0]).toEqual(['/v1/company', { name: 'Harbor Bakery', contactTypes: ['Merchant'] }]);
    expect(bodies.find(([path, body]) => path === '/v1/deal' && body.amountRequested === 100)?.[1]).toMatchObject({
      company: { id: 'rec_1' },
    });
    const note = bodies.find(([path]) => path === '/v1/deal/note')?.[1] ?? {};
    expect(note.dealId).toMatch(/^rec_[23]$/);
    expect(printed?.counts).toMatchObject({ rows: 5, created: 3, rejected: 1, waiting: 1 });
    const notes = await readWorkbook(printed?.results ?? '', 'Notes');
    expect(notes.map((row) => row.Status)).toEqual(['Created', 'Waiting']);
    expect(notes[1]?.Problems).toBe(
      'Waiting until the deal with the Ref "D-2" (Deals row 3) is in: its Problems cell says what to do. Then the next load sends this row.',
    );
    desk.write('note.csv', oneRow({ 'Deal ref': 'D-2', 'Deal status': 'Open', Note: 'By itself' }));
    await load('note.csv', '--as', 'notes', '--results', 'note.results.csv');
    expect(desk.problemsOf('note.results.csv', 0)).toMatch(/^Waiting until the deal with the Ref "D-2" is in\. Then/);
  });

  it('sends a row once, however often its file is loaded', async () => {
    desk.write('deals.csv', withoutRefs(deal('D-1', 100), deal('D-2', 200), deal('D-2', 200)));
    desk.write('next.csv', withoutRefs(deal('D-2', 200), deal('D-3', 300)));
    await expectCounts(load('deals.csv'), { rows: 3, created: 3 });
    const second = expectExit(load('deals.csv', '--results', 'second.xlsx'), 0);
    await expectCounts(second, { rows: 3, created: 0, alreadyLoaded: 3 });
    await expectCounts(load('next.csv', '--as', 'deals'), { created: 1, alreadyLoaded: 1 });
    expect(service.requests).toHaveLength(4);
    await expectCounts(load('deals.csv', '--again', '--results', 'third.xlsx'), { created: 3 });
  });

  it('sends the first rows alone in a trial', async () => {
    desk.write('deals.csv', [dealHeaders, deal('D-1', 100), deal('D-2', 200), deal('D-3', 300)]);
    const { printed, stderr } = await expectExit(load('deals.csv', '--limit', '2'), 1);
    expect(printed?.counts).toMatchObject({ rows: 3, created: 2, ready: 1 });
    expect(stderr).toMatch(/1 {2}Ready\. Import the file again without --limit/);
    expect(stderr).not.toContain('resume');
    const whole = await expectExit(load('deals.csv'), 0);
    expect(whole.printed?.counts).toMatchObject({ created: 1, alreadyLoaded: 2, notSent: 0 });
  });

  it('says of a row that a trial holds that its problems tell what to do', async () => {
    desk.write('deals.csv', withoutRefs(deal('D-1', 100)));
    await load('deals.csv');
    desk.write('deals.csv', withoutRefs(deal('D-1', 150), deal('D-2', 200), deal('D-3', 300)));
    const { stderr } = await expectExit(load('deals.csv', '--limit', '1'), 1);
    expect(stderr).toMatch(
      /2 {2}Ready\. Import the file again without --limit.*\n +1 {2}Not sent\. The Problems column/,
    );
  });

  it('keeps a day with a time a day in the results, which can be imported again', async () => {
    const born = new Date('2015-03-04T12:00:00Z');
    await writeWorkbook(place.path('m.xlsx'), {
      Deals: [
        [...dealHeaders, 'Owner 1 date of birth'],
        [...deal('D-1', 100), born],
      ],
    });
    desk.said.set(1, refusal);
    await expectCounts(load('m.xlsx'), { rejected: 1 });
    await expectCounts(load('m.results.xlsx'), { created: 1, invalid: 0 });
    const bodies = service.requests.map(({ body }) => JSON.parse(body) as { owner1: { dob: string } });
    expect(bodies.map(({ owner1 }) => owner1.dob)).toEqual(['2015-03-04', '2015-03-04']);
  });

  it('sends transactions in batches', async () => {
    const rows = Array.from({ length: 25 }, (_, index) => ['deal_1', '2026-06-30', index + 0.25]);
    desk.write('transactions.csv', [['Deal id', 'Date', 'Amount'], ...rows]);
    for (const number of [1, 2, 3, 4]) desk.said.set(number, yes);
    await expectCounts(load('transactions.csv', '--batch', '10'), { rows: 25, accepted: 25 });
    const sent = service.requests.map(({ body }) => JSON.parse(body) as { transactions: { amount: number }[] });
    const batches = sent.map(({ transactions }) => transactions.map(({ amount }) => amount));
    expect(batches.map(({ length }) => length)).toEqual([1, 10, 10, 4]);
    expect(batches.flat()).toEqual(rows.map(([, , amount]) => amount));
  });

  it('P21: sends only the filled cells of an update, and null for a cleared one', async () => {
    desk.write(
      'updates.csv',
      oneRow({ 'Company to update': 'cmp_7', Website: 'https://new.example', EIN: '', DBA: '<clear>' }),
    );
    desk.said.set(1, yes);
    const { stderr } = await expectCounts(load('updates.csv', '--as', 'company-updates'), { updated: 1 });
    expect(service.requests[0]).toMatchObject({ method: 'PATCH', path: '/v1/company/cmp_7' });
    expect(JSON.parse(service.requests[0]?.body ?? '')).toEqual({ website: 'https://new.example', dba: null });
    expect(stderr).toMatch(/1 field of companies will be emptied/);
  });

  it('masks SSN and date of birth of rows that are in, and leaves them to correct in the others', async () => {
    desk.write('deals.csv', [
      [...dealHeaders, 'Owner SSN', 'Owner date of birth'],
      [...deal('D-1', 100), '987-65-4321', '1980-04-17'],
      [...deal('D-2', 'much'), '987-65-4322', '1981-04-17'],
    ]);
    const { printed, stderr } = await load('deals.csv');
    const rows = await readWorkbook(printed?.results ?? '', 'deals');
    expect(rows.map((row) => row['Owner SSN'])).toEqual(['***-**-****', '987-65-4322']);
    expect(rows.map((row) => row['Owner date of birth'])).toEqual(['****-**-**', '1981-04-17']);
    expect(stderr).not.toMatch(/65\D?432[12]/);
  });

  it('writes results as CSV, with formulas defused', async () => {
    desk.write('deals.csv', [dealHeaders, [...deal('D-1', 100).slice(0, 2), '=2+2', 'x', 'Ada', 'Moreno']]);
    const { printed } = await load('deals.csv', '--results', 'deals.done.csv');
    const text = readFileSync(printed?.results ?? '', 'utf8');
    expect(text).toMatch(/^\uFEFFStatus,Problems,ID,Link,Company ID,Run,Ref,/);
    expect(text).toContain("'=2+2");
  });

  it('reads CSV from standard input when it is told where the results go', async () => {
    const words = ['import', '-', '--as', 'notes', '--url', service.url, '--yes', '--results', 'notes.results.xlsx'];
    const ended = await place.run(words, {
      env: { DEALSHEET_TOKEN: 'token' },
      input: 'Deal id,Deal status,Note\ndeal_1,Open,Hello\n',
    });
    expect(ended.exitCode, ended.stderr).toBe(0);
    expect(service.requests).toHaveLength(1);
  });

  it('keeps the sources of two ledgers apart, though their runs have the same name', async () => {
    desk.write('deals.csv', [dealHeaders, deal('D-1', 100)]);
    desk.said.set(1, serverError).set(2, serverError);
    for (const ledger of ['one.db', 'two.db']) {
      await expectExit(load('deals.csv', '--ledger', ledger, '--results', `${ledger}.xlsx`), 6);
    }
  });
});
