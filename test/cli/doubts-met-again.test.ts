import { describe, expect, it } from 'vitest';
import { deals, deskForEachTest, refusal, serverError } from '../builders/deals-desk.ts';
import { expectCounts, expectExit } from '../builders/expected.ts';
import { created } from '../builders/recording-service.ts';
import { oneRow } from '../builders/tables.ts';

const desk = deskForEachTest();

describe('a row in doubt that another file, or the same one once more, meets again', () => {
  /** The service has made the record, and says that something went wrong; the second load only notes the doubt. */
  async function metAgain(file: string, ...further: readonly string[]): Promise<string> {
    desk.said.set(1, serverError);
    desk.write('june.csv', deals('Harbor'));
    expect((await desk.load('june.csv')).exitCode).toBe(6);
    desk.write('july.csv', deals('Harbor', 'Kite'));
    const { printed } = await expectExit(desk.load(file, '--results', 'again.csv', ...further), 6);
    return printed?.run ?? '';
  }

  async function settled(run: string, row: string): Promise<void> {
    desk.shown.add('deal_1');
    await expectExit(desk.command(['resolve', run, '--row', row, '--created', 'deal_1']), 0);
  }

  it.each([
    ['july.csv', 'july!2', []],
    ['june.csv', 'june!2', []],
    ['june.csv', 'june!2', ['--again']],
  ])('is in once it is settled there, whatever a sheet of before says: %s, row %s %s', async (file, row, further) => {
    await settled(await metAgain(file, ...further), row);
    const before = desk.sent.length;
    desk.correct('again.csv', '100', '150');
    const corrected = await desk.load('again.csv', '--results', 'last.csv');
    expect(desk.sent.slice(before)).not.toContain('Harbor');
    const [status, , id] = desk.rowsOf('last.csv')[0] ?? [];
    expect([status, id]).toEqual(['Changed since loaded', 'deal_1']);
    expect(desk.problemsOf('last.csv', 0)).toMatch(/changed since the row went in/);
    expect(corrected.exitCode).toBe(1);
  });

  it('is listed with its first cells, by which a person finds it in the service', async () => {
    const { stdout } = await desk.place.run(['runs', await metAgain('july.csv')]);
    expect(stdout).toMatch(/^ {4}july!2 {2}deals {2}.*“Harbor/m);
    expect(stdout).not.toContain('dealsheet resume');
  });

  it('is known by the id that is typed into its sheet after it was settled', async () => {
    await settled(await metAgain('july.csv'), 'july!2');
    desk.typeId('again.csv', 0, 'deal_1');
    await expectExit(desk.load('again.csv', '--results', 'last.csv'), 0);
    expect(desk.statuses('last.csv')).toEqual(['Already loaded', 'Already loaded']);
    expect(desk.sent).toEqual(['Harbor', 'Kite']);
  });
});

it.each([
  ['goes out by the other line', null, 'Created', 0],
  ['is refused there', refusal, 'Rejected', 1],
])('a copied line of a row that was in doubt does not say so once the row %s', async (_, answer, status, further) => {
  desk.said.set(1, serverError).set(2, answer ?? created(2));
  desk.write('june.csv', deals('Harbor'));
  await expectExit(desk.load('june.csv', '--results', 'one.csv'), 6);
  desk.typeId('one.csv', 0, 'not created');
  desk.changeRows('one.csv', (rows) => [...rows, ...rows.map((cells) => cells.with(2, ''))]);
  await expectExit(desk.load('one.csv', '--results', 'two.csv'), 1);
  expect(desk.statuses('two.csv')).toEqual([status, 'Not sent']);
  await expectExit(desk.load('two.csv', '--results', 'three.csv'), further);
  expect(desk.sent).toHaveLength(2 + further);
});

