/** The problems of a row as a person reads them on the terminal: where, and what to do. */
import type { CheckedRow } from '../mapping/checked-row.ts';
import { cellAddress } from '../mapping/column.ts';

/** One line a problem: `Deals!F12  error    Amount requested "-5" must be at least 0.` */
export function problemLines(row: CheckedRow): readonly string[] {
  return row.problems.map((problem) => {
    const place =
      problem.column === null ? `${row.sheet} row ${row.row}` : cellAddress(row.sheet, problem.column, row.row);
    const severity = problem.severity === 'error' ? 'error' : 'note ';
    return `${place}  ${severity}  ${problem.message}`;
  });
}
