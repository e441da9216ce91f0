import { describe, expect, it } from 'vitest';
import { deals, deskForEachTest, refusal, serverError, tokenRefused } from '../builders/deals-desk.ts';

const desk = deskForEachTest();

describe('a row in doubt that comes back unsettled', () => {
  it('is the same row when it is settled and corrected in the later sheet: its source does not send it again', async () => {
    desk.said.set(1, serverError);
    desk.write('deals.csv', deals('Harbor', ['Mill', 'bad']));
    await desk.load('deals.csv', '--results', 'one.csv');
    desk.correct('one.csv', 'bad', '200');
    await desk.load('one.csv', '--results', 'two.csv');
    expect(desk.statuses('two.csv')).toEqual(['In doubt', 'Created']);
    desk.typeId('two.csv', 0, 'not created');
    desk.correct('two.csv', 'Harbor', 'Harbour');
    const settled = await desk.load('two.csv');
    expect(settled.printed?.counts, settled.stderr).toMatchObject({ created: 1, alreadyLoaded: 1 });
    expect((await desk.load('deals.csv')).printed?.counts).toMatchObject({ alreadyLoaded: 2 });
    desk.correct('one.csv', '200', '201');
    expect((await desk.load('one.csv')).printed?.counts).toMatchObject({ alreadyLoaded: 1, changedSinceLoaded: 1 });
    expect(desk.sent).toEqual(['Harbor', 'Mill', 'Harbour']);
  });

  it('is in by that later sheet too once its first run is settled, whatever was corrected there before', async () => {
    desk.said.set(1, serverError);
    desk.write('leads.csv', deals('Harbor'));
    const first = await desk.load('leads.csv', '--as', 'leads', '--results', 'one.csv');
    await desk.load('one.csv', '--as', 'leads', '--results', 'two.csv');
    desk.correct('two.csv', '100', '200');
    await desk.command(['resolve', first.printed?.run ?? '', '--row', 'leads!2', '--created', 'lead_1']);
    const settled = await desk.load('two.csv', '--as', 'leads', '--results', 'three.csv');
    expect(settled.printed?.counts, settled.stderr).toMatchObject({ changedSinceLoaded: 1 });
    expect(desk.problemsOf('three.csv', 0)).toMatch(
      /ha(?:s another value|ve other values) now than when the row went in/,
    );
    expect(desk.sent).toEqual(['Harbor']);
  });

  it('is settled in the run that it came from too, when that was taken up again meanwhile', async () => {
    desk.said.set(1, tokenRefused).set(2, serverError);
    desk.write('leads.csv', deals('Harbor'));
    const first = await desk.load('leads.csv', '--as', 'leads', '--results', 'one.csv');
    desk.correct('one.csv', '100', '200');
    const second = await desk.load('one.csv', '--as', 'leads');
    expect((await desk.resume()).printed?.counts).toMatchObject({ inDoubt: 1 });
    await desk.command(['resolve', second.printed?.run ?? '', '--row', 'one!2', '--created', 'lead_1']);
    const resumed = await desk.command(['results', first.printed?.run ?? '', '-o', 'two.csv']);
    expect(resumed.exitCode, resumed.stderr).toBe(0);
    expect(desk.statuses('two.csv')).toEqual(['Already loaded']);
  });
});

