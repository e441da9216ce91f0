import { beforeEach, describe, expect, it } from 'vitest';
import { deals, deskForEachTest, refusal, serverError, tokenRefused } from '../builders/deals-desk.ts';
import { expectCounts, expectExit } from '../builders/expected.ts';

const desk = deskForEachTest();

/** Corrects the second row of some results, and loads them. */
async function correctSecond(file: string, results: string, id = '') {
  desk.changeRows(file, (rows) =>
    rows.map((row, index) =>
      index === 1 ? row.map((cell, column) => (column === 2 ? id : cell === '100' ? '250' : cell)) : row,
    ),
  );
  return desk.load(file, '--results', results);
}

/** Loads two rows, of which the second does not go in. */
async function begin(answer = refusal) {
  desk.said.set(2, answer);
  desk.write('deals.csv', deals('Harbor', 'Marina'));
  await desk.load('deals.csv', '--results', 'one.csv');
}

async function told(file: string, results: string, ...further: readonly string[]) {
  await desk.load(file, '--results', results, ...further);
  return desk.statuses(results);
}

describe('a row that went in as it was corrected in its results sheet', () => {
  it.each([
    ['was refused', refusal, ''],
    ['was not sent', tokenRefused, ''],
    ['was in doubt, and not created', serverError, 'not created'],
  ])('is not sent as it was before, where it %s and its source comes back with more rows', async (_, answer, id) => {
    await begin(answer);
    const corrected = await correctSecond('one.csv', 'two.csv', id);
    expect(desk.statuses('two.csv'), corrected.stderr).toEqual(['Already loaded', 'Created']);
    desk.write('deals.csv', deals('Harbor', 'Marina', 'Wharf'));
    const extended = await expectExit(desk.load('deals.csv', '--results', 'three.csv'), 0);
    expect(desk.statuses('three.csv'), extended.stderr).toEqual(['Already loaded', 'Already loaded', 'Created']);
    expect(desk.problemsOf('three.csv', 1)).toMatch(
      /^Loaded from one\.csv, .* it went in with other values than it has here/,
    );
    expect(desk.rowsOf('three.csv')[1]?.[2]).toBe('rec_3');
    expect(new Set(await told('three.csv', 'four.csv'))).toEqual(new Set(['Already loaded']));
  });

  it('holds a row that is added to its results sheet and says what it said, until the person says that both are meant', async () => {
    await begin();
    await correctSecond('one.csv', 'two.csv');
    desk.changeRows('two.csv', (rows) => [...rows, ['', '', '', '', '', '', '100', 'Marina', 'Moreno']]);
    expect(await told('two.csv', 'three.csv')).toEqual(['Already loaded', 'Already loaded', 'Not sent']);
    expect(await told('two.csv', 'four.csv', '--allow', 'equal-to-loaded-row')).toEqual([
      'Already loaded',
      'Already loaded',
      'Created',
    ]);
  });
});

it('a row that was corrected to say what another file had brought in is held, and sent where a person says so', async () => {
  await begin();
  desk.write('other.csv', deals(['Marina', 250]));
  await desk.load('other.csv', '--results', 'other.results.csv');
  const corrected = await correctSecond('one.csv', 'two.csv');
  expect(desk.statuses('two.csv'), corrected.stderr).toEqual(['Already loaded', 'Not sent']);
  await expectCounts(desk.load('two.csv', '--results', 'three.csv'), { notSent: 1 });
  expect(await told('three.csv', 'four.csv', '--allow', 'equal-to-loaded-row')).toEqual(['Already loaded', 'Created']);
});

it('a row that went in with another file as it was is not sent again as its results sheet corrects it, and says so', async () => {
  await begin();
  desk.write('deals.csv', deals('Harbor', 'Marina', 'Wharf'));
  await desk.load('deals.csv', '--results', 'two.csv');
  expect(desk.statuses('two.csv')).toEqual(['Already loaded', 'Created', 'Created']);
  const corrected = await expectExit(correctSecond('one.csv', 'three.csv'), 1);
  expect(desk.statuses('three.csv'), corrected.stderr).toEqual(['Already loaded', 'Changed since loaded']);
  expect(desk.problemsOf('three.csv', 1)).toMatch(/changed since the row went in as rec_3, from deals\.csv/);
  expect(await told('three.csv', 'four.csv')).toEqual(['Already loaded', 'Changed since loaded']);
});

