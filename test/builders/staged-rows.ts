import { type RecordKindName, recordKindNames } from '../../src/contract/record-kind.ts';
import { recordKind } from '../../src/contract/record-kinds.ts';
import type { Body } from '../../src/mapping/body.ts';
import type { KnownStaged, RowData } from '../../src/staging/staged-row.ts';
import type { Staging } from '../../src/staging/staging.ts';

/** All rows of a staging, kind by kind. */
export async function rowsStaged(staging: Staging): Promise<readonly KnownStaged[]> {
  const rows: KnownStaged[] = [];
  for (const kind of recordKindNames) for await (const batch of staging.batches(kind)) rows.push(...batch);
  return rows;
}

/** A row without Refs, findings or a file, with a body that is taken for right. */
export function rowData(name: RecordKindName, body: Body, more: Partial<RowData> = {}): RowData {
  const kind = recordKind(name);
  const nothing = {
    ref: null,
    references: [],
    pathId: null,
    problems: [],
    clears: 0,
    unread: [],
    aside: null,
    file: null,
  };
  return { kind, sheet: kind.sheet, row: 2, body, ...nothing, isValid: true, ...more };
}
