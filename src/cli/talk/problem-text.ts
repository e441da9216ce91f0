/** The problems of rows as a person reads them on the terminal: where, and what to do. Errors are told one by one, notes by their kind. */
import type { CheckedRow } from '../../mapping/checked-row.ts';
import { cellAddress } from '../../mapping/column.ts';
import type { FindingGroup, FoundAt } from '../../mapping/finding-groups.ts';
import { type Finding, findingText, isError } from '../../messages/finding.ts';

/** One line an error: `Deals!F12  error  Amount requested "-5" must be at least 0.` */
export function errorLines(row: CheckedRow): readonly string[] {
  return row.problems.filter(isError).map((problem) => `${placeOf(row, problem)}  error  ${findingText(problem)}`);
}

/** Notes that are told together become one line, with the first of them: `Deals!F12 and 40 more  note  Owner 1 SSN …` */
export function noteLines(notes: readonly FindingGroup[]): readonly string[] {
  return notes.map(({ rows, first }) => {
    const more = rows === 1 ? '' : ` and ${rows - 1} more`;
    return `${placeOf(first, first.finding)}${more}  note  ${findingText(first.finding)}`;
  });
}

function placeOf(row: FoundAt, { column }: Finding): string {
  return column === null ? `${row.sheet} row ${row.row}` : cellAddress(row.sheet, column, row.row);
}
