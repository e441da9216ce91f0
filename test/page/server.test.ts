/** What the page's server does beside a check or a load, and how much it gives the browser. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startRecordingService } from '../builders/recording-service.ts';
import { until } from '../builders/until.ts';
import { newWorkplace, type Workplace } from '../builders/workplace.ts';
import { keyOf, type Opened, openPage, spoken } from './open-page.ts';

const rows = 2000;
const mostBytes = 60_000;
const fewAnswers = 20;

describe('the server of the page', () => {
  let place: Workplace;
  let page: Opened;

  beforeEach(async () => {
    place = newWorkplace();
    const lines = Array.from({ length: rows }, (_, at) => `${at},Harbor Bakery ${at},Moreno`);
    writeFileSync(place.path('deals.csv'), ['Amount requested,Company name,Owner last name', ...lines].join('\n'));
    page = await openPage(place, ['deals.csv']);
  });
  afterEach(async () => {
    await page.stop();
    place.remove();
  });

  it('lists what rows say that share a finding, whose text names the first alone', async () => {
    const headers = { 'x-dealsheet-key': await keyOf(page), 'content-type': 'application/json' };
    const changes = [2, 3].map((row) => ({ sheet: 'deals', column: 0, row, to: `$${row},500` }));
    const given = JSON.stringify({ changes });
    await spoken(`${page.url}/api/ask/correct`, { method: 'POST', headers, body: given });
    const { text } = await spoken(`${page.url}/api/state?after=0`, { headers });
    const expected = { text: expect.stringContaining('"$2,500"'), rows: 2, values: ' ("$2,500", "$3,500")' };
    expect(JSON.parse(text).preview.findings).toContainEqual(expect.objectContaining(expected));
  });

  it('offers no Ref to be replaced in all rows, and reads a character set that the person names', async () => {
    const text = 'Ref,Amount requested,Company name,Owner last name\nD-1,5,Caf\x8e,Moreno\nD-1,6,Joe\xd5s,Moreno\n';
    writeFileSync(place.path('deals.csv'), text, 'latin1');
    const headers = { 'x-dealsheet-key': await keyOf(page), 'content-type': 'application/json' };
    const given = JSON.stringify({ choices: { encoding: 'macintosh' } });
    await spoken(`${page.url}/api/ask/choose`, { method: 'POST', headers, body: given });
    const { preview } = JSON.parse((await spoken(`${page.url}/api/state?after=0`, { headers })).text);
    expect(preview.findings).toContainEqual(expect.objectContaining({ column: 'A · Ref', rows: 2, from: null }));
    const asked = JSON.stringify({ sheet: 'deals', from: 0, count: 2, filter: {} });
    const shown = await spoken(`${page.url}/api/ask/rows`, { method: 'POST', headers, body: asked });
    expect(JSON.parse(shown.text).rows.map(({ cells }: { cells: string[] }) => cells[2])).toEqual(['Café', 'Joe’s']);
  });

  it('P9: sends rows once more only in the one load that it was chosen for', async () => {
    writeFileSync(place.path('deals.csv'), 'Amount requested,Company name,Owner last name\n5,Harbor,Moreno\n');
    const headers = { 'x-dealsheet-key': await keyOf(page), 'content-type': 'application/json' };
    const ask = (name: string, given = {}) =>
      spoken(`${page.url}/api/ask/${name}`, { method: 'POST', headers, body: JSON.stringify(given) });
    const state = async () => JSON.parse((await spoken(`${page.url}/api/state?after=0`, { headers })).text);
    const loaded = async () => {
      await ask('load');
      for (let phase = ''; phase !== 'ended'; ) phase = (await state()).phase;
      await ask('back');
      return (await state()).preview.toSend;
    };
    await ask('choose', {});
    expect(await loaded()).toBe(0);
    await ask('choose', { choices: { again: true } });
    expect((await state()).preview).toMatchObject({
      toSend: 1,
      notices: [expect.stringMatching(/sent once more.*: 1\.$/)],
    });
    expect(await loaded()).toBe(0);
  });

  it('takes every change, also those that come while the last is looked at', async () => {
    const headers = { 'x-dealsheet-key': await keyOf(page), 'content-type': 'application/json' };
    const changes = [2, 3, 4].map((row) => [{ sheet: 'deals', column: 1, row, to: `Bakery ${row}` }]);
    const change = (one: unknown) =>
      spoken(`${page.url}/api/ask/correct`, { method: 'POST', headers, body: JSON.stringify({ changes: one }) });
    expect((await Promise.all(changes.map(change))).map(({ status }) => status)).toEqual([200, 200, 200]);
    const { text } = await spoken(`${page.url}/api/state?after=0`, { headers });
    expect(JSON.parse(text).preview.corrections).toHaveLength(3);
  });

  it('lists a value that is replaced every month, and takes it out of the remembered mapping when that is undone', async () => {
    const text = 'Amount requested,Company name,Owner last name,Stage\n5,Harbor,Moreno,Fresh\n6,Mill,Roe,Lead\n';
    writeFileSync(place.path('deals.csv'), text);
    const headers = { 'x-dealsheet-key': await keyOf(page), 'content-type': 'application/json' };
    const preview = async (name: string, given: object) => {
      await spoken(`${page.url}/api/ask/${name}`, { method: 'POST', headers, body: JSON.stringify(given) });
      return JSON.parse((await spoken(`${page.url}/api/state?after=0`, { headers })).text).preview;
    };
    const folder = place.path('config/dealsheet/mappings');
    const remembered = () => readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    const value = { sheet: 'deals', column: 3, from: 'Fresh' };
    await preview('choose', {});
    await preview('correct', { changes: [{ sheet: 'deals', column: 0, row: 2, to: '7' }] });
    expect(await preview('correct', { changes: [{ ...value, to: 'New', everyMonth: true }] })).toMatchObject({
      toSend: 1,
    });
    const replaced = await preview('correct', { changes: [{ ...value, to: 'Lead', everyMonth: true }] });
    const rule = 'deals, Stage: every “Fresh” is sent as “Lead”, every month from now on; the cells stay as they are';
    expect(replaced).toMatchObject({ toSend: 2, corrections: [expect.stringContaining('row 2'), rule] });
    expect(remembered()).toEqual([expect.stringContaining('"Fresh": "Lead"')]);
    expect(await preview('undo', { at: 1 })).toMatchObject({
      toSend: 1,
      corrections: [expect.stringContaining('row 2')],
    });
    expect(remembered()).toEqual([expect.not.stringContaining('Fresh')]);
  });

  it('answers while a file is checked, and while it is loaded', async () => {
    const headers = { 'x-dealsheet-key': await keyOf(page), 'content-type': 'application/json' };
    const answers: Record<string, number> = {};
    const until = async (end: string) => {
      for (let phase = ''; phase !== end; ) {
        phase = JSON.parse((await spoken(`${page.url}/api/state?after=0`, { headers })).text).phase;
        answers[phase] = (answers[phase] ?? 0) + 1;
      }
    };
    await until('ready');
    await spoken(`${page.url}/api/ask/load`, { method: 'POST', headers, body: '{}' });
    await until('ended');
    expect(answers.reading).toBeGreaterThan(fewAnswers);
    expect(answers.loading).toBeGreaterThan(fewAnswers);
  });

  it('says whether a service that is added takes the token, and loads into the address that was saved last', async () => {
    const headers = { 'x-dealsheet-key': await keyOf(page), 'content-type': 'application/json' };
    const ask = async (name: string, given: object) =>
      (await spoken(`${page.url}/api/ask/${name}`, { method: 'POST', headers, body: JSON.stringify(given) })).text;
    const [first, second] = [await startRecordingService(), await startRecordingService()];
    const choosy = createServer((_request, response) => response.writeHead(401).end());
    await new Promise<void>((resolve) => choosy.listen(0, '127.0.0.1', resolve));
    const refusing = `http://127.0.0.1:${(choosy.address() as AddressInfo).port}`;
    try {
      const add = (address: string) => ask('addService', { name: 'live', address, token: 'tok' });
      expect(await add(first.url)).toContain('The service answers and accepts the token.');
      expect(await add(refusing)).toContain('But: The service refused the token.');
      expect(await add(second.url)).toContain(second.url);
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
