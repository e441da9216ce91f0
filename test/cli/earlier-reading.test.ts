import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { deskForEachTest } from '../builders/deals-desk.ts';
import { expectCounts, expectExit } from '../builders/expected.ts';

const headers = ['Amount requested', 'Company name', 'Owner last name', 'Company start date', 'Rep'];

describe('a results sheet read as its run read the source', () => {
  const desk = deskForEachTest();

  const load: typeof desk.loadWorkbook = (...words) => desk.loadWorkbook(...words);
  const startDates = () =>
    desk.posted.map(
      ({ body }) => (JSON.parse(body) as { company: { businessStartDate?: string } }).company.businessStartDate,
    );

  /** A file that needs three flags, and whose second row is wrong. */
  const loadFirst = async (...further: readonly string[]) => {
    desk.write('june.csv', [
      headers,
      [100, 'Harbor Bakery', 'Moreno', '5/11/2017', 'Bob'],
      ['much', 'Mill Dental', 'Okafor', '6/12/2017', 'Ann'],
    ]);
    const flags = ['--as', 'deals', '--date-order', 'mdy', '--ignore-columns', 'Rep'];
    return load('june.csv', '--results', 'june.results.csv', ...flags, ...further);
  };

  it('takes over the kind, the order of dates and the columns left out, and says so', async () => {
    await expectCounts(loadFirst(), { created: 1, invalid: 1 });
    desk.correct('june.results.csv', 'much', '200');
    const second = await expectExit(load('june.results.csv', '--results', 'two.csv'), 0);
    expect(second.printed?.counts).toMatchObject({ created: 1, alreadyLoaded: 1 });
    expect(startDates()).toEqual(['2017-05-11', '2017-06-12']);
    expect(second.stderr).toMatch(
      /The results sheet is read as the run \S+ read its source: --as deals --date-order mdy --ignore-columns Rep\./,
    );
  });

  it('is checked so, too, and as it stands where the ledger is not there', async () => {
    await loadFirst();
    desk.correct('june.results.csv', 'much', '200');
    const checked = await expectExit(desk.command(['check', 'june.results.csv', '--json']), 0);
    expect(checked.printed?.counts).toMatchObject({ ready: 1, alreadyLoaded: 1 });
    expect(checked.stderr).toMatch(/is read as the run \S+ read its source: --as deals --date-order mdy/);

    const elsewhere = { DEALSHEET_LEDGER: desk.place.path('none.db') };
    const alone = await expectExit(desk.place.run(['check', 'june.results.csv'], { env: elsewhere }), 2);
    expect(alone.stderr).toContain('The file has neither a name nor headers that show what its rows are');
    expect(existsSync(desk.place.path('none.db'))).toBe(false);
  });

  it('puts what is said on the command line first', async () => {
    await loadFirst();
    desk.correct('june.results.csv', 'much', '200');
    const second = await load('june.results.csv', '--date-order', 'dmy', '--results', 'two.csv');
    expect(second.printed?.counts, second.stderr).toMatchObject({ created: 1 });
    expect(startDates()).toEqual(['2017-05-11', '2017-12-06']);
    expect(second.stderr).not.toContain('--date-order mdy');
  });

  it('takes nothing over when the runs of the rows were told different things, and says what each was told', async () => {
    await loadFirst();
    const [, wrong = []] = desk.rowsOf('june.results.csv');
    const otherwise = ['--as', 'deals', '--date-order', 'dmy', '--ignore-columns', 'Rep', '--again'];
    await load('june.csv', ...otherwise, '--results', 'dmy.csv');
    desk.changeRows('dmy.csv', (rows) => [...rows, wrong]);
    const mixed = await load('dmy.csv', '--as', 'deals', '--ignore-columns', 'Rep', '--results', 'two.csv');
    expect(mixed.stderr).toMatch(
      /runs with different flags \(\S+ with --as deals --date-order dmy .*; \S+ with --as deals --date-order mdy /,
    );
    expect(mixed.stderr).toContain('can be read month first');
  });

  it('reads dates and amounts as the cells of the source showed, though they are stars now, or not in the sheet', async () => {
    const sent = () =>
      desk.posted
        .map(({ body }) => JSON.parse(body) as { amountRequested: number; owner1: { dob: string } })
        .map(({ amountRequested, owner1 }) => [amountRequested, owner1.dob]);
    const columns = ['Amount requested', 'Company name', 'Owner last name', 'Owner birth date', 'Owner credit score'];
    desk.write('june.csv', [
      columns,
      ['1.250,50', 'Harbor Bakery', 'Moreno', '04/17/1969', 700],
      ['900', 'Pier Cafe', 'Cole', '12/25/1970', 690],
      ['2500', 'Mill Dental', 'Okafor', '03/04/1969', 'good'],
      ['3,750', 'Lantern Goods', 'Lind', '05/06/1969', 720],
    ]);
    await expectCounts(load('june.csv', '--results', 'june.results.csv'), { created: 2, invalid: 2 });
    desk.correct('june.results.csv', 'good', '710');
    await expectCounts(load('june.results.csv', '--results', 'two.csv'), { created: 1, alreadyLoaded: 2, invalid: 1 });
    desk.changeRows('two.csv', (rows) => rows.slice(3));
    const third = await expectCounts(load('two.csv', '--results', 'three.csv'), { created: 0, invalid: 1 });
    expect(third.stderr).toMatch(/"3,750" can be two amounts/);
    desk.correct('three.csv', '3,750', '3750');
    await expectCounts(load('three.csv', '--results', 'four.csv'), { created: 1 });
    expect(sent()).toEqual([
      [1250.5, '1969-04-17'],
      [900, '1970-12-25'],
      [2500, '1969-03-04'],
      [3750, '1969-05-06'],
    ]);
  });

  it.each([
    ['a day', [...Array(7).fill('01/02/2016'), '13/05/2016'], '03/05/2016', { created: 0, invalid: 8 }],
    ['a day that tells the other order', [...Array(7).fill('01/02/2016'), '13/05/2016'], '03/13/2016', { created: 8 }],
  ])('is not read by %s that was a typo, and is corrected', async (_, days, corrected, counts) => {
    desk.write('june.csv', [
      headers.slice(0, 4),
      ...days.map((day, at) => [at || 'much', `Company ${at}`, 'Moreno', day]),
    ]);
    await load('june.csv', '--as', 'deals', '--results', 'june.results.csv', '--all-or-nothing');
    desk.correct('june.results.csv', 'much', '100');
    desk.correct('june.results.csv', '13/05/2016', corrected);
    await expectCounts(load('june.results.csv', '--results', 'two.csv'), counts);
  });

  it('is read by the mapping of its run, and by none other', async () => {
    const rules = {
      kind: 'deals',
      columns: { Firm: 'Company name', Boss: 'Owner 1 last name', Ask: 'Amount requested' },
    };
    writeFileSync(join(desk.place.folder, 'broker.json'), JSON.stringify({ sheets: [rules] }));
    desk.write('june.csv', [
      ['Firm', 'Boss', 'Ask'],
      ['Harbor Bakery', 'Moreno', 100],
      ['Mill Dental', 'Okafor', 'much'],
    ]);
    await load('june.csv', '--mapping', 'broker.json', '--results', 'june.results.csv');
    desk.correct('june.results.csv', 'much', '200');
    await expectCounts(load('june.results.csv', '--results', 'two.csv'), { created: 1, alreadyLoaded: 1 });

    writeFileSync(join(desk.place.folder, 'broker.json'), JSON.stringify({ sheets: [{ ...rules, dateOrder: 'dmy' }] }));
    const changed = await expectExit(load('two.csv', '--results', 'three.csv'), 2);
    expect(changed.stderr).toMatch(/broker\.json, which is gone or was changed.*\n.*--mapping FILE/);
  });
});
