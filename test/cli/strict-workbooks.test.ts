/** Every workbook that a command writes, held against the rules by which Excel opens a file in silence. */
import { describe, expect, it } from 'vitest';
import { workplaceForEachTest } from '../builders/command-here.ts';
import { startRecordingService } from '../builders/recording-service.ts';
import { strictFaults } from '../builders/strict-workbook.ts';
import { writeCsv, writeWorkbook } from '../builders/tables.ts';
import { sandboxForEachTest } from '../sandbox/running.ts';

const token = 'sandbox-token';
const place = workplaceForEachTest();
const service = sandboxForEachTest();

async function run(words: readonly string[], exitCodes: readonly number[] = [0]): Promise<void> {
  const { exitCode, stdout, stderr } = await place.run(words, { env: { DEALSHEET_TOKEN: token } });
  expect(exitCodes, `${words.join(' ')}\n${stdout}\n${stderr}`).toContain(exitCode);
}

function load(file: string, results: string): Promise<void> {
  const words = ['--as', 'deals', '--url', service.url, '--ignore-columns', 'all', '--yes', '--results', results];
  return run(['import', file, ...words], [0, 1, 3]);
}

const headers = [
  ...['Amount requested', 'Company name', 'Owner last name', 'Stage'],
  ...['Entity type', 'Company website', 'Anything'],
];
const deals = [
  headers,
  [1000, 'Harbor <Bakery> & Sons "Ltd"', 'Moreno', 'Lead', 'LLC', 'https://harbor.example', '=1+1'],
  [-5, 'Control \u0001 and \u001f', 'Moreno', 'Lead', 'LLC', 'https://harbor.example/a b', '_x0041_'],
  [2000, 'Half a pair \ud83d alone', 'Moreno', 'Nowhere', 'LLC', 'not an address', ' \n\t '],
  ['twelve', 'x'.repeat(32_767), 'Moreno', 'Lead', 'LLC', `https://harbor.example/${'p'.repeat(3000)}`, ']]>'],
  [3000, 'Zoë 😀 \ufffe', 'Moreno', 'Lead', 'LLC', '', "'quoted"],
];

describe('a workbook that a command writes is opened by Excel in silence', () => {
  it.each([['all'], ['all', '--every', '--examples'], ['deals'], ['company-updates', '--every']])(
    'a template: %s %s %s',
    async (...words) => {
      const given = words.filter((word) => typeof word === 'string');
      const file = `${given.join('')}.xlsx`;
      await run(['template', ...given, '-o', file]);
      expect(await strictFaults(place.path(file))).toEqual([]);
    },
  );

  it('the results of a check and of a load, with all that text can hold', async () => {
    writeCsv(place.path("it's [a] month.csv"), deals);
    const check = ['check', "it's [a] month.csv", '--as', 'deals', '--ignore-columns', 'all'];
    await run([...check, '--results', 'check.xlsx'], [0, 1, 3]);
    expect(await strictFaults(place.path('check.xlsx'))).toEqual([]);
    await load("it's [a] month.csv", 'load.xlsx');
    expect(await strictFaults(place.path('load.xlsx'))).toEqual([]);
  });

  it('the results of a table named as no sheet may be', async () => {
    writeCsv(place.path('History.csv'), deals.slice(0, 2));
    await load('History.csv', 'history.results.xlsx');
    expect(await strictFaults(place.path('history.results.xlsx'))).toEqual([]);
  });

  it('an export of balances, and the changes since another month', async () => {
    const balance = (number: number) =>
      `{"loanId":"loan_${number}","company":{"name":"=A1 <${number}>"},"balance":${number}.10}`;
    let loans = [1, 2, 3];
    const balances = await startRecordingService(() => ({ status: 200, body: `[${loans.map(balance).join(',')}]` }));
    try {
      await run(['export', 'balances', '-o', 'may.xlsx', '--url', balances.url]);
      loans = [2, 3, 4];
      const words = ['-o', 'june.xlsx', '--previous', 'may.xlsx', '--group-by', 'company.name'];
      await run(['export', 'balances', ...words, '--url', balances.url]);
    } finally {
      await balances.stop();
    }
    expect(await strictFaults(place.path('may.xlsx'))).toEqual([]);
    expect(await strictFaults(place.path('june.xlsx'))).toEqual([]);
  });

  it('an export of the deals and companies of a load', async () => {
    await writeWorkbook(place.path('book.xlsx'), { Deals: deals.slice(0, 2) });
    await load('book.xlsx', 'book.results.xlsx');
    const from = ['--ids', 'book.results.xlsx', '--url', service.url];
    await run(['export', 'deals', '-o', 'deals.out.xlsx', ...from]);
    await run(['export', 'companies', '-o', 'companies.out.xlsx', '--as-template', ...from]);
    expect(await strictFaults(place.path('deals.out.xlsx'))).toEqual([]);
    expect(await strictFaults(place.path('companies.out.xlsx'))).toEqual([]);
  });
});
