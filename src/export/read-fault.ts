/** Why an export cannot go on. */
import { DealsheetError } from '../errors.ts';
import { balanceRemedies, balanceTexts } from '../messages/balances.ts';
import { type Parameters, type ParamsOf, textWith } from '../messages/message.ts';
import { textOf } from '../messages/text.ts';
import type { KeptResult } from '../service/client.ts';

export const asBefore = 'A file that was there before is as it was.';

/** An interruption before the file was whole. */
export function stopped(): DealsheetError {
  return new DealsheetError('interrupted', 'The export was interrupted.', `${asBefore} Run the command again.`);
}

/** Balances that cannot be written as a whole, by the code of their text. */
export function balanceFault<Code extends keyof typeof balanceTexts>(
  code: Code,
  params: ParamsOf<(typeof balanceTexts)[Code]>,
): DealsheetError {
  const message = textWith(balanceTexts[code], params as Parameters, textOf);
  return new DealsheetError('output-failed', message, `${balanceRemedies[code]} ${asBefore}`);
}

export function readFault(result: Exclude<KeptResult, { state: 'kept' }>): DealsheetError {
  if (result.state === 'failed' && result.stopReason !== null) {
    const { code, message, remedy } = result.stopReason;
    return new DealsheetError(code, textOf(message), `${textOf(remedy)} ${asBefore}`);
  }
  if (result.state === 'not-found') {
    return new DealsheetError(
      'output-failed',
      `The service does not know the address of what was asked for (${result.httpStatus}): ${textOf(result.message)}`,
      `Check the service address, and "paths" in the profile. ${asBefore}`,
    );
  }
  const { httpStatus, message } = result;
  const status = httpStatus === null || httpStatus < 400 ? '' : ` (${httpStatus})`;
  const isRefusal = httpStatus !== null && httpStatus >= 400 && httpStatus < 500;
  return new DealsheetError(
    'output-failed',
    `The service gave no usable answer${status}: ${textOf(message)}`,
    `${isRefusal ? 'Correct what it says, and try again.' : 'Try again later.'} ${asBefore}`,
  );
}
