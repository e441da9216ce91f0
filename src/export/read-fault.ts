/** Errors that end an export. */
import { firstLineOf } from '../disk/file-pieces.ts';
import { DealsheetError } from '../errors.ts';
import { asBefore, noFile } from '../messages/balances.ts';
import { textOf } from '../messages/text.ts';
import type { KeptResult } from '../service/client.ts';

/** An interruption before the file was complete. */
export function stopped(): DealsheetError {
  return new DealsheetError('interrupted', 'The export was interrupted.', `${asBefore} Run the command again.`);
}

/** @param kept  the file with what arrived; `null` when nothing was kept */
export function readFault(result: Exclude<KeptResult, { state: 'kept' }>, kept: string | null = null): DealsheetError {
  if (result.state === 'failed' && result.stopReason !== null) {
    const { code, message, remedy } = result.stopReason;
    return new DealsheetError(code, textOf(message), `${textOf(remedy)} ${asBefore}`);
  }
  const [status, told] = [result.httpStatus ?? 0, textOf(result.message)];
  if (result.state === 'not-found')
    return noFile(
      `The service has nothing at the address of this request (${status}): ${told}`,
      'Check the service address, and "paths" in the profile.',
    );
  if (kept !== null && status >= 200 && status < 300 && /^\s*[^\s[{]/.test(firstLineOf(kept)))
    return noFile(
      `The answer of the service (${status}) begins with no list or object of JSON.`,
      'Check "paths" in the profile, or ask for JSON with --query if the service can give several formats.',
    );
  const isRefusal = status >= 400 && status < 500;
  return noFile(
    `The service gave no usable answer${status < 400 ? '' : ` (${status})`}: ${told}`,
    isRefusal ? 'Correct what the answer names, and try again.' : 'Try again later.',
  );
}
