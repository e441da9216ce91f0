import { chmodSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { extname } from 'node:path';
import Big from 'big.js';
import ExcelJS from 'exceljs';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { openZip } from '../../src/tables/xlsx/zip-entries.ts';
import { workplaceForEachTest } from '../builders/command-here.ts';
import { writeEarlierExport } from '../builders/earlier-export.ts';
import { expectExit } from '../builders/expected.ts';
import {
  type CannedAnswer,
  type RecordedRequest,
  serviceForEachTest,
  startRecordingService,
} from '../builders/recording-service.ts';
import { readWorkbook } from '../builders/tables.ts';
import { until } from '../builders/until.ts';
import { type Ended, environmentOf, main } from '../builders/workplace.ts';

const place = workplaceForEachTest();
const service = serviceForEachTest((request, number) => answer(request, number));
let answer: (request: RecordedRequest, number: number) => CannedAnswer;

const run = (...words: readonly string[]) => place.run(words, { env: { DEALSHEET_TOKEN: 'token' } });

function json(body: string, headers: Record<string, string> = {}): CannedAnswer {
  return { status: 200, body, headers };
}

async function exported(
  words: readonly string[] = [],
  output = 'balances.xlsx',
): Promise<Ended & { printed: Record<string, never> | null }> {
  const ended = await run('export', 'balances', '-o', output, '--url', service.url, '--json', ...words);
  return { ...ended, printed: ended.exitCode === 0 ? JSON.parse(ended.stdout) : null };
}

/** The words that name a profile which declares how pages are asked for. */
function declared(pages: object, others: object = {}): readonly string[] {
  const profiles = { paged: { url: service.url, contract: { balances: { pages, ...others } } } };
  place.write('paged.json', { profiles });
  return ['--config', 'paged.json', '--profile', 'paged'];
}
const counted = (count: string) => declared({ by: 'page', count });

/** A balance as the service might write it: the digits of its amounts are what matters. */
function balance(number: number, amount = `${number}.10`): string {
  return `{"loanId":"loan_${number}","company":{"name":"Company ${number}"},"status":"${number % 2 === 0 ? 'Active' : 'Paid off'}","balance":${amount}}`;
}

const six = [1, 2, 3, 4, 5, 6].map((number) => balance(number));
const all = `[${six.join(',')}]`;

/** The records as they stand in the workbook, to the byte. */
async function sheetOf(name = 'balances.xlsx'): Promise<string> {
  const entries = await openZip(place.path(name));
  try {
    return await entries.readText('xl/worksheets/sheet1.xml');
  } finally {
    entries.close();
  }
}

/** Exports this month beside last month, each as the service gives it. */
async function compared(may: string, june: string, words: readonly string[] = []) {
  answer = () => json(may);
  await exported([], 'may.xlsx');
  answer = () => json(june);
  return exported(['--previous', 'may.xlsx', ...words], 'june.xlsx');
}

/** The first three cells of every row of the Summary. */
async function summaryRows(): Promise<readonly unknown[]> {
  const workbook = await new ExcelJS.Workbook().xlsx.readFile(place.path('balances.xlsx'));
  const rows: unknown[] = [];
  workbook.getWorksheet('Summary')?.eachRow((row) => rows.push((row.values as unknown[]).slice(1, 4)));
  return rows;
}

describe('an export of balances', () => {
  it('says that a sheet has no column for each of very many fields, which JSON has', async () => {
    const fields = Array.from({ length: 2001 }, (_, at) => `"f${at}":1`).join(',');
    answer = () => json(`[{${fields}}]`);
    expect((await exported([], 'balances.csv')).printed?.notices).toEqual([
      'Only 2000 fields are columns. Name the others with --columns.',
    ]);
    expect((await exported([], 'balances.json')).printed?.notices).toEqual([]);
  });

  it('has a name of its day where none is given', async () => {
    answer = () => json(all);
    for (const format of [[], ['--format', 'csv']])
      await expectExit(run('export', 'balances', '--url', service.url, '--quiet', ...format), 0);
    const names = readdirSync(place.folder).filter((name) => /^balances-\d{4}-\d\d-\d\d\.\w+$/.test(name));
    expect(names.map((name) => extname(name)).sort()).toEqual(['.csv', '.xlsx']);
  });

  it('asks with every parameter that was given', async () => {
    answer = () => json('[]');
    await exported(['--query', 'dealId=a b', '--query', 'tag=x', '--query', 'tag=y=z']);
    expect(service.requests[0]?.path).toBe('/v1/loan/balances?dealId=a+b&tag=x&tag=y%3Dz');
  });

  it('keeps every digit of amounts and ids', async () => {
    const id = '12345678901234567890';
    answer = () =>
      json(`[{"loanId":${id},"balance":9007199254740.93},{"loanId":2,"balance":0.1},{"loanId":3,"balance":0.2}]`);
    const { printed } = await exported();
    expect(printed?.totals).toEqual({ balance: '9007199254741.23' });
    const rows = await readWorkbook(place.path('balances.xlsx'), 'Balances');
    expect(rows.map((row) => row.loanId)).toEqual([id, 2, 3, 'Total']);
    const cents = rows.slice(0, 3).reduce((sum, row) => sum.plus(String(row.balance)), new Big(0));
    expect(cents.toFixed()).toBe('9007199254741.23');
    for (const name of ['balances.csv', 'balances.ndjson', 'balances.json']) {
      await exported([], name);
      const text = place.read(name);
      for (const digits of [id, '9007199254740.93', '0.1', '0.2']) expect(text).toContain(digits);
    }
  });

  it('gives totals as formulas with their values, below the filter', async () => {
    answer = () => json(all);
    await exported();
    const workbook = await new ExcelJS.Workbook().xlsx.readFile(place.path('balances.xlsx'));
    expect(workbook.worksheets.map(({ name }) => name)).toEqual(['Summary', 'Balances']);
    const sheet = workbook.getWorksheet('Balances');
    expect(sheet?.getCell('D8').value).toEqual({ formula: 'SUBTOTAL(109,D2:D7)', result: 21.6 });
    expect(sheet?.autoFilter).toBe('A1:D7');
    const texts = await summaryRows();
    expect(texts).toContainEqual(['Records', 6]);
    expect(texts).toContainEqual(['balance', { formula: "SUM('Balances'!D2:D7)", result: 21.6 }]);
    expect(texts).toContainEqual(['Active', 3, 12.3]);
    expect(texts).toContainEqual(['Paid off', 3, 9.3]);
  });

  it('says when it was made, and by the clock of which zone', async () => {
    answer = () => json(all);
    const words = ['export', 'balances', '-o', 'balances.xlsx', '--url', service.url];
    await expectExit(place.run(words, { env: { DEALSHEET_TOKEN: 'token', TZ: 'Asia/Kolkata' } }), 0);
    expect((await summaryRows()).map((row) => (row as unknown[])[0])).toContain('Exported (GMT+5:30)');
  });

  it('groups by the columns that a person names, and says which there are', async () => {
    answer = () => json(all);
    await exported(['--group-by', 'company name']);
    expect(await summaryRows()).toContainEqual(['By company.name']);
    const wrong = await expectExit(exported(['--group-by', 'Funder'], 'other.xlsx'), 2);
    expect(wrong.stderr).toMatch(/no column "Funder".*\n.*loanId, company.name, status, balance/);
    expect(existsSync(place.path('other.xlsx'))).toBe(false);
  });

  it('takes columns from the profile, so that every month looks the same', async () => {
    const contract = { balances: { columns: ['balance=Open', 'overdue', 'loanId'] } };
    place.write('dealsheet.config.json', { profiles: { live: { url: service.url, contract } } });
    answer = () => json(all);
    const profile = ['--profile', 'live', '--config', 'dealsheet.config.json'];
    const ended = await run('export', 'balances', '-o', 'balances.csv', ...profile);
    expect(place.read('balances.csv')).toMatch(/^\uFEFFOpen,overdue,loanId\r\n1\.10,,loan_1\r\n/);
    expect(ended.stderr).toContain('No record has "overdue": its column is blank.');
  });

  it('writes CSV in which no text is a formula', async () => {
    answer = () => json('[{"name":"=HYPERLINK(1)","note":"-2+3","balance":-5.5}]');
    await exported([], 'balances.csv');
    expect(place.read('balances.csv')).toBe("\uFEFFname,note,balance\r\n'=HYPERLINK(1),'-2+3,-5.5\r\n");
  });

  it('gives JSON as the service gave the records, and standard output nothing else', async () => {
    answer = () => json(`{"data":${all}}`);
    const printed = async (...words: readonly string[]) =>
      (await run('export', 'balances', '-o', '-', '--url', service.url, '--format', ...words)).stdout;
    expect(JSON.parse(await printed('json'))).toEqual(JSON.parse(all));
    expect((await printed('ndjson')).split('\n')).toEqual(six);
    const some = await printed('ndjson', '--columns', 'company.name,balance');
    expect(some.split('\n')[0]).toBe('{"company.name":"Company 1","balance":1.10}');
  });

  it.each<[what: string, record: object, shown: object]>([
    [
      'an SSN and a date of birth',
      { ssn: '219-09-9999', dob: '1980-04-17' },
      { ssn: '***-**-****', dob: '****-**-**' },
    ],
    [
      'names that may be sensitive',
      { owner: [{ birthday: 'Q17', born: 'Q17', Social: 'Q17', taxId: 'Q17' }] },
      { owner: [{ birthday: '***', born: '***', Social: '***', taxId: '***' }] },
    ],
    ['an SSN within a text', { notes: [{ text: 'SSN 219-09-9999, x' }] }, { notes: [{ text: 'SSN ***-**-****, x' }] }],
    [
      'whatever stands between its parts',
      { memo: ['219 09 9999', '219‑09‑9999', '219.09.9999'] },
      { memo: ['*** ** ****', '***‑**‑****', '***.**.****'] },
    ],
  ])('shows stars for %s, unless it is asked to show them', async (_, record, shown) => {
    const others = {
      loanId: 'a',
      memos: ['EIN 12-3456789, +1 212-555-0137, 10001-1234', '1219-09-9999 and 219-09-99991'],
    };
    answer = () => json(JSON.stringify([{ ...others, ...record }]));
    await exported([], 'masked.ndjson');
    expect(JSON.parse(place.read('masked.ndjson'))).toEqual({ ...others, ...shown });
    await exported(['--mask', 'none'], 'open.ndjson');
    expect(JSON.parse(place.read('open.ndjson'))).toEqual({ ...others, ...record });
  });

  it('shows stars for what last month was in clear, too, and tells of no change by that', async () => {
    answer = () => json('[{"loanId":"a","ssn":"219-09-9999","note":"219-09-9999 paid","balance":1}]');
    await exported(['--mask', 'none'], 'may.xlsx');
    const { printed } = await exported(['--previous', 'may.xlsx'], 'june.csv');
    expect(printed).toMatchObject({ changes: { changed: 0, same: 1 } });
  });

  it.each(['csv', 'xlsx'])('writes nothing that a terminal obeys: %s', async (format) => {
    const tags = ['e\u009b', 'f\u202e'];
    const record = { loanId: 'a\u0007', 'na\u001b[2Jme': 'b\u001b[31m\r\nc\rd', tags, more: { g: '\u0000' } };
    answer = () => json(JSON.stringify([record]));
    const { stderr, stdout } = await exported([], `plain.${format}`);
    const written = format === 'csv' ? place.read('plain.csv') : await sheetOf('plain.xlsx');
    for (const text of [written, stderr, stdout]) expect(text).not.toMatch(/[^\P{Cc}\r\n\t]|\u202e|_x00[01]/u);
    expect(written).toContain('b\uFFFD[31m\nc\nd');
  });

  it('tells of balances that are no amounts, which no sum has in it', async () => {
    const loans = Object.entries({ a: 100.5, b: 'see notes', c: null, d: 'n/a' });
    answer = () => json(JSON.stringify(loans.map(([loanId, balance]) => ({ loanId, balance }))));
    const { printed } = await exported();
    expect(printed).toMatchObject({
      totals: { balance: '100.5' },
      notices: ['2 of the values of balance are not amounts, and no sum counts them. The first is "see notes".'],
    });
  });

  it('counts a deal that has several loans on several pages', async () => {
    const loan = (id: string) => `{"dealId":"deal_1","loan":{"id":"${id}"},"balance":1}`;
    answer = ({ path }) => json(`{"data":[${loan(path.includes('page=2') ? 'b' : 'a')}],"totalPages":2}`);
    expect((await exported(counted('totalPages'))).printed).toMatchObject({ records: 2, notices: [] });
  });

  it('of no balances is a table without rows, and says so', async () => {
    answer = () => json('{"data":[]}');
    for (const name of ['none.xlsx', 'none.csv', 'none.json', 'none.ndjson']) {
      expect((await expectExit(exported([], name), 0)).printed).toMatchObject({ records: 0 });
    }
    expect(JSON.parse(place.read('none.json'))).toEqual([]);
  });
});

describe('an export that cannot be whole', () => {
  async function refused(output = 'balances.xlsx', words: readonly string[] = []) {
    const before = await writeEarlierExport(place.path(output));
    const ended = await exported(words, output);
    expect(readFileSync(place.path(output)).equals(before), ended.stderr).toBe(true);
    expect(readdirSync(place.folder).filter((name) => /\.tmp$|dealsheet-export/.test(name))).toEqual([]);
    return ended;
  }

  it.each<[how: string, number, body: string, code: number, said: RegExp]>([
    ['is a list of something else', 200, '[1,2,3]', 1, /holds no balances:/],
    ['says no with the token', 200, '{"success":false,"message":"Not by token"}', 1, /said no: Not by \[token\]\./],
    ['is broken within', 200, '[{"a":1},{"a":,}]', 1, /not complete JSON/],
    ['is a web page', 200, '<!doctype html><html><title>Sign in</title></html>', 5, /with a web page/],
    ['refuses the token', 401, '', 4, /token/],
    ['says no', 400, '{"message":"Unknown parameter colour"}', 1, /\(400\): Unknown parameter colour/],
  ])(
    'because the answer %s leaves the file as it was, and says so by its exit code',
    async (_, status, body, code, said) => {
      const headers = { 'content-type': body.startsWith('<') ? 'text/html' : 'application/json' };
      answer = () => ({ status, body, headers });
      const { stderr } = await expectExit(refused(), code, said);
      expect(stderr).not.toMatch(/--debug|rows in doubt|run(?! the service)/);
    },
  );

  it('because the answer is cut short leaves the file as it was, after it was asked again', async () => {
    answer = () => json(all.slice(0, -20));
    await expectExit(refused(), 1, /no usable answer: The service answered 200, but its answer could not be read\./);
    expect(service.requests.length).toBeGreaterThan(1);
  });

  it.each([
    ['unchanged', balance(2)],
    ['with another balance', balance(2, '7.00')],
  ])('because one loan stands there twice, %s, unless a key says what a record is', async (_, again) => {
    answer = ({ path }) =>
      json(`{"data":[${path.includes('page=2') ? `${again},${balance(3)}` : six.slice(0, 2)}],"totalPages":2}`);
    const { stderr } = await expectExit(refused('balances.xlsx', counted('totalPages')), 1);
    expect(stderr).toContain('The service gave two records with the loanId loan_2: its balance would be counted twice');
    answer = () => json(`[${[...six.slice(2), again, again]}]`);
    expect((await refused()).stderr).toContain('The service gave two records with the loanId loan_2');
    const byKey = declared({ by: 'page', count: 'totalPages' }, { key: 'Line' });
    answer = ({ path }) => json(`{"data":[{"loanId":"a","line":${path.includes('page=2') ? 2 : 1}}],"totalPages":2}`);
    expect((await exported(byKey, 'lines.csv')).printed).toMatchObject({ records: 2, notices: [] });
  });

  it('because the next page is at another address, which is not asked', async () => {
    const other = await startRecordingService(() => json('[]'));
    answer = () => json(all, { link: `<${other.url}/v1/loan/balances?page=2>; rel="next"` });
    await expectExit(refused('balances.xlsx', declared({ by: 'link' })), 1, /another address/);
    expect(other.requests).toEqual([]);
    await other.stop();
  });

  it('because page after page holds nothing', async () => {
    answer = (_request, number) => json(`{"data":[],"page":${number},"totalPages":1000}`);
    await expectExit(refused('balances.xlsx', counted('totalPages')), 1, 'pages without a record, one after the other');
    expect(service.requests.length).toBeLessThan(200);
  });

  it('because nobody is there exits with 5', async () => {
    // Another test may take a port that has become free; this one is the system's.
    expect((await refused('balances.xlsx', ['--url', 'http://127.0.0.1:1'])).exitCode).toBe(5);
  });

  it('because it was interrupted exits with 130', async () => {
    answer = () => ({ status: 503, body: '', headers: { 'retry-after': '300' } });
    const before = await writeEarlierExport(place.path('balances.xlsx'));
    const child = execa(process.execPath, [main, 'export', 'balances', '-o', 'balances.xlsx', '--url', service.url], {
      cwd: place.folder,
      env: environmentOf(place.folder, { DEALSHEET_TOKEN: 'token' }),
      extendEnv: false,
      reject: false,
      stdin: 'ignore',
    });
    await until(() => service.requests.length > 0);
    child.kill('SIGINT');
    const ended = await child;
    expect(ended.exitCode, ended.stderr).toBe(130);
    expect(readFileSync(place.path('balances.xlsx')).equals(before)).toBe(true);
  });

  it('of words that mean nothing asks nobody', async () => {
    for (const [words, said] of [
      [['balances', '-o', 'x.pdf'], /name of the output, .*x\.pdf, shows no format/],
      [['balances', '-o', '-'], /or add --format/],
      [['balances', '-o', 'x.csv', '--id', 'a'], /--id does not apply to balances/],
      [['deals', '-o', 'x.csv'], /Which deals\?/],
      [['balances', '-o', 'x.csv', '--query', 'status'], /"status" is not a parameter/],
    ] as const)
      await expectExit(run('export', ...words, '--url', service.url), 2, said);
    expect(service.requests).toEqual([]);
  });

  it('never widens the permissions of the file that it replaces', async () => {
    answer = () => json(all);
    await exported([], 'new.csv');
    expect(statSync(place.path('new.csv')).mode & 0o777).toBe(0o600);
    await writeEarlierExport(place.path('shared.xlsx'));
    chmodSync(place.path('shared.xlsx'), 0o644);
    await exported([], 'shared.xlsx');
    expect(statSync(place.path('shared.xlsx')).mode & 0o777).toBe(0o644);
  });
});

describe('an export beside that of last month', () => {
  const may = `[${[1, 2, 3].map((number) => balance(number)).join(',')}]`;
  const june = `[${balance(4)},${balance(3)},${balance(1, '0.90')}]`;

  it('of a file that is not there asks the service for nothing', async () => {
    const { stderr } = await expectExit(exported(['--previous', 'may.xlsx'], 'june.xlsx'), 2);
    expect(stderr).toMatch(/^There is no file \S*may\.xlsx\./);
    expect(stderr).not.toContain('Exporting');
    expect(service.requests).toEqual([]);
  });

  it('says what is new, gone and changed', async () => {
    const { printed, stderr } = await compared(may, june);
    const amounts = [['balance', '6.3', '8.1', '1.8']];
    expect(printed?.changes, stderr).toMatchObject({ added: 1, gone: 1, changed: 1, same: 1, amounts });
    const rows = await readWorkbook(place.path('june.xlsx'), 'Changes');
    const change = (kind: string, number: number, before: unknown, now: unknown, difference: number) => ({
      ...{ Change: kind, loanId: `loan_${number}`, 'company.name': `Company ${number}`, Column: 'balance' },
      ...{ Before: before, Now: now, Difference: difference },
    });
    expect(rows).toEqual([
      change('New', 4, null, 4.1, 4.1),
      change('Changed', 1, 1.1, 0.9, -0.2),
      change('Gone', 2, 2.1, null, -2.1),
    ]);
  });

  it('is told of a month of another service, and of none of the same', async () => {
    const other = await startRecordingService(() => json(may));
    await exported(['--url', other.url], 'may.xlsx');
    await other.stop();
    answer = () => json(june);
    const { printed, stderr } = await exported(['--previous', 'may.xlsx']);
    const notice = `may.xlsx holds balances of ${other.url}/, and this export reads from ${service.url}/, where the same id may be another loan.`;
    expect(stderr).toContain(notice);
    expect(printed?.notices).toEqual([notice]);
    expect(await summaryRows()).toContainEqual([notice]);
    expect((await exported(['--previous', 'balances.xlsx'], 'july.xlsx')).printed?.notices).toEqual([]);
  });

  const [a, b, total] = [
    ['a', '5'],
    ['b', '2.5'],
    ['Total', '7.5'],
  ] as [string[], string[], string[]];
  const sameKind = { added: 0, gone: 0, changed: 1, same: 1, amounts: [['balance', '7.5', '8.5', '1']] };

  it.each<[what: string, rows: string[][], said: object | RegExp]>([
    ['rows in another order', [b, a, total], sameKind],
    ['a remark below the totals', [a, b, total, ['Checked by Ann']], /may\.xlsx has rows below its totals/],
    ['totals on top', [total, b, a], /has rows below its totals/],
    ['what is no amount, in both months', [a, b, ['c', 'n/a'], total], sameKind],
    ['what is no amount any more', [['a', 'five'], b, total], { ...sameKind, amounts: [] }],
    ['what is no amount and gone', [a, b, ['d', 'five'], total], { ...sameKind, gone: 1, amounts: [] }],
  ])('reads what a person has made of it: %s', async (_, rows, said) => {
    await writeEarlierExport(place.path('may.xlsx'), rows);
    const more = JSON.stringify(rows).includes('n/a') ? ',{"loanId":"c","balance":"n/a"}' : '';
    answer = () => json(`[{"loanId":"a","balance":6},{"loanId":"b","balance":2.50}${more}]`);
    const { printed, stderr } = await exported(['--previous', 'may.xlsx'], 'june.xlsx');
    if (said instanceof RegExp) return expect(stderr).toMatch(said);
    expect(printed?.changes, stderr).toMatchObject(more === '' ? said : { ...said, same: 2 });
    if (!('amounts' in said && said.amounts === sameKind.amounts))
      expect(stderr).toMatch(/may\.xlsx has "five" as balance of [ad], which is no amount/);
  });

  it('says which other values have changed', async () => {
    await compared(may, may.replace('Company 2', 'Company Two').replace('Paid off', 'Default'));
    const rows = await readWorkbook(place.path('june.xlsx'), 'Changes');
    expect(rows.map((row) => [row.loanId, row.Column, row.Before, row.Now, row.Difference])).toEqual([
      ['loan_1', 'status', 'Paid off', 'Default', null],
      ['loan_2', 'company.name', 'Company 2', 'Company Two', null],
    ]);
  });

  it.each([
    ['texts beside amounts', '[{"loanId":"loan_1","balance":57071.43},{"loanId":"loan_2","balance":"due in 30 days"}]'],
    ['three digits behind every point', '[{"loanId":"loan_1","balance":57.071},{"loanId":"loan_2","balance":1.250}]'],
    ['a loan called Total', '[{"loanId":1,"balance":5,"name":"Total"},{"loanId":2,"balance":6}]'],
    ['midnights', '[{"loanId":"a","at":"2026-06-30T00:00:00Z","old":"1900-01-15T00:00:00"},{"loanId":"b"}]'],
    ['no day of a calendar', '[{"loanId":"a","day":"2026-02-31"},{"loanId":"b","day":"2026-02-28"}]'],
    ['a long text', `[{"loanId":"a","note":"${'x'.repeat(33_000)}"},{"loanId":"b"}]`],
    ['an amount in front', '[{"balance":5,"loanId":"a"},{"balance":6,"loanId":"b"}]'],
  ])('reads from a workbook what it wrote: %s', async (_, loans) => {
    const { printed, stderr } = await compared(loans, loans);
    expect(printed?.changes, stderr).toMatchObject({ changed: 0, same: 2 });
  });

  it('is compared by the key that is named, and refused when that is none', async () => {
    const now = '[{"name":"A","balance":1.00},{"name":"B","balance":5}]';
    const { printed } = await compared('[{"name":"A","balance":1},{"name":"B","balance":2}]', now, ['--key', 'name']);
    expect(printed?.changes).toMatchObject({ added: 0, gone: 0, changed: 1, same: 1 });
    answer = () => json('[{"loan":"A","amount":1}]');
    expect((await exported(['--previous', 'may.xlsx'], 'none.xlsx')).stderr).toContain(
      'They have no column in common: name the columns of that month with --columns.',
    );
    answer = () => json(now);
    await expectExit(exported(['--previous', 'may.xlsx'], 'no-key.xlsx'), 2, /no id column in common.*\n.*--key/);
    const twoOfAName = exported(['--previous', 'may.xlsx', '--key', 'name', '--columns', 'name,balance,name=balance']);
    await expectExit(twoOfAName, 2, 'Two columns have the name "balance"');
    answer = () => json('[{"name":"A","balance":1},{"name":"A","balance":5}]');
    const twice = await expectExit(exported(['--previous', 'may.xlsx', '--key', 'name'], 'twice.xlsx'), 1);
    expect(twice.stderr).toContain('The service gave two records with the name A');
  });

  it.each(['deals.xlsx', 'deals.csv'])(
    'is refused when last month is no workbook of balances (%s)',
    async (previous) => {
      answer = () => json('{"id":"deal_1","companyId":"comp_1","amount":4000.5}');
      const words = ['export', 'deals', '--id', 'deal_1', '-o', previous, '--url', service.url];
      await expectExit(run(...words), 0);
      answer = () => json(JSON.stringify([{ loanId: 'loan_1', companyId: 'comp_1', amount: 4000.5, balance: 1.1 }]));
      const { stderr } = await expectExit(exported(['--previous', previous], 'june.xlsx'), 2);
      expect(stderr).toContain(`${previous} has no mark of an export of balances.`);
      expect(stderr).toContain('give the workbook (.xlsx) that an earlier export wrote');
      expect(existsSync(place.path('june.xlsx'))).toBe(false);
    },
  );

  it('is told in words for CSV, and never takes the place of last month', async () => {
    answer = () => json(may);
    await exported([], 'may.xlsx');
    const before = readFileSync(place.path('may.xlsx'));
    answer = () => json(june);
    const { stderr } = await exported(['--previous', 'may.xlsx'], 'june.csv');
    expect(stderr).toMatch(
      /Since may\.xlsx: 1 new, 1 gone, 1 changed, 1 the same\.\n {2}balance: 6\.30 → 8\.10 \(\+1\.80\)/,
    );
    const slip = await expectExit(exported(['--previous', './may.xlsx'], 'may.xlsx'), 2);
    expect(slip.stderr).toMatch(/may\.xlsx is read by this export: nothing may overwrite it/);
    expect(readFileSync(place.path('may.xlsx')).equals(before)).toBe(true);
  });

  it('of which none is left has its sums of then, whatever its columns are called', async () => {
    const loans = '[{"id":"L1","open balance":100.5,"Rate: annual":3},{"id":"L2","open balance":200.25}]';
    const { printed, stderr } = await compared(loans, '[]');
    expect(printed?.changes, stderr).toMatchObject({ gone: 2, amounts: [['open balance', '300.75', '0', '-300.75']] });
    expect(printed?.totals).toMatchObject({ 'open balance': '0' });
  });

  it('that had no balances has all of this month as new', async () => {
    const { printed, stderr } = await compared('[]', june);
    const amounts = [['balance', '0', '8.1', '8.1']];
    expect(printed?.changes, stderr).toMatchObject({ added: 3, gone: 0, changed: 0, same: 0, amounts });
    expect(stderr).toContain('may.xlsx holds no balances: all of this month are new.');
    const rows = await readWorkbook(place.path('june.xlsx'), 'Changes');
    expect(rows.slice(0, 3).map((row) => row.Change)).toEqual(['New', 'New', 'New']);
    answer = () => json('[{"name":"Cedar","balance":1},{"name":"Cedar","balance":2}]');
    const withoutIds = await exported(['--previous', 'may.xlsx'], 'ids.xlsx');
    expect(withoutIds.printed?.changes, withoutIds.stderr).toMatchObject({ added: 2, same: 0 });
    answer = () => json('[]');
    await expectExit(exported(['--previous', 'may.xlsx'], 'july.xlsx'), 0);
  });
});
