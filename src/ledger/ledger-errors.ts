/** Which trouble an error of opening or writing the ledger is. */
import { isBusy, resultCodeOf, resultKindOf } from '../disk/database.ts';
import { type DealsheetError, isDealsheetError } from '../errors.ts';
import { errorOf } from '../messages/text.ts';
import { schemaVersion } from './schema.ts';

/** SQLite result codes (10 I/O, 13 full; 11 and 26 corrupt) and system error codes. */
const ofDisk: readonly unknown[] = [10, 13, 'EIO', 'ENOSPC', 'EDQUOT'];
const ofDamage: readonly unknown[] = [11, 26];
/** Such as a table that is missing. */
const ofStatement = 1;

/** Whether the error comes from the database or its disk, and not from a bug in this program. */
export function isDatabaseError(error: unknown): boolean {
  return resultCodeOf(error) !== 0 || isSystemError(error);
}

/** The ledger could not be written. Within a load, nothing more is sent. */
export function writingFailed(error: unknown, path: string, isLoad: boolean): DealsheetError {
  if (isDealsheetError(error)) return error;
  const reason = ofDamage.includes(codeOf(error)) ? 'ledger-broken' : 'ledger-unwritable';
  return errorOf(reason, { path, detail: detailOf(error), isLoad }, error);
}

/** The ledger could not be opened or read. Nothing in it was changed. */
export function openingFailed(error: unknown, path: string): DealsheetError {
  if (isDealsheetError(error)) return error;
  if (ofDisk.includes(codeOf(error))) return writingFailed(error, path, false);
  if ([...ofDamage, ofStatement].includes(codeOf(error)))
    return errorOf('ledger-damaged', { path, detail: detailOf(error) }, error);
  if (isBusy(error)) return errorOf('ledger-busy', { path }, error);
  return errorOf('ledger-unopened', { path, detail: detailOf(error) }, error);
}

/** @throws DealsheetError `ledger-refused` for a ledger of another version */
export function needVersion(path: string, version: number): void {
  if (version > schemaVersion) throw errorOf('ledger-of-newer-version', { path, version, known: schemaVersion });
  if (version < schemaVersion) throw errorOf('ledger-of-early-version', { path, version });
}

function codeOf(error: unknown): number | string {
  return isSystemError(error) ? error.code : resultKindOf(error);
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException & { readonly code: string } {
  return error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string';
}

function detailOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
}
