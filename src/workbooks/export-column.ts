/** A column of an export: what it is called and how its values are shown. */
import type { OutputValue } from '../sheets/sheet-writer.ts';

/** How the values of a column are read and shown. */
export type ColumnLook =
  | 'money'
  /** Percentage points, as the service gave them: 12.5 is shown as 12.5%. */
  | 'percent'
  | 'integer'
  | 'number'
  | 'date'
  | 'date-time'
  | 'yes-no'
  | 'text';

/** What a column is about, where its name says so. */
export type ColumnMeaning = 'id' | 'status' | 'balance' | 'overdue' | 'due-date' | null;

export interface ExportColumn {
  readonly label: string;
  readonly look: ColumnLook;
  readonly meaning: ColumnMeaning;
  /** In characters. */
  readonly width: number;
  /** Whether a total of the values means something. */
  readonly isSummed: boolean;
  /** Whether it has texts that are no numbers, whatever its look: `pending` beside amounts. */
  readonly holdsTexts: boolean;
}

/** The values of one record, one for each column. */
export type ExportRow = readonly OutputValue[];
