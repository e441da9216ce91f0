/** The problems of rows as a person reads them on the terminal: where, and what to do. Errors are told one by one, notes by their kind. */
import type { CheckedRow } from '../../mapping/checked-row.ts';
import { cellAddress } from '../../mapping/column.ts';
import type { FindingGroup, FoundAt } from '../../mapping/finding-groups.ts';
import { type Finding, findingText, isError } from '../../messages/finding.ts';
import { shortenedTo } from '../terminal/display-width.ts';

/** One line an error: `Deals!F12  error  Amount requested "-5" must be at least 0.` */
export function errorLines(row: CheckedRow): readonly string[] {
  return row.problems.filter(isError).map((problem) => `${placeOf(row, problem)}  error  ${findingText(problem)}`);
}

/** Notes that are told together become one line, with the first of them: `Deals!F12 and 40 more  note  Owner 1 SSN …` */
export function noteLines(notes: readonly FindingGroup[]): readonly string[] {
  return notes.map(({ rows, first, values }) => {
    const more = rows === 1 ? '' : ` and ${rows - 1} more`;
    return `${placeOf(first, first.finding)}${more}${valuesText(values)}  note  ${findingText(first.finding)}`;
  });
}

function placeOf(row: FoundAt, { column }: Finding): string {
  return column === null ? `${row.sheet} row ${row.row}` : cellAddress(row.sheet, column, row.row);
}

const mostValues = 3;
const widestValue = 30;

/** The message of the first says nothing of what the others are about. */
export function valuesText(values: readonly string[]): string {
  if (values.length < 2) return '';
  const told = values.slice(0, mostValues).map((value) => `"${shortenedTo(widestValue, value)}"`);
  return ` (${told.join(', ')}${values.length > mostValues ? ', …' : ''})`;
}
