/** Which trouble an error of opening or writing the ledger is. */
import { statSync } from 'node:fs';
import { isBusy, resultCodeOf, resultKindOf } from '../disk/database.ts';
import { type DealsheetError, isDealsheetError } from '../errors.ts';
import { errorOf } from '../messages/text.ts';
import { schemaVersion } from './schema.ts';

type Trouble = `ledger-${'disk-full' | 'disk-failing' | 'locked' | 'read-only' | 'broken' | 'fault'}`;

/** By SQLite result code (3 permission, 5 and 6 locked, 8 read-only, 10 I/O, 11 and 26 corrupt, 13 full) or system error code. */
const troubles: Readonly<Record<number | string, Trouble>> = {
  ...{ 3: 'ledger-read-only', 8: 'ledger-read-only' },
  ...{ EACCES: 'ledger-read-only', EPERM: 'ledger-read-only', EROFS: 'ledger-read-only' },
  ...{ 5: 'ledger-locked', 6: 'ledger-locked' },
  ...{ 10: 'ledger-disk-failing', EIO: 'ledger-disk-failing' },
  ...{ 11: 'ledger-broken', 26: 'ledger-broken' },
  ...{ 13: 'ledger-disk-full', ENOSPC: 'ledger-disk-full', EDQUOT: 'ledger-disk-full' },
};

/** Whether the error comes from the database or its disk, and not from a bug in this program. */
export function isDatabaseError(error: unknown): boolean {
  return resultCodeOf(error) !== 0 || isSystemError(error);
}

/** The ledger could not be written. Within a load, nothing more is sent. */
export function writingFailed(error: unknown, path: string, isLoad: boolean): DealsheetError {
  return isDealsheetError(error) ? error : errorOf(troubleOf(error), { path, detail: detailOf(error), isLoad }, error);
}

/** The ledger could not be opened or read. Nothing in it was changed. */
export function openingFailed(error: unknown, path: string): DealsheetError {
  if (isDealsheetError(error)) return error;
  const trouble = troubleOf(error);
  if (trouble === 'ledger-disk-full' || trouble === 'ledger-disk-failing') return writingFailed(error, path, false);
  if (trouble === 'ledger-broken') return errorOf('ledger-damaged', { path, detail: detailOf(error) }, error);
  if (isBusy(error)) return errorOf('ledger-busy', { path }, error);
  return errorOf('ledger-unopened', { path, ...obstacleOf(error, path) }, error);
}

/** SQLite reports no path; system errors name the file. */
function obstacleOf(error: unknown, path: string) {
  const { code = null, path: refused = null, syscall } = error as NodeJS.ErrnoException;
  const folder = syscall === 'mkdir' ? refused : null;
  const file = folder !== null || refused === path ? null : refused;
  return { folder, file, code: refused === null ? null : code, isFolder: refused === null && isFolder(path) };
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** @throws DealsheetError `ledger-refused` for a ledger of another version */
export function needVersion(path: string, version: number): void {
  if (version > schemaVersion) throw errorOf('ledger-of-newer-version', { path, version, known: schemaVersion });
  if (version < schemaVersion) throw errorOf('ledger-of-early-version', { path, version });
}

function troubleOf(error: unknown): Trouble {
  return troubles[isSystemError(error) ? error.code : resultKindOf(error)] ?? 'ledger-fault';
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException & { readonly code: string } {
  return error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string';
}

function detailOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
}
