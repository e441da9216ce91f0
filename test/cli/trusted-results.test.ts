import { cpSync, mkdirSync, rmSync } from 'node:fs';
import ExcelJS from 'exceljs';
import { beforeEach, describe, expect, it } from 'vitest';
import { deals, deskForEachTest, serverError, tokenRefused } from '../builders/deals-desk.ts';
import { expectCounts, expectExit } from '../builders/expected.ts';
import { oneRow } from '../builders/tables.ts';

const desk = deskForEachTest();

describe('what a results sheet says of a row', () => {
  it('names the run that brought it in, however often it came back since', async () => {
    desk.write('deals.csv', deals('Harbor'));
    const first = await desk.load('deals.csv', '--results', 'one.csv');
    for (const [from, to] of [
      ['one.csv', 'two.csv'],
      ['two.csv', 'three.csv'],
    ] as const) {
      await desk.load(from, '--results', to);
      expect(desk.problemsOf(to, 0)).toContain(`(run ${first.printed?.run})`);
    }
  });

  it('is not believed when its id is another than the ledger knows', async () => {
    desk.write('deals.csv', deals('Harbor', 'Mill'));
    await desk.load('deals.csv', '--results', 'one.csv');
    desk.typeId('one.csv', 1, 'rec_7');
    await expectCounts(desk.load('one.csv', '--results', 'two.csv'), { alreadyLoaded: 1, invalid: 1 });
    expect((await desk.place.run(['runs'])).stdout).toMatch(/1 invalid[\s\S]*2 created/);
    expect(desk.problemsOf('two.csv', 1)).toContain(
      'The ID cell has "rec_7", but by the ledger the row is in as rec_2, from deals.csv',
    );
  });

  describe('with long ids, when a spreadsheet program has had it', () => {
    const longId = (number: number) => `123456789012345${number}`;
    const withLongId = (number: number) => ({
      status: 201,
      body: JSON.stringify({ success: true, id: longId(number) }),
    });

    it.each(['1.23457E+15', '1234567890123450', '1234567890123460'])(
      'holds a row that is in, by the id of the ledger: %s',
      async (rounded) => {
        desk.said.set(1, withLongId(6));
        desk.write('deals.csv', deals('Harbor'));
        await desk.load('deals.csv', '--results', 'one.csv');
        desk.typeId('one.csv', 0, rounded);
        await expectCounts(desk.load('one.csv', '--results', 'two.csv'), { alreadyLoaded: 1 });
        expect(desk.rowsOf('two.csv')[0]?.[2]).toBe(longId(6));
      },
    );

    it('is not believed where the id was typed for a doubt and rounded: the row stays in doubt, and it is said why', async () => {
      desk.said.set(1, serverError);
      desk.write('notes.csv', oneRow({ 'Deal id': 'deal_1', 'Deal status': 'Open', Note: 'called' }));
      await desk.load('notes.csv', '--as', 'notes', '--results', 'one.xlsx');
      const place = desk.place.path('one.xlsx');
      const workbook = await new ExcelJS.Workbook().xlsx.readFile(place);
      const cell = workbook.getWorksheet('notes')?.getCell('C2');
      expect(cell?.numFmt).toBe('@');
      if (cell !== undefined) cell.value = Number(longId(6));
      await workbook.xlsx.writeFile(place);
      const run = String(workbook.getWorksheet('notes')?.getCell('F2').value).split('#')[0] ?? '';
      const settled = await expectExit(desk.place.run(['resolve', run, '--from', 'one.xlsx']), 2);
      expect(settled.stderr).toContain('may have been rounded by a spreadsheet program');
      await expectCounts(desk.load('one.xlsx', '--as', 'notes', '--results', 'two.csv'), { inDoubt: 1 });
      expect(desk.problemsOf('two.csv', 0)).toContain('may have been rounded by a spreadsheet program');
    });
  });

  it('is looked up, where an id was typed for a doubt, also when the run is believed without being known', async () => {
    desk.said.set(1, serverError).set(2, serverError);
    desk.write('deals.csv', deals('Harbor', 'Harbor'));
    await desk.load('deals.csv', '--ledger', 'mine.db', '--results', 'one.csv');
    for (const row of [0, 1]) desk.typeId('one.csv', row, 'deal_77');
    const believed = await desk.load('one.csv', '--ledger', 'other.db', '--trust-results', '--results', 'two.csv');
    expect(believed.exitCode).toBe(2);
    expect(believed.stderr).toMatch(/Rows cannot be settled:\n.*deal_77.*\n.* have the same id/);
  });

  it.each(['rec_2', ''])(
    'does not count without the key of its run in the next sheet either, whatever the row says by then: with the id "%s"',
    async (id) => {
      desk.write('deals.csv', deals('Harbor', ['Mill', 150]));
      await desk.load('deals.csv', '--results', 'one.csv');
      desk.typeId('one.csv', 1, id);
      desk.changeRows('one.csv', (rows) =>
        rows.map((cells) =>
          cells.map((cell) => (/#deals!3$/.test(cell) ? '' : cell.replace('Mill', 'Kite').replace(/^150$/, '90'))),
        ),
      );
      await desk.load('one.csv', '--results', 'two.csv');
      await expectCounts(desk.load('two.csv', '--results', 'three.csv'), { alreadyLoaded: 1, invalid: 1 });
      expect(desk.problemsOf('three.csv', 1)).toContain('but its Run cell does not say when.');
      desk.changeRows('three.csv', (rows) =>
        rows.map((cells) => (cells.includes('Kite') ? cells.map((cell, index) => (index < 6 ? '' : cell)) : cells)),
      );
      await expectCounts(desk.load('three.csv'), { created: 1, alreadyLoaded: 1 });
      expect(desk.sent).toEqual(['Harbor', 'Mill', 'Kite']);
    },
  );

  it('holds its rows in one line of the preview, with the first of their ids, as often as the ledger does not know the run', async () => {
    desk.write('deals.csv', deals('Harbor', 'Mill', 'Kite', 'Elm', 'Oak'));
    await desk.load('deals.csv', '--ledger', 'other.db', '--results', 'one.csv');
    desk.changeRows('one.csv', (rows) => [...rows, ['', '', '', '', '', '', '100', 'Pine', 'Moreno']]);
    desk.said.set(6, tokenRefused);
    const load = () => desk.load('one.csv', '--results', 'two.csv');
    for (const go of [load, () => desk.resume('--results', 'two.csv'), load]) {
      const { stderr } = await go();
      expect(stderr.match(/This ledger does not know the row/g)).toHaveLength(1);
      expect(stderr).toMatch(/rows 2, 3, 4, 5, 6 \("rec_1", "rec_2", "rec_3", …\) {2}held/);
      expect(desk.problemsOf('two.csv', 0)).toMatch(/does not know the row of the Run cell.* as rec_1\./);
    }
  });

  it('has the key of a row, of whose copies one is sent, and none where they differ, also where the ledger does not know the run', async () => {
    desk.write('deals.csv', deals(['Harbor', -5], ['Mill', -5]));
    await desk.load('deals.csv', '--ledger', 'other.db', '--results', 'one.csv');
    const corrected = (cells: string[] = [], amount: string) => cells.map((cell) => (cell === '-5' ? amount : cell));
    desk.changeRows('one.csv', ([harbor, mill]) => [
      ...[corrected(harbor, '70'), corrected(harbor, '70')],
      ...[corrected(mill, '80'), corrected(mill, '90')],
    ]);
    await expectCounts(desk.load('one.csv', '--results', 'two.csv'), { created: 1, invalid: 2, notSent: 1 });
    desk.changeRows('two.csv', ([harbor = []]) => [harbor, harbor.with(0, '').with(2, ''), harbor]);
    await expectCounts(desk.load('two.csv', '--ledger', 'other.db'), { inDoubt: 3 });
    expect(desk.sent).toEqual(['Harbor']);
  });

  it('is not believed when it says in one cell that the row is in, and in another that it was not created', async () => {
    desk.write('deals.csv', deals('Harbor', 'Mill'));
    await desk.load('deals.csv', '--results', 'one.csv');
    desk.typeId('one.csv', 1, 'not created');
    await expectCounts(desk.load('one.csv', '--results', 'here.csv'), { alreadyLoaded: 1, invalid: 1 });
    expect(desk.problemsOf('here.csv', 1)).toContain(
      'The ID cell has "not created", but by the ledger the row is in as rec_2',
    );
    const other = ['--ledger', 'other.db'];
    const believed = await desk.load('one.csv', '--trust-results', '--results', 'two.csv', ...other);
    expect(believed.printed?.counts, believed.stderr).toMatchObject({ alreadyLoaded: 1, inDoubt: 1 });
    expect(desk.problemsOf('two.csv', 1)).toContain('The Status cell says that the row is in, and the ID cell');
    await expectCounts(desk.load('deals.csv', ...other), { alreadyLoaded: 1, inDoubt: 1 });
    expect(desk.sent).toHaveLength(2);
    desk.typeId('two.csv', 1, 'not created');
    await expectCounts(desk.load('two.csv', ...other), { alreadyLoaded: 1, created: 1 });
  });

  it('is not believed either in a second sheet, nor where the service gave no id, until the cell is emptied', async () => {
    const pay = ['2026-05-01', '2026-05-02'].map((day) => ['D1', day, '100', 'ACH']);
    desk.write('pay.csv', [['Deal id', 'Date', 'Amount', 'Type'], ...pay]);
    await desk.loadWorkbook('pay.csv', '--as', 'transactions', '--results', 'one.csv');
    desk.typeId('one.csv', 0, 'not created');
    for (const [from, to] of [
      ['one.csv', 'two.csv'],
      ['two.csv', 'three.csv'],
    ] as const) {
      await expectCounts(desk.loadWorkbook(from, '--results', to), { alreadyLoaded: 1, invalid: 1 });
      expect(desk.problemsOf(to, 0)).toContain('by the ledger the row is in without an id, from pay.csv');
    }
    desk.typeId('three.csv', 0, '');
    await expectCounts(desk.loadWorkbook('three.csv'), { alreadyLoaded: 2 });
  });

  it('is believed with its ids, whatever their form, but not with a text, and rows that belong to one without an id are told so', async () => {
    for (const [at, id] of ['alpha', 'bravo', 'charlie'].entries())
      desk.said.set(at + 1, { status: 201, body: JSON.stringify({ success: true, id }) });
    const [headers = [], ...rows] = deals('Harbor', 'Mill', 'Kite');
    desk.write('deals.csv', [['Ref', ...headers], ...rows.map((row, at) => [`D-${at}`, ...row])]);
    await desk.load('deals.csv', '--results', 'one.csv');
    desk.typeId('one.csv', 1, 'see mail');
    desk.typeId('one.csv', 2, '');
    const other = ['--ledger', 'other.db'];
    await expectCounts(desk.load('one.csv', '--trust-results', '--results', 'two.csv', ...other), { alreadyLoaded: 3 });
    expect(desk.rowsOf('two.csv').map(([, , id]) => id)).toEqual(['alpha', '', '']);
    expect(desk.problemsOf('two.csv', 1)).toContain('"see mail" in the ID cell cannot be its id');
    const notes = [0, 1, 2].map((at) => [`D-${at}`, 'In review', `Called ${at}.`]);
    desk.write('notes.csv', [['Deal ref', 'Deal status', 'Note'], ...notes]);
    await expectCounts(
      desk.loadWorkbook('notes.csv', '--as', 'notes', '--skip-loaded', '--results', 'n.csv', ...other),
      { created: 1, waiting: 2 },
    );
    expect(desk.problemsOf('n.csv', 1)).toContain('it is in, but its id is not known');
  });

  it.each([
    ['older lines above, which are not in by the newer ones either', 'one two', '1', 'D C C D N N', 3],
    ['older lines above, which are in by the newer ones', 'one two', '3', 'D D D D D D', 3],
    ['older lines below those that are in, trusted', 'two one', '3', 'A A A N N N', 3],
    ['a line that was corrected in one of them', 'one corrected', '1', 'D I C D I I', 2],
    ['an original line below, also of what is not in', 'one original', '1', 'D C C N', 3],
    ['an original line above, trusted', 'original two', '3', 'N A A A', 3],
  ] as const)('P9: makes nothing twice of two unknown runs: %s', async (title, lines, limit, statuses, sent) => {
    desk.write('deals.csv', deals('Harbor', 'Mill', 'Mill'));
    for (const [from, to, most] of [
      ['deals.csv', 'one.csv', '1'],
      ['one.csv', 'two.csv', limit],
    ] as const)
      await desk.load(from, '--ledger', 'other.db', '--limit', most, '--results', to);
    const two = desk.rowsOf('two.csv');
    const linesOf = {
      one: desk.rowsOf('one.csv'),
      two,
      corrected: two.map((cells, at) => (at === 1 ? cells.with(6, '70') : cells)),
      original: [['', '', '', '', '', '', '100', 'Mill', 'Moreno']],
    };
    desk.changeRows('one.csv', () => lines.split(' ').flatMap((name) => linesOf[name as keyof typeof linesOf]));
    const trusted = title.endsWith('trusted') ? ['--trust-results'] : [];
    await desk.load('one.csv', ...trusted, '--results', 'all.csv');
    const shown = { D: 'In doubt', C: 'Created', A: 'Already loaded', N: 'Not sent', I: 'Invalid' } as const;
    expect(desk.statuses('all.csv')).toEqual(statuses.split(' ').map((one) => shown[one as keyof typeof shown]));
    await desk.load('one.csv', ...trusted);
    await desk.load('all.csv');
    expect(desk.sent).toHaveLength(sent);
  });

  it('holds a row that another ledger has sent corrected, once its results are believed', async () => {
    desk.write('deals.csv', deals('Harbor', 'Mill'));
    const other = ['--ledger', 'other.db', '--trust-results'];
    await desk.load('deals.csv', '--limit', '1', '--results', 'one.csv');
    desk.write(
      'corrected.csv',
      desk.tableOf('one.csv').map((cells) => (cells[7] === 'Mill' ? cells.with(6, '70') : cells)),
    );
    await expectCounts(desk.load('corrected.csv', '--results', 'two.csv', ...other), { created: 1, alreadyLoaded: 1 });
    await expectCounts(desk.load('two.csv', '--trust-results', '--results', 'three.csv'), { alreadyLoaded: 2 });
    for (const file of ['one.csv', 'deals.csv'])
      await expectCounts(desk.load(file, '--results', 'four.csv'), { alreadyLoaded: 1, notSent: 1 });
  });

  it.each(['one.csv', 'two.csv'])('is believed of one record where its line comes twice: from %s', async (again) => {
    desk.write('deals.csv', deals('Harbor'));
    await desk.load('deals.csv', '--ledger', 'other.db', '--results', 'one.csv');
    await desk.load('one.csv', '--ledger', 'other.db', '--results', 'two.csv');
    const lines = desk.rowsOf(again);
    desk.changeRows('one.csv', (rows) => [...rows, ...lines]);
    await expectCounts(desk.load('one.csv', '--trust-results'), { alreadyLoaded: 1, notSent: 1 });
    desk.write('deals.csv', deals('Harbor', 'Harbor'));
    await expectCounts(desk.load('deals.csv'), { alreadyLoaded: 1, created: 1 });
  });

  it('is not trusted in another service than that of its Summary, or of its links into a sandbox', async () => {
    desk.write('deals.csv', deals('Harbor'));
    await desk.load('deals.csv', '--ledger', 'other.db', '--results', 'one.csv');
    desk.type('one.csv', 0, 3, 'http://127.0.0.1:4010/deals/deal_1');
    await expectExit(desk.load('one.csv', '--trust-results', '--url', 'https://localhost:1'), 2, 'is not in https:');
    const api = ['--url', `${desk.service.url}/api`];
    await desk.loadWorkbook('deals.csv', '--ledger', 'other.db', '--results', 'one.xlsx', ...api);
    const elsewhere = ['--url', desk.service.url.replace('127.0.0.1', 'localhost')];
    await expectExit(desk.loadWorkbook('one.xlsx', '--trust-results', ...elsewhere), 2, 'What is in there is not in');
    await expectCounts(desk.loadWorkbook('one.xlsx', '--trust-results', ...api.with(1, `${api[1]}/`)), {
      alreadyLoaded: 1,
    });
  });

  it('is understood in whatever case a person writes it', async () => {
    desk.write('deals.csv', deals('Harbor', 'Mill'));
    await desk.load('deals.csv', '--ledger', 'other.db', '--results', 'one.csv');
    desk.correct('one.csv', 'Created', 'CREATED');
    await expectCounts(desk.load('one.csv', '--trust-results'), { alreadyLoaded: 2 });
    expect(desk.sent).toHaveLength(2);
  });
});

describe('a row in doubt', () => {
  it('is not settled by what is no id, nor by an id that the service does not know', async () => {
    desk.said.set(1, serverError).set(2, serverError);
    desk.write('deals.csv', deals('Harbor', 'Mill'));
    await desk.load('deals.csv', '--results', 'one.csv');
    desk.typeId('one.csv', 0, 'perhaps');
    await expectCounts(desk.load('one.csv', '--results', 'two.csv'), { inDoubt: 2 });
    expect(desk.problemsOf('two.csv', 0)).toContain('"perhaps" in the ID cell is not an id, a link of a record');
    desk.typeId('one.csv', 0, 'deal_000777');
    await expectExit(desk.load('one.csv', '--results', 'three.csv'), 2, /one!2: The service has no record deal_000777/);
    expect(desk.sent).toHaveLength(2);
  });

  it('is not settled by an id that is the record of another row, or of two rows at once', async () => {
    desk.said.set(2, serverError).set(3, serverError);
    desk.write('deals.csv', deals('Harbor', 'Mill', 'Kite'));
    const { printed } = await desk.load('deals.csv');
    desk.write('found.csv', [
      ['Row', 'ID'],
      ['deals!3', 'rec_1'],
      ['deals!4', 'rec_1'],
    ]);
    const refused = await expectExit(desk.command(['resolve', printed?.run ?? '', '--from', 'found.csv']), 2);
    expect(refused.stderr).toMatch(/deals!3: rec_1 is the record of deals row 2/);
    expect(refused.stderr).toMatch(/deals!4 and deals!3 have the same id, rec_1/);
  });

  it('is told to be settled by its ID cell before anything is sent, and once', async () => {
    desk.said.set(2, serverError).set(3, serverError).set(4, serverError);
    const notes = ['one', 'two', 'three', 'four'].map((text) => ['deal_1', 'Open', text]);
    desk.write('notes.csv', [['Deal id', 'Deal status', 'Note'], ...notes]);
    await desk.loadWorkbook('notes.csv', '--as', 'notes', '--results', 'one.csv');
    desk.typeId('one.csv', 1, 'note_1');
    desk.typeId('one.csv', 2, 'not created');
    desk.typeId('one.csv', 3, 'not created');
    const settled = await desk.loadWorkbook('one.csv', '--results', 'two.csv');
    expect(settled.printed?.counts, settled.stderr).toMatchObject({ created: 2, alreadyLoaded: 2 });
    const [told] = settled.stderr.split('To be sent');
    expect(told).toContain('Of these rows, settled by their ID cells: 1 as created, and 2 as not created.');
    expect((await desk.loadWorkbook('two.csv', '--results', 'three.csv')).stderr).not.toContain('ID cells');
  });

  it('is not settled without a yes, even if it cannot be sent', async () => {
    desk.said.set(1, serverError);
    desk.write('note.csv', [['Deal id', 'Deal status', 'Note'], ...[['deal_1', 'Open', 'one']]]);
    await desk.loadWorkbook('note.csv', '--as', 'notes', '--results', 'one.csv');
    desk.typeId('one.csv', 0, 'not created');
    desk.correct('one.csv', 'Open', '');
    const { stderr } = await desk.command(['import', 'one.csv', '--url', desk.service.url, '--json']);
    expect(stderr).toContain('settled by their ID cells: 0 as created, and 1 as not created.');
    expect(stderr).toContain('Add --yes to send without asking.');
  });
});

describe('a load that was stopped goes on', () => {
  it('with all rows of a sheet that it was told to load again', async () => {
    desk.write('deals.csv', deals('Harbor', 'Mill', 'Kite', 'Pine'));
    await desk.load('deals.csv', '--ledger', 'other.db', '--results', 'sheet.csv');
    desk.said.set(7, tokenRefused);
    await expectExit(desk.load('sheet.csv', '--again', '--results', 'out.csv'), 4);
    await expectCounts(desk.resume(), { created: 4, alreadyLoaded: 0 });
  });

  it('within the trial that was asked for', async () => {
    desk.write('deals.csv', deals('Harbor', 'Mill', 'Kite', 'Pine'));
    desk.said.set(2, tokenRefused);
    await desk.load('deals.csv', '--limit', '3');
    await expectCounts(desk.resume(), { created: 3, ready: 1 });
    expect([...desk.sent].sort()).toEqual(['Harbor', 'Kite', 'Mill', 'Mill']);
  });

  it('with its attachments, from whatever folder it is told to', async () => {
    mkdirSync(desk.place.path('files'));
    mkdirSync(desk.place.path('elsewhere'));
    for (const name of ['a.txt', 'b.txt']) desk.place.write(`files/${name}`, name);
    const rows = ['a.txt', 'b.txt'].map((file) => ['deal_1', file]);
    desk.write('files.csv', [['Deal id', 'File'], ...rows]);
    desk.said.set(2, tokenRefused);
    const where = ['--as', 'attachments', '--attachments', 'files', '--url', desk.service.url];
    await expectExit(desk.command(['import', 'files.csv', ...where, '--yes', '--concurrency', '1', '--json']), 4);
    await expectExit(desk.command(['resume', '--yes', '--json'], desk.place.path('elsewhere')), 0);
    const files = desk.service.requests.map(({ body }) => /[ab]\.txt/.exec(body)?.[0]);
    expect(files).toEqual(['a.txt', 'b.txt', 'b.txt']);
  });
});

describe('an Idempotency-Key', () => {
  const keys = () => desk.service.requests.map(({ headers }) => headers['idempotency-key']);

  beforeEach(() => {
    const profiles = { live: { url: desk.service.url, idempotencyKey: true } };
    desk.place.write('config/dealsheet/dealsheet.config.json', { profiles });
  });
  const load = (file: string, ...further: readonly string[]) =>
    desk.command(['import', file, '--as', 'deals', '--profile', 'live', '--yes', '--json', ...further]);

  it('is another for the same row of another ledger, whatever the day', async () => {
    for (const name of ['alice', 'bob']) {
      mkdirSync(desk.place.path(name));
      desk.write(`${name}/deals.csv`, deals(name));
      await expectExit(load(`${name}/deals.csv`, '--ledger', `${name}.db`), 0);
    }
    expect(new Set(keys()).size).toBe(2);
  });

  it('is that of no row that a restored backup of the ledger does not know', async () => {
    const own = ['--ledger', 'own.db'];
    for (const name of ['Harbor', 'Mill', 'Kite']) {
      desk.write(`${name}.csv`, deals(name));
      await expectCounts(load(`${name}.csv`, ...own), { created: 1 });
      if (name === 'Harbor') await desk.command(['ledger', 'backup', 'kept', '--json', ...own]);
      if (name === 'Mill') {
        for (const file of ['own.db-wal', 'own.db-shm']) rmSync(desk.place.path(file), { force: true });
        for (const file of ['own.db', 'own.db.key']) cpSync(desk.place.path(`kept/${file}`), desk.place.path(file));
        await desk.command(['ledger', 'accept', '--yes', '--json', ...own]);
      }
    }
    expect(new Set(keys()).size).toBe(3);
  });

  it('P14: stays that of its row when a later load sends it again', async () => {
    desk.said.set(1, serverError);
    desk.write('deals.csv', deals('Harbor'));
    await load('deals.csv', '--results', 'one.csv');
    desk.typeId('one.csv', 0, 'not created');
    await load('one.csv');
    expect(desk.sent).toHaveLength(2);
    expect(new Set(keys()).size).toBe(1);
  });

  it('fits into a header, whatever the name of the file', async () => {
    desk.write('Сделки–june.csv', deals('Harbor'));
    await expectCounts(load('Сделки–june.csv'), { created: 1 });
    expect(keys()[0]).toMatch(/^[0-9a-f-]{36}$/);
  });
});