describe('a row of a results sheet whose turn did not come', () => {
  it('is ready, and what was typed for its doubt is taken, also in the results written again', async () => {
    desk.said.set(1, refusal).set(2, refusal).set(3, serverError).set(4, serverError);
    desk.write('deals.csv', deals('Harbor', 'Mill', 'Kite', 'Pine', 'Quay'));
    await desk.load('deals.csv', '--results', 'one.csv');
    desk.typeId('one.csv', 3, 'not created');
    const trial = await desk.load('one.csv', '--results', 'two.csv', '--limit', '1');
    expect(desk.statuses('two.csv')).toEqual(['Created', 'Ready', 'In doubt', 'Ready', 'Already loaded']);
    expect(desk.rowsOf('two.csv').map((cells) => cells[2])).toEqual(['rec_6', '', '', '', 'rec_5']);
    expect(desk.problemsOf('two.csv', 2)).toMatch(/^In doubt since /);
    await desk.place.run(['results', trial.printed?.run ?? '', '-o', 'again.csv']);
    expect(desk.rowsOf('again.csv')).toEqual(desk.rowsOf('two.csv'));
  });

  it('goes in once, whatever is corrected in it then, and by whatever sheet it comes again', async () => {
    desk.said.set(1, refusal).set(2, refusal).set(3, refusal).set(4, tokenRefused);
    desk.write('deals.csv', deals('Harbor', 'Mill', 'Kite'));
    await desk.load('deals.csv', '--results', 'one.csv');
    expect((await desk.load('one.csv', '--results', 'two.csv')).exitCode).toBe(4);
    desk.correct('two.csv', 'Kite', 'Kites');
    const corrected = await desk.load('two.csv', '--results', 'three.csv');
    expect(corrected.printed?.counts, corrected.stderr).toMatchObject({ created: 3 });
    const source = await desk.load('deals.csv', '--results', 'four.csv');
    expect(source.printed?.counts, source.stderr).toMatchObject({ alreadyLoaded: 3 });
    desk.correct('one.csv', 'Kite', 'Kite Inc');
    expect((await desk.load('one.csv')).printed?.counts).toMatchObject({ alreadyLoaded: 2, changedSinceLoaded: 1 });
    expect((await desk.resume()).stderr).toContain('there is nothing to resume');
    expect(desk.sent.slice(4)).toEqual(['Harbor', 'Mill', 'Kites']);
  });

  it('goes in with the others once the rows are corrected for which it was held back', async () => {
    desk.write('deals.csv', deals('Harbor', ['Mill', 'bad'], ['Kite', 'bad']));
    await desk.load('deals.csv', '--results', 'one.csv');
    desk.changeRows('one.csv', ([harbor = [], mill = [], kite = []]) => [
      harbor,
      mill.map((cell) => (cell === 'bad' ? '200' : cell)),
      kite,
    ]);
    const held = await desk.load('one.csv', '--results', 'two.csv', '--all-or-nothing');
    expect(held.exitCode, held.stderr).toBe(3);
    desk.correct('two.csv', 'bad', '300');
    const loaded = await desk.load('two.csv', '--all-or-nothing');
    expect(loaded.printed?.counts, loaded.stderr).toMatchObject({ alreadyLoaded: 1, created: 2 });
    expect(desk.sent).toEqual(['Harbor', 'Mill', 'Kite']);
  });
});

describe('a row that failed the checks in a later sheet', () => {
  it('goes in once, also by a resume of the run that it came from: the later sheet tells that it changed', async () => {
    desk.said.set(1, tokenRefused);
    desk.write('deals.csv', deals('Harbor'));
    await desk.load('deals.csv', '--results', 'one.csv');
    desk.correct('one.csv', '100', 'bad');
    await desk.load('one.csv', '--results', 'two.csv');
    const resumed = await desk.resume('--results', 'three.csv');
    expect(resumed.printed?.counts, resumed.stderr).toMatchObject({ created: 1 });
    desk.correct('two.csv', 'bad', '300');
    expect((await desk.load('two.csv')).printed?.counts).toMatchObject({ changedSinceLoaded: 1 });
    expect(desk.sent).toHaveLength(2);
  });
});

