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

  it('is told beforehand as a row that is in', async () => {
    desk.said.set(2, refusal);
    desk.write('deals.csv', deals('Harbor', 'Marina'));
    await desk.load('deals.csv', '--results', 'one.csv');
    await correctSecond('one.csv', 'two.csv');
    desk.write('more.csv', deals('Marina', 'Wharf'));
    const told = await desk.load('more.csv', '--results', 'three.csv');
    expect(told.stderr).toContain('1 row to add as deals; not sent: 1 already loaded');
  });

  const correctOne = async () => {
    desk.said.set(2, refusal);
    desk.write('deals.csv', deals('Harbor', 'Marina'));
    await desk.load('deals.csv', '--results', 'one.csv');
    await correctSecond('one.csv', 'two.csv');
  };

  it('is in with exit code 0 where its own file comes back with more rows below', async () => {
    await correctOne();
    desk.write('deals.csv', deals('Harbor', 'Marina', 'Wharf'));
    const extended = await desk.load('deals.csv', '--results', 'three.csv');
    expect(desk.statuses('three.csv')).toEqual(['Already loaded', 'Already loaded', 'Created']);
    expect(extended.exitCode, extended.stderr).toBe(0);
  });

  it('leaves out one row of the source alone: equal rows beyond are others', async () => {
    desk.said.set(2, refusal);
    desk.write('deals.csv', deals('Harbor', 'Marina'));
    await desk.load('deals.csv', '--results', 'one.csv');
    await correctSecond('one.csv', 'two.csv');
    desk.write('deals.csv', deals('Harbor', 'Marina', 'Marina'));
    const extended = await desk.load('deals.csv', '--results', 'three.csv');
    expect(desk.statuses('three.csv'), extended.stderr).toEqual(['Already loaded', 'Already loaded', 'Created']);
  });

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

  it('keeps its source back while it is refused there too: that is sent, and the results sheet follows it', async () => {
    desk.said.set(2, refusal).set(3, refusal);
    desk.write('deals.csv', deals('Harbor', 'Marina'));
    await desk.load('deals.csv', '--results', 'one.csv');
    await correctSecond('one.csv', 'two.csv');
    expect(desk.statuses('two.csv')).toEqual(['Already loaded', 'Rejected']);
    desk.write('deals.csv', deals('Harbor', 'Marina', 'Wharf'));
    const extended = await desk.load('deals.csv', '--results', 'three.csv');
    expect(desk.statuses('three.csv'), extended.stderr).toEqual(['Already loaded', 'Created', 'Created']);
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

  it('is sent as it was before, where that is put back in its results sheet', async () => {
    desk.changeRows('one.csv', (rows) => rows.map((row) => row.map((cell) => (cell === '250' ? '100' : cell))));
    const back = await desk.load('one.csv', '--results', 'three.csv');
    expect(desk.statuses('three.csv'), back.stderr).toEqual(['Already loaded', 'Created']);
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

  it('is sent while it was refused with that file too', async () => {
    await loadBoth(refusal, refusal);
    const corrected = await correctSecond('one.csv', 'three.csv');
    expect(desk.statuses('three.csv'), corrected.stderr).toEqual(['Already loaded', 'Created']);
  });

  it('is sent where it was to be sent a second time, and was refused then', async () => {
    desk.write('deals.csv', deals('Harbor', 'Marina'));
    await desk.load('deals.csv', '--results', 'zero.csv');
    desk.said.set(4, refusal);
    await desk.load('deals.csv', '--again', '--results', 'one.csv');
    expect(desk.statuses('one.csv')).toEqual(['Created', 'Rejected']);
    const corrected = await correctSecond('one.csv', 'two.csv');
    expect(desk.statuses('two.csv'), corrected.stderr).toEqual(['Already loaded', 'Created']);
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
  const cases = [
    ['was refused', refusal, ['Marina', 'Wharf']],
    ['was not sent', tokenRefused, ['Marina', 'Wharf']],
    ['was not come to', tokenRefused, ['Wharf', 'Marina']],
  ] as const;
  const marinas = () => desk.sent.filter((name) => name === 'Marina').length;

  for (const [what, answer, second] of cases) {
    it(`is in as the one has corrected it, where it ${what} with the other and stays there as it was`, async () => {
      await correctInFirst(second, refusal, answer);
      const sent = marinas();
      const other = await desk.load('two.csv', '--results', 'four.csv');
      expect(desk.statuses('four.csv')[second.indexOf('Marina') + 1], other.stderr).toBe('Already loaded');
      expect(marinas()).toBe(sent);
      const again = await desk.load('four.csv', '--results', 'five.csv');
      expect(new Set(desk.statuses('five.csv')), again.stderr).toEqual(new Set(['Already loaded']));
    });
  }

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

  it('is in as the one has corrected it, where the rows of both are put together into one sheet', async () => {
    await correctInFirst(['Marina', 'Wharf'], refusal, refusal);
    const sent = marinas();
    const [, one = []] = desk.rowsOf('three.csv');
    const [, other = []] = desk.rowsOf('two.csv');
    desk.changeRows('three.csv', () => [other, one]);
    const joined = await desk.load('three.csv', '--results', 'four.csv');
    expect(desk.statuses('four.csv'), joined.stderr).toEqual(['Already loaded', 'Already loaded']);
    expect(marinas()).toBe(sent);
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

  it('is known by all that it said, however often it was corrected', async () => {
    desk.said.set(2, refusal).set(3, refusal);
    desk.write('deals.csv', deals('Harbor', 'Marina'));
    await desk.load('deals.csv', '--results', 'one.csv');
    await correctSecond('one.csv', 'two.csv');
    desk.write('deals.csv', deals('Harbor', 'Marina', 'Wharf'));
    await desk.load('deals.csv', '--results', 'three.csv');
    expect(desk.statuses('three.csv')).toEqual(['Already loaded', 'Created', 'Created']);
    desk.correct('two.csv', '250', '300');
    const corrected = await desk.load('two.csv', '--results', 'four.csv');
    expect(desk.statuses('four.csv'), corrected.stderr).toEqual(['Already loaded', 'Changed since loaded']);
    expect(corrected.exitCode).toBe(1);
  });

  it('is sent as it is where its file was to be sent once more, with --again', async () => {
    desk.said.set(2, refusal).set(4, refusal).set(5, refusal);
    desk.write('deals.csv', deals('Harbor', 'Marina'));
    await desk.load('deals.csv', '--results', 'one.csv');
    await correctSecond('one.csv', 'two.csv');
    desk.write('again.csv', deals('Marina'));
    await desk.load('again.csv', '--again', '--results', 'three.csv');
    await desk.load('three.csv', '--results', 'four.csv');
    expect(desk.statuses('four.csv')).toEqual(['Rejected']);
    desk.correct('four.csv', '100', '300');
    await desk.load('four.csv', '--results', 'five.csv');
    expect(desk.statuses('five.csv')).toEqual(['Created']);
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
