import { rmSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { deals, deskForEachTest, serverError } from '../builders/deals-desk.ts';
import { expectCounts, expectExit } from '../builders/expected.ts';
import { oneRow } from '../builders/tables.ts';

const desk = deskForEachTest();

it('a run tells its rows in doubt in words, and by their codes with --json', async () => {
  desk.said.set(1, serverError);
  desk.write('deals.csv', deals('Harbor'));
  const run = (await desk.load('deals.csv')).printed?.run ?? '';
  const { stdout } = await desk.place.run(['runs', run]);
  expect(stdout).toMatch(
    /^ {2}The service answered 500\..* look in the service for the record, then .*\n {4}deals!2 {2}deals {2}Amount.*“Harbor”/m,
  );
  const listed = await desk.place.run(['runs', run, '--json']);
  expect(JSON.parse(listed.stdout)).toMatchObject({ inDoubt: [{ row: 'deals!2', code: 'doubt-status' }] });
});

it('a run tells doubts of one kind together, and how to settle all of them by its results', async () => {
  for (const nth of [1, 2, 3]) desk.said.set(nth, serverError);
  desk.write('deals.csv', deals('Harbor', 'Mill', 'Kite'));
  const run = (await desk.load('deals.csv', '--results', 'one.csv')).printed?.run ?? '';
  const { stdout } = await desk.place.run(['runs', run]);
  expect(stdout).toContain('In doubt: 3 rows');
  expect(stdout.match(/^ {2}The service answered 500.*\n {4}deals!2 /gm)).toHaveLength(1);
  const [, words = ''] =
    /^To settle many and send nothing, .*: dealsheet (resolve .* --from .*one\.csv)$/m.exec(stdout) ?? [];
  rmSync(desk.place.path('one.csv'));
  const lost = await desk.place.run(['runs', run]);
  expect(lost.stdout).toContain(`send nothing, write the results with dealsheet results ${run}, type`);
  expect((await desk.place.run(['results', run])).exitCode).toBe(0);
  desk.shown.add('deal_1');
  desk.typeId('one.csv', 0, 'deal_1');
  desk.typeId('one.csv', 1, 'not created');
  desk.typeId('one.csv', 2, 'created');
  const settled = await desk.command([...words.split(' '), '--url', desk.service.url]);
  expect([settled.exitCode, settled.stderr]).toEqual([0, expect.stringContaining('3 rows are settled.')]);
});

describe('"not created" in the ID cell', () => {
  beforeEach(async () => {
    desk.said.set(1, serverError);
    desk.write('deals.csv', deals('Harbor'));
    await desk.load('deals.csv', '--results', 'one.csv');
    desk.typeId('one.csv', 0, 'not created');
  });

  it('is said of the doubt that the sheet tells of, and of no later one: the row is not sent a third time', async () => {
    desk.said.set(2, serverError);
    await expectCounts(desk.load('one.csv', '--results', 'two.csv'), { inDoubt: 1 });
    await expectCounts(desk.load('one.csv', '--results', 'three.csv'), { inDoubt: 1 });
    expect(desk.problemsOf('three.csv', 0)).toMatch(/The ID cell answers an earlier try; the row was sent again/);
    expect(desk.sent).toEqual(['Harbor', 'Harbor']);
    desk.typeId('three.csv', 0, 'not created');
    await expectCounts(desk.load('three.csv', '--results', 'four.csv'), { created: 1 });
  });

  it('is told to be of another run where it is given to resolve for a wrong one', async () => {
    desk.write('july.csv', deals('Mill'));
    const july = await desk.load('july.csv');
    const wrong = await expectExit(desk.place.run(['resolve', july.printed?.run ?? '', '--from', 'one.csv']), 2);
    expect(wrong.stderr).toContain('Give the run that its Run cells name');
    const [run = ''] = /\d{4}-\d{2}-\d{2}-\d{2}-\w{4}/.exec(desk.rowsOf('one.csv').flat().join(' ')) ?? [];
    await expectExit(desk.place.run(['resolve', run, '--from', 'one.csv']), 0);
  });

  it('can be said by a command as well, which the cell of a row that comes again tells whole', async () => {
    desk.write('july.csv', deals('Mill', 'Harbor'));
    await expectCounts(desk.load('july.csv', '--results', 'two.csv'), { created: 1, inDoubt: 1 });
    const command = /dealsheet (resolve \S+ --row) '(deals!2)' --created ID, or (--not-created)$/m;
    const [, words = '', row = '', answer = ''] = command.exec(desk.problemsOf('two.csv', 1)) ?? [];
    await expectExit(desk.place.run([...words.split(' '), row, answer]), 0);
  });
});

describe('what a person types into the ID cell of a row in doubt', () => {
  it.each([
    ['lead_1', 'Already loaded', 'lead_1', 1],
    ['recHVEqCqvjOyqqQO', 'Already loaded', 'recHVEqCqvjOyqqQO', 1],
    ['https://service.example/leads/lead_1', 'Already loaded', 'lead_1', 1],
    ['https://service.example/leads/lead_1/?tab=all', 'Already loaded', 'lead_1', 1],
    ["https://service.example/data/leads('lead_1')", 'Already loaded', 'lead_1', 1],
    ['https://service.example/v2/#/leads/9', 'In doubt', 'https://service.example/v2/#/leads/9', 1],
    ['https://service.example/app1?lead=9', 'In doubt', 'https://service.example/app1?lead=9', 1],
    ['https://service.example/leads/9/tab2', 'In doubt', 'https://service.example/leads/9/tab2', 1],
    ['created', 'Already loaded', '', 1],
    ['Yes.', 'Already loaded', '', 1],
    ['Not created', 'Created', 'rec_2', 2],
    ['not created.', 'Created', 'rec_2', 2],
    ['NOT-CREATED', 'Created', 'rec_2', 2],
    ['no', 'Created', 'rec_2', 2],
    ['maybe', 'In doubt', 'maybe', 1],
    ['Not created?', 'In doubt', 'Not created?', 1],
    ['НЕТ no', 'In doubt', 'НЕТ no', 1],
    ['https://service.example/leads', 'In doubt', 'https://service.example/leads', 1],
  ])('"%s" makes it %s', async (typed, status, id, sent) => {
    desk.said.set(1, serverError);
    desk.write('leads.csv', deals('Harbor'));
    await desk.load('leads.csv', '--as', 'leads', '--results', 'one.csv');
    desk.typeId('one.csv', 0, typed);
    const { stderr } = await desk.load('one.csv', '--as', 'leads', '--results', 'two.csv');
    expect(desk.rowsOf('two.csv')[0], stderr).toMatchObject({ 0: status, 2: id });
    expect(desk.sent).toHaveLength(sent);
  });

  it('is kept where results are believed: the ledger knows that it is in', async () => {
    desk.said.set(1, serverError);
    desk.write('leads.csv', deals('Harbor'));
    await desk.load('leads.csv', '--as', 'leads', '--results', 'one.csv');
    desk.typeId('one.csv', 0, 'created');
    const believed = ['--as', 'leads', '--ledger', 'other.db'];
    await desk.load('one.csv', ...believed, '--trust-results', '--results', 'two.csv');
    await expectCounts(desk.load('two.csv', ...believed, '--results', 'three.csv'), { alreadyLoaded: 1, inDoubt: 0 });
  });

  it('counts in the same way for resolve', async () => {
    desk.said.set(2, serverError).set(3, serverError);
    desk.write('leads.csv', deals('Kite', 'Harbor', 'Mill'));
    const { printed } = await desk.load('leads.csv', '--as', 'leads', '--results', 'one.csv');
    desk.typeId('one.csv', 1, 'yes');
    desk.typeId('one.csv', 2, 'https://service.example/leads/lead_2');
    await expectExit(desk.place.run(['resolve', printed?.run ?? '', '--from', 'one.csv']), 0);
    await expectCounts(desk.load('leads.csv', '--as', 'leads', '--results', 'two.csv'), { alreadyLoaded: 3 });
    desk.typeId('two.csv', 1, 'lead_1');
    desk.typeId('two.csv', 2, 'lead_9');
    desk.correct('two.csv', 'Harbor', 'Harbour');
    const changed = { 0: 'Changed since loaded', 1: expect.stringMatching('^Company name .*changed'), 2: 'lead_1' };
    await desk.load('two.csv', '--as', 'leads', '--results', 'held.csv', '--all-or-nothing');
    const named = await desk.load('two.csv', '--as', 'leads', '--results', 'three.csv');
    expect(named.stderr).toContain('two!H3  note  Company name "Harbour" was "Harbor" when the row went in.');
    for (const file of ['held.csv', 'three.csv']) expect(desk.rowsOf(file)[1]).toMatchObject(changed);
  });
});

it('an id is taken by resolve, too, for a row that the service accepted without one', async () => {
  desk.said.set(1, { status: 200, body: '{"success":true}' });
  desk.write('notes.csv', oneRow({ 'Deal id': 'deal_1', 'Deal status': 'In review', Note: 'Called.' }));
  const { printed } = await desk.loadWorkbook('notes.csv', '--results', 'one.csv');
  desk.typeId('one.csv', 0, 'note_1');
  const named = await desk.command(['resolve', printed?.run ?? '', '--from', 'one.csv']);
  expect(named.stderr).toContain('1 row is settled.');
});

it('an id in the cell of a row in doubt is not taken while the row is held back for the errors of another: it is told as in doubt until it is', async () => {
  desk.said.set(2, serverError);
  desk.write('deals.csv', deals(['Wharf', 'much'], 'Harbor', 'Marina'));
  await desk.load('deals.csv', '--as', 'leads', '--results', 'one.csv');
  desk.typeId('one.csv', 2, 'lead_2');
  await expectExit(desk.load('one.csv', '--as', 'leads', '--results', 'two.csv', '--all-or-nothing'), 6);
  expect(desk.statuses('two.csv')).toEqual(['Invalid', 'Already loaded', 'In doubt']);
  expect(desk.problemsOf('two.csv', 2)).toMatch(/the ID was not taken yet: import this sheet again/);
  await expectCounts(desk.load('two.csv', '--as', 'leads', '--results', 'three.csv'), { invalid: 1, alreadyLoaded: 2 });
  expect(desk.rowsOf('three.csv')[2]).toMatchObject({ 0: 'Already loaded', 2: 'lead_2' });
  expect(desk.sent).toEqual(['Harbor', 'Marina']);
});

it('an id that was said of a row by mistake does not make the row one that is in by the sheet that has it, once the mistake is put right', async () => {
  desk.said.set(1, serverError);
  desk.write('leads.csv', deals('Harbor'));
  const { printed } = await desk.load('leads.csv', '--as', 'leads');
  const settle = (...found: readonly string[]) =>
    desk.command(['resolve', printed?.run ?? '', '--row', 'leads!2', ...found]);
  await settle('--created', 'lead_1');
  await desk.command(['results', printed?.run ?? '', '-o', 'one.csv']);
  await settle('--not-created');
  await expectCounts(desk.load('one.csv', '--as', 'leads', '--results', 'two.csv'), { invalid: 1 });
  expect(desk.problemsOf('two.csv', 0)).toContain('says that the row is in (lead_1), but by the ledger it is not');
  desk.changeRows('two.csv', (rows) => rows.map((cells) => cells.with(0, '').with(2, '')));
  await expectCounts(desk.load('two.csv', '--as', 'leads'), { created: 1 });
});

it('an id in the ID cell of an update is that of its company, also when that was updated before', async () => {
  const table = (name: string) => [['Company to update', 'Company name'] as const, ['cmp_1', name] as const];
  desk.write('may.csv', table('Harbor'));
  desk.write('june.csv', table('Harbour'));
  const load = (file: string, ...further: readonly string[]) => {
    const where = ['--as', 'company-updates', '--url', desk.service.url, '--concurrency', '1'];
    return desk.command(['import', file, ...where, '--yes', '--json', ...further]);
  };
  await expectCounts(load('may.csv'), { updated: 1 });
  for (const number of [2, 3, 4, 5, 6]) desk.said.set(number, serverError);
  const { printed } = await expectCounts(load('june.csv', '--results', 'one.csv'), { inDoubt: 1 });
  desk.typeId('one.csv', 0, 'cmp_1');
  await expectCounts(load('one.csv'), { alreadyLoaded: 1 });
  const denied = await desk.command(['resolve', printed?.run ?? '', '--row', 'june!2', '--not-created']);
  expect(denied.stderr).toMatch(/settled as cmp_1 before; now it is not created\.\n/);
});
