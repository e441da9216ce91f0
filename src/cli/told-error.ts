/** How a command says why it came to nothing, and the exit code that goes with it. */
import { isDealsheetError } from '../errors.ts';
import { commandText } from '../messages/commands.ts';
import { visibleText } from '../service/plain-text.ts';
import type { Failure, JsonAnswer } from './talk/json-answer.ts';
import { exitCodes } from './terminal/exit-code.ts';
import { keepGoingWhereverTheyLead } from './terminal/standard-streams.ts';

/**
 * @param words  the command line: with --debug, where the error came from is told too
 * @returns the exit code
 */
export function tellError(error: unknown, words: readonly string[], answer: JsonAnswer): number {
  const isOurs = isDealsheetError(error);
  const failure = isOurs
    ? { code: error.code, message: error.message, remedy: error.remedy }
    : {
        code: 'unexpected' as const,
        message: `Something went wrong inside dealsheet. What was sent is in the ledger: ${commandText('runs')} shows it.`,
        remedy: 'Run the command again with --debug to see where.',
      };
  answer.giveFailure(failure);
  tell(`${failure.message}\n${failure.remedy}`);
  if (words.includes('--debug') && error instanceof Error)
    tell(`${error.stack}\n${error.cause instanceof Error ? (error.cause.stack ?? '') : ''}`);
  return endOf(error).exitCode;
}

/** The exit code of an error, and the code that a log and a notification have for it. */
export function endOf(error: unknown): { readonly exitCode: number; readonly code: Failure['code'] } {
  if (isDealsheetError(error)) return { exitCode: error.exitCode, code: error.code };
  return { exitCode: exitCodes.stopped, code: 'unexpected' };
}

export function tell(text: string): void {
  keepGoingWhereverTheyLead();
  process.stderr.write(`${visibleText(text)}\n`);
}