describe('a row of a source that was loaded twice', () => {
  it('goes in once by the results sheets of both loads', async () => {
    desk.said.set(1, refusal).set(2, refusal);
    desk.write('deals.csv', deals('Harbor'));
    await desk.load('deals.csv', '--results', 'one.csv');
    await desk.load('deals.csv', '--results', 'two.csv');
    desk.correct('one.csv', 'Harbor', 'Harbour');
    expect((await desk.load('one.csv')).printed?.counts).toMatchObject({ created: 1 });
    desk.correct('two.csv', 'Harbor', 'Harbour Inc');
    expect((await desk.load('two.csv')).printed?.counts).toMatchObject({ changedSinceLoaded: 1 });
    expect(desk.sent).toEqual(['Harbor', 'Harbor', 'Harbour']);
  });

  it('is in by its source too, which is as wrong as before, once it is corrected in a results sheet', async () => {
    desk.write('deals.csv', deals('Harbor', ['Mill', 'bad']));
    await desk.load('deals.csv', '--results', 'one.csv');
    desk.correct('one.csv', 'bad', '200');
    await desk.load('one.csv');
    const source = await desk.load('deals.csv', '--results', 'two.csv');
    expect(source.exitCode, source.stderr).toBe(0);
    expect(desk.statuses('two.csv')).toEqual(['Already loaded', 'Already loaded']);
    expect(desk.rowsOf('two.csv')[1]?.[2]).toBe('rec_2');
    desk.correct('two.csv', 'bad', '300');
    expect((await desk.load('two.csv')).printed?.counts).toMatchObject({ alreadyLoaded: 1, changedSinceLoaded: 1 });
  });

  it('goes in once also when its turn did not come in the second load', async () => {
    desk.said.set(2, refusal).set(3, tokenRefused);
    desk.write('deals.csv', deals('Harbor', 'Mill', 'Kite'));
    await desk.load('deals.csv', '--results', 'one.csv');
    expect((await desk.load('deals.csv', '--limit', '1', '--results', 'two.csv')).exitCode).toBe(1);
    desk.correct('two.csv', 'Mill', 'Mills');
    expect((await desk.load('two.csv')).printed?.counts).toMatchObject({ alreadyLoaded: 1, created: 2 });
    desk.correct('one.csv', 'Mill', 'Mill Inc');
    expect((await desk.load('one.csv')).printed?.counts).toMatchObject({ alreadyLoaded: 2, changedSinceLoaded: 1 });
    expect(desk.sent).toEqual(['Harbor', 'Mill', 'Kite', 'Mills', 'Kite']);
  });

  it('goes in once by a third load, when the second had not come to it', async () => {
    desk.said.set(2, refusal);
    desk.write('deals.csv', deals('Harbor', 'Mill', 'Kite'));
    await desk.load('deals.csv', '--limit', '2', '--results', 'one.csv');
    await desk.load('deals.csv', '--limit', '1', '--results', 'two.csv');
    expect((await desk.load('deals.csv')).printed?.counts).toMatchObject({ alreadyLoaded: 1, created: 2 });
    for (const sheet of ['one.csv', 'two.csv']) {
      desk.correct(sheet, 'Mill', 'Mills');
      desk.correct(sheet, 'Kite', 'Kites');
      expect((await desk.load(sheet)).printed?.counts).toMatchObject({ alreadyLoaded: 1, changedSinceLoaded: 2 });
    }
    expect(desk.sent).toEqual(['Harbor', 'Mill', 'Mill', 'Kite']);
  });

  it('goes in once also when the second load was stopped before it, and taken up again', async () => {
    for (const number of [1, 2, 3, 4]) desk.said.set(number, refusal);
    desk.said.set(5, tokenRefused);
    desk.write('deals.csv', deals('Harbor', 'Mill'));
    await desk.load('deals.csv', '--results', 'one.csv');
    desk.correct('one.csv', 'Mill', 'Mills');
    await desk.load('one.csv', '--results', 'two.csv');
    expect((await desk.load('deals.csv')).exitCode).toBe(4);
    expect((await desk.resume('--results', 'three.csv')).printed?.counts).toMatchObject({ created: 2 });
    expect((await desk.load('three.csv')).printed?.counts).toMatchObject({ alreadyLoaded: 2 });
    expect((await desk.load('two.csv')).printed?.counts).toMatchObject({ alreadyLoaded: 2 });
    expect(desk.sent).toEqual(['Harbor', 'Mill', 'Harbor', 'Mills', 'Harbor', 'Harbor', 'Mill']);
  });

  it('goes in once by its source and by the sheet in which it failed the checks', async () => {
    desk.said.set(1, refusal);
    desk.write('deals.csv', deals('Harbor'));
    await desk.load('deals.csv', '--results', 'one.csv');
    desk.correct('one.csv', '100', 'bad');
    await desk.load('one.csv', '--results', 'two.csv');
    expect((await desk.load('deals.csv')).printed?.counts).toMatchObject({ created: 1 });
    desk.correct('two.csv', 'bad', '300');
    expect((await desk.load('two.csv')).printed?.counts).toMatchObject({ changedSinceLoaded: 1 });
    expect(desk.sent).toEqual(['Harbor', 'Harbor']);
  });
});

