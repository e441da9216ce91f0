import { mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { deskForEachTest } from '../builders/deals-desk.ts';
import { expectCounts } from '../builders/expected.ts';
import { oneRow } from '../builders/tables.ts';

describe('the files that attachments name', () => {
  const desk = deskForEachTest();
  beforeEach(() => {
    put('june.pdf', 'x'.repeat(1300));
    put('scans/id.png', 'x');
  });

  const put = (name: string, text: string) => {
    mkdirSync(dirname(desk.place.path(name)), { recursive: true });
    desk.place.write(name, text, { mode: 0o600 });
  };
  const write = (...names: readonly string[]) =>
    desk.write('files.csv', [['Deal id', 'File'], ...names.map((name) => ['deal_1', name])]);
  const told = 'Files to send: 2 files, 1.3 kB.\n  june.pdf (1.3 kB)\n  scans/id.png (1 B)';

  it('are listed with their sizes by a check, by a plan and before they are sent, those alone that go out', async () => {
    write('june.pdf', 'scans/id.png');
    const words = ['--url', desk.service.url, '--as', 'attachments'];
    const check = await desk.place.run(['check', 'files.csv', '--as', 'attachments']);
    expect(check.stderr).toContain(told);
    const env = { DEALSHEET_TOKEN: 'token' };
    const plan = await desk.place.run(['import', 'files.csv', ...words, '--plan', 'p.json'], { env });
    expect(plan.stderr).toContain(told);
    expect((await desk.load('files.csv', '--as', 'attachments')).stderr).toContain(told);
    put('july.pdf', 'July');
    write('june.pdf', 'scans/id.png', 'july.pdf');
    const second = await desk.load('files.csv', '--as', 'attachments');
    expect(second.stderr).toContain('Files to send: 1 file, 4 B.\n  july.pdf (4 B)');
    expect(desk.posted).toHaveLength(3);
  });

  it('are the same in either Unicode form: typed otherwise next month, one is not sent again', async () => {
    put('Café.pdf'.normalize('NFD'), 'menu');
    for (const [form, count] of [
      ['NFC', { created: 1 }],
      ['NFD', { alreadyLoaded: 1 }],
    ] as const) {
      desk.write(`${form}.csv`, oneRow({ 'Deal id': 'deal_1', File: 'Café.pdf'.normalize(form) }));
      await expectCounts(desk.load(`${form}.csv`, '--as', 'attachments'), count);
    }
    expect(desk.posted).toHaveLength(1);
  });

  it('are those of no other row while they are not there, and of their own although they are gone', async () => {
    const load = (month: string, ...words: readonly string[]) => {
      desk.write(`${month}.csv`, oneRow({ 'Deal id': 'deal_1', File: 'scan.txt', '(Month)': month }));
      return desk.load(`${month}.csv`, '--as', 'attachments', ...words);
    };
    await expectCounts(load('may'), { invalid: 1 });
    put('scan.txt', 'May');
    await expectCounts(load('may', '--results', 'r.csv'), { created: 1 });
    rmSync(desk.place.path('scan.txt'));
    await expectCounts(load('june'), { invalid: 1, alreadyLoaded: 0 });
    await expectCounts(load('may'), { alreadyLoaded: 1 });
    await expectCounts(desk.load('r.csv', '--as', 'attachments'), { alreadyLoaded: 1 });
  });

  it('are never settings, tokens or hidden files, by whatever name they are called', async () => {
    put('my.token', 'secret');
    put('config/dealsheet/live.token', 'secret');
    put('.ssh/id_rsa', 'secret');
    write('my.token', 'config/dealsheet/live.token', '.ssh/id_rsa', 'files.results.csv');
    const load = (file: string) => desk.load(file, '--as', 'attachments', '--token-file', 'my.token');
    await expectCounts(load('files.csv'), { invalid: 4 });
    desk.write('again.csv', oneRow({ 'Deal id': 'deal_1', File: 'files.results.xlsx' }));
    const results = await load('again.csv');
    expect(results.stderr).toContain('belongs to dealsheet');
    expect(desk.posted).toHaveLength(0);
  });
});