describe('P12: an answer about one sending of a row, given once more after the next', () => {
  /** The row is in doubt, settled as not created, sent again by a resume of its run, and in doubt again. */
  async function sentTwice(): Promise<string> {
    desk.said.set(1, serverError);
    desk.said.set(2, serverError);
    desk.write('june.csv', deals('Harbor'));
    const { printed } = await desk.load('june.csv', '--results', 'first.csv');
    const run = printed?.run ?? '';
    desk.typeId('first.csv', 0, 'not created');
    desk.write('list.csv', oneRow({ Row: 'june!2', ID: 'not created' }));
    expect((await desk.command(['resolve', run, '--from', 'first.csv'])).exitCode).toBe(0);
    await desk.resume(run, '--results', 'second.csv');
    expect(desk.statuses('second.csv')).toEqual(['In doubt']);
    return run;
  }

  it('settles nothing by the older sheet, and sends nothing', async () => {
    await sentTwice();
    const { exitCode } = await desk.load('first.csv', '--results', 'third.csv');
    expect(desk.sent).toEqual(['Harbor', 'Harbor']);
    expect([exitCode, desk.statuses('third.csv')]).toEqual([6, ['In doubt']]);
    expect(desk.problemsOf('third.csv', 0)).toContain('The ID cell answers an earlier try');
    desk.typeId('third.csv', 0, 'not created');
    await desk.load('third.csv', '--results', 'fourth.csv');
    expect(desk.statuses('fourth.csv')).toEqual(['Created']);
  });

  it('settles nothing by a sheet of before the first sending of this ledger', async () => {
    desk.said.set(1, serverError).set(2, serverError);
    desk.write('june.csv', deals('Harbor'));
    await desk.load('june.csv', '--results', 'other.csv', '--ledger', 'other.db');
    const { printed } = await desk.load('other.csv', '--results', 'first.csv', '--trust-results');
    expect(desk.problemsOf('first.csv', 0)).toMatch(/not know the run. .* into the ID cell of the new/);
    desk.typeId('first.csv', 0, 'not created');
    await desk.command(['resolve', printed?.run ?? '', '--from', 'first.csv']);
    await desk.resume(printed?.run ?? '', '--results', 'second.csv');
    expect([desk.sent.length, desk.statuses('second.csv')]).toEqual([2, ['In doubt']]);
    await desk.load('first.csv', '--results', 'third.csv');
    expect([desk.sent.length, desk.statuses('third.csv')]).toEqual([2, ['In doubt']]);
    desk.typeId('second.csv', 0, 'not created');
    await desk.load('second.csv', '--results', 'fourth.csv');
    expect(desk.statuses('fourth.csv')).toEqual(['Created']);
  });

  it.each([
    ['first.csv', 'june!2 was sent again since, from june.csv'],
    ['list.csv', 'june!2 was settled once and sent again, and a list does not say which of the two it is about'],
  ])('is refused by resolve: %s', async (file, why) => {
    const run = await sentTwice();
    await expectExit(desk.command(['resolve', run, '--from', file]), 2, why);
    expect((await desk.command(['resolve', run, '--row', 'june!2', '--not-created'])).exitCode).toBe(0);
    const { stdout } = await desk.place.run(['runs', run]);
    expect(stdout).toMatch(/^Settled by hand:\n( {4}june!2 {2}not created, by \S+ on 2.* UTC\n){2}/m);
  });

  it.each(['june!2~1', 'june!2~2', 'june!2~9'])('is told by resolve of which try to say it: %s', async (row) => {
    const [told] = { 'june!2~1': ['write june!2~2, or take its newer results'], 'june!2~9': ['no try 9'] }[row] ?? [];
    const settled = await desk.command(['resolve', await sentTwice(), '--row', row, '--not-created']);
    expect([settled.exitCode, settled.stderr]).toEqual([
      told === undefined ? 0 : 2,
      expect.stringContaining(told ?? ''),
    ]);
  });

  it.each([
    ['june!2', 'june!2~2'],
    ['june!2~2', 'june!2~1'],
    ['june!2~1', 'june!2~2'],
  ])('is refused by resolve in a list beside the newer, in whatever order: %s, %s', async (...rows) => {
    const run = await sentTwice();
    desk.write('both.csv', [['Row', 'ID'], ...rows.map((row) => [row, 'not created'])]);
    await expectExit(desk.command(['resolve', run, '--from', 'both.csv']), 2, 'write june!2~2');
  });

  it.each(['second.csv', 'list.csv'])('is taken where it names the second: %s', async (file) => {
    const run = await sentTwice();
    desk.typeId('second.csv', 0, 'not created');
    desk.write('list.csv', oneRow({ Row: 'june!2~2', ID: 'not created' }));
    expect((await desk.command(['resolve', run, '--from', file])).stderr).toContain('1 row is settled.');
  });
});