describe('a row that two files have, each with a results sheet of its own', () => {
  /** Neither file brought the row in, and then it went in as it was corrected in the results of the first. */
  const correctInFirst = async (second: readonly string[], ...answers: readonly (typeof refusal)[]) => {
    for (const [index, answer] of answers.entries()) desk.said.set(index + 2, answer);
    desk.write('deals.csv', deals('Harbor', 'Marina'));
    await desk.load('deals.csv', '--results', 'one.csv');
    desk.write('deals.csv', deals('Harbor', ...second));
    await desk.load('deals.csv', '--results', 'two.csv');
    const corrected = await correctSecond('one.csv', 'three.csv');
    expect(desk.statuses('three.csv'), corrected.stderr).toEqual(['Already loaded', 'Created']);
  };
  const marinas = () => desk.sent.filter((name) => name === 'Marina').length;

  it.each([
    ['was not sent', ['Marina', 'Wharf']],
    ['was not come to', ['Wharf', 'Marina']],
  ])('is in as the one has corrected it, where it %s with the other and stays there as it was', async (_, second) => {
    await correctInFirst(second, refusal, tokenRefused);
    const sent = marinas();
    const other = await desk.load('two.csv', '--results', 'four.csv');
    expect(desk.statuses('four.csv')[second.indexOf('Marina') + 1], other.stderr).toBe('Already loaded');
    expect(marinas()).toBe(sent);
    expect(new Set(await told('four.csv', 'five.csv'))).toEqual(new Set(['Already loaded']));
  });

  it('is in as the one has corrected it, where the other corrects it otherwise', async () => {
    await correctInFirst(['Marina', 'Wharf'], refusal, refusal);
    const sent = marinas();
    const other = await correctSecond('two.csv', 'four.csv');
    desk.correct('two.csv', '250', '300');
    const otherwise = await desk.load('two.csv', '--results', 'five.csv');
    expect(desk.statuses('four.csv')[1], other.stderr).toBe('Already loaded');
    expect(desk.statuses('five.csv')[1], otherwise.stderr).toBe('Changed since loaded');
    expect(marinas()).toBe(sent);
    expect([other.exitCode, otherwise.exitCode]).toEqual([0, 1]);
  });

  it('goes out as it is corrected otherwise, once its first six cells are empty', async () => {
    await correctInFirst(['Marina', 'Wharf'], refusal, refusal);
    desk.changeRows('two.csv', (rows) =>
      rows.map((row, index) => (index === 1 ? ['', '', '', '', '', '', '300', ...row.slice(7)] : row)),
    );
    const other = await desk.load('two.csv', '--results', 'four.csv');
    expect(desk.statuses('four.csv')[1], other.stderr).toBe('Not sent');
    const allowed = await desk.load('two.csv', '--results', 'five.csv', '--allow', 'possible-correction');
    expect(desk.statuses('five.csv')[1], allowed.stderr).toBe('Created');
  });
});

it('a row that went in as it was corrected is loaded already in the results of its wrong original, stars beside it', async () => {
  const headers = ['Amount requested', 'Company name', 'Owner last name', 'Owner 1 SSN'];
  desk.write('deals.csv', [headers, ['12k', 'Mill', 'Reyes', '219-09-9998']]);
  await desk.load('deals.csv', '--results', 'one.csv');
  desk.correct('one.csv', '12k', '12000');
  await desk.load('one.csv');
  await desk.load('deals.csv', '--results', 'two.csv');
  const again = await desk.load('two.csv', '--results', 'three.csv');
  expect([desk.statuses('two.csv'), desk.statuses('three.csv')], again.stderr).toEqual([
    ['Already loaded'],
    ['Already loaded'],
  ]);
  for (const told of ['two.csv', 'three.csv'])
    expect(desk.problemsOf(told, 0)).toContain('it went in with other values');
});

it.each([
  ['the copy', ['Harbor', 'Marina', 'Wharf']],
  ['the copy with a row more', ['Harbor', 'Marina', 'Wharf', 'Mill']],
  ['a part of it', ['Marina', 'Wharf']],
])('rows of a copy that was loaded under its new name are held once they are all corrected: %s', async (_, names) => {
  const copied = (amount: number) => desk.write('may (1).csv', deals(...names.map((name) => [name, amount] as const)));
  desk.write('may.csv', deals('Harbor', 'Marina', 'Wharf'));
  await desk.load('may.csv');
  copied(100);
  await desk.load('may (1).csv');
  copied(900);
  const { length } = names;
  for (const _ of [1, 2]) await expectCounts(desk.load('may (1).csv'), { rows: length, notSent: length });
});

it.each(['part of its results', 'part of it'])(
  'a row is held in its place although %s was loaded without it',
  async (part) => {
    const notes = (...rows: readonly string[][]) => [['Deal id', 'Deal status', 'Note'], ...rows];
    const load = (file: string, results: string) =>
      desk.loadWorkbook(file, '--as', 'notes', '--skip-loaded', '--results', results);
    const [one, two] = [
      ['D1', 'Open', 'One'],
      ['D1', 'Lost', 'Two'],
    ] as const;
    desk.write('notes.csv', notes([...one], [...two], ['D1', 'Won', 'Three']));
    await load('notes.csv', 'part.csv');
    if (part === 'part of it') desk.write('part.csv', notes([...one], [...two]));
    else desk.changeRows('part.csv', (rows) => rows.slice(0, 2));
    await expectCounts(load('part.csv', 'two.csv'), { rows: 2, alreadyLoaded: 2 });
    desk.write('notes.csv', notes([...one], [...two], ['D2', 'Won', 'Three']));
    await expectCounts(load('notes.csv', 'three.csv'), { alreadyLoaded: 2, notSent: 1 });
  },
);

