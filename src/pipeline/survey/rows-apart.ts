/**
 * Rows that stand apart from the table: a line of numbers under the headers, and what stands below a blank row and says less than
 * all above it, such as a second table or a foot. They may be read as records, so a person is told.
 */
import { isBlank, trimmedText } from '../../mapping/reading.ts';
import { asSaid } from '../../messages/as-said.ts';
import { type Finding, findingOf } from '../../messages/finding.ts';
import type { SheetRow } from '../../sheets/cell.ts';
import type { MatchedSheet } from '../source/matched-sheet.ts';

/** Of fewer rows above each blank one, it is how the whole sheet is written. */
const fewestRowsToBlank = 2;
const fewestNumbers = 2;

/** What stands from this row on is below a blank one, and each row above that fills so many columns at least. */
interface Limit {
  readonly from: number;
  readonly fewest: number;
}

export class RowsApart {
  readonly #columns: readonly number[];
  readonly #firstRow: number;
  readonly #numbering: Finding;
  readonly #saysLess: Finding;
  readonly #limits: Limit[] = [];
  /** The number of the row that was looked at last. */
  #last: number;
  #rows = 0;
  #gaps = 0;
  /** How many columns each row fills at least, those that say less left aside. */
  #fewest = Number.POSITIVE_INFINITY;

  constructor({ header, kind, ownColumns }: MatchedSheet) {
    this.#columns = header.headers.flatMap((name, index) => (name === null || index < ownColumns ? [] : [index]));
    this.#firstRow = header.number + 1;
    this.#last = header.number;
    const ifNone = `It is sent: take it out if it is no ${kind.singular}.`;
    this.#numbering = apart(`The row numbers the columns (1, 2 …), directly under their headers. ${ifNone}`);
    this.#saysLess = apart(
      `The row stands below a blank row and fills fewer columns than every row above that. ${ifNone}`,
    );
  }

  /** Looks at a row, in their order; once more in a second reading, which tells nothing new. */
  look(row: SheetRow): void {
    if (row.number <= this.#last) return;
    if (row.number > this.#last + 1 && this.#rows > 0) this.#addGap(row.number);
    this.#last = row.number;
    this.#rows += 1;
    const filled = this.#filledIn(row, this.#fewest);
    if (!this.#isLess(row)) this.#fewest = Math.min(this.#fewest, filled);
  }

  /** Of a row that was looked at. */
  problemsOf(row: SheetRow): readonly Finding[] {
    if (row.number === this.#firstRow && this.#isNumbering(row)) return [this.#numbering];
    return this.#isLess(row) ? [this.#saysLess] : [];
  }

  /** A blank row has come, before the row of this number. */
  #addGap(from: number): void {
    this.#gaps += 1;
    const areUsual = this.#rows < this.#gaps * fewestRowsToBlank;
    const saysNothingNew = this.#limits.at(-1)?.fewest === this.#fewest;
    if (!areUsual && !saysNothingNew) this.#limits.push({ from, fewest: this.#fewest });
  }

  #isLess(row: SheetRow): boolean {
    const limit = this.#limits.findLast(({ from }) => from <= row.number);
    return limit !== undefined && this.#filledIn(row, limit.fewest) < limit.fewest;
  }

  /** How many of the columns a row fills, counted up to `most`. */
  #filledIn({ cells }: SheetRow, most: number): number {
    let filled = 0;
    for (const index of this.#columns) {
      if (isBlank(cells[index])) continue;
      filled += 1;
      if (filled >= most) break;
    }
    return filled;
  }

  #isNumbering({ cells }: SheetRow): boolean {
    const isNumbered = this.#columns.every((index, position) => numberIn(cells[index]) === position + 1);
    return isNumbered && this.#columns.length >= fewestNumbers;
  }
}

/** `1`, `(1)` or `1.`; `null` for anything else. */
function numberIn(cell: SheetRow['cells'][number] | undefined): number | null {
  const [, digits] = /^\(?(\d{1,3})[.)]?$/.exec(trimmedText(cell)) ?? [];
  return digits === undefined ? null : Number(digits);
}

function apart(text: string): Finding {
  return findingOf('warning', asSaid(text, text, 'as-said-before-sent'));
}