it.each([
  ['its file', 'july.csv'],
  ['another file', 'august.csv'],
  ['the results of a load that met it', 'july.out.csv'],
])(
  'a row that came with two files, once the run that brought it in is forgotten is in by the run that met it: %s',
  async (_what, file) => {
    desk.said.set(2, serverError);
    desk.write('june.csv', deals('Harbor'));
    desk.write('july.csv', deals('Harbor', 'Kite'));
    desk.write('august.csv', deals(['Mill', 200], 'Harbor'));
    await desk.load('june.csv');
    expect((await desk.load('july.csv', '--results', 'july.out.csv')).printed?.counts).toMatchObject({
      alreadyLoaded: 1,
      inDoubt: 1,
    });
    await desk.command(['runs', '--prune-before', '2100-01-01', '--yes', '--json']);
    const again = await desk.load(file, '--results', 'again.csv');
    expect(again.printed?.counts, again.stderr).toMatchObject(
      file === 'august.csv' ? { created: 1, alreadyLoaded: 1 } : { alreadyLoaded: 1, inDoubt: 1 },
    );
    expect(desk.sent.filter((name) => name === 'Harbor')).toHaveLength(1);
  },
);

describe('a row whose deal is settled as another one, once it went out', () => {
  /** The numbers of the requests: the deal, a look at deal_9, the note, and the deal anew. */
  const [deal, note, _dealAnew] = [1, 3, 4];

  /** The deal is taken for deal_9, its note goes out, and then the deal is not there after all, and goes out anew. */
  async function loadedForAnother(meanwhile: () => Promise<void> = async () => {}): Promise<void> {
    desk.said.set(deal, serverError);
    desk.shown.add('deal_9');
    const [headers = [], ...rows] = deals('Harbor');
    desk.write('deals.csv', [['Ref', ...headers], ...rows.map((row) => ['D-1', ...row])]);
    desk.write('notes.csv', oneRow({ 'Deal ref': 'D-1', 'Deal status': 'In review', Note: 'Called.' }));
    const run = (await desk.load('deals.csv')).printed?.run ?? '';
    await meanwhile();
    const settle = (...found: string[]) => desk.command(['resolve', run, '--row', 'deals!2', ...found]);
    expect((await settle('--created', 'deal_9')).exitCode).toBe(0);
    await loadNotes();
    expect((await settle('--not-created')).stderr).toContain(
      'now it is not created. Rows that name it by its Ref may have been sent for deal_9 in the meantime. Import their files again unchanged: the results show which rows these are, and none is sent a second time.',
    );
    await desk.load('deals.csv');
  }
  const loadNotes = () => desk.loadWorkbook('notes.csv', '--as', 'notes', '--skip-loaded', '--results', 'r.csv');
  const notesSent = () => desk.service.requests.filter(({ path }) => path.endsWith('/note')).length;

  it('stays in doubt where it was', async () => {
    desk.said.set(note, serverError);
    await loadedForAnother();
    for (const attempt of ['first', 'second']) {
      const again = await loadNotes();
      expect(again.printed?.counts, `${attempt}: ${again.stderr}`).toMatchObject({ inDoubt: 1 });
    }
    expect(notesSent()).toBe(1);
  });

  it('is in, and not sent a second time', async () => {
    await loadedForAnother();
    await expectCounts(loadNotes(), { alreadyLoaded: 1 });
    expect(notesSent()).toBe(1);
  });
});
