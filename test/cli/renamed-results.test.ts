import { copyFileSync, renameSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { deals, deskForEachTest } from '../builders/deals-desk.ts';
import { expectCounts, expectExit } from '../builders/expected.ts';

describe('a results sheet with another name than its source', () => {
  const desk = deskForEachTest();

  it.each([
    ['deals.csv', 'f.results.csv', 'the keys of its rows say'],
    ['deals.csv', 'leads to check.csv', 'the keys of its rows say'],
    ['june.csv', 'june.results.csv', 'its source held by its columns alone'],
  ])('of %s holds as %s what %s', async (source, name) => {
    const [stem] = source.split('.');
    desk.write(source, deals(['Harbor Bakery', 100], ['Mill Dental', 'much']));
    await expectCounts(desk.loadWorkbook(source, '--results', `${stem}.results.csv`), { created: 1, invalid: 1 });
    renameSync(desk.place.path(`${stem}.results.csv`), desk.place.path(name));
    desk.correct(name, 'much', '200');
    const second = await expectExit(desk.loadWorkbook(name, '--results', 'two.csv'), 0);
    expect(second.printed?.counts).toMatchObject({ created: 1, alreadyLoaded: 1 });
    const paths = desk.posted.map(({ path }) => path);
    expect(paths).toEqual(['/v1/deal', '/v1/deal']);
  });

  it('is not guessed at where the keys name several sheets', async () => {
    desk.write('deals.csv', deals(['Harbor Bakery', 100], ['Mill Dental', 'much']));
    await desk.loadWorkbook('deals.csv', '--results', 'deals.results.csv');
    copyFileSync(desk.place.path('deals.results.csv'), desk.place.path('f.csv'));
    desk.changeRows('f.csv', (rows) => rows.map((cells) => cells.map((cell) => cell.replace('deals!3', 'leads!3'))));
    const second = await expectExit(desk.loadWorkbook('f.csv', '--results', 'two.csv'), 2);
    expect(second.stderr).toContain('The file has a name or headers that fit several kinds.');
  });
});
