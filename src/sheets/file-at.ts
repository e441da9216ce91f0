/** What stands at a path, before anything is written there. */
import { type BigIntStats, statSync } from 'node:fs';

/**
 * @returns `null` when nothing stands there, or nobody can tell: what cannot be looked at cannot be written either, and that is
 *   said when it is tried
 */
export function fileAt(path: string): BigIntStats | null {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}
