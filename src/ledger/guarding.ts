/**
 * Which rows are guarded across runs. Updates are not: the same values may be meant again, and an update that is sent twice
 * leaves what it leaves when it is sent once.
 */
import type { RecordKindName } from '../contract/record-kind.ts';

/** The kind of updates, also within SQL. */
export const updates: RecordKindName = 'company-updates';

export function isUpdate(kind: string): boolean {
  return kind === updates;
}
