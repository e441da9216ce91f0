import ExcelJS from 'exceljs';
import { describe, expect, it } from 'vitest';
import { traitsOf } from '../../../src/messages/traits.ts';
import { checkPlace, isWarning, saidByRow } from '../../builders/check-place.ts';

const place = checkPlace();

/** What is told before a load of two leads, in whose first row these cells are struck through. */
async function toldWithStruck(columns: readonly number[], amount: number | string = 100) {
  const book = new ExcelJS.Workbook();
  const sheet = book.addWorksheet('Leads');
  sheet.addRow(['Company name', 'Amount requested', 'Owner 1 last name']);
  sheet.addRow(['Harbor', amount, 'Smith']);
  sheet.addRow(['Kite', 250, 'Jones']);
  for (const column of columns) sheet.getCell(2, column).font = { strike: true };
  await book.xlsx.writeFile(place.path('leads.xlsx'));
  const checked = await place.check('leads.xlsx', { kind: 'leads' });
  return saidByRow(checked, (problem) => isWarning(problem) && traitsOf(problem).toldBefore === true);
}

const isStruck =
  'The row is struck through, and is read like the others: take it out if it is no lead any more. Its results do not show the stroke.';

describe('a row that is struck through', () => {
  it('is sent with a note, and told before', async () => {
    expect(await toldWithStruck([1, 2, 3])).toEqual({ 2: isStruck });
  });

  it('is told also where it has errors: once it is corrected in its results, nobody sees that it was', async () => {
    expect(await toldWithStruck([1, 2, 3], 'soon')).toEqual({ 2: isStruck });
  });

  it('is a row like any other where one of its cells is not', async () => {
    expect(await toldWithStruck([1, 3])).toEqual({});
    expect(await toldWithStruck([])).toEqual({});
  });
});
