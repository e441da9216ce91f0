import { beforeEach, describe, expect, it } from 'vitest';
import { deals, deskForEachTest, refusal, serverError, tokenRefused } from '../builders/deals-desk.ts';

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

describe('a row that went in as it was corrected in its results sheet', () => {
  const beforeIt = [
    ['was refused', refusal, ''],
    ['was not sent', tokenRefused, ''],
    ['was in doubt, and not created', serverError, 'not created'],
  ] as const;

  for (const [what, answer, id] of beforeIt) {
    it(`is not sent as it was before, where it ${what} and its source comes back with more rows`, async () => {
      desk.said.set(2, answer);
      desk.write('deals.csv', deals('Harbor', 'Marina'));
      await desk.load('deals.csv', '--results', 'one.csv');
      const corrected = await correctSecond('one.csv', 'two.csv', id);
      expect(desk.statuses('two.csv'), corrected.stderr).toEqual(['Already loaded', 'Created']);
      desk.write('deals.csv', deals('Harbor', 'Marina', 'Wharf'));
      const extended = await desk.load('deals.csv', '--results', 'three.csv');
      expect(desk.statuses('three.csv'), extended.stderr).toEqual(['Already loaded', 'Already loaded', 'Created']);
      expect(desk.problemsOf('three.csv', 1)).toMatch(
        /^Loaded from one\.csv, .* it went in with other values than it has here/,
      );
      expect(desk.rowsOf('three.csv')[1]?.[2]).toBe('rec_3');
      const again = await desk.load('three.csv', '--results', 'four.csv');
      expect(new Set(desk.statuses('four.csv')), again.stderr).toEqual(new Set(['Already loaded']));
    });
  }

  it('holds a row that is added to its results sheet and says what it said, until the person says that both are meant', async () => {
    desk.said.set(2, refusal);
    desk.write('deals.csv', deals('Harbor', 'Marina'));
    await desk.load('deals.csv', '--results', 'one.csv');
    await correctSecond('one.csv', 'two.csv');
    desk.changeRows('two.csv', (rows) => [...rows, ['', '', '', '', '', '', '100', 'Marina', 'Moreno']]);
    const added = await desk.load('two.csv', '--results', 'three.csv');
    expect(desk.statuses('three.csv'), added.stderr).toEqual(['Already loaded', 'Already loaded', 'Not sent']);
    const meant = await desk.load('two.csv', '--results', 'four.csv', '--allow', 'equal-to-loaded-row');
    expect(desk.statuses('four.csv'), meant.stderr).toEqual(['Already loaded', 'Already loaded', 'Created']);
  });

  it('is sent as it was before with --again', async () => {
    desk.said.set(2, refusal);
    desk.write('deals.csv', deals('Harbor', 'Marina'));
    await desk.load('deals.csv', '--results', 'one.csv');
    await correctSecond('one.csv', 'two.csv');
    desk.write('again.csv', deals('Marina'));
    await desk.load('again.csv', '--again', '--results', 'three.csv');
    expect(desk.statuses('three.csv')).toEqual(['Created']);
  });
});

describe('a row that was corrected to say what another file had brought in', () => {
  beforeEach(async () => {
    desk.said.set(2, refusal);
    desk.write('deals.csv', deals('Harbor', 'Marina'));
    await desk.load('deals.csv', '--results', 'one.csv');
    desk.write('other.csv', deals(['Marina', 250]));
    await desk.load('other.csv', '--results', 'other.results.csv');
    const corrected = await correctSecond('one.csv', 'two.csv');
    expect(desk.statuses('two.csv'), corrected.stderr).toEqual(['Already loaded', 'Not sent']);
  });

  it('is held however often it comes back, and sent where a person says so', async () => {
    expect((await desk.load('two.csv', '--results', 'three.csv')).printed?.counts).toMatchObject({ notSent: 1 });
    const meant = await desk.load('three.csv', '--allow', 'equal-to-loaded-row', '--results', 'four.csv');
    expect(desk.statuses('four.csv'), meant.stderr).toEqual(['Already loaded', 'Created']);
  });
});

