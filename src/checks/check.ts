/** What a check is: it looks at the rows of one sheet in their order, and yields what it finds by its codes. */
import type { CheckCode } from '../contract/check-codes.ts';
import type { RecordKind, RecordKindName } from '../contract/record-kind.ts';
import type { CheckedRow } from '../mapping/checked-row.ts';
import type { Column, MatchedColumn } from '../mapping/column.ts';
import type { Message } from '../messages/message.ts';
import type { SheetRow } from '../sheets/row.ts';
import type { BehindRows } from '../sheets/source.ts';
import type { FirstRows } from './first-rows.ts';

export interface Check {
  readonly codes: readonly CheckCode[];
  /** @returns `null` where there is nothing to look at in the sheet */
  begin(sheet: SheetToCheck, file: FileToCheck): SheetCheck | null;
}

/** A check at work on one sheet. */
export interface SheetCheck {
  /** Learns from a row, once in each reading, in their order. */
  look?(row: CheckedRow, source: SheetRow): void;
  /** What is to be said of a row that was looked at. */
  row?(row: CheckedRow, source: SheetRow, fileFault: Message | null): Iterable<Found>;
  /** Once all rows were read for the first time: what stands behind them, such as merged ranges. */
  learn?(behind: BehindRows): void;
  /** Whether rows above are to be judged once more, by what came below them. */
  readonly tellsOfRowsAbove?: boolean;
  /** Before the rows are looked at again. */
  forget?(): void;
  /** What is to be said of the sheet as a whole. */
  end?(): Iterable<Found>;
}

export interface Found {
  readonly message: Message & { readonly code: CheckCode };
  /** The cell's column in the source, from 0, or `null` for the row or the sheet as a whole. */
  readonly column: number | null;
  readonly label: string | null;
}

export interface SheetToCheck {
  readonly name: string;
  readonly kind: RecordKind;
  readonly columns: readonly Column[];
  readonly header: {
    readonly number: number;
    readonly headers: readonly (string | null)[];
    readonly width?: number | undefined;
  };
  /** How many columns of ours stand in front of the person's own. */
  readonly ownColumns: number;
  /** The columns of the source that a column is made of. */
  readonly originsOf: (column: Column) => readonly number[];
  /** What a results sheet says under Problems, or `null`. */
  readonly saidOf: (row: SheetRow) => string | null;
}

/** What the sheets of a file share. */
export interface FileToCheck {
  readonly refs: KnownRefs;
  /** What was said first, over all sheets. */
  readonly first: FirstRows;
}

/** The Refs of the file and, where a service is chosen, of earlier loads. */
export interface KnownRefs {
  /** The rows that have a Ref in common, in words; `null` where it stands once or nowhere. */
  repeated(kind: RecordKindName, ref: string): string | null;
  has(kind: RecordKindName, ref: string): boolean;
  /** `null` where no service is chosen. */
  earlier(kind: RecordKindName, ref: string): EarlierRef | null;
}

/** What earlier loads into the same service know of a Ref. */
export interface EarlierRef {
  /** The records that it was the Ref of, each with its load in words. */
  readonly records: readonly { readonly id: string; readonly load: string }[];
  /** A row that came with it after them and is not in, or `null`. */
  readonly open: { readonly place: string; readonly status: string } | null;
}

const whole = { column: null, label: null };

/** @param message  its code is one of the check's */
export function found(message: Message, { column, label }: Pick<Found, 'column' | 'label'> = whole): Found {
  return { message: message as Found['message'], column, label };
}

/** The columns of the source that are read, with the columns that they fill. */
export function sentColumns(sheet: SheetToCheck): ReadonlyMap<number, MatchedColumn> {
  return new Map(
    sheet.columns.flatMap((column) =>
      column.use === 'ignored' ? [] : sheet.originsOf(column).map((index) => [index, column] as const),
    ),
  );
}

/** Rows of which something is remembered; of those beyond, nothing is told. */
const mostRows = 200_000;

/** What comes of comparing rows with those before them: found as they are looked at, and asked for afterwards. */
export class Remembered implements SheetCheck {
  readonly #find: (row: CheckedRow) => readonly Found[];
  readonly #found = new Map<number, readonly Found[]>();

  constructor(find: (row: CheckedRow) => readonly Found[]) {
    this.#find = find;
  }

  look(row: CheckedRow): void {
    // A cell that could not be read is missing from the record, which may then be equal to others by that alone.
    if (!row.isValid || this.#found.size >= mostRows) return;
    const found = this.#find(row);
    if (found.length > 0) this.#found.set(row.row, found);
  }

  row({ row }: CheckedRow): readonly Found[] {
    return this.#found.get(row) ?? [];
  }

  forget(): void {
    this.#found.clear();
  }
}
