/** The errors of opening and writing the ledger. */
import { statSync } from 'node:fs';
import { isBusy, resultCodeOf, resultKindOf } from '../disk/database.ts';
import { DealsheetError, isDealsheetError, usageError } from '../errors.ts';
import { commandText } from '../messages/commands.ts';
import { schemaVersion } from './schema.ts';

type Trouble = readonly [reason: string, first: string];

const lookAtDisk = 'Check the disk and the rights of the file.';
const full: Trouble = ['its disk is full', 'Make room on the disk.'];
const failing: Trouble = ['its disk reported an error', lookAtDisk];
const locked: Trouble = ['another program keeps it locked', 'End the program that uses the ledger.'];
const readOnly: Trouble = ['it has become read-only', lookAtDisk];
/** Not resumable. */
const broken: Trouble = [
  'it is damaged',
  'Put a backup of the ledger and its key in their place, and compare what the service received since.',
];
const unknown: Trouble = ['an operation on it failed', lookAtDisk];

/** By SQLite result code (3 permission, 5 and 6 locked, 8 read-only, 10 I/O, 11 and 26 corrupt, 13 full) or system error code. */
const troubles: Readonly<Record<number | string, Trouble>> = {
  ...{ 3: readOnly, 8: readOnly, EACCES: readOnly, EPERM: readOnly, EROFS: readOnly },
  ...{ 5: locked, 6: locked },
  ...{ 10: failing, EIO: failing },
  ...{ 11: broken, 26: broken },
  ...{ 13: full, ENOSPC: full, EDQUOT: full },
};

/** Whether the error comes from the database or its disk, and not from a bug in this program. */
export function isDatabaseError(error: unknown): boolean {
  return resultCodeOf(error) !== 0 || isSystemError(error);
}

/** The ledger could not be written during a load. Nothing more is sent. */
export function loadWritingFailed(error: unknown, path: string): DealsheetError {
  return cannotWrite(error, path, 'No further row was sent. ', `Then go on with: ${commandText('resume')}`);
}

/** The ledger could not be written outside a load. There is no run to resume. */
export function writingFailed(error: unknown, path: string): DealsheetError {
  return cannotWrite(error, path, '', 'Then run the same command again.');
}

function cannotWrite(error: unknown, path: string, before: string, next: string): DealsheetError {
  if (isDealsheetError(error)) return error;
  const trouble = troubleOf(error);
  const [reason, first] = trouble;
  return new DealsheetError(
    'ledger-failed',
    `The ledger ${path} can no longer be written: ${reason} (${messageOf(error)}).`,
    `${before}${first}${trouble === broken ? '' : ` ${next}`}`,
    { cause: error },
  );
}

/** The ledger could not be opened or read. Nothing in it was changed. */
export function openingFailed(error: unknown, path: string): DealsheetError {
  if (isDealsheetError(error)) return error;
  const trouble = troubleOf(error);
  if (trouble === full || trouble === failing) return writingFailed(error, path);
  if (trouble === broken) return damaged(path, messageOf(error), error);
  return isBusy(error)
    ? refused(
        `The ledger ${path} is locked by another program.`,
        'Wait until the other program is done with it, then try again.',
        error,
      )
    : refused(
        `The ledger ${path} cannot be opened${obstacleText(error, path)}.`,
        'Make the file and its folder readable and writable for you, or choose another place with --ledger.',
        error,
      );
}

