import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import Papa from 'papaparse';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type CannedAnswer,
  created,
  type RecordingService,
  startRecordingService,
} from '../builders/recording-service.ts';
import { type Table, writeCsv } from '../builders/tables.ts';
import { newWorkplace, type Workplace } from '../builders/workplace.ts';

const headers = ['Amount requested', 'Company name', 'Owner last name'];
const deals = (...names: readonly string[]): Table => [headers, ...names.map((name) => [100, name, 'Moreno'])];
const serverError: CannedAnswer = { status: 500, body: '{"message":"try later"}' };
const refusal: CannedAnswer = { status: 422, body: '{"message":"not now"}' };
const tokenRefused: CannedAnswer = { status: 401, body: '{"message":"who are you"}' };
const notFound: CannedAnswer = { status: 404, body: '{"message":"no such record"}' };

const idColumn = 1;
const problemsColumn = 4;

describe('what a results sheet and the ledger say of a row', () => {
  let place: Workplace;
  let service: RecordingService;
  /** What the service says to its n-th request, where it is not yes. */
  let said: Map<number, CannedAnswer>;

  beforeEach(async () => {
    place = newWorkplace();
    said = new Map();
    service = await startRecordingService((request, number) => {
      if (request.method === 'GET') return notFound;
      return said.get(number) ?? created(number);
    });
  });
  afterEach(async () => {
    await service.stop();
    place.remove();
  });

  async function command(words: readonly string[]) {
    const ended = await place.run(words, { env: { DEALSHEET_TOKEN: 'token' } });
    const printed = ended.stdout === '' ? null : JSON.parse(ended.stdout);
    return { ...ended, printed: printed as { run: string; counts: Record<string, number> } | null };
  }
  const load = (file: string, further: readonly string[] = []) =>
    command([
      'import',
      file,
      '--as',
      'deals',
      '--url',
      service.url,
      '--yes',
      '--json',
      '--concurrency',
      '1',
      ...further,
    ]);
  /** The rows of a results sheet, without its header. */
  const rowsOf = (file: string) =>
    Papa.parse<string[]>(readFileSync(place.path(file), 'utf8'), { skipEmptyLines: true }).data.slice(1);
  const changeRows = (file: string, changed: (rows: string[][]) => string[][]) => {
    const [header = []] = Papa.parse<string[]>(readFileSync(place.path(file), 'utf8')).data;
    writeCsv(place.path(file), [header, ...changed(rowsOf(file))]);
  };
  const typeId = (file: string, row: number, id: string) =>
    changeRows(file, (rows) => rows.map((cells, index) => (index === row ? cells.with(idColumn, id) : cells)));
  const statuses = (file: string) => rowsOf(file).map(([status]) => status);
  const problemsOf = (file: string, row: number) => rowsOf(file)[row]?.[problemsColumn];
  const sentNames = () =>
    service.requests
      .filter(({ method }) => method === 'POST')
      .map(({ body }) => (JSON.parse(body) as { company: { name: string } }).company.name);

  it('belongs to the ledger that wrote it: a sheet of another ledger is not taken for a run of this one', async () => {
    writeCsv(place.path('alice.csv'), [...deals('Alice One'), [-5, 'Alice Two', 'Moreno']]);
    writeCsv(place.path('bob.csv'), deals('Bob One', 'Bob Two'));
    await load('alice.csv', ['--ledger', 'alice.db', '--results', 'alice.results.csv']);
    await load('bob.csv', ['--ledger', 'bob.db', '--results', 'bob.results.csv']);
    changeRows('alice.results.csv', (rows) => rows.map((cells) => cells.map((cell) => cell.replace('-5', '5'))));
    const stopped = await load('alice.results.csv', ['--ledger', 'bob.db']);
    expect(stopped.exitCode).toBe(2);
    expect(stopped.stderr).toMatch(/which this ledger does not know/);
    expect(sentNames()).toEqual(['Alice One', 'Bob One', 'Bob Two']);
  });

  it('is not believed when its id is another than the ledger knows', async () => {
    writeCsv(place.path('deals.csv'), deals('Harbor', 'Mill'));
    await load('deals.csv', ['--results', 'one.csv']);
    typeId('one.csv', 1, 'rec_7');
    const again = await load('one.csv', ['--results', 'two.csv']);
    expect(again.printed?.counts).toMatchObject({ alreadyLoaded: 1, invalid: 1 });
    expect(problemsOf('two.csv', 1)).toContain('The ID cell says rec_7, and the ledger rec_2.');
  });

  it('is said of both rows that carry one key, wherever the copy stands', async () => {
    writeCsv(place.path('deals.csv'), deals('Harbor', 'Mill'));
    await load('deals.csv', ['--results', 'one.csv']);
    changeRows('one.csv', ([harbor = [], mill = []]) => [
      harbor.map((cell) => cell.replace('Harbor', 'Copy')),
      harbor,
      mill,
    ]);
    const again = await load('one.csv', ['--results', 'two.csv']);
    expect(again.printed?.counts, again.stderr).toMatchObject({ rows: 3, alreadyLoaded: 1, invalid: 2 });
    expect(statuses('two.csv')).toEqual(['Invalid', 'Invalid', 'Already loaded']);
    expect(problemsOf('two.csv', 0)).toMatch(/carries the key .*#deals!2, and so does one!3: one of the two is a copy/);
    expect(problemsOf('two.csv', 1)).toMatch(/so does one!2/);
    expect(sentNames()).toHaveLength(2);
  });

  it('sends the refused one of two equal rows again, also when the one that is in was taken out of the sheet', async () => {
    said.set(2, refusal);
    writeCsv(place.path('deals.csv'), deals('Harbor', 'Harbor'));
    await load('deals.csv', ['--results', 'one.csv']);
    expect(statuses('one.csv')).toEqual(['Created', 'Rejected']);
    changeRows('one.csv', (rows) => rows.slice(1));
    const again = await load('one.csv', ['--results', 'two.csv']);
    expect(again.printed?.counts, again.stderr).toMatchObject({ rows: 1, created: 1 });
  });

  it('meets the second of two equal rows of June, when it alone went in, with the one of July', async () => {
    said.set(1, serverError);
    writeCsv(place.path('june.csv'), deals('Harbor', 'Harbor'));
    writeCsv(place.path('july.csv'), [...deals('Harbor'), [200, 'Kite', 'Park']]);
    const june = await load('june.csv');
    expect(june.printed?.counts).toMatchObject({ inDoubt: 1, created: 1 });
    await command(['resolve', june.printed?.run ?? '', '--row', 'june!2', '--not-created']);
    const july = await load('july.csv');
    expect(july.printed?.counts).toMatchObject({ alreadyLoaded: 1, created: 1 });
    expect(sentNames()).toEqual(['Harbor', 'Harbor', 'Kite']);
  });

  it('takes nothing for an id that is none, or that the service does not know', async () => {
    said.set(1, serverError).set(2, serverError);
    writeCsv(place.path('deals.csv'), deals('Harbor', 'Mill'));
    await load('deals.csv', ['--results', 'one.csv']);
    typeId('one.csv', 0, 'no');
    const none = await load('one.csv', ['--results', 'two.csv']);
    expect(none.printed?.counts).toMatchObject({ inDoubt: 2 });
    expect(problemsOf('two.csv', 0)).toContain('"no" in the ID cell is neither an id nor "not created"');

    typeId('one.csv', 0, 'deal_000777');
    const unknown = await load('one.csv', ['--results', 'three.csv']);
    expect(unknown.exitCode).toBe(2);
    expect(unknown.stderr).toMatch(/one!2: The service has no record deal_000777/);
    expect(sentNames()).toHaveLength(2);
  });

  it.each(['not created', 'Not Created ', 'not created.', 'NOT-CREATED'])(
    'sends a row in doubt again at the word "%s"',
    async (word) => {
      said.set(1, serverError);
      writeCsv(place.path('deals.csv'), deals('Harbor'));
      await load('deals.csv', ['--results', 'one.csv']);
      typeId('one.csv', 0, word);
      const again = await load('one.csv', ['--results', 'two.csv']);
      expect(again.printed?.counts, again.stderr).toMatchObject({ created: 1 });
    },
  );

  it('settles a doubt in a later sheet, which met it again, just as in the first', async () => {
    said.set(1, serverError);
    writeCsv(place.path('deals.csv'), deals('Harbor'));
    await load('deals.csv', ['--results', 'one.csv']);
    expect((await load('deals.csv', ['--results', 'two.csv'])).printed?.counts).toMatchObject({ inDoubt: 1 });
    typeId('two.csv', 0, 'not created');
    const settled = await load('two.csv', ['--results', 'three.csv']);
    expect(settled.printed?.counts, settled.stderr).toMatchObject({ created: 1 });
  });

  it('does not send an update again that went in with any earlier load of the file', async () => {
    const table: Table = [
      ['Company to update', 'Company name'],
      ['cmp_1', 'First'],
      ['cmp_2', 'Second'],
    ];
    writeCsv(place.path('updates.csv'), table);
    const update = (further: readonly string[] = []) =>
      command([
        'import',
        'updates.csv',
        '--as',
        'company-updates',
        '--url',
        service.url,
        '--yes',
        '--json',
        ...further,
      ]);
    expect((await update()).printed?.counts).toMatchObject({ updated: 2 });
    expect((await update(['--limit', '1'])).printed?.counts).toMatchObject({ alreadyLoaded: 1 });
    expect((await update()).printed?.counts).toMatchObject({ alreadyLoaded: 2, updated: 0 });
  });

  describe('when a load was stopped and goes on', () => {
    const stopsAt = (request: number) => said.set(request, tokenRefused);

    it('loads all rows of a sheet that it was told to load again', async () => {
      writeCsv(place.path('deals.csv'), deals('Harbor', 'Mill', 'Kite', 'Pine'));
      await load('deals.csv', ['--ledger', 'other.db', '--results', 'sheet.csv']);
      stopsAt(7);
      const stopped = await load('sheet.csv', ['--again', '--results', 'out.csv']);
      expect(stopped.exitCode, stopped.stderr).toBe(4);
      const resumed = await command(['resume', '--yes', '--json']);
      expect(resumed.printed?.counts, resumed.stderr).toMatchObject({ created: 4, alreadyLoaded: 0 });
    });

    it('stays within the trial that was asked for', async () => {
      writeCsv(place.path('deals.csv'), deals('Harbor', 'Mill', 'Kite', 'Pine'));
      stopsAt(2);
      await load('deals.csv', ['--limit', '3']);
      const resumed = await command(['resume', '--yes', '--json']);
      expect(resumed.printed?.counts, resumed.stderr).toMatchObject({ created: 3, notSent: 1 });
      expect(sentNames()).toEqual(['Harbor', 'Mill', 'Mill', 'Kite']);
    });

    it('finds its attachments from whatever folder it goes on', async () => {
      mkdirSync(place.path('files'));
      mkdirSync(place.path('elsewhere'));
      for (const name of ['a.txt', 'b.txt']) writeFileSync(place.path(`files/${name}`), name);
      writeCsv(place.path('files.csv'), [
        ['Deal id', 'File'],
        ['deal_1', 'a.txt'],
        ['deal_1', 'b.txt'],
      ]);
      const words = [
        '--as',
        'attachments',
        '--attachments',
        'files',
        '--url',
        service.url,
        '--yes',
        '--concurrency',
        '1',
      ];
      stopsAt(2);
      const stopped = await command(['import', 'files.csv', ...words]);
      expect(stopped.exitCode, stopped.stderr).toBe(4);
      const resumed = await place.run(['resume', '--yes', '--json'], {
        env: { DEALSHEET_TOKEN: 'token' },
        cwd: place.path('elsewhere'),
      });
      expect(resumed.exitCode, resumed.stderr).toBe(0);
      expect(service.requests.map(({ body }) => /[ab]\.txt/.exec(body)?.[0])).toEqual(['a.txt', 'b.txt', 'b.txt']);
    });
  });
});
