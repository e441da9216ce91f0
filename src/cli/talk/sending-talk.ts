/** What a person is told and asked while rows are sent: the same for `import` and `resume`. */

import { DealsheetError } from '../../errors.ts';
import type { SendingEvents, SendingResult } from '../../load/sending.ts';
import { textOf } from '../../messages/text.ts';
import type { LoadedRow, Preview } from '../../plan/preview.ts';
import { exitCodeOfRun, exitCodes } from '../terminal/exit-code.ts';
import { rows } from '../terminal/figures.ts';
import type { Progress } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { JsonAnswer } from './json-answer.ts';
import { checkingText, previewText, recordsTwiceText, sendingText } from './plan-text.ts';
import { besidesText, resultJson, resultText } from './result-text.ts';

export interface SendingFlags {
  readonly yes: boolean;
  readonly quiet: boolean;
  readonly limit: number | undefined;
  /** Whether this is a rehearsal. */
  readonly sandbox: boolean;
  /** Pass over notes and transactions that went in before without asking. */
  readonly skipLoaded: boolean;
  /** The plan that is applied, if any: it was looked at, with all that it would do. */
  readonly apply: string | undefined;
}

export interface SendingSubject {
  readonly service: string;
  readonly ledgerIsNew: boolean;
  readonly signal: AbortSignal;
  readonly answer: JsonAnswer;
  /** Whoever makes it ends it when the load comes to nothing. */
  readonly progress: Progress;
}

export function sendingEvents(terminal: Terminal, flags: SendingFlags, about: SendingSubject): SendingEvents {
  const { progress } = about;
  // The bar gives its line back before anything is said of the interruption.
  about.signal.addEventListener('abort', () => progress.end(), { once: true });
  const leaveBeforeQuestion = () => {
    if (about.signal.aborted && !flags.yes) throw stoppedBefore();
  };
  return {
    onProgress: (checked) => {
      leaveBeforeQuestion();
      terminal.wait(checkingText(checked));
    },
    confirm: async (preview) => {
      leaveBeforeQuestion();
      const isMeant = await isConfirmed(terminal, flags, about, preview);
      if (!isMeant && about.signal.aborted) throw stoppedBefore();
      return isMeant;
    },
    onHealth: (health) => {
      if (health.state === 'warning') terminal.warn(textOf(health.message));
    },
    onBegin: (run, preview) => {
      about.answer.begins(run);
      terminal.say(`Run ${run} into ${about.service}`);
      progress.begin(toSendOf(preview));
    },
    onRow: ({ state }) => progress.row(state),
    onReport: () => {
      progress.end();
      terminal.wait('Writing the results.');
    },
  };
}

/** Of a person who leaves at a question, or before it. */
function stoppedBefore(): DealsheetError {
  return new DealsheetError('interrupted', 'Nothing was sent.', 'Run the same command again.');
}

/** @throws DealsheetError `usage` where something would have to be asked, and nobody could answer it */
async function isConfirmed(
  terminal: Terminal,
  flags: SendingFlags,
  about: SendingSubject,
  preview: Preview,
): Promise<boolean> {
  tellPreview(terminal, flags, preview);
  const isAsked = preview.repeatable > 0 && !flags.skipLoaded;
  if (isAsked && !terminal.isInteractive) throw repeatable(preview);
  if (preview.loaded > 0) terminal.say(loadedText(preview));
  // Where nothing else is to be sent, the question that follows is enough.
  const isAskedNext = !flags.yes && toSendOf(preview) === 0;
  if (isAsked && !isAskedNext && !(await askToSkip(terminal, preview))) return false;
  if (about.ledgerIsNew) terminal.warn('This ledger is new: it knows nothing of earlier loads.');
  if (!flags.yes) return terminal.ask(questionOf(preview, about.service));
  terminal.say(`To be sent: ${sendingText(preview)}.`);
  return true;
}

/** A quiet load is silent when all is well: what may make a record twice is not that. */
export function tellPreview(terminal: Terminal, { quiet }: { readonly quiet: boolean }, preview: Preview): void {
  const text = quiet ? recordsTwiceText(preview) : previewText(preview);
  if (text !== null) terminal.warn(text);
}

/** `5 rows are already loaded. Send 1 row (amounts: 100.00) to https://…?` */
function questionOf(preview: Preview, service: string): string {
  const isIn = preview.sheets.reduce((total, { staying }) => total + (staying['already-loaded'] ?? 0), 0);
  const already = isIn === 0 ? '' : `${rows(isIn)} ${isIn === 1 ? 'is' : 'are'} already loaded. `;
  return toSendOf(preview) === 0
    ? `${already}There is no row to send to ${service}. Write the results?`
    : `${already}Send ${sendingText(preview)} to ${service}?`;
}

function toSendOf({ sheets }: Preview): number {
  return sheets.reduce((total, { toSend }) => total + toSend, 0);
}

/** Says how it ended, and gives the exit code. */
export function tellEnd(
  result: SendingResult | null,
  flags: SendingFlags,
  terminal: Terminal,
  answer: JsonAnswer,
): number {
  if (result === null) {
    answer.giveFailure({ code: 'usage', message: 'Nothing was sent.', remedy: 'Say yes, or add --yes, to send.' });
    terminal.warn('Nothing was sent.');
    return exitCodes.usage;
  }
  const code = exitCodeOfRun(result);
  const text = resultText(result, { limit: flags.limit ?? null, isRehearsal: flags.sandbox });
  if (code === exitCodes.allIn) terminal.say(text);
  else terminal.warn(text);
  const besides = besidesText(result.besides, result.results);
  if (besides !== null) terminal.warn(besides);
  answer.give(resultJson(result));
  return code;
}

/** Rows that went in with an earlier file, with file and day; those that you are asked about come first. */
function loadedText({ loaded, loadedRows }: Preview): string {
  const were =
    loaded === 1
      ? '1 row was loaded before and is not sent again:'
      : `${loaded} rows were loaded before and are not sent again:`;
  const asked = loadedRows.filter(({ isRepeatable }) => isRepeatable);
  const others = loadedRows.filter(({ isRepeatable }) => !isRepeatable);
  return [were, ...listed([...asked, ...others], loaded)].join('\n');
}

/** Of rows of one load, the lines are nearly equal; all of them stand in the results. */
const mostListed = 5;

function listed(rowsLoaded: readonly LoadedRow[], count: number): readonly string[] {
  const shown = rowsLoaded
    .slice(0, mostListed)
    .map(({ sheet, row, message }) => `  ${sheet} row ${row}: ${textOf(message)}`);
  const more = count - shown.length;
  return more > 0 ? [...shown, `  … and ${more} more`] : shown;
}

function askToSkip(terminal: Terminal, preview: Preview): Promise<boolean> {
  return terminal.ask(`${repeatableFound(preview)}. Pass over and send the others?`);
}

/** Where nobody can be asked. */
function repeatable(preview: Preview): DealsheetError {
  const examples = preview.loadedRows.filter(({ isRepeatable }) => isRepeatable);
  return new DealsheetError(
    'usage',
    [`${repeatableFound(preview)}, and equal ones can both be meant:`, ...listed(examples, preview.repeatable)].join(
      '\n',
    ),
    'Give --skip-loaded to pass over them. Those that are meant a second time belong into a file of their own: --again sends every row of its file once more, deals too. Nothing was sent.',
  );
}

function repeatableFound({ repeatable: count }: Preview): string {
  return `Among notes and transactions, ${count === 1 ? '1 row was' : `${count} rows were`} loaded before`;
}
