/** The interface of a check: it examines the rows of one sheet in order, and yields findings by code. */

import type { CheckCode } from '../contract/check-codes.ts';
import type { RecordKind, RecordKindName } from '../contract/record-kind.ts';
import type { CheckedRow } from '../mapping/body.ts';
import type { Column } from '../mapping/column.ts';
import type { HeaderRow } from '../mapping/header-row.ts';
import type { Message } from '../messages/message.ts';
import type { MergedRange, SheetRow } from '../tables/row.ts';
import type { BehindRows, SourceSheet } from '../tables/source.ts';
import type { CarriedRefs, FirstRows } from './seen-rows.ts';

export interface Check {
  readonly codes: readonly CheckCode[];
  /** Starts one pass over the sheet. @returns `null` if there is nothing to check */
  begin(sheet: SheetToCheck, file: FileToCheck): SheetCheck | null;
}

export interface SheetCheck {
  /** @param said the content and the parents of the row as one text, which equal rows share */
  row?(row: CheckedRow, source: SheetRow, said: string, fileFault: Message | null): Iterable<Found>;
  /** Yields findings about the sheet as a whole, after its last row. */
  end?(behind: BehindRows): Iterable<Found>;
}

export interface Found {
  readonly message: Message & { readonly code: CheckCode };
  /** The source column, from 0, or `null` for the whole row or sheet. */
  readonly column: number | null;
  readonly label: string | null;
}

export interface SheetToCheck {
  readonly name: string;
  readonly kind: RecordKind;
  readonly sheet: Pick<SourceSheet, 'delimiter'>;
  readonly columns: readonly Column[];
  readonly header: HeaderRow;
  readonly ownColumns: number;
  /** Merges, links and hidden columns. Empty until all rows were read. */
  readonly behind: BehindRows;
}

export interface FileToCheck {
  readonly refs: CarriedRefs;
  /** Refs of earlier loads into the same service, or `null` when no service is chosen. */
  readonly earlier: ((kind: RecordKindName, ref: string) => EarlierRef) | null;
  readonly first: FirstRows;
}

export interface EarlierRef {
  /** The records with this Ref, each with its load as text. Of some, the id is not known. */
  readonly records: readonly { readonly id: string | null; readonly load: string }[];
  /** A later row with this Ref that is not committed, or `null`. */
  readonly open: { readonly place: string; readonly status: string | null } | null;
}

const whole = { column: null, label: null };

export function found(message: Message, { column, label }: Pick<Found, 'column' | 'label'> = whole): Found {
  return { message: message as Found['message'], column, label };
}

export function sentColumns({ columns }: Pick<SheetToCheck, 'columns'>): ReadonlyMap<number, Column> {
  return new Map(columns.flatMap((column) => column.origins.map((index) => [index, column] as const)));
}

/** Finds the range over each column, for rows in ascending order. Of ranges that overlap, the first counts. */
export function rangesInOrder<Range extends MergedRange>(
  ranges: readonly Range[],
  columns: readonly number[],
): (rowNumber: number) => readonly (readonly [column: number, range: Range])[] {
  const waiting = ranges.toSorted((one, other) => one.firstRow - other.firstRow || one.firstColumn - other.firstColumn);
  const open = new Map<number, Range>();
  let next = 0;
  return (rowNumber) => {
    const index = rowNumber - 1;
    for (; (waiting[next]?.firstRow ?? rowNumber) <= index; next += 1) {
      const range = waiting[next] as Range;
      for (const column of columns) {
        const isOver = range.firstColumn <= column && column <= range.lastColumn;
        if (isOver && (open.get(column)?.lastRow ?? -1) < range.firstRow) open.set(column, range);
      }
    }
    return columns.flatMap((column) => {
      const range = open.get(column);
      return range === undefined || range.lastRow < index ? [] : [[column, range] as const];
    });
  };
}
