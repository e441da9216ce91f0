import { recordKindNames } from '../../src/contract/record-kind.ts';
import type { KnownStaged } from '../../src/staging/staged-row.ts';
import type { Staging } from '../../src/staging/staging.ts';

/** All rows of a staging, kind by kind. */
export async function rowsStaged(staging: Staging): Promise<readonly KnownStaged[]> {
  const rows: KnownStaged[] = [];
  for (const kind of recordKindNames) for await (const batch of staging.batches(kind)) rows.push(...batch);
  return rows;
}
