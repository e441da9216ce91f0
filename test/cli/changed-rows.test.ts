import { describe, expect, it } from 'vitest';
import { decodeExported, encodeExported, exportedHeader, serviceMark } from '../../src/workbooks/update-template.ts';
import { deals, deskForEachTest, serverError } from '../builders/deals-desk.ts';
import { expectCounts, expectExit } from '../builders/expected.ts';
import { startRecordingService } from '../builders/recording-service.ts';
import type { Table } from '../builders/tables.ts';

const desk = deskForEachTest();

const headers = ['Amount requested', 'Company name', 'Owner last name', 'Owner SSN', 'Owner date of birth'];
const owned = (...rows: readonly (readonly [amount: string, name: string])[]) => [
  headers,
  ...rows.map(([amount, name]) => [amount, name, 'Moreno', '219-09-9999', '1980-02-28']),
];

const notes = (...rows: readonly string[][]): Table => [['Deal id', 'Deal status', 'Note'], ...rows];
const loadNotes = (file: string, results: string) =>
  desk.loadWorkbook(file, '--as', 'notes', '--skip-loaded', '--results', results);

describe('P19: a row that is in and says something else by now', () => {
  it('is told in the sheet, at the end and by the exit code, although some of its cells are hidden', async () => {
    desk.write('deals.csv', owned(['27355.94', 'Anchor'], ['100', 'Bell']));
    await desk.load('deals.csv', '--results', 'one.csv');
    desk.correct('one.csv', '27355.94', '99999');
    const again = await desk.load('one.csv', '--results', 'two.csv');
    expect(desk.statuses('two.csv')).toEqual(['Changed since loaded', 'Already loaded']);
    expect(desk.problemsOf('two.csv', 0)).toMatch(
      /^Amount requested \(was "27355\.94"\) changed since the row went in/,
    );
    expect(desk.problemsOf('two.csv', 1)).not.toMatch(/changed since the row went in/);
    expect(again.stderr).toMatch(/1 changed since loaded/);
    expect(again.stderr).toMatch(/note {2}Amount requested \(was "27355\.94"\) changed since the row went in/);
    expect(again.exitCode).toBe(1);
    expect(desk.sent).toEqual(['Anchor', 'Bell']);
  });

  it('is told once more when its results come back, and in results written again', async () => {
    desk.write('deals.csv', owned(['1', 'Anchor']));
    await desk.load('deals.csv', '--results', 'one.csv');
    desk.correct('one.csv', 'Anchor', 'Anchors');
    const changed = await desk.load('one.csv', '--results', 'two.csv');
    expect((await desk.load('two.csv', '--results', 'three.csv')).exitCode).toBe(1);
    expect(desk.problemsOf('three.csv', 0)).toMatch(/^Company name \(was "Anchor"\) changed since the row went in/);
    await desk.command(['results', changed.printed?.run ?? '', '-o', 'again.csv']);
    expect(desk.problemsOf('again.csv', 0)).toMatch(/^Company name \(was "Anchor"\) changed since the row went in/);
    expect(desk.sent).toEqual(['Anchor']);
  });

  it('is told with the old value also where its results have a number by now', async () => {
    desk.write('deals.csv', [
      ['Ref', ...headers],
      ['D-1', ...(owned(['100', 'Anchor'])[1] ?? [])],
    ]);
    await desk.loadWorkbook('deals.csv');
    desk.correct('deals.csv', '100', '120');
    const changed = await desk.loadWorkbook('deals.csv');
    await desk.command(['results', changed.printed?.run ?? '', '-o', 'again.csv']);
    expect(desk.problemsOf('again.csv', 0)).toMatch(/^Amount requested \(was "100"\) changed since the row went in/);
  });

  it('is told to be read otherwise where its cell is as it was', async () => {
    desk.write('one.csv', notes(['deal_1', '06/05/2026', '5']).with(0, ['Deal id', 'Date', 'Amount']));
    const load = (order: string) => desk.load('one.csv', '--as', 'transactions', '--date-order', order);
    await load('mdy');
    expect((await load('dmy')).stderr).toMatch(/Date \(was read otherwise\) [\s\S]*2026" was read otherwise when/);
  });

  it('is told when it cannot be read any more', async () => {
    desk.write('deals.csv', owned(['12000', 'Raven']));
    await desk.load('deals.csv', '--results', 'one.csv');
    desk.correct('one.csv', '12000', 'TBD');
    const again = await expectExit(desk.load('one.csv', '--results', 'two.csv'), 1);
    expect(desk.problemsOf('two.csv', 0), again.stderr).toMatch(
      /^Cells of this row cannot be read, so it is not known whether it still has the values of rec_1[\s\S]*"TBD" is not a number/,
    );
  });

  it('says what it said before by its results, once the original is corrected, and nothing of what is hidden', async () => {
    const ref = (rows: Table) => rows.map((row, at) => [at === 0 ? 'Ref' : 'D-1', ...row]);
    desk.write('deals.csv', ref(owned(['100', 'Anchor'])));
    await desk.load('deals.csv', '--results', 'two.csv');
    desk.write('deals.csv', ref([headers, ['120', 'Anchor', 'Moreno', '219-09-8888', '']]));
    await desk.load('deals.csv', '--results', 'three.csv');
    expect(desk.problemsOf('three.csv', 0)).toMatch(/^Amount requested \(was "100"\) changed since the row went in/);
  });

  it('is held where the original says so too by now, sorted under another name', async () => {
    desk.write('notes.csv', notes(['D1', 'Open', 'One'], ['D1', 'Open', 'Two'], ['D1', 'Open', 'Three']));
    await loadNotes('notes.csv', 'one.csv');
    desk.changeRows('one.csv', ([one = [], two = [], three = []]) => [one, two.with(6, 'D2'), three]);
    await expectCounts(loadNotes('one.csv', 'two.csv'), { alreadyLoaded: 2, changedSinceLoaded: 1 });
    desk.write('sorted.csv', notes(['D1', 'Open', 'Three'], ['D2', 'Open', 'Two'], ['D1', 'Open', 'One']));
    await expectCounts(loadNotes('sorted.csv', 'three.csv'), { alreadyLoaded: 2, notSent: 1 });
    expect(desk.problemsOf('three.csv', 1)).toMatch(/may be a correction of rec_2/);
    await expectCounts(loadNotes('one.csv', 'four.csv'), { changedSinceLoaded: 1 });
  });

  it('is told by the load that takes the id of its doubt, and held where its original comes', async () => {
    desk.said.set(2, serverError);
    desk.write('notes.csv', notes(['D1', 'Open', 'One'], ['D1', 'Open', 'Two']));
    await loadNotes('notes.csv', 'one.csv');
    desk.changeRows('one.csv', ([one = [], two = []]) => [one, two.with(2, 'rec_77').with(6, 'D2')]);
    await expectCounts(loadNotes('one.csv', 'two.csv'), { changedSinceLoaded: 1, alreadyLoaded: 1 });
    expect(desk.rowsOf('two.csv')[1]).toContain('rec_77');
    expect(desk.problemsOf('two.csv', 1)).toMatch(/^Deal id \(was "D1"\) changed since the row went in as rec_77/);
    desk.write('sorted.csv', notes(['D2', 'Open', 'Two'], ['D1', 'Open', 'One']));
    await expectCounts(loadNotes('sorted.csv', 'three.csv'), { alreadyLoaded: 1, notSent: 1 });
  });

  it('is none that is only written in another way, or in which a hidden value was put back', async () => {
    desk.write('deals.csv', owned(['1250', 'Anchor'], ['100', 'Bell']));
    await desk.load('deals.csv', '--results', 'one.csv');
    desk.correct('one.csv', '1250', '"1,250.00"'.replaceAll('"', ''));
    desk.type('one.csv', 1, 9, '219-09-9999');
    await expectExit(desk.load('one.csv', '--results', 'two.csv'), 0);
    expect(desk.problemsOf('two.csv', 0)).not.toMatch(/changed since the row went in/);
    expect(desk.problemsOf('two.csv', 1)).not.toMatch(/changed since the row went in/);
  });
});

it('rows whose cells were sorted apart from their first six are told, and the row that was lost by it goes in once it stands under its own key', async () => {
  desk.write('deals.csv', deals('Anchor', ['Bell', 'bad'], 'Coral'));
  await desk.load('deals.csv', '--results', 'one.csv');
  desk.correct('one.csv', 'bad', '200');
  const proper = desk.rowsOf('one.csv');
  const own = 6;
  desk.changeRows('one.csv', ([first = [], second = [], third = []]) => [
    [...first.slice(0, own), ...second.slice(own)],
    [...second.slice(0, own), ...first.slice(own)],
    third,
  ]);
  await expectExit(desk.load('one.csv', '--results', 'two.csv'), 1, /1 changed since loaded/);
  desk.changeRows('one.csv', () => proper);
  await expectExit(expectCounts(desk.load('one.csv', '--results', 'three.csv'), { alreadyLoaded: 2, created: 1 }), 0);
  await expectCounts(desk.load('one.csv', '--results', 'four.csv'), { alreadyLoaded: 3 });
  expect(desk.sent).toEqual(['Anchor', 'Coral', 'Bell']);
});

it('a load that is held back by the errors of other rows says of rows that are in that they are, with their ids', async () => {
  desk.write('deals.csv', deals('Anchor', ['Bell', 'bad'], 'Coral'));
  await desk.load('deals.csv', '--limit', '1', '--results', 'one.csv');
  const held = await expectExit(desk.load('deals.csv', '--all-or-nothing', '--results', 'two.csv'), 3);
  expect(desk.statuses('two.csv')).toEqual(['Already loaded', 'Invalid', 'Ready']);
  expect(desk.rowsOf('two.csv').map((cells) => cells[2])).toEqual(['rec_1', '', '']);
  expect(held.printed?.counts).toMatchObject({ alreadyLoaded: 1, invalid: 1, ready: 1 });
  expect(desk.sent).toEqual(['Anchor']);
});

describe('P19: companies that say something else by now', () => {
  const companies = (...rows: readonly (readonly string[])[]): Table => [
    ['Ref', 'Company name', 'Contact types', 'Phone', 'Phone 2', 'Website', 'Industry'],
    ...rows,
  ];
  const anchor = ['C-1', 'Anchor', 'Merchant', '518-555-0142', '518-555-0143', 'anchor.example', 'Bakery'];
  const bell = ['C-2', 'Bell', 'Broker', '518-555-0150', '', '', ''];
  const coral = ['C-3', 'Coral', 'Funder, Investor', '518-555-0160', '', '', ''];

  it('are written as updates of exactly what has changed, which go out once', async () => {
    desk.write('companies.csv', companies(anchor, bell, coral));
    await desk.loadWorkbook('companies.csv', '--results', 'one.csv');
    const other = anchor.with(4, '518-555-9999').with(5, '');
    desk.write('companies.csv', companies(other, bell, coral.with(2, 'Funder')));
    const changed = await desk.loadWorkbook('companies.csv', '--results', 'two.csv');
    const run = changed.printed?.run ?? '';
    expect(changed.stderr).toContain(
      `Write the changes of companies as updates with: dealsheet results ${run} --only changed`,
    );
    expect(String(desk.rowsOf('two.csv')[0]?.[1])).toContain(`dealsheet results ${run} --only changed writes it`);
    const written = await desk.place.run(['results', run, '--only', 'changed', '-o', 'updates.csv']);
    expect([written.exitCode, written.stderr]).toEqual([0, `2 rows: ${desk.place.path('updates.csv')}`]);
    const { exportedAt = null } = decodeExported(desk.tableOf('updates.csv')[1]?.at(-1) ?? '') ?? {};
    expect(exportedAt?.slice(0, 10)).toBe(run.slice(0, 10));
    const mark = { service: serviceMark(desk.service.url), exportedAt, values: null, locked: [] };
    expect(desk.tableOf('updates.csv')).toEqual([
      ['Company to update', 'Contact types', 'Phone', 'Phone 2', 'Website', exportedHeader],
      ['rec_1', '', '518-555-0142', '518-555-9999', '<clear>', encodeExported({ id: 'rec_1', ...mark })],
      ['rec_3', 'Funder', '', '', '', encodeExported({ id: 'rec_3', ...mark })],
    ]);
    const before = desk.service.requests.length;
    for (const file of ['updates.csv', 'updates.csv', 'companies.csv'])
      await desk.loadWorkbook(file, '--results', `of-${file}`);
    const sent = desk.service.requests.slice(before).filter(({ method }) => method !== 'GET');
    expect(sent.map(({ method, path, body }) => [method, path, JSON.parse(body)])).toEqual([
      [
        'PATCH',
        '/v1/company/rec_1',
        { phones: [{ number: '518-555-0142' }, { number: '518-555-9999' }], website: null },
      ],
      ['PATCH', '/v1/company/rec_3', { contactTypes: ['Funder'] }],
    ]);
    const again = await desk.loadWorkbook('companies.csv', '--results', 'three.csv');
    expect([again.exitCode, again.printed?.counts], again.stderr).toMatchObject([0, { alreadyLoaded: 3 }]);
    desk.write('companies.csv', companies(other.with(4, ''), bell, coral));
    await desk.loadWorkbook('companies.csv', '--results', 'four.csv');
    expect(desk.statuses('four.csv')).toEqual(['Changed since loaded', 'Already loaded', 'Already loaded']);
  });

  it('are written with the columns in braces of a list that has changed, and not over later updates', async () => {
    const write = (file: string, phone: string, ext: string) =>
      desk.write(file, [
        ['Ref', 'Company name', 'Contact types', 'Phone', '{phones[0].ext}'],
        ['C-1', 'Anchor', 'Merchant', `518-555-01${phone}`, ext],
      ]);
    const changes: string[] = [];
    for (const [file, phone, ext] of [
      ['january.csv', '01', '12'],
      ['february.csv', '02', '12'],
      ['march.csv', '02', '15'],
    ] as const) {
      write(file, phone, ext);
      const { printed } = await desk.loadWorkbook(file, '--as', 'companies');
      changes.push(printed?.run ?? '');
    }
    const update = async (run: string | undefined, file: string) => {
      await desk.place.run(['results', run ?? '', '--only', 'changed', '-o', file]);
      return desk.loadWorkbook(file);
    };
    await expectCounts(update(changes[2], 'newer.csv'), { updated: 1 });
    await expectCounts(update(changes[1], 'older.csv'), { notSent: 1 });
    const sent = desk.service.requests.filter(({ method }) => method === 'PATCH');
    expect(sent.map(({ body }) => body)).toEqual(['{"phones":[{"number":"518-555-0102","ext":"15"}]}']);
  });

  it.each(['updates.csv', 'updates.xlsx'])('are written as updates of no other service (%s)', async (name) => {
    desk.write('companies.csv', companies(anchor));
    await desk.loadWorkbook('companies.csv');
    desk.write('companies.csv', companies(anchor.with(6, '@Cafe')));
    const changed = await desk.loadWorkbook('companies.csv');
    await desk.place.run(['results', changed.printed?.run ?? '', '--only', 'changed', '-o', name]);
    const other = await startRecordingService(() => ({ status: 200, body: '{"success":true}' }));
    const elsewhere = await desk.command(['import', name, '--url', other.url, '--yes', '--json']);
    await other.stop();
    expect(elsewhere.printed?.counts).toMatchObject({ rows: 1, invalid: 1 });
    expect(elsewhere.stderr).toContain('The row was exported from a service of another address, where rec_1 may be');
    expect(other.requests).toEqual([]);
    await expectCounts(desk.loadWorkbook(name), { updated: 1 });
    expect(desk.service.requests.at(-1)?.body).toBe('{"industry":"@Cafe"}');
  });

  it('are written as updates that empty a list of which nothing is left, and are as they say from then on', async () => {
    desk.write('companies.csv', companies(anchor, bell));
    await desk.loadWorkbook('companies.csv');
    desk.write('companies.csv', companies(anchor.with(3, ''), bell.with(3, '')));
    const changed = await desk.loadWorkbook('companies.csv');
    await desk.place.run(['results', changed.printed?.run ?? '', '--only', 'changed', '-o', 'updates.csv']);
    const before = desk.service.requests.length;
    await desk.loadWorkbook('updates.csv');
    const sent = desk.service.requests.slice(before).filter(({ method }) => method !== 'GET');
    expect(sent.map(({ body }) => JSON.parse(body))).toEqual([
      { phones: [{ number: '518-555-0143' }] },
      { phones: null },
    ]);
    await expectCounts(desk.loadWorkbook('companies.csv'), { alreadyLoaded: 2 });
  });

  describe('after an update of their city', () => {
    const inCity = (city: string): Table => [
      ['Ref', 'Company name', 'Contact types', 'Address line 1', 'Address city'],
      ['C-1', 'Anchor', 'Merchant', '1 Main Street', city],
    ];
    const update = (city: string, ...line: readonly string[]): Table => [
      ['Company to update', 'Address city', ...line.map(() => 'Address line 1')],
      ['rec_1', city, ...line],
    ];
    const statusAfter = async (city: string, ...updates: readonly Table[]) => {
      desk.write('companies.csv', inCity('Lynn'));
      await desk.loadWorkbook('companies.csv');
      for (const [at, table] of updates.entries()) {
        desk.write(`update-${at}.csv`, table);
        await desk.loadWorkbook(`update-${at}.csv`, '--as', 'company-updates');
      }
      desk.write('companies.csv', inCity(city));
      await desk.loadWorkbook('companies.csv', '--results', 'after.csv');
      return desk.statuses('after.csv')[0];
    };

    it('are as they say where the update names the whole address', async () => {
      expect(await statusAfter('Salem', update('Salem', '1 Main Street'))).toBe('Already loaded');
    });

    it.each([
      ['', 'Already loaded'],
      ['Salem', 'Changed since loaded'],
    ])('are as they say where the city is emptied if the update has none: "%s", %s', async (city, status) => {
      expect(await statusAfter('', update(city, '1 Main Street'))).toBe(status);
    });

    it('are not where it names the city alone: an address goes out as a whole', async () => {
      expect(await statusAfter('Salem', update('Salem'))).toBe('Changed since loaded');
    });

    it('are not where a later update of it is in doubt', async () => {
      desk.said.set(3, { status: 200, body: 'perhaps' });
      const updates = [update('Salem', '1 Main Street'), update('Lynn', '1 Main Street')];
      expect(await statusAfter('Salem', ...updates)).toBe('Changed since loaded');
      expect(desk.service.requests).toHaveLength(3);
    });
  });

  it('are no updates where none has changed', async () => {
    desk.write('companies.csv', companies(anchor));
    const loaded = await desk.loadWorkbook('companies.csv', '--results', 'one.csv');
    const written = await desk.place.run(['results', loaded.printed?.run ?? '', '--only', 'changed']);
    expect(written.stderr).toBe('No company has changed since it went in. Nothing was written.');
  });
});
