import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, describe, expect, it } from 'vitest';
import { deskForEachTest, serverError } from '../builders/deals-desk.ts';
import { expectCounts, expectExit } from '../builders/expected.ts';
import { created, serviceForEachTest } from '../builders/recording-service.ts';
import { oneRow } from '../builders/tables.ts';

const desk = deskForEachTest();

describe('an attachment whose file is written anew after its load', () => {
  beforeEach(async () => {
    mkdirSync(desk.place.path('files'));
    fill('as it was');
    desk.write('month.csv', oneRow({ 'Deal id': 'deal_1', File: 'a.pdf' }));
  });

  const fill = (text: string) => desk.place.write('files/a.pdf', text);
  const load = (...further: readonly string[]) =>
    desk.load('month.csv', '--as', 'attachments', '--attachments', 'files', '--results', 'r.csv', ...further);

  it('is not sent a second time by its source, and told as changed', async () => {
    await expectCounts(load(), { created: 1 });
    fill('as it is now');
    const again = await expectCounts(load(), { changedSinceLoaded: 1 });
    expect(desk.posted).toHaveLength(1);
    expect(again.exitCode).toBe(1);
    await expectCounts(load('--again'), { created: 1 });
  });

  it('is the same one once its file is moved and renamed', async () => {
    await load();
    mkdirSync(desk.place.path('files/old'));
    renameSync(desk.place.path('files/a.pdf'), desk.place.path('files/old/b.pdf'));
    desk.correct('month.csv', 'a.pdf', 'old/b.pdf');
    await expectCounts(load(), { alreadyLoaded: 1 });
    expect(desk.posted).toHaveLength(1);
  });

  it('is loaded already while its file is gone, and told as changed where it names another that is not there', async () => {
    await load();
    rmSync(desk.place.path('files/a.pdf'));
    await expectExit(expectCounts(load(), { alreadyLoaded: 1 }), 0);
    expect(desk.problemsOf('r.csv', 0)).toMatch(/^Loaded from month\.csv, [^:]*$/);
    desk.correct('r.csv', 'a.pdf', 'c.pdf');
    await expectCounts(desk.load('r.csv', '--as', 'attachments', '--results', 'r2.csv'), { changedSinceLoaded: 1 });
    expect(desk.posted).toHaveLength(1);
  });

  it('stays in doubt while its file is gone, and once another one is there', async () => {
    desk.said.set(1, serverError);
    await expectCounts(load(), { inDoubt: 1 });
    rmSync(desk.place.path('files/a.pdf'));
    await expectCounts(load(), { inDoubt: 1, invalid: 0 });
    expect(desk.problemsOf('r.csv', 0)).toMatch(/^In doubt since month\.csv, .*File "a\.pdf" was not found/s);
    fill('as it is now');
    await expectCounts(load(), { inDoubt: 1 });
    expect(desk.posted).toHaveLength(1);
  });

  it('is told as changed where the same source is read by another mapping', async () => {
    desk.place.write('files/b.pdf', 'signed');
    desk.write('month.csv', oneRow({ Deal: 'deal_1', Draft: 'a.pdf', Signed: 'b.pdf' }));
    const mappingWith = (name: string, files: Record<string, string | null>) => {
      desk.place.write(name, { sheets: [{ kind: 'attachments', columns: { Deal: 'Deal id', ...files } }] });
    };
    mappingWith('drafts.json', { Draft: 'File', Signed: null });
    mappingWith('signed.json', { Draft: null, Signed: 'File' });
    const loadBy = (mapping: string) =>
      desk.loadWorkbook('month.csv', '--mapping', mapping, '--attachments', 'files', '--results', 'r.csv');
    await expectCounts(loadBy('drafts.json'), { created: 1 });
    await expectExit(expectCounts(loadBy('signed.json'), { changedSinceLoaded: 1 }), 1);
  });

  it('is sent by another source that names it', async () => {
    await load();
    fill('as it is now');
    desk.write('july.csv', oneRow({ File: 'a.pdf', 'Deal id': 'deal_1' }));
    await expectCounts(desk.load('july.csv', '--as', 'attachments', '--attachments', 'files'), { created: 1 });
  });
});

it('P30: an attachment that changes on its way is in doubt, and the results say that this is why', async () => {
  const path = desk.place.path('scan.pdf');
  writeFileSync(path, 'a'.repeat(20_000_000));
  const service = createServer((request, response) => {
    const answer = (body: object) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (request.method === 'GET') return void answer({});
    request
      .on('error', () => {})
      .once('data', () => {
        request.pause();
        writeFileSync(path, 'b'.repeat(20_000_000));
        request.resume();
      });
    request.on('end', () => answer({ success: true, id: 'att_1' }));
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  desk.write('month.csv', oneRow({ 'Deal id': 'deal_1', File: 'scan.pdf' }));
  const words = ['--as', 'attachments', '--url', url, '--yes', '--json', '--results', 'r.csv'];
  const load = await desk.command(['import', 'month.csv', ...words]);
  service.close();
  expect(load.printed?.counts, load.stderr).toMatchObject({ inDoubt: 1 });
  expect(desk.problemsOf('r.csv', 0)).toMatch(/^The file changed while it was sent/);
});

describe('of six attachments, the file of the last, once it is not the one that was checked when its turn comes,', () => {
  let meanwhile = () => {};
  const service = serviceForEachTest((_request, number) => {
    if (number === 1) meanwhile();
    return created(number);
  });
  const load = (results: string) => {
    const words = ['--as', 'attachments', '--url', service.url, '--yes', '--json', '--concurrency', '1'];
    return desk.command(['import', 'month.csv', ...words, '--results', results]);
  };
  beforeEach(() => {
    const files = Array.from({ length: 6 }, (_, index) => `${index}.pdf`);
    for (const file of files) desk.place.write(file, 'as checked');
    desk.write('month.csv', [['Deal id', 'File'], ...files.map((file) => ['deal_1', file])]);
  });

  it('is not sent where it is gone, and the results say why until a later run has sent it', async () => {
    meanwhile = () => rmSync(desk.place.path('5.pdf'));
    const { printed } = await expectCounts(load('r.csv'), { created: 5, invalid: 1 });
    expect(desk.problemsOf('r.csv', 5)).toContain('File "5.pdf" was not found');
    desk.place.write('5.pdf', 'as checked');
    const later = await expectCounts(load('later.csv'), { created: 1, alreadyLoaded: 5 });
    await desk.place.run(['results', printed?.run ?? '', '-o', 'again.csv']);
    expect(desk.rowsOf('again.csv')[5]?.slice(0, 2)).toEqual([
      'Already loaded',
      expect.stringContaining(`Loaded by the run ${later.printed?.run}.`),
    ]);
  });

  it('P30: does not go out in place of what was checked where it is replaced', async () => {
    meanwhile = () => desk.place.write('5.pdf', 'exchanged!');
    await expectCounts(load('r.csv'), { created: 5, invalid: 1 });
    expect(desk.problemsOf('r.csv', 5)).toMatch(/File "5\.pdf" has changed since it was checked/);
    expect(service.requests.filter(({ body }) => body.includes('exchanged!'))).toEqual([]);
    await expectCounts(load('later.csv'), { created: 1, alreadyLoaded: 5 });
    await expectCounts(load('again.csv'), { alreadyLoaded: 6 });
  });
});
