/** A row of a source while it is read, and after mapping and checks: what would be sent, and what is to be said about it. */
import type { RecordKind, Reference } from '../contract/record-kind.ts';
import type { Finding } from '../messages/finding.ts';
import type { SheetRow } from '../sheets/row.ts';
import type { Body } from './body.ts';

export interface NamedReference {
  readonly reference: Reference;
  readonly ref: string;
  readonly column: number | null;
}

export interface CheckedRow {
  readonly kind: RecordKind;
  readonly sheet: string;
  readonly row: number;
  /** The normalised values, in the order of the schema. References hold their ref until they are resolved. */
  readonly body: Body;
  readonly ref: string | null;
  readonly references: readonly NamedReference[];
  /** The id in the path of an update. */
  readonly pathId: string | null;
  readonly problems: readonly Finding[];
  readonly isValid: boolean;
  /** Fields that the row empties with `<clear>`. */
  readonly clears: number;
}

export interface Draft extends Omit<CheckedRow, 'isValid'> {
  readonly source: SheetRow;
  ref: string | null;
  readonly references: NamedReference[];
  pathId: string | null;
  readonly problems: Finding[];
  clears: number;
  /** Paths whose cell could not be read: that they are missing need not be said as well. */
  readonly faulty: Set<string>;
}
