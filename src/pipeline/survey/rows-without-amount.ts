/**
 * Rows without an amount in a sheet of payments or loans that has a column for it: a line filled down too far, or an amount that
 * was forgotten. The service may take them, so a person is told.
 */
import { segmentsOf, valueAt } from '../../mapping/body.ts';
import type { CheckedRow } from '../../mapping/checked-row.ts';
import type { RowProblem } from '../../mapping/row-problem.ts';
import { columnOf, type PlannedSheet } from '../source/planned-sheet.ts';
import { parentsOf } from './rows-of-nobody.ts';

/** @returns what is to be told of a row, once it was read */
export function rowsWithoutAmount(sheet: PlannedSheet): (row: CheckedRow) => readonly RowProblem[] {
  const { amount } = sheet.kind;
  const column = sheet.columns.find((one) => one.use === 'field' && one.field.path === amount);
  // A lead stands for itself, and may well say no amount; what belongs to a deal is one.
  const belongs = parentsOf(sheet.kind).length > 0;
  if (amount === null || column?.use !== 'field' || !belongs) return () => [];
  const segments = segmentsOf(amount);
  const { label } = column.field;
  const message = `The row has no amount, and is sent without. If it has one, fill in ${label}.`;
  const said = { column: columnOf(sheet, amount), label, message, reason: message };
  const problem: RowProblem = { severity: 'warning', ...said, isToldBefore: true, saysSent: true };
  return ({ body, problems }) =>
    valueAt(body, segments) !== undefined || problems.some((one) => one.label === label) ? [] : [problem];
}
