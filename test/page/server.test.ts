/** What the page's server does beside a check or a load, and how much it gives the browser. */
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startRecordingService } from '../builders/recording-service.ts';
import { until } from '../builders/until.ts';
import { newWorkplace, type Workplace } from '../builders/workplace.ts';
import { keyOf, type Opened, openPage, spoken } from './open-page.ts';

const rows = 1000;
const mostBytes = 60_000;
const fewAnswers = 20;
const header = 'Amount requested,Company name,Owner last name';

describe('the server of the page', () => {
  let place: Workplace;
  let page: Opened;
  let headers: Readonly<Record<string, string>>;

  beforeAll(async () => {
    place = newWorkplace();
    page = await openPage(place);
    headers = { 'x-dealsheet-key': await keyOf(page), 'content-type': 'application/json' };
  });
  afterAll(async () => {
    await page?.stop();
    place?.remove();
  });

  /** Has the page take a file of these lines, which is checked once this resolves. */
  const drop = (...lines: readonly (string | Buffer)[]) => {
    const body = Buffer.concat(lines.flatMap((line) => [Buffer.from(line), Buffer.from('\n')]));
    return spoken(`${page.url}/api/file/deals.csv`, { method: 'PUT', headers, body });
  };
  const manyRows = () => Array.from({ length: rows }, (_, at) => `${at},Harbor Bakery ${at},Moreno`);
  const answered = (name: string, given: object) =>
    spoken(`${page.url}/api/ask/${name}`, { method: 'POST', headers, body: JSON.stringify(given) });
  const ask = async (name: string, given: object = {}) => {
    const { status, text } = await answered(name, { version: (await state()).version, ...given });
    expect(status, text).toBe(200);
    return text;
  };
  const state = async (after = 0) =>
    JSON.parse((await spoken(`${page.url}/api/state?after=${after}`, { headers })).text);

  const ended = async () => {
    for (let told = await state(); ; told = await state(told.version)) if (told.phase === 'ended') return told.load;
  };

  it('names the cell of a finding, or lists what rows say that share it, whose text names the first alone', async () => {
    await drop(header, ...manyRows().slice(0, 3));
    await ask('correct', { changes: [{ sheet: 'deals', column: 0, row: 4, to: 'ten' }] });
    const ofOne = { column: expect.stringMatching(/^A4 · /), rows: 1 };
    expect((await state()).preview.findings).toContainEqual(expect.objectContaining(ofOne));
    await ask('correct', { changes: [2, 3].map((row) => ({ sheet: 'deals', column: 0, row, to: `$${row},500` })) });
    const expected = { text: expect.stringContaining('"$2,500"'), rows: 2, values: ' ("$2,500", "$3,500")' };
    expect((await state()).preview.findings).toContainEqual(expect.objectContaining(expected));
  });

  it('offers no Ref to be replaced in all rows, and reads a character set that the person names', async () => {
    await drop(
      `Ref,${header}`,
      ...['D-1,5,Caf\x8e,Moreno', 'D-1,6,Joe\xd5s,Moreno'].map((line) => Buffer.from(line, 'latin1')),
    );
    expect((await state()).fault.remedy).toMatch(/choose its character set under “How it is read”.*UTF-8[^-]*$/);
    await ask('choose', { choices: { encoding: 'macintosh' } });
    const { findings } = (await state()).preview;
    expect(findings).toContainEqual(expect.objectContaining({ column: 'A · Ref', rows: 2, from: null }));
    const shown = JSON.parse(await ask('rows', { sheet: 'deals', from: 0, count: 2, filter: {} }));
    expect(shown.rows.map(({ cells }: { cells: string[] }) => cells[2])).toEqual(['Café', 'Joe’s']);
  });

  it('P9: sends rows once more only in the one load that it was chosen for', async () => {
    const loaded = async () => {
      await ask('load');
      await ended();
      await ask('load');
      const [{ remedy }] = (await ended()).faults;
      expect(remedy).toBe('Press “Back to the file” to see what would be sent now. Nothing was sent.');
      await ask('back');
      return (await state()).preview.toSend;
    };
    await drop(header, '5,Haven,Moreno');
    expect((await state()).preview.toSend).toBe(1);
    expect(await loaded()).toBe(0);
    await ask('choose', { choices: { again: true } });
    expect((await state()).preview).toMatchObject({
      toSend: 1,
      notices: [expect.stringMatching(/sent once more.*: 1\.$/)],
    });
    expect(await loaded()).toBe(0);
  });

  it('P30: does nothing for a tab that shows another file, service or preview', async () => {
    await drop(header, '5,Haven,Moreno');
    const { version } = await state();
    await ask('choose', { choices: { dateOrder: 'dmy' } });
    for (const [name, given] of [
      ['load', {}],
      ['undo', { at: -1 }],
    ] as const)
      expect(await answered(name, { ...given, version }), name).toMatchObject({
        status: 409,
        text: expect.stringContaining('Nothing was done'),
      });
    await drop(header, '6,Harbor,Moreno');
    const changes = [{ sheet: 'deals', column: 0, row: 2, to: '9' }];
    for (const [name, given] of [
      ['correct', { changes }],
      ['choose', { service: 'sandbox' }],
      ['map', { kinds: {}, decided: [], constants: [] }],
    ] as const)
      expect(await answered(name, { ...given, version }), name).toMatchObject({ status: 409 });
    expect(await state()).toMatchObject({ phase: 'ready', preview: { corrections: [] } });
  });

  it('goes on with no load of a file that was changed on the page since', async () => {
    await drop('June', header, ...manyRows());
    await ask('load');
    await ask('stop');
    const { run, canResume } = await ended();
    expect(canResume).toBe(true);
    await ask('back');
    const changes = [{ sheet: 'deals', column: 0, row: rows, to: '7' }];
    await ask('correct', { changes });
    const refused = { status: 409, text: expect.stringContaining('You changed deals.csv here') };
    expect(await answered('resume', { run })).toMatchObject(refused);
    await drop('June', header, ...manyRows());
    expect(await answered('resume', { run })).toMatchObject(refused);
    await ask('undo', { at: 0 });
    await ask('resume', { run });
    const states = [['created', 'Created', rows]];
    expect(await ended()).toMatchObject({ states, faults: [], notices: ['deals: row 1 above the headers skipped.'] });
  });

  it('takes every change, also those that come while the last is looked at, and keeps them for the file', async () => {
    await drop(header, ...manyRows());
    const changes = [2, 3, 4].map((row) => [{ sheet: 'deals', column: 1, row, to: `Bakery ${row}` }]);
    await Promise.all(changes.map((one) => ask('correct', { changes: one })));
    expect((await state()).preview.corrections).toHaveLength(3);
    await drop(header, '5,Haven,Moreno');
    expect((await state()).preview).toMatchObject({ corrections: [], notices: [] });
    await drop(header, ...manyRows());
    const about =
      'This file has your 3 changes of an earlier visit again. Undo what you no longer want under “Your changes”.';
    const { corrections, notices } = (await state()).preview;
    expect([corrections.length, notices]).toEqual([3, [about]]);
    // As another version left them.
    const folder = readdirSync(place.folder, { recursive: true, encoding: 'utf8' });
    for (const name of folder.filter((one) => /changes-\w+\.json$/.test(one))) place.write(name, '[{"row":2}]');
    await drop(header, '5,Haven,Moreno');
    await drop(header, ...manyRows());
    expect((await state()).preview.corrections).toEqual([]);
  });

  it('lists a value that is replaced every month, and takes it out of the remembered mapping when that is undone', async () => {
    const again = () => drop(`${header},Stage`, '5,Harbor,Moreno,Fresh', '6,Mill,Roe,Lead');
    await again();
    const preview = async (name: string, given: object) => {
      await ask(name, given);
      return (await state()).preview;
    };
    const folder = place.path('config/dealsheet/mappings');
    const remembered = () => readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    const value = { sheet: 'deals', column: 3, from: 'Fresh' };
    await preview('correct', { changes: [{ sheet: 'deals', column: 0, row: 2, to: '7' }] });
    expect(await preview('correct', { changes: [{ ...value, to: 'New', everyMonth: true }] })).toMatchObject({
      toSend: 1,
    });
    expect(readdirSync(folder)).toEqual(['deals.json']);
    const replaced = await preview('correct', { changes: [{ ...value, to: 'Lead', everyMonth: true }] });
    const rule = 'deals, Stage: every “Fresh” is sent as “Lead”, every month from now on; the cells stay as they are';
    expect(replaced).toMatchObject({ toSend: 2, corrections: [expect.stringContaining('row 2'), rule] });
    expect(remembered()).toEqual([expect.stringContaining('"Fresh": "Lead"')]);
    await again();
    expect((await preview('undo', { at: 0 })).corrections).toEqual([rule]);
    expect(await preview('undo', { at: 0 })).toMatchObject({ toSend: 1, corrections: [] });
    expect(remembered()).toEqual([expect.not.stringContaining('Fresh')]);
  });

  it('answers while a file is checked, and while it is loaded', async () => {
    const answers: Record<string, number> = {};
    const until = async (end: string) => {
      for (let phase = ''; phase !== end; answers[phase] = (answers[phase] ?? 0) + 1) ({ phase } = await state());
    };
    const dropped = drop(header, ...manyRows());
    await until('reading');
    await until('ready');
    await dropped;
    await ask('load');
    await until('ended');
    expect(answers.reading).toBeGreaterThan(fewAnswers);
    expect(answers.loading).toBeGreaterThan(fewAnswers);
  });

  it('names the ledger in the commands that it tells', async () => {
    place.write('team.db.key', '0'.repeat(64));
    const other = await openPage(place, ['--ledger', 'team.db']);
    const key = { ...headers, 'x-dealsheet-key': await keyOf(other) };
    const { text } = await spoken(`${other.url}/api/ask/runs`, { method: 'POST', headers: key, body: '{}' });
    await other.stop();
    expect(JSON.parse(text).remedy).toContain(`dealsheet ledger accept --ledger ${place.path('team.db')}`);
  });

  it('says whether a service that is added takes the token, and loads into the address that was saved last', async () => {
    await drop(header, ...manyRows());
    const [first, second] = [await startRecordingService(), await startRecordingService()];
    const choosy = createServer((_request, response) => response.writeHead(401).end());
    await new Promise<void>((resolve) => choosy.listen(0, '127.0.0.1', resolve));
    const refusing = `http://127.0.0.1:${(choosy.address() as AddressInfo).port}`;
    try {
      const add = (address: string) => ask('addService', { name: 'live', address, token: 'tok' });
      expect(await add(first.url)).toContain('The service answers and accepts the token.');
      expect(await add(refusing)).toContain('But: The service refused the token.');
      await add(second.url);
      // A new token for the address that is kept.
      expect(await add('')).toContain(second.url);
      await ask('load', {});
      await until(() => second.requests.length > 0);
      await ask('stop', {});
      expect(first.requests).toHaveLength(0);
    } finally {
      choosy.close();
      await Promise.all([first.stop(), second.stop()]);
    }
  });

  it('gives the browser little to load, and nothing that would be loaded from elsewhere', async () => {
    const texts = await Promise.all(
      ['/page.js', '/page.css'].map(async (path) => (await spoken(page.url + path)).text),
    );
    expect(gzipSync(texts.join('')).length).toBeLessThan(mostBytes);
    expect(texts.join('')).not.toMatch(/url\(|@import|import\(/);
  });
});
