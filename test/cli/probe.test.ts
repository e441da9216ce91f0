/** One row is sent to a service whose answers nobody knows, its answer is declared, and the rest follows. */

import { chmodSync, statSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { workplaceForEachTest } from '../builders/command-here.ts';
import { expectExit } from '../builders/expected.ts';
import { type CannedAnswer, type RecordedRequest, serviceForEachTest } from '../builders/recording-service.ts';
import { oneRow, type Table, writeCsv, writeWorkbook } from '../builders/tables.ts';

const headers = ['Amount requested', 'Company name', 'Owner 1 last name', 'Owner 1 SSN'];
const deals: Table = [
  headers,
  [1200, 'Harbor Bakery', 'Moreno', '219-09-9999'],
  [1300, 'Cedar Dental', 'Okafor', '219-09-9998'],
  [1400, 'Lantern Books', 'Silva', '219-09-9997'],
];
/** As a person writes it: in lines of their own making. */
const configuration = (url: string) => `{
    "ledger": "ledger.db",
    "profiles": { "other": { "url": "https://other.example", "rate": 5 },
        "stranger": { "url": "${url}", "concurrency": 2 } }
}
`;

const place = workplaceForEachTest();
const service = serviceForEachTest((request, number): CannedAnswer => {
  const body = answer(request, number);
  return { status: 200, body: typeof body === 'string' ? body : JSON.stringify(body) };
});
let answer: (request: RecordedRequest, number: number) => unknown;

beforeEach(() => {
  answer = (_request, number) => ({ data: { deal: { deal_id: number + 6, owner: 'Ada Moreno', ssn: '219-09-9999' } } });
  place.write('config.json', configuration(service.url));
  writeCsv(place.path('deals.csv'), deals);
});

const run = async (words: readonly string[]) => {
  const all = [...words, '--profile', 'stranger', '--config', 'config.json', '--json'];
  const ended = await place.run(all, { env: { DEALSHEET_TOKEN: 'very-secret-token' } });
  return { ...ended, json: JSON.parse(ended.stdout || 'null') };
};
const probe = (...words: readonly string[]) => run(['probe', 'deals.csv', '--as', 'deals', '--yes', ...words]);
const load = () => run(['import', 'deals.csv', '--as', 'deals', '--yes']);
const companies = () =>
  service.requests.filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(body).company.name);

describe('a row that is probed', () => {
  it('is sent alone and declared, and a load sends the rest and not that row again', async () => {
    const probed = await expectExit(probe('--row', 'deals!3', '--write'), 6);
    expect(probed.json).toMatchObject({
      row: { sheet: 'deals', row: 3, kind: 'deals' },
      request: { method: 'POST', path: '/v1/deal' },
      answer: { status: 200, body: { data: { deal: { deal_id: 7 } } } },
      verdict: { state: 'in-doubt', code: 'doubt-without-id' },
      proposal: { answers: { deals: { id: ['data.deal.deal_id'] } } },
      written: place.path('config.json'),
    });
    expect(companies()).toEqual(['Cedar Dental']);
    const loaded = await load();
    expect(loaded.json).toMatchObject({ counts: { created: 2, inDoubt: 1 } });
    expect(companies().sort()).toEqual(['Cedar Dental', 'Harbor Bakery', 'Lantern Books']);
    answer = () => ({ data: { deal: { deal_id: 7, company: { name: 'Cedar Dental' } } } });
    const words = ['resolve', probed.json.run, '--row', 'deals!3', '--created', '7', '--config', 'config.json'];
    await expectExit(place.run(words, { env: { DEALSHEET_TOKEN: 'very-secret-token' } }), 0);
    expect((await load()).json).toMatchObject({ counts: { alreadyLoaded: 3 } });
    expect(companies()).toHaveLength(3);
  });

  it('is shown without its values, without those of anybody else, and without the token', async () => {
    const { stdout, stderr } = await probe('--row', '2');
    expect(stderr).toContain('POST /v1/deal');
    for (const hidden of ['Harbor Bakery', 'Moreno', '219-09', '219099999', 'Ada', 'very-secret']) {
      expect(stdout, hidden).not.toContain(hidden);
      expect(stderr, hidden).not.toContain(hidden);
    }
  });

  it('is told as in where the answer is declared, with the right exit code', async () => {
    await probe('--row', '2', '--write');
    const { json } = await expectExit(probe('--row', '4'), 0);
    expect(json).toMatchObject({ verdict: { state: 'created', id: '8' }, proposal: null, written: null });
  });

  it('is not sent a second time, be it in or in doubt', async () => {
    await probe('--row', '2', '--write');
    expect(await probe('--row', '2')).toMatchObject({
      exitCode: 6,
      json: { request: null, verdict: { state: 'in-doubt', code: 'in-doubt' } },
    });
    await probe('--row', '3');
    expect(await probe('--row', '3')).toMatchObject({
      exitCode: 0,
      json: { request: null, verdict: { state: 'already-loaded', code: 'already-loaded' } },
    });
    expect(companies()).toEqual(['Harbor Bakery', 'Cedar Dental']);
  });

  it('is a no of the service where that says so', async () => {
    answer = () => ({ errorMessage: 'The company is closed' });
    expect(await probe('--row', '2')).toMatchObject({
      exitCode: 1,
      json: { verdict: { state: 'rejected', code: 'refused' }, proposal: null },
    });
  });

  it('is not sent where it has errors', async () => {
    writeCsv(place.path('deals.csv'), [headers, [-5, 'Harbor Bakery', 'Moreno', '']]);
    expect(await probe('--row', '2')).toMatchObject({
      exitCode: 3,
      json: { run: null, verdict: { state: 'invalid' } },
    });
    expect(service.requests).toHaveLength(0);
  });

  it.each<[what: string, words: readonly string[], told: RegExp]>([
    ['no row', [], /--row/],
    ['a row that is not there', ['--row', '9'], /No sheet has a row 9 to send/],
    ['another sheet', ['--row', '2', '--sheet', 'Notes'], /its sheet with --sheet: deals/],
  ])('is named, or nothing is sent: %s', async (_what, words, told) => {
    await expectExit(probe(...words), 2, told);
    expect(service.requests).toHaveLength(0);
  });

  it('is one of its sheet alone, and waits for a parent of another', async () => {
    const notes: Table = oneRow({ 'Deal ref': 'D-1', 'Deal status': 'Open', Note: 'Hello there' });
    const withRef = deals.map((row, index) => [index === 0 ? 'Ref' : `D-${index}`, ...row]);
    await writeWorkbook(place.path('month.xlsx'), { Deals: withRef, Notes: notes });
    const both = await run(['probe', 'month.xlsx', '--row', '2', '--yes']);
    expect(both).toMatchObject({ exitCode: 2 });
    const waiting = await run(['probe', 'month.xlsx', '--row', '2', '--sheet', 'Notes', '--yes']);
    expect(waiting).toMatchObject({ exitCode: 1, json: { verdict: { state: 'waiting' } } });
    expect(service.requests).toHaveLength(0);
  });
});

