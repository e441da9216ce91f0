/** How a command says why it came to nothing, and the exit code that goes with it. */

import { isDealsheetError } from '../errors.ts';
import { commandText } from '../messages/commands.ts';
import { visibleText } from '../service/plain-text.ts';
import type { JsonAnswer } from './talk/json-answer.ts';
import { exitCodes } from './terminal/exit-code.ts';
import { keepGoingWhereverTheyLead } from './terminal/standard-streams.ts';
import { fittedTo } from './terminal/wrapped-lines.ts';
import { UsageProblem } from './usage-problem.ts';

export interface Telling {
  /** Whether where the error came from is wanted too. */
  readonly debug: boolean;
  readonly answer: JsonAnswer;
}

/** @returns the exit code */
export function tellError(error: unknown, { debug, answer }: Telling): number {
  if (isDealsheetError(error)) {
    const { code, message, remedy } = error;
    answer.giveFailure({ code, message, remedy });
    tell(`${message}\n${remedy}`);
    if (debug) tell(`${error.stack}\n${error.cause instanceof Error ? (error.cause.stack ?? '') : ''}`);
    return error.exitCode;
  }
  if (error instanceof UsageProblem) {
    const { remedy } = error;
    answer.giveFailure({ code: 'usage', message: error.message, remedy });
    tell(`${error.message}\n${remedy}`);
    return exitCodes.usage;
  }
  const message = `Something went wrong inside dealsheet. What was sent is in the ledger: ${commandText('runs')} shows it.`;
  const remedy = 'Run the command again with --debug to see where.';
  answer.giveFailure({ code: 'unexpected', message, remedy });
  tell(`${message}\n${debug && error instanceof Error ? error.stack : remedy}`);
  return exitCodes.stopped;
}

export function tell(text: string): void {
  keepGoingWhereverTheyLead();
  process.stderr.write(`${fittedTo(process.stderr, visibleText(text))}\n`);
}
