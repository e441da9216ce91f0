import Big from 'big.js';
import ExcelJS from 'exceljs';
import { beforeEach, describe, expect, it } from 'vitest';
import { workplaceForEachTest } from '../builders/command-here.ts';
import { expectExit } from '../builders/expected.ts';
import { created, serviceForEachTest } from '../builders/recording-service.ts';
import { oneRow, writeCsv, writeWorkbook } from '../builders/tables.ts';

const headers = ['Amount requested', 'Company name', 'Owner last name'];
const deal = (amount: number | string, name: string) => [amount, name, 'Moreno'];

interface Totals {
  readonly sheet: string;
  readonly kind: string;
  readonly rows: number;
  readonly byStatus: Record<string, number>;
  readonly amounts: { source: string; unreadable: number; byStatus: Record<string, string> } | null;
}

describe('the control totals of a load', () => {
  const place = workplaceForEachTest();
  const service = serviceForEachTest((request, number) =>
    request.body.includes('Refused') ? { status: 422, body: '{"message":"no"}' } : created(number),
  );

  beforeEach(() => {
    writeCsv(place.path('deals.csv'), [
      headers,
      deal('0.10', 'Harbor'),
      deal('0.20', 'Kite'),
      deal('9007199254740.93', 'Refused'),
      deal('12.5', ''),
      deal('twelve', 'Mill'),
    ]);
  });

  const run = (words: readonly string[]) =>
    place.run([...words, '--url', service.url, '--yes', '--json'], { env: { DEALSHEET_TOKEN: 'token' } });
  const load = (...further: string[]) => run(['import', 'deals.csv', ...further]);

  it('show every digit of an amount that has more than two decimals, so that they tie as they stand', async () => {
    writeCsv(place.path('deals.csv'), [headers, deal('1234.567', 'Harbor'), deal('0.004', 'Refused'), deal('1.5', '')]);
    await load();
    const workbook = await new ExcelJS.Workbook().xlsx.readFile(place.path('deals.results.xlsx'));
    const formats = new Map<string, string>();
    workbook.getWorksheet('Summary')?.eachRow((row) => row.eachCell((cell) => formats.set(cell.text, cell.numFmt)));
    for (const sum of ['1236.071', '1234.567', '0.004'])
      expect(formats.get(sum), sum).toBe('#,##0.00##########;[Red]-#,##0.00##########');
    expect(formats.get('1.5')).toBe('#,##0.00;[Red]-#,##0.00');
  });

  it('tie: the sum in the source is the sum of all that became of it, to the cent', async () => {
    const { stdout } = await load();
    const [totals] = (JSON.parse(stdout) as { totals: Totals[] }).totals;
    expect(totals).toEqual({
      sheet: 'deals',
      kind: 'deals',
      rows: 5,
      byStatus: { created: 2, rejected: 1, invalid: 2 },
      amounts: {
        source: '9007199254753.73',
        unreadable: 1,
        leftOut: '0',
        byStatus: { created: '0.3', rejected: '9007199254740.93', invalid: '12.5' },
      },
    });
    const sums = Object.values(totals?.amounts?.byStatus ?? {}).reduce((sum, one) => sum.plus(one), new Big(0));
    expect(sums.toFixed()).toBe(totals?.amounts?.source);
  });

  it('stand in the preview and at the end of the load, each row without an amount and each status named', async () => {
    const { stderr } = await load();
    const sums = '9,007,199,254,753.73 (0.30 created, 12.50 invalid, 9,007,199,254,740.93 rejected)';
    expect(stderr).toContain('amounts in the source: 9,007,199,254,753.73 (12.50 invalid, 9,007,199,254,741.23 ready)');
    expect(stderr).toContain(`  deals: amounts in the source: ${sums}; 1 row without a readable amount\n`);
  });

  it('begin the load when they are as expected', async () => {
    writeCsv(place.path('deals.csv'), [headers, deal('0.10', 'Harbor'), deal('0.20', 'Kite'), deal('12.5', '')]);
    await expectExit(load('--expect-count', '3', '--expect-total', 'deals=12.80'), 1);
    expect(service.requests).toHaveLength(2);
  });

  it.each([
    [
      ['--expect-total', '9007199254753.72'],
      /a total of 9007199254753\.72 was expected, and it is 9007199254753\.73, 0\.01 more\. Rows without a readable amount, which are not in it: 1\./,
    ],
    [
      ['--expect-total', 'deals=9007199254753.73'],
      /the total is as expected, but the amounts of some rows are missing or wrong: 1\./,
    ],
    [['--expect-count', '6'], /rows expected: 6, found: 5 \(1 fewer\)/],
    [['--expect-count', 'notes=1'], /Nothing in the file is called notes: deals \(deals\)/],
    [['--expect-count', 'five'], /"five" is not a value for --expect-count/],
    [['--expect-total', 'deals=0,3'], /"deals=0,3" is not a value for --expect-total/],
    [['--expect-total', '9,007,199,254,753.73'], /is not a value for --expect-total/],
  ])('send nothing when they are not (%s)', async (flags, message) => {
    await expectExit(load(...flags), 2, message, /Nothing was sent/);
    expect(service.requests).toEqual([]);
  });

  it('are asked for kind by kind in a file of several, and checked by check too', async () => {
    await writeWorkbook(place.path('month.xlsx'), {
      Deals: [headers, deal(100, 'Harbor'), deal(200, 'Kite')],
      Transactions: oneRow({ 'Deal id': 'deal_1', Date: '2026-06-30', Amount: 12.5 }),
    });
    const check = (...further: string[]) => place.run(['check', 'month.xlsx', ...further]);
    expect(
      (await check('--expect-count', '3', '--expect-total', 'Deals=300', '--expect-total', 'transactions=12.50'))
        .exitCode,
    ).toBe(0);
    const vague = await expectExit(check('--expect-total', '312.5'), 2);
    expect(vague.stderr).toMatch(/amounts of several kinds \(deals, transactions\): say which/);
  });

  it('are all met, or the load does not begin: the first of several counts like the last, wherever the file stands', async () => {
    writeCsv(place.path('deals.csv'), [headers, deal(100, 'Harbor')]);
    const { exitCode, stderr } = await place.run([
      ...['check', '--expect-count', '7', '--expect-count', 'deals=1', 'deals.csv', '--expect-total', '99'],
      ...['--expect-total', 'deals=100'],
    ]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('The file: rows expected: 7');
    expect(stderr).toContain('99');
  });
});
