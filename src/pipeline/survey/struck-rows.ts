/** Rows that are struck through from end to end: a person has taken them out of the list, perhaps, and they are still read. */
import { problemOfRow, type RowProblem, toldBefore } from '../../mapping/row-problem.ts';
import type { SheetRow } from '../../sheets/cell.ts';
import type { MatchedSheet } from '../source/matched-sheet.ts';

/** @returns a note on each row of the sheet that is struck through, and none on others */
export function struckRows({ kind }: MatchedSheet): (row: SheetRow) => readonly RowProblem[] {
  const message = `The row is struck through, and is read like the others. It is sent: take it out if it is no ${kind.singular} any more.`;
  const note = toldBefore(problemOfRow('warning', message));
  return ({ struck }) => (struck === true ? [note] : []);
}
