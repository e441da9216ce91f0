/** One row of a sheet, and the cell of each of its columns. */
import type { Cell } from './cell.ts';

/** One row with at least one cell that is not blank. */
export interface SheetRow {
  /** The row number as Excel counts, from 1; in CSV the number of the record, blank ones counted. */
  readonly number: number;
  /** The cells from column A on, without trailing blanks; where there are `columns`, the cells of these alone. */
  readonly values: readonly Cell[];
  /** Of a row with wide gaps, in rising order: a cell in the last column costs no more than one in the first. */
  readonly columns?: readonly number[] | undefined;
  /** Hidden by hand or by a filter. Such rows are read like any other. */
  readonly hidden: boolean;
  /** Of CSV: how many cells its record has, trailing blanks counted. */
  readonly width?: number;
}

/** More blanks side by side are a gap, and take no room. */
export const widestUsualGap = 64;

export function cellAt({ values, columns }: SheetRow, column: number): Cell {
  return values[columns === undefined ? column : placeOf(column, columns)] ?? null;
}

export function columnOf({ columns }: SheetRow, place: number): number {
  return columns?.[place] ?? place;
}

export function widthOf({ values, columns }: SheetRow): number {
  return columns === undefined ? values.length : (columns.at(-1) ?? -1) + 1;
}

/** The cells of all columns up to the last cell: for rows that are looked at one by one, such as headers. */
export function allCells<One>({ values, columns }: Values<One>): readonly (One | null)[] {
  if (columns === undefined) return values;
  const cells = new Array<One | null>((columns.at(-1) ?? -1) + 1).fill(null);
  for (const [place, column] of columns.entries()) cells[column] = values[place] ?? null;
  return cells;
}

interface Values<One> extends Pick<SheetRow, 'columns'> {
  readonly values: readonly (One | null)[];
}

function placeOf(column: number, columns: readonly number[]): number {
  let [from, to] = [0, columns.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((columns[middle] ?? 0) < column) from = middle + 1;
    else to = middle;
  }
  return columns[from] === column ? from : -1;
}
