import { copyFileSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { deals, deskForEachTest, refusal } from '../builders/deals-desk.ts';

const desk = deskForEachTest();

const copy = (from: string, to: string) => copyFileSync(desk.place.path(from), desk.place.path(to));

describe('a CSV file that was loaded and then renamed', () => {
  it('has no row that is sent again, equal ones among them', async () => {
    desk.write('may.csv', deals('Harbor', 'Mill', 'Mill'));
    await desk.load('may.csv');
    copy('may.csv', 'may (1).csv');
    const again = await desk.load('may (1).csv');
    expect(again.printed?.counts, again.stderr).toMatchObject({ rows: 3, alreadyLoaded: 3 });
    expect(desk.sent).toEqual(['Harbor', 'Mill', 'Mill']);
  });

  it('has no row that is sent again when it comes by standard input', async () => {
    desk.write('may.csv', deals('Harbor', 'Mill'));
    await desk.load('may.csv');
    const words = ['import', '-', '--as', 'deals', '--url', desk.service.url, '--yes', '--json', '--results', 'r.csv'];
    const ended = await desk.place.run(words, {
      env: { DEALSHEET_TOKEN: 'token' },
      cwd: desk.place.folder,
      input: readFileSync(desk.place.path('may.csv'), 'utf8'),
    });
    expect(JSON.parse(ended.stdout).counts, ended.stderr).toMatchObject({ rows: 2, alreadyLoaded: 2 });
  });

  it('sends those of equal rows alone that are not in, each once', async () => {
    desk.said.set(2, refusal);
    desk.write('may.csv', deals('Mill', 'Mill', 'Mill'));
    await desk.load('may.csv');
    copy('may.csv', 'june.csv');
    const again = await desk.load('june.csv', '--results', 'june.results.csv');
    expect(again.printed?.counts, again.stderr).toMatchObject({ alreadyLoaded: 2, created: 1 });
    expect(desk.statuses('june.results.csv')).toEqual(['Already loaded', 'Created', 'Already loaded']);
    copy('may.csv', 'july.csv');
    expect((await desk.load('july.csv')).printed?.counts).toMatchObject({ alreadyLoaded: 3 });
    expect(desk.sent).toHaveLength(4);
  });

  it('knows the rows that went in as they were corrected in its results sheet', async () => {
    desk.write('may.csv', deals('Harbor', ['Mill', -5]));
    await desk.load('may.csv', '--results', 'may.results.csv');
    desk.correct('may.results.csv', '-5', '5');
    await desk.load('may.results.csv');
    copy('may.csv', 'june.csv');
    const again = await desk.load('june.csv', '--results', 'june.results.csv');
    expect(again.printed?.counts, again.stderr).toMatchObject({ alreadyLoaded: 2 });
    expect(desk.problemsOf('june.results.csv', 1)).toContain('Loaded from may.results.csv');
  });

  it('is another source when it is loaded as records of another kind', async () => {
    desk.write('deals.csv', deals('Harbor', 'Mill'));
    await desk.load('deals.csv', '--limit', '1');
    copy('deals.csv', 'leads.csv');
    const where = ['--url', desk.service.url, '--yes', '--json'];
    const asLeads = await desk.command(['import', 'leads.csv', '--as', 'leads', ...where, '--ignore-columns', 'all']);
    expect(asLeads.printed?.counts, asLeads.stderr).toMatchObject({ created: 2 });
    const again = await desk.load('deals.csv');
    expect(again.printed?.counts, again.stderr).toMatchObject({ created: 1, alreadyLoaded: 1 });
  });

  it('does not repeat the updates that went in', async () => {
    desk.write('may.csv', [
      ['Company id', 'Company name'],
      ['cmp_1', 'Harbor'],
    ]);
    const where = ['--url', desk.service.url, '--yes', '--json'];
    await desk.command(['import', 'may.csv', '--as', 'company-updates', ...where]);
    copy('may.csv', 'june.csv');
    const again = await desk.command(['import', 'june.csv', '--as', 'company-updates', ...where]);
    expect(again.printed?.counts, again.stderr).toMatchObject({ rows: 1, alreadyLoaded: 1 });
  });
});
