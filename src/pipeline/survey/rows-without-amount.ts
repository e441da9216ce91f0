/**
 * Rows without an amount in a sheet of payments or loans that has a column for it: a line filled down too far, or an amount that
 * was forgotten. The service may take them, so a person is told. What a bank says of its own account is none of them.
 */
import { segmentsOf, valueAt } from '../../mapping/body.ts';
import type { CheckedRow } from '../../mapping/checked-row.ts';
import { type RowProblem, toldBefore } from '../../mapping/row-problem.ts';
import type { SheetRow } from '../../sheets/cell.ts';
import { columnOf, type MatchedSheet } from '../source/matched-sheet.ts';
import { parentsOf } from './rows-of-nobody.ts';
import { saysBalanceOfAccount } from './words-for-totals.ts';

/** @returns what is to be told of a row, once it was read */
export function rowsWithoutAmount(sheet: MatchedSheet): (row: CheckedRow, source: SheetRow) => readonly RowProblem[] {
  const { amount } = sheet.kind;
  const column = sheet.columns.find((one) => one.use === 'field' && one.field.path === amount);
  // A lead stands for itself, and may well say no amount; what belongs to a deal is one.
  const belongs = parentsOf(sheet.kind).length > 0;
  if (amount === null || column?.use !== 'field' || !belongs) return () => [];
  const segments = segmentsOf(amount);
  const { label } = column.field;
  const message = `The row has no amount, and is sent without. If it has one, fill in ${label}.`;
  const said = { column: columnOf(sheet, amount), label, message, reason: message };
  const problem = toldBefore({ severity: 'warning', ...said });
  const ofBalance = `The row says the balance of an account and has no amount: it is no ${sheet.kind.singular}. Take the row out; if it is one all the same, fill in ${label}.`;
  const noRecord: RowProblem = { ...said, severity: 'error', message: ofBalance, reason: ofBalance };
  return ({ body, problems }, { cells }) => {
    if (valueAt(body, segments) !== undefined || problems.some((one) => one.label === label)) return [];
    const isOfBalance = cells.some((cell) => typeof cell === 'string' && saysBalanceOfAccount(cell));
    return [isOfBalance ? noRecord : problem];
  };
}
