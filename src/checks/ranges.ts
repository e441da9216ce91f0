/** Ranges of cells, met by the rows of a sheet in their order. */
import type { MergedRange } from '../sheets/cell.ts';

/** The ranges of each column: the first that begins in it, from above to below. Ranges lie apart. */
export class RangesInOrder<Range extends MergedRange> {
  #ranges: readonly Range[] = [];
  #next = 0;
  readonly #open = new Map<number, Range>();

  /** @param ranges  in any order */
  learn(ranges: readonly Range[]): void {
    this.#ranges = [...ranges].sort(
      (one, other) => one.firstRow - other.firstRow || one.firstColumn - other.firstColumn,
    );
  }

  get areThere(): boolean {
    return this.#ranges.length > 0;
  }

  /** Before the rows come once more. */
  begin(): void {
    this.#next = 0;
    this.#open.clear();
  }

  /** The ranges that a row meets, by the columns among those given. @param row  Excel's number */
  at(row: number, columns: Iterable<number>): readonly (readonly [column: number, range: Range])[] {
    const index = row - 1;
    for (; (this.#ranges[this.#next]?.firstRow ?? row) <= index; this.#next += 1) {
      const range = this.#ranges[this.#next] as Range;
      if ((this.#open.get(range.firstColumn)?.lastRow ?? -1) < range.firstRow) this.#open.set(range.firstColumn, range);
    }
    const met = [...this.#open.values()].filter(({ lastRow }) => lastRow >= index);
    return met.length === 0
      ? []
      : [...columns].flatMap((column) => {
          const range = met.find(({ firstColumn, lastColumn }) => firstColumn <= column && column <= lastColumn);
          return range === undefined ? [] : [[column, range] as const];
        });
  }
}
