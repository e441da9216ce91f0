/** P27: the page answers this machine, its own origin and its own session, and what is secret stays where it is. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fileNameIn } from '../../src/page/page-folder.ts';
import { isWebAddress } from '../../src/page/row-window.ts';
import { Session } from '../../src/page/server.ts';
import { newWorkplace, type Workplace } from '../builders/workplace.ts';
import { keyOf, type Opened, openPage, spoken } from './open-page.ts';

const json = { 'content-type': 'application/json' };
const token = 'a-token-that-nobody-may-see';
const ssn = '219-09-9999';
const script = '<img src=x onerror=alert(1)>';
const csv = [
  'Amount requested,Company name,Owner last name,Owner 1 SSN,Use of proceeds',
  `100,${script},Moreno,${ssn},his number is ${ssn}`,
].join('\n');

describe('the server of the page', () => {
  let place: Workplace;
  let page: Opened;
  let key: string;

  beforeAll(async () => {
    place = newWorkplace();
    place.write('deals.csv', csv);
    page = await openPage(place, ['deals.csv'], { DEALSHEET_TOKEN: token });
    key = await keyOf(page);
  });
  afterAll(async () => {
    await page?.stop();
    place?.remove();
  });

  const withKey = (further: Record<string, string> = {}) => ({ 'x-dealsheet-key': key, ...further });
  const ask = async (name: string, given: object, headers = withKey(json)) => {
    const body = JSON.stringify({ version: JSON.parse((await stateOf()).text).version, ...given });
    return spoken(`${page.url}/api/ask/${name}`, { method: 'POST', headers, body });
  };
  const stateOf = async () => spoken(`${page.url}/api/state?after=0`, { headers: withKey() });
  const untilReady = async () => {
    for (let version = 0; ; ) {
      const { text } = await spoken(`${page.url}/api/state?after=${version}`, { headers: withKey() });
      const state = JSON.parse(text);
      if (state.phase === 'ready') return state;
      version = state.version;
    }
  };

  it('is reached by the loopback alone', async () => {
    const others = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
    for (const { address, internal, family } of others.filter(({ internal }) => !internal)) {
      const host = family === 'IPv6' ? `[${address}]` : address;
      await expect(spoken(`http://${host}:${page.port}/`), `${host} ${internal}`).rejects.toThrow();
    }
  });

  it.each([
    ['a name that was pointed here', () => ({ host: `evil.example:${page.port}` })],
    ['another port', () => ({ host: `127.0.0.1:${page.port + 1}` })],
    ['no port', () => ({ host: '127.0.0.1' })],
    ['another name of this machine', () => ({ host: `localhost:${page.port}` })],
    ['a foreign origin', () => ({ origin: 'https://evil.example' })],
    ['a page of another port of this machine', () => ({ origin: `http://127.0.0.1:${page.port + 1}` })],
    ['a file', () => ({ origin: 'null' })],
    ['a page of another site', () => ({ 'sec-fetch-site': 'cross-site' })],
    ['a page of this site', () => ({ 'sec-fetch-site': 'same-site' })],
    ['an address that was typed', () => ({ 'sec-fetch-site': 'none' })],
  ])('refuses %s, with the key and all', async (_, headers) => {
    const answer = await spoken(`${page.url}/api/state`, { headers: withKey(headers()) });
    expect(answer.status).toBe(403);
    expect(answer.text).not.toMatch(/deals/);
  });

  it('looks at where a request comes from before it looks at what it asks for', async () => {
    const headers = { host: 'evil.example' };
    for (const path of ['/', '/page.js', '/no-such-thing', '/api/session'])
      expect((await spoken(`${page.url}${path}`, { headers })).status, path).toBe(403);
  });

  it.each([
    ['no key', {}],
    ['a wrong key', { 'x-dealsheet-key': 'guessed' }],
    ['a key in a cookie', { cookie: 'x-dealsheet-key=guessed' }],
  ])('refuses %s', async (_, headers) => {
    for (const path of ['/api/state', '/api/ask/runs', '/api/want', '/api/no-such-thing'])
      expect((await spoken(`${page.url}${path}`, { headers })).status, path).toBe(401);
  });

  it('is opened once with a ledger: who opens it again is led to it', async () => {
    const { exitCode, stderr } = await place.run(['open', 'deals.csv'], { env: { BROWSER: 'true' } });
    expect(stderr).toContain(`The page is open already, at ${page.url}.`);
    expect(exitCode).toBe(2);
    expect((await place.run(['open', 'nothing.csv'])).stderr).toMatch(/^There is no file .*nothing\.csv/);
    expect((await stateOf()).status).toBe(200);
  });

  it('begins no second session with a code that was used', async () => {
    const body = JSON.stringify({ code: page.code });
    const again = await spoken(`${page.url}/api/session`, { method: 'POST', headers: json, body });
    expect(again.status).toBe(401);
    expect(again.text).not.toMatch(/key/);
    expect((await stateOf()).status).toBe(200);
  });

  it('takes a code that was guessed at for void', () => {
    const session = new Session();
    for (let guess = 0; guess < 5; guess += 1) expect(session.begin(`guess ${guess}`)).toBeNull();
    expect(session.begin(session.code)).toBeNull();
    const other = new Session();
    expect(other.code).toMatch(/^[\w-]{43}$/);
    expect(other.code).not.toBe(session.code);
  });

  it('refuses what a form can send', async () => {
    for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x']) {
      const answer = await ask('load', {}, withKey({ 'content-type': type }));
      expect(answer.status, type).toBe(400);
    }
  });

  it('sets no cookie, and lets nothing foreign be run, framed or kept', async () => {
    for (const path of ['/', '/page.js', '/page.css', '/no-such-thing']) {
      const { headers } = await spoken(`${page.url}${path}`);
      expect(headers['set-cookie']).toBeUndefined();
      expect(headers['content-security-policy']).toMatch(/default-src 'none'; script-src 'self'; style-src 'self'/);
      expect(headers['content-security-policy']).toMatch(/frame-ancestors 'none'; require-trusted-types-for 'script'/);
      expect(headers['content-security-policy']).not.toMatch(/unsafe|\*/);
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  it('leads a browser to it by a file that only its owner can read, and by no list of processes', () => {
    expect(statSync(page.door).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(page.door)).mode & 0o777).toBe(0o700);
    const commands = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    for (const id of commands) expect(commandOf(id)).not.toContain(page.code);
  });

  it('P23: shows sensitive cells masked, until one of them is asked for', async () => {
    const state = await untilReady();
    const window = await ask('rows', { sheet: 'deals', from: 0, count: 10, filter: {} });
    expect(window.text).not.toContain(ssn);
    expect(JSON.stringify(state)).not.toContain(ssn);
    expect(JSON.parse(window.text).rows[0].cells.slice(3)).toEqual(['***-**-****', '*** ****** ** ***-**-****']);
    await ask('correct', { changes: [{ sheet: 'deals', row: 2, column: 4, to: `it is ${ssn}` }] });
    const [told] = (await untilReady()).preview.corrections;
    expect(told).toMatch(/“\*+ \*+ \*+ \*{3}-\*\*-\*{4}” is now “\*+ \*+ \*{3}-\*\*-\*{4}”$/);
    await ask('undo', { at: 0 });
    const one = await ask('reveal', { sheet: 'deals', row: 2, column: 3 });
    expect(JSON.parse(one.text)).toBe(ssn);
  });

  it('P24: never gives the token away', async () => {
    const kept = await ask('addService', { name: 'live', address: 'http://127.0.0.1:9', token });
    expect(kept.text).toMatch(/Saved: live/);
    for (const answer of [kept, await stateOf(), await ask('runs', {}), await spoken(page.url)])
      expect(answer.text).not.toContain(token);
    const path = join(place.folder, 'config', 'dealsheet', 'live.token');
    expect(readFileSync(path, 'utf8').trim()).toBe(token);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    await ask('choose', { service: 'sandbox' });
  });

  it.each(['../deals.csv', '..', '.ssh', 'a/b.csv', 'a\\b.csv', 'C:deals.csv', 'a\u0000.csv', '', 'x'.repeat(300)])(
    'P25: takes no file by the name %j',
    async (name) => {
      expect(() => fileNameIn(name)).toThrow(/cannot have that name/);
      const path = `/api/file/${encodeURIComponent(name)}`;
      const answer = await spoken(`${page.url}${path}`, { method: 'PUT', headers: withKey(), body: csv });
      expect(answer.status).toBeGreaterThanOrEqual(400);
    },
  );

  it('reads no file of the computer that its request names', async () => {
    for (const path of ['/../package.json', '/%2e%2e/package.json', '/page.js/../../package.json'])
      expect((await spoken(`${page.url}${path}`)).status, path).toBe(404);
    for (const given of [{ what: 'results', run: '../../deals' }, { what: '/etc/passwd' }]) {
      const options = { method: 'POST', headers: withKey(json), body: JSON.stringify(given) };
      const answer = await spoken(`${page.url}/api/want`, options);
      expect(answer.text).not.toMatch(/root:/);
      expect(answer.headers['content-type']).toMatch(/json|octet/);
    }
  });

  it('drops changes that were made in the file as it was before, and says so', async () => {
    await untilReady();
    await ask('correct', { changes: [{ sheet: 'deals', row: 2, column: 0, to: '200' }] });
    expect((await untilReady()).preview.corrections).toEqual(['deals, Amount requested: row 2, “100” is now “200”']);
    place.write('deals.csv', csv.replace('Moreno', 'Rivera'));
    await ask('back', {});
    const { preview } = await untilReady();
    expect(preview.corrections).toEqual([]);
    expect(preview.notices[0]).toBe(
      'The file has changed since you opened it, so your change was dropped. Make the changes that you still need again.',
    );
  });

  it('P11: sends one load at a time', async () => {
    await ask('choose', { service: 'sandbox' });
    const answers = await Promise.all([ask('load', {}), ask('load', {}), ask('choose', { service: 'sandbox' })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    for (const { status, text } of answers) if (status === 409) expect(text).toMatch(/A load is under way/);
  });

  it.each([
    ['https://service.example/deals/1', true],
    ['http://127.0.0.1:4010/deals/1', true],
    ['javascript:alert(1)', false],
    ['data:text/html,<script>', false],
    ['https://bank.example@evil.example/', false],
    ['//evil.example', false],
    [script, false],
  ])('makes of %s a link: %s', (address, is) => {
    expect(isWebAddress(address)).toBe(is);
  });
});

function commandOf(id: string): string {
  try {
    return readFileSync(`/proc/${id}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
