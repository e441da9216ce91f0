import { execFileSync } from 'node:child_process';
import { existsSync, linkSync, lstatSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import JSZip from 'jszip';
import { beforeEach, describe, expect, it } from 'vitest';
import { workplaceForEachTest } from '../builders/command-here.ts';
import { deals } from '../builders/deals-desk.ts';
import { writeEarlierExport } from '../builders/earlier-export.ts';
import { expectExit } from '../builders/expected.ts';
import { type CannedAnswer, created, serviceForEachTest } from '../builders/recording-service.ts';
import { writeCsv, writeWorkbook } from '../builders/tables.ts';

describe('a file that a command did not make itself', () => {
  const place = workplaceForEachTest();
  const service = serviceForEachTest(() => answer());
  let answer: () => CannedAnswer;

  beforeEach(() => {
    answer = () => created(1);
    writeCsv(place.path('deals.csv'), deals('Harbor Bakery'));
  });

  const run = (...words: string[]) => place.run(words, { env: { DEALSHEET_TOKEN: 'token' } });
  const load = (...further: string[]) => run('import', 'deals.csv', '--url', service.url, '--yes', ...further);

  async function expectKept(name: string, ended: ReturnType<typeof run>, said: RegExp): Promise<void> {
    const before = place.read(name);
    await expectExit(ended, 2, said);
    expect(place.read(name)).toBe(before);
    expect(service.requests).toEqual([]);
  }

  it.each(['--plan', '--log'])('is not replaced by a plan, nor added to by a log (%s)', async (flag) => {
    symlinkSync(place.path('deals.csv'), place.path('linked.csv'));
    linkSync(place.path('deals.csv'), place.path('second.csv'));
    place.write('note.txt', '{"a":1}');
    place.write('records.ndjson', '{"id":1}\n');
    for (const name of ['deals.csv', 'linked.csv', 'second.csv', 'note.txt', 'records.ndjson'])
      await expectKept(name, load(flag, name), new RegExp(`${flag} another name`));
  });

  it('is another thing than an earlier plan, which is replaced', async () => {
    expect((await load('--plan', 'plan.json')).exitCode).toBe(0);
    await expectExit(load('--plan', 'plan.json', '--limit', '1'), 0);
    expect(place.read('plan.json')).toContain('"limit": 1');
  });

  it.each(['', '.key', '-wal', '.sources/x', '.sources/../l.db'])(
    'is not the ledger or what belongs to it, there or not (l.db%s)',
    async (ending) => {
      const first = await load('--ledger', 'l.db', '--log', `l.db${ending}`);
      expect([first.exitCode, first.stderr]).toEqual([2, expect.stringMatching(/the ledger/)]);
      expect(existsSync(place.path('l.db'))).toBe(false);
      await run('runs', '--ledger', 'l.db');
      const key = readFileSync(place.path('l.db.key'));
      const then = await load('--ledger', 'l.db', '--log', `l.db${ending}`);
      expect([then.exitCode, then.stderr]).toEqual([2, expect.stringMatching(/the ledger/)]);
      expect(readFileSync(place.path('l.db.key')).equals(key)).toBe(true);
    },
  );

  it('is another thing than a log of earlier, an empty file and a device, which are added to', async () => {
    place.write('empty.ndjson', '');
    for (const log of ['log.ndjson', 'log.ndjson', 'empty.ndjson', '/dev/null']) {
      await expectExit(load('--log', log), 0);
    }
    expect(place.read('log.ndjson').match(/"event":"end"/g)).toHaveLength(2);
  });

  it('is not replaced by a template, and neither is one that has been filled in', async () => {
    await expectKept('deals.csv', run('template', 'deals', '-o', 'deals.csv'), /-o another name/);
    expect((await run('template', 'deals', '-o', 'blank.xlsx')).exitCode).toBe(0);
    expect((await run('template', 'deals', '-o', 'blank.xlsx')).exitCode).toBe(0);
    await writeWorkbook(place.path('blank.xlsx'), { Deals: [['Amount requested'], [5]] });
    await expectKept('blank.xlsx', run('template', 'deals', '-o', 'blank.xlsx'), /-o another name/);
  });

  it('is not replaced by an export, which takes the place of an earlier one', async () => {
    const words = ['export', 'balances', '--url', service.url, '-o', 'balances.xlsx'];
    answer = () => ({ status: 200, body: '[{"loanId":"a","balance":5}]' });
    await expectExit(run(...words), 0);
    answer = () => ({ status: 200, body: '[{"loanId":"b","balance":5}]' });
    const before = readFileSync(place.path('balances.xlsx'));
    await expectExit(run(...words), 0);
    expect(readFileSync(place.path('balances.xlsx')).equals(before)).toBe(false);
  });

  it('P3: is not replaced by an export, be it a source, results, a log, a workbook or an export that was edited', async () => {
    await load('--results', 'results.csv', '--log', 'log.ndjson');
    await writeWorkbook(place.path('own.xlsx'), { Deals: [['Amount requested'], [5]] });
    await writeEarlierExport(place.path('edited.xlsx'));
    await savedByExcel(place.path('edited.xlsx'));
    const own = { 'settings.json': '{"profiles":{}}', 'contacts.json': '[{"id":1}]', 'notes.ndjson': '{"id":1}\n' };
    for (const [name, text] of Object.entries(own)) place.write(name, text);
    const asked = service.requests.length;
    for (const name of ['deals.csv', 'results.csv', 'log.ndjson', 'own.xlsx', 'edited.xlsx', ...Object.keys(own)]) {
      const before = readFileSync(place.path(name));
      const { exitCode, stderr } = await run('export', 'balances', '--url', service.url, '-o', name);
      expect([exitCode, stderr]).toEqual([
        2,
        expect.stringMatching(/only an earlier unchanged export to a workbook may be replaced.*-o another name/s),
      ]);
      expect(readFileSync(place.path(name)).equals(before)).toBe(true);
    }
    expect(service.requests).toHaveLength(asked);
  });

  it('P3: is not replaced by an export, be it a pipe, or a file that appears meanwhile; a link to an export stays', async () => {
    const words = ['export', 'balances', '--url', service.url, '-o'];
    execFileSync('mkfifo', [place.path('pipe')]);
    await expectExit(run(...words, 'pipe', '--format', 'json'), 2, /-o another name/);
    expect(lstatSync(place.path('pipe')).isFIFO()).toBe(true);
    answer = () => {
      place.write('june.csv', 'own');
      return { status: 200, body: '[{"loanId":"a","balance":5}]' };
    };
    await expectExit(run(...words, 'june.csv'), 0, 'june-2.csv');
    expect(place.read('june.csv')).toBe('own');
    await writeEarlierExport(place.path('may.xlsx'));
    const before = readFileSync(place.path('may.xlsx'));
    symlinkSync('may.xlsx', place.path('link.xlsx'));
    await expectExit(run(...words, 'link.xlsx'), 0);
    expect(lstatSync(place.path('link.xlsx')).isSymbolicLink()).toBe(true);
    expect(readFileSync(place.path('may.xlsx')).equals(before)).toBe(false);
  });

  it('is never the file that names the ids, and a template of companies that may have been corrected', async () => {
    place.write('ids.csv', 'Company,Note\ncmp_1,a\n');
    symlinkSync(place.path('ids.csv'), place.path('same.csv'));
    const words = ['export', 'companies', '--ids', 'ids.csv:Company', '--url', service.url];
    await expectKept('ids.csv', run(...words, '-o', 'same.csv'), /is read by this export/);
    place.write('fix.csv', 'Company to update,DBA\ncmp_1,corrected\n');
    await expectKept('fix.csv', run(...words, '--as-template', '-o', 'fix.csv'), /-o another name/);
  });
});

/** Saves a workbook with a part that describes the program, as each but this one writes it. */
async function savedByExcel(path: string): Promise<void> {
  const zip = await JSZip.loadAsync(readFileSync(path));
  const type = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/extended-properties';
  const relations = (await zip.file('_rels/.rels')?.async('text')) ?? '';
  const own = `<Relationship Id="app" Type="${type}" Target="docProps/app.xml"/></Relationships>`;
  zip.file('_rels/.rels', relations.replace('</Relationships>', own));
  zip.file('docProps/app.xml', '<Properties><Application>Microsoft Excel</Application></Properties>');
  writeFileSync(path, await zip.generateAsync({ type: 'nodebuffer' }));
}
