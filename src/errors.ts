/**
 * The one exception that stops a command, and the exit code that goes with each of its codes.
 * What concerns one row is a value (a problem or an outcome), never this.
 */

/** Every reason for which a command stops, with the exit code that a scheduler sees. */
export const exitCodeOf = {
  /** The command line or the settings do not say enough, or say two things at once. */
  usage: 2,
  /** The source is missing, is not what its name says, or is damaged. */
  'unreadable-source': 2,
  /** A header or a sheet could not be matched. */
  'unmatched-columns': 2,
  /** The place for the results cannot be written. */
  'unwritable-results': 2,
  /** The ledger is damaged, from a newer version, without its key, or in use. */
  'ledger-refused': 2,
  /** The service refused the token, also after a renewal. */
  'token-refused': 4,
  /** The service cannot be reached, or answers in a way that makes going on unsafe. */
  'service-unusable': 5,
  /** The disk below the ledger is full or failing, or its server is gone. */
  'ledger-failed': 5,
  /** A private copy of ours was changed by another program while it was in use. */
  'copy-changed': 5,
  /** An export, or a file that is not the ledger, failed after the command had begun. */
  'output-failed': 1,
  /** The person stopped an export before its file was whole, or a load before its first row. */
  interrupted: 130,
} as const;

export type ErrorCode = keyof typeof exitCodeOf;

/** Stops the command. The message says what happened; the remedy says what to do now. Both are whole sentences. */
export class DealsheetError extends Error {
  override readonly name = 'DealsheetError';
  readonly code: ErrorCode;
  readonly remedy: string;

  constructor(code: ErrorCode, message: string, remedy: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
    this.remedy = remedy;
  }

  /** The exit code of the process that this error ends. */
  get exitCode(): number {
    return exitCodeOf[this.code];
  }
}

/** The command line, the settings or a file that was named say too little, or what cannot be done. */
export function usageError(message: string, remedy: string, cause?: unknown): DealsheetError {
  return new DealsheetError('usage', message, remedy, { cause });
}

export function isDealsheetError(error: unknown): error is DealsheetError {
  return error instanceof DealsheetError;
}

/** Whether a file cannot be written because its disk, or a person's share of it, is full. */
export function isForRoom(cause: unknown): boolean {
  const { code } = (cause ?? {}) as NodeJS.ErrnoException;
  return code === 'ENOSPC' || code === 'EDQUOT';
}

const obstacles: Readonly<Record<string, string>> = {
  EACCES: 'you may not write there',
  EEXIST: 'it already exists',
  EISDIR: 'it is a folder',
  ENAMETOOLONG: 'its name is too long',
  ENOENT: 'its folder is not there',
  ENOTDIR: 'its folder is a file',
  EPERM: 'you may not write there',
  EROFS: 'that disk takes nothing new',
};

/** Why a file cannot be written, to go behind its name. */
export function obstacleText(cause: unknown): string {
  if (isForRoom(cause)) return ': there is no room on that disk';
  const { code } = (cause ?? {}) as NodeJS.ErrnoException;
  if (code === undefined) return '';
  const obstacle = obstacles[code];
  return obstacle === undefined ? ` (${code})` : `: ${obstacle} (${code})`;
}
