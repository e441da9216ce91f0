import { beforeEach, describe, expect, it } from 'vitest';
import { deals, deskForEachTest, refusal } from '../builders/deals-desk.ts';
import { expectCounts, expectExit } from '../builders/expected.ts';

const desk = deskForEachTest();

beforeEach(async () => {
  desk.said.set(2, refusal);
  desk.write('deals.csv', deals('Harbor', 'Mill', 'Orchard'));
  await desk.load('deals.csv', '--results', 'one.csv');
});

/** Each row as a person made it anew, its header with it. */
function rearranged(changed: (cells: string[]) => (string | undefined)[]) {
  desk.rearrange('one.csv', (cells) => changed(cells).map((cell) => cell ?? ''));
}

const runColumn = 5;
const without = (place: number) => (cells: string[]) => cells.filter((_, index) => index !== place);

describe('a results sheet in which a person has moved columns', () => {
  it.each([
    ['the Run column stands at the end', (cells: string[]) => [...without(5)(cells), cells[5]]],
    ['a column was put in front', (cells: string[]) => ['x', ...cells]],
    ['the Link was taken out', without(3)],
    ['their names were written small', (cells: string[]) => cells.map((cell) => cell.toLowerCase())],
    ['the Problems were taken out', without(1)],
    ['the Run was taken out', without(5)],
    ['Problems and Run were taken out', (cells: string[]) => without(1)(without(5)(cells))],
  ])('is refused, whatever columns are to be left out, when %s', async (_name, change) => {
    rearranged(change);
    for (const further of [[], ['--ignore-columns', 'all']]) {
      const ended = await expectExit(desk.load('one.csv', '--results', 'two.csv', ...further), 2);
      expect(ended.stderr).toContain('is a results sheet, and its first six columns are not the ones');
      expect(ended.stderr).toContain('rows that are in would be sent again');
    }
    expect(desk.sent).toEqual(['Harbor', 'Mill', 'Orchard']);
  });

  it('is read as before when columns were put behind ours', async () => {
    rearranged((cells) => [...cells.slice(0, 6), 'x', ...cells.slice(6)]);
    const ended = await desk.load('one.csv', '--results', 'two.csv', '--ignore-columns', 'x');
    expect(ended.printed?.counts, ended.stderr).toMatchObject({ alreadyLoaded: 2, created: 1 });
    expect(desk.sent).toEqual(['Harbor', 'Mill', 'Orchard', 'Mill']);
  });

  it('is a sheet of its own when none of ours is left', async () => {
    rearranged((cells) => cells.slice(6));
    await expectCounts(desk.load('one.csv', '--results', 'two.csv'), { alreadyLoaded: 2, created: 1 });
  });
});

it.each([
  [
    ['Status', 'Problems', 'Link'],
    ['open', 'none', 'https://broker.example/7'],
  ],
  [
    ['ID', 'Status', 'Company ID', 'Link'],
    ['7', 'open', 'K-1', 'https://broker.example/7'],
  ],
])('takes a sheet with columns of its own for no results: %j', async (headers, cells) => {
  desk.write('own.csv', [
    [...headers, 'Amount requested', 'Company name', 'Owner last name'],
    [...cells, 100, 'Quarry', 'Moreno'],
  ]);
  await expectCounts(desk.load('own.csv', '--results', 'own.results.csv', '--ignore-columns', 'all'), { created: 1 });
});

it('a row that was brought back with the cells of a record of another file goes out with its own cells all the same, when the sheet before that is loaded', async () => {
  desk.write('july.csv', deals('Lantern'));
  await desk.load('july.csv');
  const [run = ''] = desk.rowsOf('one.csv')[0]?.[runColumn]?.split('#') ?? [];
  await desk.command(['results', run, '-o', 'mistaken.csv']);
  desk.correct('mistaken.csv', 'Mill', 'Lantern');
  await desk.load('mistaken.csv', '--results', 'two.csv');
  expect(desk.statuses('two.csv')).toEqual(['Already loaded', 'Not sent', 'Already loaded']);
  const again = await desk.load('one.csv', '--results', 'three.csv');
  expect(desk.statuses('three.csv'), again.stderr).toEqual(['Already loaded', 'Created', 'Already loaded']);
  expect(desk.sent).toEqual(['Harbor', 'Mill', 'Orchard', 'Lantern', 'Mill']);
});
