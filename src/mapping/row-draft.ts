/** A row while it is being read. */
import type { RecordKind } from '../contract/record-kind.ts';
import type { Finding } from '../messages/finding.ts';
import type { SheetRow } from '../sheets/cell.ts';
import type { Body } from './body.ts';
import type { NamedReference } from './checked-row.ts';

export interface Draft {
  readonly row: SheetRow;
  readonly kind: RecordKind;
  readonly body: Body;
  ref: string | null;
  readonly references: NamedReference[];
  pathId: string | null;
  readonly problems: Finding[];
  /** Paths whose cell could not be read: that they are missing need not be said as well. */
  readonly faulty: Set<string>;
  clears: number;
  maskedCells: number;
}
