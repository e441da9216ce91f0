/** The errors of a team ledger whose server cannot be reached, refuses, or is full. */
import { DealsheetError, isDealsheetError } from '../../errors.ts';
import { commandText } from '../../messages/commands.ts';

/** A `failed` command may be resumed later: the settings are not known to be wrong. */
type Trouble = readonly [code: 'failed' | 'refused', reason: string, remedy: string];

const away: Trouble = ['failed', 'its server cannot be reached', 'Wait until the server is back.'];
const broken: Trouble = ['failed', 'its server reports an error', 'Check the log of the server.'];
const noLedger: Trouble = ['refused', 'the database has no ledger', 'Make one with dealsheet ledger create.'];
const password: Trouble = [
  'refused',
  'its server refuses the user or the password',
  'Put the password into ~/.pgpass or PGPASSWORD, or name a ledgerPasswordCommand in the configuration.',
];

/** By SQLSTATE, or its two-digit class. */
const troubles: Readonly<Record<string, Trouble>> = {
  ...{ '08': away, '57': away, '28': password, '3F': noLedger, '42P01': noLedger },
  '53': ['failed', 'its server has no room left', 'Make room on the server.'],
  '25006': ['failed', 'its server takes no writes: it is a standby', 'Name the server that takes writes.'],
  '3D': ['refused', 'there is no such database', 'Make it with createdb, then run dealsheet ledger create.'],
  '42501': ['refused', 'the user may not do this', 'Give the user the rights that docs/ledger.md lists.'],
};

export function serverFailed(error: unknown, shown: string): DealsheetError {
  if (isDealsheetError(error)) return error;
  const [code, reason, remedy] = troubleOf(error);
  const detail = error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
  const message = `The ledger ${shown} cannot be used: ${reason} (${detail}).`;
  const next = code === 'failed' ? `Nothing more was sent. ${remedy} ${resumeText()}` : remedy;
  return new DealsheetError(`ledger-${code}`, message, next, { cause: error });
}

/** Another load has the lease, or the server did not answer for too long. */
export function leaseLost(shown: string, why: string): DealsheetError {
  return new DealsheetError(
    'ledger-failed',
    `The lease of this load in the ledger ${shown} is lost: ${why}.`,
    `Nothing more was sent. ${resumeText()}`,
  );
}

function resumeText(): string {
  return `Then go on with: ${commandText('resume')}`;
}

/** Whether two transactions merely collided, so that a retry succeeds. */
export function isOfMeeting(error: unknown): boolean {
  return ['23505', '40001', '40P01'].includes(codeOf(error));
}

function troubleOf(error: unknown): Trouble {
  const code = codeOf(error);
  const known = troubles[code] ?? troubles[code.slice(0, 2)];
  if (known !== undefined) return known;
  // The driver reports a lost connection without a code; system errors have codes such as ECONNRESET.
  if (/^E[A-Z]+$/.test(code) || /connect|timeout/i.test(String(error))) return away;
  return /SASL|password/i.test(String(error)) ? password : broken;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
