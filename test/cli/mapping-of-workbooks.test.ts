import { beforeEach, describe, expect, it } from 'vitest';
import type { Mapping } from '../../src/mapping/mapping-file/mapping.ts';
import { workplaceForEachTest } from '../builders/command-here.ts';
import { expectExit } from '../builders/expected.ts';
import { firstDeal, makeDeal } from '../builders/made-deal.ts';
import { oneRow, readWorkbook, type Table, writeWorkbook } from '../builders/tables.ts';
import { sandboxForEachTest } from '../sandbox/running.ts';

const token = 'sandbox-token';

const merchants: Table = [
  ['Northgate Partners: merchants'],
  ['Cust #', 'Merchant', 'Type', 'Town'],
  ['M-1', 'Harbor LLC', 'Merchant', 'Troy'],
  ['M-2', 'Kite Inc', 'Broker', 'Utica'],
];
const payments: Table = oneRow({ 'Pay date': '2026-11-03', Debit: 228.57, 'Trace no': 'T-1' });
const calls: Table = oneRow({ Who: 'Dana', 'What was said': 'Sent bank statements', When: '11/3' });

/** A workbook as a broker keeps it: a sheet of a known name, one of a guess, one that may be anything. */
const northgate = { Merchants: merchants, 'ACH Nov': payments, 'Call log': calls };

