/** The problems of rows as a person reads them on the terminal: where, and what to do. Errors are told one by one, notes by their kind. */
import type { CheckedRow } from '../../mapping/checked-row.ts';
import { cellAddress } from '../../mapping/column.ts';
import { type Finding, findingText, groupOf, isError } from '../../messages/finding.ts';

/** One line an error: `Deals!F12  error  Amount requested "-5" must be at least 0.` */
export function errorLines(row: CheckedRow): readonly string[] {
  return row.problems.filter(isError).map((problem) => `${placeOf(row, problem)}  error  ${findingText(problem)}`);
}

/** Notes of one kind become one line, with the first of them: `Deals!F12 and 40 more  note  Owner 1 SSN …` */
export class FoldedNotes {
  readonly #notes = new Map<string, { readonly place: string; readonly message: string; count: number }>();

  add(row: CheckedRow): void {
    for (const problem of row.problems) {
      if (problem.severity !== 'warning') continue;
      const kind = `${row.sheet}\n${groupOf(problem)}`;
      const known = this.#notes.get(kind);
      if (known !== undefined) known.count += 1;
      else this.#notes.set(kind, { place: placeOf(row, problem), message: findingText(problem), count: 1 });
    }
  }

  /** Whether a note stands for others. */
  get isFolded(): boolean {
    return [...this.#notes.values()].some(({ count }) => count > 1);
  }

  /** In the order in which the first of each kind was met. */
  get lines(): readonly string[] {
    return [...this.#notes.values()].map(({ place, message, count }) => {
      const more = count === 1 ? '' : ` and ${count - 1} more`;
      return `${place}${more}  note  ${message}`;
    });
  }
}

function placeOf(row: CheckedRow, { column }: Finding): string {
  return column === null ? `${row.sheet} row ${row.row}` : cellAddress(row.sheet, column, row.row);
}
