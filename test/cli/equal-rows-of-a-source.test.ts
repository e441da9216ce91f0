import { beforeEach, describe, expect, it } from 'vitest';
import { deskForEachTest, refusal } from '../builders/deals-desk.ts';
import { expectCounts } from '../builders/expected.ts';
import type { Table } from '../builders/tables.ts';

const desk = deskForEachTest();

const deal = ['Amount requested', 'Company name', 'Owner last name'];
const twin = [5, 'Harbor', 'Moreno'];

/** Loads the first row alone, and then the results sheet of that trial as it is. */
async function loadInTwo(table: Table, kind = 'deals') {
  desk.write('rows.csv', table);
  const where = ['--as', kind, '--results'];
  await desk.load('rows.csv', ...where, 'one.csv', '--limit', '1');
  const ended = await desk.load('one.csv', ...where, 'two.csv', '--skip-loaded');
  return { counts: ended.printed?.counts, statuses: desk.statuses('two.csv'), told: ended.stderr };
}

describe('what is said of two equal rows', () => {
  it('is to keep one of them, before it is to give each its own Ref', async () => {
    desk.write('rows.csv', [['Ref', ...deal], ...[twin, twin].map((row) => ['D-1', ...row])]);
    const { stderr } = await desk.load('rows.csv', '--results', 'rows.results.csv');
    expect(stderr).toMatch(
      /If they are the same record, keep one row and delete the others; if not, give each its own/,
    );
  });

  it('is about rows before they go in, and about records once they are in', async () => {
    desk.write('rows.csv', [deal, twin, twin]);
    const { stderr } = await desk.load('rows.csv', '--results', 'rows.results.csv');
    expect(stderr).toContain('If only one of the two is meant, delete the other.');
    expect(stderr).toContain('To be sent: 2 rows (possible duplicates: 1; amounts: 10.00).');
    for (const is of ['Created', 'Already loaded']) {
      expect(desk.statuses('rows.results.csv')).toEqual([is, is]);
      expect(desk.problemsOf('rows.results.csv', 1)).toContain(
        'remove the record of the other, where it has one of its own, in the service.',
      );
      await desk.load('rows.csv', '--results', 'rows.results.csv');
    }
  });
});

describe('of two equal rows of which one went in with a trial, the other goes in with the results sheet', () => {
  it.each<[string, Table]>([
    ['in the same way', [deal, twin, twin]],
    [
      'with an SSN, which the results hide of the one that is in',
      [
        [...deal, 'Owner 1 SSN'],
        [...twin, '219-09-9999'],
        [...twin, '219-09-9999'],
      ],
    ],
  ])('also when they are written %s', async (_way, table) => {
    const { counts, statuses, told } = await loadInTwo(table);
    expect(counts, told).toMatchObject({ created: 1, alreadyLoaded: 1 });
    expect(statuses).toEqual(['Already loaded', 'Created']);
    expect(desk.sent).toHaveLength(2);
  });

  it('also when one names its deal by id and the other by the Ref of an earlier load', async () => {
    desk.write('deal.csv', [
      ['Ref', ...deal],
      ['D1', 5, 'Parent', 'Moreno'],
    ]);
    await desk.load('deal.csv', '--results', 'deal.results.csv');
    const [id = ''] = desk.rowsOf('deal.results.csv').map(([, given]) => given);
    const { counts, told } = await loadInTwo(
      [
        ['Deal id', 'Deal ref', 'Date', 'Amount', 'Type'],
        [id, '', '2026-06-30', 100, 'Payment'],
        ['', 'D1', '2026-06-30', 100, 'Payment'],
      ],
      'transactions',
    );
    expect(counts, told).toMatchObject({ accepted: 1, alreadyLoaded: 1 });
  });
});