describe("somebody else's workbook of several sheets", () => {
  const place = workplaceForEachTest();
  beforeEach(async () => {
    await writeWorkbook(place.path('northgate.xlsx'), northgate);
  });

  const draft = () => JSON.parse(place.read('ng.json')) as Mapping;
  const kinds = () => Object.fromEntries(draft().sheets.map(({ sheet, kind }) => [sheet, kind]));
  const map = (...further: string[]) => place.run(['map', 'northgate.xlsx', '-o', 'ng.json', ...further]);

  it('is drafted with the sheets that are known, and the others are told with what to do about each', async () => {
    const { stderr } = await expectExit(map('--as', 'ACH Nov=transactions'), 0);
    expect(kinds()).toEqual({ Merchants: 'companies', 'ACH Nov': 'transactions' });
    expect(stderr).toContain('Merchants is read as companies.\nACH Nov is read as transactions.');
    expect(stderr).toContain(
      "Call log is not in the draft: neither its name nor its headers tell what its rows are. Draft into another file with --as 'Call log=KIND', or with --ignore-sheets 'Call log' to leave it out.",
    );
    const { stderr: checked } = await place.run(['check', 'northgate.xlsx', '--mapping', 'ng.json']);
    expect(checked).toContain('The mapping has no rules for some sheets: Call log.');
  });

  it('is drafted without the sheets that hold nothing to load, and every load leaves them out', async () => {
    const { stderr } = await expectExit(map('--as', 'ach nov=transactions', '--ignore-sheets', 'Call log'), 0);
    expect(draft().ignoreSheets).toEqual(['Call log']);
    expect(stderr).toContain('Call log is left out.');
    const { stderr: checked } = await place.run(['check', 'northgate.xlsx', '--mapping', 'ng.json']);
    expect(checked).not.toContain('has no rules');
  });

  it('is drafted without a sheet whose name has a comma, by the words that the message says', async () => {
    await writeWorkbook(place.path('northgate.xlsx'), { Merchants: merchants, 'Calls, old': calls });
    const { stderr } = await map();
    expect(stderr).toContain(`or with --ignore-sheets '"Calls, old"' to leave it out.`);
    const { exitCode, stderr: said } = await place.run(['map', 'northgate.xlsx', '--ignore-sheets', '"Calls, old"']);
    expect(exitCode, said).toBe(0);
    expect(said).toContain('Calls, old is left out.');
  });

  it('is not drafted with a word on a sheet that it does not have, or on no kind', async () => {
    expect(await map('--as', 'ACH Dec=transactions')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('There is no sheet "ACH Dec" in the file.'),
    });
    expect(await map('--as', 'ACH Nov=payments')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/ACH Nov=payments (.|\n)*companies, company-updates/),
    });
    expect(await map('--as', 'deals', '--as', 'leads')).toMatchObject({ exitCode: 2 });
    expect(await map('--as', 'Merchants=deals', '--ignore-sheets', 'Merchants')).toMatchObject({ exitCode: 2 });
  });

  it('is drafted as one kind in all of its sheets but those that are named', async () => {
    await expectExit(map('--as', 'notes', '--as', 'ACH Nov=transactions'), 0);
    expect(kinds()).toEqual({ Merchants: 'notes', 'ACH Nov': 'transactions', 'Call log': 'notes' });
  });

  describe('that is mapped', () => {
    const service = sandboxForEachTest();
    beforeEach(async () => {
      await makeDeal(service.url);
      const mapping = {
        sheets: [
          {
            sheet: 'Merchants',
            kind: 'companies',
            columns: { 'Cust #': 'Ref', Merchant: 'Company name', Type: 'Contact types', Town: null },
          },
          {
            sheet: 'ACH Nov',
            kind: 'transactions',
            columns: { 'Pay date': 'date', Debit: 'amount', 'Trace no': 'reference' },
            constants: { 'Deal id': firstDeal },
          },
        ],
        ignoreSheets: ['Call log'],
      };
      place.write('ng.json', mapping);
    });

    const load = (file: string, ...further: string[]) =>
      place.run(['import', file, '--url', service.url, '--yes', ...further], { env: { DEALSHEET_TOKEN: token } });

    it('is read by its remembered mapping in the next month, whose sheet has another name', async () => {
      await expectExit(load('northgate.xlsx', '--mapping', 'ng.json', '--remember'), 0);
      await writeWorkbook(place.path('december.xlsx'), {
        Merchants: [...merchants, ['M-3', 'Mill Co', 'Merchant', 'Rome']],
        'ACH Dec': oneRow({ 'Pay date': '2026-12-03', Debit: 400, 'Trace no': 'T-9' }),
        'Call log': calls,
      });
      const december = await expectExit(load('december.xlsx', '--json'), 0);
      expect(december.stderr).toContain('The sheet ACH Dec is read by the rules of the mapping for ACH Nov');
      expect(JSON.parse(december.stdout).counts).toMatchObject({ rows: 4, alreadyLoaded: 2 });
      expect(await readWorkbook(place.path('december.results.xlsx'), 'ACH Dec')).toMatchObject([{ Status: 'Created' }]);
      await expectExit(load('december.results.xlsx'), 0);
    });

    it('is read without a sheet that the month does not have, and the load says so', async () => {
      expect((await load('northgate.xlsx', '--mapping', 'ng.json', '--remember')).exitCode).toBe(0);
      await writeWorkbook(place.path('december.xlsx'), { Merchants: merchants, 'Call log': calls });
      const december = await load('december.xlsx', '--json');
      expect(december.stderr).toContain('The mapping has rules for a sheet "ACH Nov", but the file has no such sheet.');
      expect(JSON.parse(december.stdout).counts).toMatchObject({ rows: 2, alreadyLoaded: 2 });
    });

    it('is not read where one sheet is new and another one is gone, until the new one is left out', async () => {
      expect((await load('northgate.xlsx', '--mapping', 'ng.json', '--remember')).exitCode).toBe(0);
      const rates: Table = oneRow({ Funder: 'Bluefin', 'Rate %': 1.2 });
      await writeWorkbook(place.path('december.xlsx'), { Merchants: merchants, 'Call log': calls, Rates: rates });
      const check = (...further: string[]) => place.run(['check', 'december.xlsx', ...further]);
      expect(await check()).toMatchObject({
        exitCode: 2,
        stderr: expect.stringMatching(/No remembered mapping has exactly the headers of the file.*ng\.json/),
      });
      for (const choice of [
        ['--ignore-sheets', 'Rates'],
        ['--sheet', 'Merchants'],
      ]) {
        await expectExit(check(...choice), 0, 'Merchants  2 rows to add as companies');
      }
    });

    it('is read by the mapping that was remembered last for its sheets, whatever their month', async () => {
      expect((await load('northgate.xlsx', '--mapping', 'ng.json', '--remember')).exitCode).toBe(0);
      const december = place.read('ng.json').replace('ACH Nov', 'ACH Dec');
      place.write('december.json', december);
      await load('northgate.xlsx', '--mapping', 'december.json', '--remember');
      const again = await expectExit(place.run(['check', 'northgate.xlsx']), 0);
      expect(again.stderr).toContain('The sheet ACH Nov is read by the rules of the mapping for ACH Dec');
    });
  });
});