describe('equal rows', () => {
  it('that are loaded again are counted together, however far they stand from each other', async () => {
    const others = Array.from({ length: 80 }, (_, index) => `Other ${index}`);
    desk.write('june.csv', deals('Harbor'));
    desk.write('july.csv', deals('Harbor', ...others, 'Harbor'));
    desk.write('august.csv', deals('Harbor', 'Kite', 'Harbor'));
    await desk.load('june.csv');
    expect((await desk.load('july.csv', '--again')).printed?.counts).toMatchObject({ created: 82 });
    const august = await desk.load('august.csv');
    expect(august.printed?.counts, august.stderr).toMatchObject({ alreadyLoaded: 2, created: 1 });
  });

  it('of two months are one row, of which one is sent, until a person says that both are meant', async () => {
    desk.said.set(1, refusal).set(2, refusal);
    desk.write('june.csv', deals('Harbor'));
    desk.write('july.csv', deals('Harbor'));
    await desk.load('june.csv', '--results', 'june1.csv');
    await desk.load('july.csv', '--results', 'july1.csv');
    desk.changeRows('june1.csv', (rows) => [...rows, ...desk.rowsOf('july1.csv')]);
    const both = await desk.load('june1.csv', '--results', 'both.csv');
    expect(both.printed?.counts, both.stderr).toMatchObject({ created: 1, notSent: 1 });
    desk.changeRows('both.csv', (rows) =>
      rows.map((cells) => (cells[0] === 'Not sent' ? ['', '', '', '', '', '', ...cells.slice(6)] : cells)),
    );
    expect((await desk.load('both.csv')).printed?.counts).toMatchObject({ notSent: 1, alreadyLoaded: 1 });
    const allowed = await desk.load('both.csv', '--allow', 'equal-to-loaded-row');
    expect(allowed.printed?.counts).toMatchObject({ created: 1, alreadyLoaded: 1 });
  });

  it('of a source are told apart when one of them went in by a results sheet: the other is not in by it', async () => {
    desk.said.set(1, refusal).set(2, refusal);
    desk.write('deals.csv', deals('Harbor', 'Harbor'));
    await desk.load('deals.csv', '--results', 'one.csv');
    desk.changeRows('one.csv', ([first = []]) => [first]);
    expect((await desk.load('one.csv')).printed?.counts).toMatchObject({ created: 1 });
    const source = await desk.load('deals.csv');
    expect(source.printed?.counts, source.stderr).toMatchObject({ alreadyLoaded: 1, created: 1 });
    expect((await desk.load('deals.csv')).printed?.counts).toMatchObject({ alreadyLoaded: 2 });
  });

  it('of a source that is loaded again meet each its own record, and not that of the other', async () => {
    desk.said.set(1, refusal);
    desk.write('deals.csv', deals('Harbor', 'Harbor'));
    await desk.load('deals.csv', '--results', 'one.csv');
    const source = await desk.load('deals.csv', '--results', 'two.csv');
    expect(
      desk.rowsOf('two.csv').map((cells) => cells[2]),
      source.stderr,
    ).toEqual(['rec_3', 'rec_2']);
    desk.correct('one.csv', 'Rejected', '');
    desk.changeRows('one.csv', (rows) => rows.map((cells) => (cells[0] === '' ? cells.with(6, '150') : cells)));
    expect((await desk.load('one.csv')).printed?.counts).toMatchObject({ alreadyLoaded: 1, changedSinceLoaded: 1 });
    expect(desk.sent).toEqual(['Harbor', 'Harbor', 'Harbor']);
  });
});
