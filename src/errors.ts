/**
 * The one exception that stops a command, and the exit code of each error code. Problems of a single row are values (findings and
 * outcomes), never this.
 */

/** Every reason for a command to stop, with its exit code. */
export const exitCodeOf = {
  /** The command line or the settings are incomplete or contradictory. */
  usage: 2,
  /** The source is missing, damaged, or not what its name says. */
  'unreadable-source': 2,
  /** A header or a sheet could not be matched. */
  'unmatched-columns': 2,
  /** The path of the results cannot be written. */
  'unwritable-results': 2,
  /** The ledger is damaged, of another version, without its key, or in use. */
  'ledger-refused': 2,
  /** The service refused the token, even after a renewal. */
  'token-refused': 4,
  /** The service cannot be reached, or its answers make it unsafe to go on. */
  'service-unusable': 5,
  /** The disk of the ledger is full or failing, or its server is gone. */
  'ledger-failed': 5,
  /** Another program changed a private copy of ours while it was in use. */
  'copy-changed': 5,
  /** An export, or a file other than the ledger, failed after the command had begun. */
  'output-failed': 1,
  /** The person stopped an export before its file was complete, or a load before its first row. */
  interrupted: 130,
} as const;

export type ErrorCode = keyof typeof exitCodeOf;

/**
 * Stops the command. The message says what happened, the remedy what to do now; both are whole sentences. Their texts have the code
 * `reason` in `messages/`.
 */
export class DealsheetError extends Error {
  override readonly name = 'DealsheetError';
  readonly code: ErrorCode;
  readonly reason: string;
  readonly remedy: string;

  constructor(code: ErrorCode, reason: string, message: string, remedy: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
    this.reason = reason;
    this.remedy = remedy;
  }

  get exitCode(): number {
    return exitCodeOf[this.code];
  }
}

export function isDealsheetError(error: unknown): error is DealsheetError {
  return error instanceof DealsheetError;
}

const sqliteFull = 13;

/** Whether the disk, or the user's quota on it, is full. */
export function isForRoom(cause: unknown): boolean {
  const { code, errcode } = (cause ?? {}) as NodeJS.ErrnoException & { readonly errcode?: number };
  return code === 'ENOSPC' || code === 'EDQUOT' || errcode === sqliteFull;
}
