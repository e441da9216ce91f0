/**
 * Rows that name no parent in a sheet that has a column for it: a payment below a cell that was merged over several rows, or
 * a line of a report. The service takes them, and they would belong to nobody, so a person is told.
 */
import { recordKind } from '../../contract/record-kinds.ts';
import { segmentsOf, valueAt } from '../../mapping/body.ts';
import type { CheckedRow } from '../../mapping/checked-row.ts';
import type { RowProblem } from '../../mapping/row-problem.ts';
import { columnOf, type PlannedSheet } from '../source/planned-sheet.ts';

/** @returns what is to be told of a row, once it was read */
export type NobodysRows = (row: CheckedRow) => readonly RowProblem[];

export function rowsOfNobody(sheet: PlannedSheet): NobodysRows {
  // A record that brings its parent along (a deal its company) names it by nothing else.
  const parents = sheet.kind.references.filter(({ fills }) => segmentsOf(fills).length === 1);
  const paths = parents.flatMap(({ column, fills }) => [column, fills]);
  const columns = sheet.columns.flatMap((column) =>
    column.use === 'field' && paths.includes(column.field.path) ? [column] : [],
  );
  const [first] = columns;
  if (first === undefined) return () => [];
  const kinds = [...new Set(parents.map(({ to }) => recordKind(to).singular))].join(' and no ');
  const labels = columns.map(({ field }) => field.label).join(' or ');
  const message = `The row names no ${kinds}: it is sent without, and belongs to none. If it belongs to one, fill in ${labels}.`;
  const at = columnOf(sheet, first.field.path);
  const said = { column: at, label: first.field.label, message, reason: message };
  const problem: RowProblem = { severity: 'warning', ...said, isToldBefore: true };
  return ({ body, references }) =>
    references.length > 0 || parents.some(({ fills }) => valueAt(body, segmentsOf(fills)) !== undefined)
      ? []
      : [problem];
}