it.each([
  [0, 0],
  [0, 1],
  [0, 2],
  [1, 3],
])(
  'rows of a file are held as its results correct them, once its copy went in with %i as they were, and %i others',
  async (known, others) => {
    const headed = (...rows: readonly string[][]) => [['Deal id', 'Date', 'Amount', 'Reference'], ...rows];
    const payment = (deal: number, amount: string) => [`deal_${deal}`, '2026-05-01', amount, ''];
    const load = (file: string, ...further: readonly string[]) =>
      desk.loadWorkbook(file, '--as', 'transactions', '--skip-loaded', ...further);
    const same = [payment(40, '40')].slice(0, known);
    const wrong = headed(...same, payment(1, 'lots'), payment(2, 'much'));
    desk.write('may.csv', wrong);
    await load('may.csv', '--results', 'one.csv');
    desk.write('copy.csv', wrong);
    await load('copy.csv');
    const more = [payment(41, '41'), payment(42, '42'), payment(43, '43')].slice(0, others);
    desk.write('copy.csv', headed(...same, payment(1, '10'), payment(2, '20'), ...more));
    await expectCounts(load('copy.csv'), { alreadyLoaded: known, accepted: 2 + others });
    desk.correct('one.csv', 'lots', '11');
    desk.correct('one.csv', 'much', '21');
    await expectCounts(load('one.csv'), { notSent: 2 });
  },
);

it('a load that stopped goes on, although the next month came in a file of its name', async () => {
  const month = (number: number) => [
    ['Deal id', 'Date', 'Amount', 'Reference'],
    ...['deal_1', 'deal_2', 'deal_3'].map((deal, at) => [deal, `2026-0${number}-01`, 100 + at, `P-${number}${at}`]),
  ];
  desk.said.set(2, tokenRefused);
  desk.write('payments.csv', month(5));
  const load = () => desk.loadWorkbook('payments.csv', '--as', 'transactions', '--batch', '1');
  const stopped = await load();
  desk.write('payments.csv', month(6));
  await load();
  await expectCounts(desk.resume(stopped.printed?.run ?? ''), { rows: 3, notSent: 0 });
  expect(desk.posted).toHaveLength(7);
});

describe('payments of which the person corrects a whole column in the file', () => {
  const payments = (deal: string, day: string, ...references: readonly string[]) =>
    desk.write('payments.csv', [
      ['Deal id', 'Date', 'Amount', 'Reference'],
      ...references.map((reference, at) => [deal, `2026-${day}`, 100 + at, reference]),
    ]);
  const load = (...further: readonly string[]) => desk.loadWorkbook('payments.csv', '--as', 'transactions', ...further);

  beforeEach(async () => {
    desk.said.set(1, { status: 200, body: '{"success":true}' });
    payments('deal_1', '01-05', 'ACH-1', 'ACH-2');
    await load();
  });

  it.each([
    ['the dates', 'deal_1', '02-05', ['ACH-1', 'ACH-2'], { notSent: 2 }],
    ['the deal', 'deal_2', '01-05', ['ACH-1', 'ACH-2'], { notSent: 2 }],
    ['none: it is that of another month', 'deal_1', '02-05', ['ACH-3', 'ACH-4'], { accepted: 2 }],
    ['none: its payments have no references', 'deal_1', '02-05', ['', ''], { accepted: 2 }],
  ])('are held, as often as it comes: %s', async (_, deal, day, references, counts) => {
    desk.said.set(2, { status: 200, body: '{"success":true}' });
    payments(deal, day, ...references);
    await expectCounts(load(), counts);
    if ('notSent' in counts) await expectCounts(load(), counts);
  });

  it.each([
    ['have no digits in their reference', ['ACH', 'ACH'], []],
    ['are two by now with one reference and amount', ['ACH-1', 'ACH-2'], ['--allow', 'possible-correction']],
  ])('are instalments where they %s, and go out', async (_, references, further) => {
    for (let number = 2; number <= 3; number += 1) desk.said.set(number, { status: 200, body: '{"success":true}' });
    payments('deal_1', '02-05', ...references);
    await expectCounts(load(...further), { accepted: 2 });
    payments('deal_1', '03-05', ...references);
    await expectCounts(load(), { accepted: 2 });
  });
});
