import ExcelJS from 'exceljs';
import { beforeEach, describe, expect, it } from 'vitest';
import { recordKinds } from '../../src/contract/record-kinds.ts';
import { deals, deskForEachTest } from '../builders/deals-desk.ts';
import { expectCounts, expectExit } from '../builders/expected.ts';
import { readWorkbook } from '../builders/tables.ts';

describe('P18: a row that is left out', () => {
  const desk = deskForEachTest();
  beforeEach(async () => {
    desk.write('payments.csv', [
      ['Deal ID', 'Date', 'Amount'],
      ['deal_1', '2026-06-30', '100.10'],
      ['deal_2', '2026-06-30', '200.20'],
      ['Total', '', '300.30'],
    ]);
  });
  const load = (file: string, ...words: string[]) => desk.load(file, '--as', 'transactions', ...words);

  it('is not sent, is in no sum but its own, and leaves the exit code 0, however often it is loaded', async () => {
    for (const file of ['payments.csv', 'payments.results.xlsx', 'payments.csv']) {
      const { exitCode, printed, stderr } = await load(file, '--expect-count', '2', '--expect-total', '300.30');
      expect([exitCode, printed?.counts.leftOut, printed?.counts.rows], stderr).toEqual([0, 1, 3]);
      expect(printed).toMatchObject({ totals: [{ amounts: { source: '300.3', leftOut: '300.3' } }] });
      const rows = await readWorkbook(desk.place.path('payments.results.xlsx'), 'payments');
      expect(rows.map(({ Status }) => Status === 'Left out')).toEqual([false, false, true]);
    }
  });

  it('is sent, or refused, as the command line says', async () => {
    const words = ['--allow', 'total-row', '--strict', 'same-content'];
    await expectCounts(load('payments.csv', ...words), { leftOut: 0, invalid: 1, accepted: 2 });
    await expectExit(load('payments.csv', '--allow', 'total'), 2);
  });

  it('is in no sum of deals either, however often they are loaded', async () => {
    desk.write('deals.csv', [...deals(['Harbor', '100.10'], ['Mill', '200.20']), ['300.30', 'Total', '']]);
    for (const [file, created] of [['deals.csv', 2] as const, ['deals.results.xlsx', 0] as const]) {
      const { exitCode, printed, stderr } = await desk.load(file);
      expect([exitCode, printed?.counts.created, printed?.counts.leftOut], stderr).toEqual([0, created, 1]);
      expect(printed).toMatchObject({ totals: [{ amounts: { source: '300.3', leftOut: '300.3' } }] });
      expect(stderr).toContain('amounts in the source: 300.30; amounts left out: 300.30');
    }
  });

  it('is left out also where a program has left its sum uncalculated, and that is no sum of 0', async () => {
    const workbook = new ExcelJS.Workbook();
    const sheet = workbook.addWorksheet('Deals');
    for (const row of deals(['Harbor', 100.1], ['Mill', 200.2])) sheet.addRow([...row]);
    sheet.addRow([{ formula: 'SUM(A2:A3)' }, 'Total', '']);
    await workbook.xlsx.writeFile(desk.place.path('deals.xlsx'));
    const { stderr } = await expectCounts(desk.load('deals.xlsx'), { created: 2, leftOut: 1, invalid: 0 });
    expect(stderr).toContain('1 row left out without a readable amount');
    const { worksheets } = await new ExcelJS.Workbook().xlsx.readFile(desk.place.path('deals.results.xlsx'));
    const rows = worksheets[0]?.getSheetValues().map((row) => [row].flat());
    // The cell of the sum is blank.
    expect(rows).toContainEqual(['Deals', 'Amount requested', 1]);
  });

  it('is left out also where an error value stands among its figures', async () => {
    const share = ['(Share)', '2', '4', '#VALUE!'];
    const rows = [...deals(['Harbor', '100.10'], ['Mill', '200.20']), ['300.30', 'Total', '']];
    const shared = rows.map((row, index) => [...row, share[index] ?? '']);
    desk.write('deals.csv', shared);
    const { printed } = await expectCounts(desk.load('deals.csv'), { created: 2, leftOut: 1, invalid: 0 });
    expect(printed).toMatchObject({ totals: [{ amounts: { source: '300.3', leftOut: '300.3' } }] });
  });

  it('counts as left out in a plan', async () => {
    await expectCounts(load('payments.csv', '--plan', 'plan.json'), { rows: 3, leftOut: 1, ready: 2 });
  });
});

describe('the example row of a template', () => {
  const desk = deskForEachTest();
  beforeEach(async () => {
    await desk.place.run(['template', 'deals', '--minimal', '--with-examples', '-o', 'deals.csv']);
    const [headers = [], example = []] = desk.tableOf('deals.csv');
    const own = example.map((cell) => (cell === 'Harbor Bakery LLC' ? 'Own LLC' : cell));
    desk.write('deals.csv', [headers, example, own]);
  });

  it('is left out, and the rows beside it go in, those with its Ref too', async () => {
    await expectCounts(desk.load('deals.csv'), { created: 1, leftOut: 1 });
    expect(desk.sent).toEqual(['Own LLC']);
  });

  it('goes into the sandbox, to rehearse', async () => {
    const where = ['--sandbox', '--sandbox-data', 'rehearsed.db', '--yes', '--json'];
    await expectCounts(desk.command(['import', 'deals.csv', '--as', 'deals', ...where]), { created: 2 });
  });

  it('is left out of each sheet of a workbook of all kinds', async () => {
    await desk.place.run(['template', 'all', '--with-examples', '-o', 'month.xlsx']);
    await expectCounts(desk.loadWorkbook('month.xlsx'), { rows: recordKinds.length, leftOut: recordKinds.length });
  });

  it('is only told where so few values may well be those of an own row', async () => {
    desk.write('notes.csv', [
      ['Deal id', 'Deal status', 'Note'],
      ['deal_000001', 'In review', 'Bank statements of May and June received'],
      ['deal_000002', 'In review', 'Bank statements of May and June received'],
    ]);
    await expectCounts(desk.load('notes.csv', '--as', 'notes', '--results', 'results.csv'), { created: 2 });
    expect(desk.problemsOf('results.csv', 0)).toMatch(/^Note: .*example row of a template/);
    expect(desk.problemsOf('results.csv', 1)).toBe('');
  });
});
