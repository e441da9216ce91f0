/** One row of a sheet, and access to its cells by column. */
import type { Cell } from './cell.ts';

/** A row with at least one cell that is not blank. */
export interface SheetRow {
  /** The row number as in Excel, from 1. In CSV the record number, including blank records. */
  readonly number: number;
  /** The cells from column A on, without trailing blanks; with `columns`, only the cells of these. */
  readonly values: readonly Cell[];
  /** The column indices of a row with wide gaps, in ascending order, so that a cell in the last column costs little. */
  readonly columns?: readonly number[] | undefined;
  /** Hidden by hand or by a filter. Such rows are read like any other. */
  readonly hidden: boolean;
  /** For CSV: the number of cells in the record, including trailing blanks. */
  readonly width?: number;
}

/** A longer run of blanks is a gap, which is not stored. */
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

/** The cells of all columns, gaps filled. For rows that are rarely read, such as headers. */
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