/** SQLite reports no path; system errors name the file. */
function obstacleText(error: unknown, path: string): string {
  const { code, path: refused, syscall } = error as NodeJS.ErrnoException;
  if (syscall === 'mkdir') return `: its folder ${refused} cannot be made (${code})`;
  if (refused === undefined) return isFolder(path) ? ': it is a folder' : '';
  return refused === path ? ` (${code})` : `: ${refused} (${code})`;
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

export function damaged(path: string, detail: string, cause?: unknown): DealsheetError {
  return refused(
    `The ledger ${path} is damaged: ${detail}. It was left as it is.`,
    `Put a backup of it and of its key in its place. To begin a new ledger instead, move both away: a new ledger knows nothing of earlier loads, and would let their rows be sent again.`,
    cause,
  );
}

export function notALedger(path: string): DealsheetError {
  return refused(
    `${path} is a database, but not a ledger of dealsheet. It was left as it is.`,
    'Name the ledger with --ledger, or name a file that does not exist yet to begin a new one.',
  );
}

/** @throws DealsheetError `ledger-refused` for a ledger of another version */
export function needVersion(path: string, version: number): void {
  if (version > schemaVersion)
    throw refused(
      `The ledger ${path} was written by a newer version of dealsheet (its format is ${version}; this version knows ${schemaVersion}).`,
      'Install the newest version of dealsheet, or choose another ledger with --ledger.',
    );
  if (version < schemaVersion)
    throw refused(
      `The ledger ${path} was written by an early version of dealsheet (its format is ${version}), which recognized rows in another way. With this version, rows that are in would be sent a second time.`,
      'Begin another ledger with --ledger FILE. For files that you loaded with the old one, import their results sheets with --trust-results, never the files themselves.',
    );
}

export function keyRefused(path: string, keyPath: string, trouble: 'missing' | 'not its own'): DealsheetError {
  const message =
    trouble === 'missing'
      ? `The ledger ${path} is there, but its key ${keyPath} is missing.`
      : `The key ${keyPath} is not the key of the ledger ${path}.`;
  return refused(
    `${message} Without its own key the ledger cannot tell which rows were sent before.`,
    'Put its own key back: ledger and key are copied and backed up together. To begin a new ledger instead, move both away: a new ledger would let the same rows be sent again.',
  );
}

export function teamKeyRefused(ledger: string, keyPath: string): DealsheetError {
  return refused(
    `The key of the ledger ${ledger} is not on this computer: ${keyPath} is missing, or is not the key of this ledger. Without its key the ledger cannot tell which rows were sent before.`,
    'Ask the person who made the ledger for the file that dealsheet ledger share writes, and run dealsheet ledger join with it.',
  );
}

/** SQLite keeps the log beside one name of the file, so a load that uses the other name would not see it. */
export function severalNames(path: string): DealsheetError {
  return refused(
    `The ledger ${path} has a second name (a hard link). A load under one name may miss what a load under the other wrote, and send rows that are in a second time.`,
    'Delete the second name, and make a real copy instead. It is most likely in a backup of the folder that was made with links.',
  );
}

export function moved(path: string, place: string): DealsheetError {
  return refused(
    `The ledger ${path} has moved to ${place}, and only that one knows the rows that went in since.`,
    `Use that one, with --ledger or "ledger" in the configuration. If the move was cut off, run it again: dealsheet ledger move --to ${place}`,
  );
}

/** A key with its final name has had a ledger, so an empty file beside it has lost its content. */
export function gone(path: string, keyPath: string): DealsheetError {
  return refused(
    `The ledger ${path} is gone, but its key ${keyPath} is there: the record of earlier loads is missing.`,
    `Put the ledger back, or a backup of both. A new ledger knows nothing of earlier loads and lets their rows be sent again; if you want one: ${commandText('ledger accept')}`,
  );
}

export function lacking(path: string, commits: number): DealsheetError {
  return refused(
    `The ledger ${path} lacks its newest entries (${commits} ${commits === 1 ? 'step' : 'steps'}). It was copied without its log, ${path}-wal, or replaced by an older copy. Rows that are in would be sent again.`,
    `End every dealsheet that is running, then copy the log from where the ledger was to beside it; dealsheet ledger backup copies both. If the log is lost, compare what the service received; then: ${commandText('ledger accept')}`,
  );
}

export function closedTooEarly(path: string): DealsheetError {
  return usageError(
    `The ledger ${path} was closed while a load still needed it.`,
    'Await every load before you close the ledger.',
  );
}

function refused(message: string, remedy: string, cause?: unknown): DealsheetError {
  return new DealsheetError('ledger-refused', message, remedy, cause === undefined ? {} : { cause });
}

function troubleOf(error: unknown): Trouble {
  return troubles[isSystemError(error) ? error.code : resultKindOf(error)] ?? unknown;
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException & { readonly code: string } {
  return error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
}