describe('a row that is corrected in its results sheet after it went in with another file as it was', () => {
  const loadBoth = async (...answers: readonly (typeof refusal)[]) => {
    for (const [index, answer] of answers.entries()) desk.said.set(index + 2, answer);
    desk.write('deals.csv', deals('Harbor', 'Marina'));
    await desk.load('deals.csv', '--results', 'one.csv');
    desk.write('deals.csv', deals('Harbor', 'Marina', 'Wharf'));
    return desk.load('deals.csv', '--results', 'two.csv');
  };

  it('is not sent a second time, and says that it went in otherwise', async () => {
    await loadBoth(refusal);
    expect(desk.statuses('two.csv')).toEqual(['Already loaded', 'Created', 'Created']);
    const corrected = await correctSecond('one.csv', 'three.csv');
    expect(desk.statuses('three.csv'), corrected.stderr).toEqual(['Already loaded', 'Changed since loaded']);
    expect(desk.problemsOf('three.csv', 1)).toMatch(
      /ha(?:s another value|ve other values) now than when the row went in as rec_3, from deals\.csv/,
    );
    expect(corrected.exitCode).toBe(1);
    const again = await desk.load('three.csv', '--results', 'four.csv');
    expect(desk.statuses('four.csv'), again.stderr).toEqual(['Already loaded', 'Changed since loaded']);
  });

  it('is in doubt while that file has it in doubt', async () => {
    await loadBoth(refusal, serverError);
    const corrected = await correctSecond('one.csv', 'three.csv');
    expect(desk.statuses('three.csv'), corrected.stderr).toEqual(['Already loaded', 'In doubt']);
    expect(desk.problemsOf('three.csv', 1)).toMatch(/^In doubt since deals\.csv, deals row 3, .* dealsheet resolve /);
  });

  it('is sent as another row with --again', async () => {
    await loadBoth(refusal);
    desk.changeRows('one.csv', (rows) =>
      rows.slice(1).map((row) => row.map((cell) => (cell === '100' ? '250' : cell))),
    );
    await desk.load('one.csv', '--again', '--results', 'three.csv');
    expect(desk.statuses('three.csv')).toEqual(['Created']);
  });
});

describe('a row that two files have, each with a results sheet of its own', () => {
  it('goes out as it is corrected otherwise, once its first six cells are empty', async () => {
    desk.said.set(2, refusal).set(3, refusal);
    desk.write('deals.csv', deals('Harbor', 'Marina'));
    await desk.load('deals.csv', '--results', 'one.csv');
    desk.write('deals.csv', deals('Harbor', 'Marina', 'Wharf'));
    await desk.load('deals.csv', '--results', 'two.csv');
    await correctSecond('one.csv', 'three.csv');
    desk.changeRows('two.csv', (rows) =>
      rows.map((row, index) => (index === 1 ? ['', '', '', '', '', '', '300', ...row.slice(7)] : row)),
    );
    const other = await desk.load('two.csv', '--results', 'four.csv');
    expect(desk.statuses('four.csv')[1], other.stderr).toBe('Not sent');
    const allowed = await desk.load('two.csv', '--results', 'five.csv', '--allow', 'possible-correction');
    expect(desk.statuses('five.csv')[1], allowed.stderr).toBe('Created');
  });
});

describe('a row that was wrong in its original, and went in as it was corrected', () => {
  it('is loaded already in the results of its original too, where stars stand beside what is wrong', async () => {
    const headers = ['Amount requested', 'Company name', 'Owner last name', 'Owner 1 SSN'];
    desk.write('deals.csv', [headers, ['12k', 'Mill', 'Reyes', '219-09-9998']]);
    await desk.load('deals.csv', '--results', 'one.csv');
    desk.correct('one.csv', '12k', '12000');
    await desk.load('one.csv');
    await desk.load('deals.csv', '--results', 'two.csv');
    const again = await desk.load('two.csv', '--results', 'three.csv');
    expect(desk.statuses('two.csv')).toEqual(['Already loaded']);
    expect(desk.statuses('three.csv'), again.stderr).toEqual(['Already loaded']);
  });
});
