import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import ExcelJS from 'exceljs';
import { beforeEach, describe, expect, it } from 'vitest';
import { workplaceForEachTest } from '../builders/command-here.ts';
import { deals } from '../builders/deals-desk.ts';
import { expectExit } from '../builders/expected.ts';
import { type CannedAnswer, created, serviceForEachTest } from '../builders/recording-service.ts';
import { changeCells, readWorkbook, writeCsv } from '../builders/tables.ts';
import { newWorkplace } from '../builders/workplace.ts';

describe('results that stand there already', () => {
  const place = workplaceForEachTest();
  const service = serviceForEachTest((_request, number) => answer(number));
  let answer: (number: number) => CannedAnswer;

  beforeEach(() => {
    answer = created;
    writeCsv(place.path('deals.csv'), [
      ['Amount requested', 'Company name', 'Owner last name'],
      [100, 'Harbor Bakery', 'Moreno'],
      ['much', 'Kite Toys', 'Ito'],
    ]);
  });

  const lastMonth = new Date('2026-05-31T12:00:00');
  const run = (...words: string[]) => place.run(words, { env: { DEALSHEET_TOKEN: 'token' } });
  const loadOf = (file: string, ...further: string[]) =>
    run('import', file, '--url', service.url, '--yes', '--json', ...further);
  const load = (...further: string[]) => loadOf('deals.csv', ...further);
  const placeOf = (ended: { stdout: string }) => (JSON.parse(ended.stdout) as { results: string }).results;
  const correct = (name: string) => changeCells(place.path(name), 'deals', 3, { 'Amount requested': 300 });

  it('are replaced while nobody has worked on them, by whatever path, and can be worked on where the source is read-only', async () => {
    symlinkSync('.', place.path('same'));
    chmodSync(place.path('deals.csv'), 0o440);
    await load();
    const before = readFileSync(place.path('deals.results.xlsx'));
    const again = await loadOf('same/deals.csv');
    expect(placeOf(again)).toBe(place.path('same/deals.results.xlsx'));
    expect(statSync(place.path('deals.results.xlsx')).mode & 0o777).toBe(0o640);
    expect(readFileSync(place.path('deals.results.xlsx')).equals(before)).toBe(false);
    expect(existsSync(place.path('deals.results-2.xlsx'))).toBe(false);
  });

  it('P3: get a number when somebody has corrected them, and the new ones have the plain name, which is said', async () => {
    await load();
    await correct('deals.results.xlsx');
    const corrected = readFileSync(place.path('deals.results.xlsx'));
    const again = await load('--quiet');
    expect(placeOf(again)).toBe(place.path('deals.results.xlsx'));
    expect(again.stderr).toContain(
      'deals.results.xlsx is kept as deals.results-2.xlsx. deals.results.xlsx has the new results.',
    );
    expect(readFileSync(place.path('deals.results-2.xlsx')).equals(corrected)).toBe(true);
    expect(again.stderr).not.toContain('The file was changed');
  });

  it.each(['deals.results.xlsx', 'deals.results-2.xlsx'])(
    'P3: that are loaded stay under a number (%s)',
    async (name) => {
      await load();
      await correct('deals.results.xlsx');
      await load();
      if (name === 'deals.results.xlsx') await correct(name);
      const before = readFileSync(place.path(name));
      const loaded = await loadOf(name);
      expect([loaded.exitCode, placeOf(loaded)], loaded.stderr).toEqual([0, place.path('deals.results.xlsx')]);
      expect(loaded.stderr).not.toContain('The file was changed');
      const kept = name === 'deals.results.xlsx' ? 'deals.results-3.xlsx' : name;
      expect(readFileSync(place.path(kept)).equals(before)).toBe(true);
      expect(service.requests).toHaveLength(2);
      const untouched = await loadOf('deals.results.xlsx');
      expect(untouched.stderr).toMatch(/deals\.results\.xlsx is kept as deals\.results-\d\.xlsx\./);
      const { run: id } = JSON.parse(untouched.stdout) as { run: string };
      rmSync(place.path('deals.results.xlsx'));
      const rewritten = await run('results', id);
      expect(rewritten.stderr).toBe(`Results: ${place.path('deals.results.xlsx')}`);
      expect((await readWorkbook(place.path('deals.results.xlsx'), 'deals'))[1]?.['Amount requested']).toBe(300);
    },
  );

  it('that are loaded with a wrong row still in them tell where that row is, by the name that they have now', async () => {
    await load();
    const { stderr, stdout } = await loadOf('deals.results.xlsx');
    expect(JSON.parse(stdout)).toMatchObject({
      file: place.path('deals.results-2.xlsx'),
      results: place.path('deals.results.xlsx'),
    });
    const { worksheets } = await new ExcelJS.Workbook().xlsx.readFile(place.path('deals.results.xlsx'));
    const facts = worksheets[0]?.getSheetValues().map((row) => [row].flat());
    expect(facts).toContainEqual([
      'Row numbers',
      expect.stringMatching(/and not as this workbook\. While this workbook has its name, that file is beside it/),
    ]);
    expect(stderr).toContain('is kept as deals.results-2.xlsx.');
    expect(stderr).toContain(
      'or delete rows that are no records, and import it again. Each Run cell ends with the row in deals.results-2.xlsx.',
    );
  });

  it('go on under the plain name when a load of them is resumed, also a second time', async () => {
    await load();
    await correct('deals.results.xlsx');
    const before = readFileSync(place.path('deals.results.xlsx'));
    answer = () => ({ status: 401, body: '' });
    const stopped = await loadOf('deals.results.xlsx');
    expect([stopped.exitCode, placeOf(stopped)]).toEqual([4, place.path('deals.results.xlsx')]);
    expect((await run('resume', '--yes')).exitCode).toBe(4);
    answer = created;
    const resumed = await run('resume', '--yes', '--json');
    expect([resumed.exitCode, placeOf(resumed)]).toEqual([0, place.path('deals.results.xlsx')]);
    expect(resumed.stderr).not.toMatch(/changed|kept/);
    expect(readFileSync(place.path('deals.results-2.xlsx')).equals(before)).toBe(true);
  });

  it.each(['', '/of-others'])('P3: of a later load, into service%s, keep the plain name', async (other) => {
    answer = () => ({ status: 401, body: '' });
    const { run: first } = JSON.parse((await expectExit(load(), 4)).stdout) as { run: string };
    answer = created;
    await load('--url', service.url + other);
    const before = readFileSync(place.path('deals.results.xlsx'));
    const resumed = await run('resume', first, '--yes', '--json');
    expect(placeOf(resumed)).toBe(place.path('deals.results-2.xlsx'));
    expect(resumed.stderr).toMatch(/^deals\.results\.xlsx is kept for the results of the later run .*a number\./);
    expect(readFileSync(place.path('deals.results.xlsx')).equals(before)).toBe(true);
  });

  it.each<[string, (taken: string) => void]>([
    ['a file', (taken) => writeFileSync(taken, 'Dear Sirs')],
    ['a link that leads nowhere', (taken) => symlinkSync(place.path('nowhere'), taken)],
  ])('get the next number where one is taken by %s', async (_, take) => {
    await load();
    await correct('deals.results.xlsx');
    take(place.path('deals.results-2.xlsx'));
    const before = lstatSync(place.path('deals.results-2.xlsx')).ino;
    expect((await load()).stderr).toContain('is kept as deals.results-3.xlsx.');
    expect(lstatSync(place.path('deals.results-2.xlsx')).ino).toBe(before);
  });

  it('of a CSV file are kept in the same way, and a file that was never written here keeps its name', async () => {
    await load('--results', 'r.csv');
    const corrected = place.read('r.csv').replace('much', '300');
    place.write('r.csv', corrected);
    expect(placeOf(await load('--results', 'r.csv'))).toBe(place.path('r.csv'));
    expect(place.read('r-2.csv')).toBe(corrected);
    place.write('letter.xlsx', 'Dear Sirs');
    expect(placeOf(await load('--results', 'letter.xlsx'))).toBe(place.path('letter-2.xlsx'));
    expect(place.read('letter.xlsx')).toBe('Dear Sirs');
  });

  it('P3: of two files with one name have a name each, and each finds its own again', async () => {
    await load();
    const first = readFileSync(place.path('deals.results.xlsx'));
    place.write('deals.txt', 'Amount requested,Company name,Owner last name\n500,Wharf,Ito\n');
    for (const _ of ['once', 'again'])
      expect(placeOf(await loadOf('deals.txt'))).toBe(place.path('deals.txt.results.xlsx'));
    expect(readFileSync(place.path('deals.results.xlsx')).equals(first)).toBe(true);
    expect(placeOf(await load())).toBe(place.path('deals.results.xlsx'));
    const loaded = await loadOf('deals.txt.results.xlsx');
    expect(placeOf(loaded)).toBe(place.path('deals.txt.results.xlsx'));
    rmSync(place.path('deals.results.xlsx'));
    const elsewhere = await expectExit(loadOf('deals.txt', '--ledger', 'third.db'), 2);
    expect(elsewhere.stderr).toContain('deals.txt.results.xlsx says that rows are in since the run');
  });

  it('P3: of two files that are to have one place are both there', async () => {
    await load('--results', 'r.csv');
    const first = readFileSync(place.path('r.csv'));
    place.write('other.csv', 'Amount requested,Company name,Owner last name\n500,Wharf,Ito\n');
    expect((await loadOf('other.csv', '--results', 'r.csv')).stderr).toContain('r.csv is kept as r-2.csv.');
    expect(readFileSync(place.path('r-2.csv')).equals(first)).toBe(true);
  });

  it('P3: of the month before stay under a number where the file has the same name', async () => {
    await load();
    const first = readFileSync(place.path('deals.results.xlsx'));
    place.write('deals.csv', 'Amount requested,Company name,Owner last name\n500,Wharf,Ito\n');
    expect((await load()).stderr).toContain('is kept as deals.results-2.xlsx.');
    expect(readFileSync(place.path('deals.results-2.xlsx')).equals(first)).toBe(true);
  });

  it('of a rehearsal that is loaded name the original as the place of corrections', async () => {
    const rehearse = (file: string) => run('import', file, '--sandbox', '--sandbox-data', 'r.db', '--yes');
    await rehearse('deals.csv');
    expect((await rehearse('deals.results.xlsx')).stderr).toContain('Correct them in deals.csv and rehearse again');
  });

  it('get a number each where two checks at once find a file of a person there', async () => {
    place.write('r.csv', 'Dear Sirs');
    place.write('other.csv', readFileSync(place.path('deals.csv')));
    const { run: runApart } = newWorkplace(place.folder);
    const check = (file: string) => runApart(['check', file, '--as', 'deals', '--results', 'r.csv']);
    await Promise.all(['deals.csv', 'other.csv'].map(check));
    const written = readdirSync(place.folder).filter((name) => name.startsWith('r-'));
    expect(written).toHaveLength(2);
    for (const name of written) expect(place.read(name)).toContain('Kite Toys');
    expect(place.read('r.csv')).toBe('Dear Sirs');
  });

  it('stay when they were corrected and are written again, and when a check writes its own', async () => {
    const first = await load();
    const { run: id } = JSON.parse(first.stdout) as { run: string };
    await correct('deals.results.xlsx');
    const rewritten = await run('results', id);
    expect(rewritten.stderr).toMatch(/Results: .*deals\.results-2\.xlsx\n.*is kept\./);
    const checked = await run('check', 'deals.csv', '--results', 'deals.results.xlsx');
    expect(checked.stderr).toMatch(/Results: .*deals\.results-3\.xlsx\n.*is kept\./);
    const again = await run('check', 'deals.csv', '--results', 'deals.results-3.xlsx');
    expect(again.stderr).toMatch(/Results: .*deals\.results-3\.xlsx/);
  });

  it('of another service stay, so that a rehearsal takes away no ids of the service itself', async () => {
    await load();
    const before = readFileSync(place.path('deals.results.xlsx'));
    const rehearsal = ['--sandbox', '--sandbox-data', 'rehearsal.db', '--yes', '--json'];
    const rehearsed = await run('import', 'deals.csv', ...rehearsal);
    expect(placeOf(rehearsed)).toBe(place.path('deals.results-2.xlsx'));
    expect(rehearsed.stderr).toContain('deals.results.xlsx is kept. The new results are deals.results-2.xlsx.');
    expect(readFileSync(place.path('deals.results.xlsx')).equals(before)).toBe(true);
    expect(placeOf(await load())).toBe(place.path('deals.results.xlsx'));
  });

  it('of a load stay when nothing was sent and no row of it is in, and those of one that sent nothing give way', async () => {
    expect(placeOf(await load('--all-or-nothing'))).toBe(place.path('deals.results.xlsx'));
    expect(placeOf(await load())).toBe(place.path('deals.results.xlsx'));
    const before = readFileSync(place.path('deals.results.xlsx'));
    writeCsv(place.path('deals.csv'), [
      ['Amount requested', 'Company name', 'Owner last name'],
      [200, 'Mill Street Dental', 'Moreno'],
      ['much', 'Kite Toys', 'Ito'],
    ]);
    const heldBack = await load('--all-or-nothing');
    expect(placeOf(heldBack)).toBe(place.path('deals.results-2.xlsx'));
    expect(heldBack.stderr).toContain('is kept. The new results are');
    expect(readFileSync(place.path('deals.results.xlsx')).equals(before)).toBe(true);
  });

  it('of a load stay when the next one is stopped before its first row, and give way to it once it has gone on', async () => {
    await load();
    const before = readFileSync(place.path('deals.results.xlsx'));
    writeCsv(place.path('deals.csv'), deals(['Mill Street Dental', 200]));
    answer = () => ({ status: 401, body: '' });
    const stopped = await expectExit(load(), 4);
    expect(placeOf(stopped)).toBe(place.path('deals.results-2.xlsx'));
    expect(readFileSync(place.path('deals.results.xlsx')).equals(before)).toBe(true);
    answer = created;
    const resumed = await expectExit(run('resume', '--yes', '--json'), 0);
    expect(placeOf(resumed)).toBe(place.path('deals.results.xlsx'));
  });

  it.each<[string, () => void]>([
    ['nothing', () => rmSync(place.path('deals.results.xlsx'))],
    ['the file of an earlier run', () => utimesSync(place.path('deals.results.xlsx'), lastMonth, lastMonth)],
  ])('are written again where a killed load has left %s in their place', async (_, leave) => {
    const { run: id } = JSON.parse((await load()).stdout) as { run: string };
    leave();
    expect((await run('results', id)).exitCode).toBe(0);
    expect(await readWorkbook(place.path('deals.results.xlsx'), 'deals')).toHaveLength(2);
  });

  it.each([
    ['a link', 'linked.csv', 'deals.csv'],
    ['a second name', 'deals.csv', 'second.csv'],
    ['a linked folder', 'deals.csv', 'here/deals.csv'],
  ])('are never the source, through %s either', async (_what, source, results) => {
    symlinkSync(place.path('deals.csv'), place.path('linked.csv'));
    linkSync(place.path('deals.csv'), place.path('second.csv'));
    symlinkSync(place.folder, place.path('here'));
    const before = place.read('deals.csv');
    await expectExit(loadOf(source, '--as', 'deals', '--results', results), 2, 'is the source');
    expect(place.read('deals.csv')).toBe(before);
    expect(service.requests).toEqual([]);
  });

  it('that were made with another ledger are kept, whatever name they have', async () => {
    await load();
    const { ino } = statSync(place.path('deals.results.xlsx'));
    const says = `Results: ${place.path('deals.results-2.xlsx')}`;
    await expectExit(loadOf('deals.results.xlsx', '--ledger', 'third.db'), 6, says);
    const elsewhere = ['--url', service.url.replace('127.0.0.1', 'localhost'), '--ledger', 'other.db'];
    expect(placeOf(await load(...elsewhere))).toBe(place.path('deals.results.xlsx'));
    expect(statSync(place.path('deals.results-3.xlsx')).ino).toBe(ino);
  });
});