describe('the file of the profile', () => {
  it('keeps what else stands in it, and who may read it', async () => {
    chmodSync(place.path('config.json'), 0o640);
    await probe('--row', '2', '--write');
    expect(statSync(place.path('config.json')).mode & 0o777).toBe(0o640);
    const { profiles, ...others } = JSON.parse(configuration(service.url));
    const contract = { answers: { deals: { id: ['data.deal.deal_id'] } } };
    expect(JSON.parse(place.read('config.json'))).toEqual({
      ...others,
      profiles: { ...profiles, stranger: { ...profiles.stranger, contract } },
    });
  });

  it('is not touched unless that is said', async () => {
    await probe('--row', '2');
    expect(place.read('config.json')).toBe(configuration(service.url));
  });

  it('is not told of a flag unasked: whether that says yes is seen in the service alone', async () => {
    answer = () => ({ queued: true });
    const { json } = await probe('--row', '2', '--write');
    expect(json).toMatchObject({ proposal: { answers: { deals: { id: [], yes: { queued: true } } } }, written: null });
    expect(place.read('config.json')).toBe(configuration(service.url));
  });

  it.each([
    [{ Id: 'req-1f7', Deals: [{ Key: 7 }] }, 'Id'],
    [{ requestId: 'req-1f7' }, 'requestId'],
  ])('is not told of what may be no id of the record: %j', async (body, id) => {
    answer = () => body;
    const { json } = await probe('--row', '2', '--write');
    expect(json).toMatchObject({ proposal: { answers: { deals: { id: [id] } } }, written: null });
    expect(place.read('config.json')).toBe(configuration(service.url));
  });

  it('has to be there for --write, or nothing is sent', async () => {
    const words = ['probe', 'deals.csv', '--as', 'deals', '--row', '2', '--yes', '--write', '--url', service.url];
    const { exitCode, stderr } = await place.run(words, { env: { DEALSHEET_TOKEN: 'token' } });
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/no profile to write into/)]);
    expect(service.requests).toHaveLength(0);
  });
});

describe('a record that is read', () => {
  it('is shown without what may be personal', async () => {
    answer = () => ({ data: { id: '7', company: { name: 'Harbor Bakery' }, amountRequested: 1200, ssn: 219099999 } });
    const { json, stdout } = await expectExit(run(['probe', 'deals', '7']), 0);
    expect(json).toMatchObject({
      request: { method: 'GET', path: '/v1/deal/7', body: null },
      answer: { status: 200, body: { data: { id: '7', company: { name: '[text]' }, ssn: '[number]' } } },
      verdict: { state: 'found', id: '7' },
    });
    expect(stdout).not.toContain('Harbor');
  });

  it('is told apart from another one', async () => {
    answer = () => ({ id: '8', amountRequested: 1200 });
    expect(await run(['probe', 'deals', '7'])).toMatchObject({
      exitCode: 1,
      json: { verdict: { state: 'no-record', code: 'read-other-record' } },
    });
  });
});
