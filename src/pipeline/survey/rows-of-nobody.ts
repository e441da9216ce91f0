/**
 * Rows that name no parent in a sheet that has a column for it: a payment below a cell that was merged over several rows, or
 * a line of a report. The service takes them, and they would belong to nobody, so a person is told.
 */
import type { RecordKind, Reference } from '../../contract/record-kind.ts';
import { recordKind } from '../../contract/record-kinds.ts';
import { segmentsOf, valueAt } from '../../mapping/body.ts';
import type { CheckedRow } from '../../mapping/checked-row.ts';
import type { RowProblem } from '../../mapping/row-problem.ts';
import { columnOf, type PlannedSheet } from '../source/planned-sheet.ts';

/** @returns what is to be told of a row, once it was read */
export type NobodysRows = (row: CheckedRow) => readonly RowProblem[];

/** The records that a row of a kind belongs to. One that may be brought along (a deal brings its company) is none of them. */
export function parentsOf({ references }: RecordKind): readonly Reference[] {
  return references.filter(({ fills }) => segmentsOf(fills).length === 1);
}

export function rowsOfNobody(sheet: PlannedSheet): NobodysRows {
  const parents = parentsOf(sheet.kind);
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
  const problem: RowProblem = { severity: 'warning', ...said, isToldBefore: true, saysSent: true };
  return ({ body, references }) =>
    references.length > 0 || parents.some(({ fills }) => valueAt(body, segmentsOf(fills)) !== undefined)
      ? []
      : [problem];
}