describe('of equal rows of which one went in, the others go in', () => {
  const load = (file: string, ...further: string[]) => desk.load(file, '--results', ...further);
  const withoutThoseIn = (rows: string[][]) => rows.filter(([status]) => status !== 'Created');

  it('when a person takes the one that is in out of the results sheet', async () => {
    desk.write('rows.csv', [deal, twin, twin, twin]);
    await load('rows.csv', 'one.csv', '--limit', '1');
    desk.changeRows('one.csv', withoutThoseIn);
    await expectCounts(load('one.csv', 'two.csv', '--limit', '1'), { rows: 2, created: 1, ready: 1 });
    desk.changeRows('two.csv', withoutThoseIn);
    await expectCounts(load('two.csv', 'three.csv'), { rows: 1, created: 1 });
    await expectCounts(load('rows.csv', 'four.csv'), { alreadyLoaded: 3 });
    for (const sheet of ['one.csv', 'two.csv', 'three.csv']) {
      await expectCounts(load(sheet, `${sheet}.again.csv`), { created: 0 });
    }
    expect(desk.sent).toHaveLength(3);
  });

  it('when the other was refused and corrected to say the same, once it comes back together with the one that is in', async () => {
    desk.said.set(2, refusal);
    desk.write('rows.csv', [deal, twin, [7, 'Harbor', 'Moreno']]);
    await load('rows.csv', 'one.csv');
    desk.correct('one.csv', '7', '5');
    const both = desk.rowsOf('one.csv');
    desk.changeRows('one.csv', withoutThoseIn);
    for (const sheet of ['two.csv', 'three.csv']) {
      await expectCounts(load('one.csv', sheet), { rows: 1, notSent: 1 });
      expect(desk.problemsOf(sheet, 0)).toContain('If both are meant, import with --allow equal-to-loaded-row');
    }
    desk.changeRows('one.csv', () => both);
    await expectCounts(load('one.csv', 'four.csv'), { alreadyLoaded: 1, created: 1 });
    await expectCounts(load('rows.csv', 'five.csv'), { alreadyLoaded: 2 });
  });
});

describe('a row that was refused, and whose equal went in meanwhile, is sent when it comes back as it is', () => {
  const load = (file: string, results: string, ...further: readonly string[]) =>
    desk.load(file, '--results', results, ...further);

  beforeEach(() => {
    desk.said.set(1, refusal);
    desk.write('twins.csv', [deal, twin, twin]);
  });

  it.each([
    ['with its equal beside it', 'one.csv', ['Created', 'Already loaded']],
    ['alone', 'first.csv', ['Created']],
  ])('after its equal went in by itself, %s', async (_how, back, statuses) => {
    await load('twins.csv', 'one.csv', '--limit', '1');
    for (const [name, row] of [
      ['first.csv', 0],
      ['rest.csv', 1],
    ] as const) {
      const table = desk.tableOf('one.csv');
      desk.write(name, [table[0] ?? [], table[row + 1] ?? []]);
    }
    await load('rest.csv', 'rest.results.csv');
    expect(desk.statuses('rest.results.csv')).toEqual(['Created']);
    await load(back, 'last.csv');
    expect(desk.statuses('last.csv')).toEqual(statuses);
    await load('twins.csv', 'again.csv');
    expect(desk.statuses('again.csv')).toEqual(['Already loaded', 'Already loaded']);
    expect(new Set(desk.rowsOf('again.csv').map(([, id]) => id)).size).toBe(2);
  });
});

it('a row with the values of a record is that record, and no equal row that an earlier load left', async () => {
  desk.write('june.csv', [deal, twin.with(0, 'much')]);
  await desk.load('june.csv', '--as', 'deals', '--results', 'one.csv');
  desk.changeRows('one.csv', ([row = []]) => [row.with(6, '5')]);
  await expectCounts(desk.load('one.csv', '--as', 'deals', '--results', 'two.csv'), { created: 1 });
  desk.write('july.csv', [deal, twin.with(1, 'Mill'), twin, twin]);
  const trial = desk.load('july.csv', '--as', 'deals', '--results', 'three.csv', '--limit', '1');
  await expectCounts(trial, { created: 1, alreadyLoaded: 1, ready: 1 });
  desk.write('august.csv', [deal, twin]);
  await expectCounts(desk.load('august.csv', '--as', 'deals'), { alreadyLoaded: 1, created: 0 });
});
