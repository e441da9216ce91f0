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
import { checkingText, previewText, recordsTwiceText, sendingText } from './preview-text.ts';
import { besidesText, resultJson, resultText } from './result-text.ts';

export interface SendingFlags {
  readonly yes: boolean;
  readonly quiet: boolean;
  readonly limit?: number | undefined;
  /** Rehearses with a ledger of its own, which is new each time. */
  readonly fresh?: boolean;
  /** Pass over notes and transactions that went in before without asking. */
  readonly skipLoaded: boolean;
}

export interface SendingTalk {
  readonly terminal: Terminal;
  readonly answer: JsonAnswer;
  readonly flags: SendingFlags;
  /** The service in words. */
  readonly service: string;
  readonly isRehearsal: boolean;
  readonly ledgerIsNew: boolean;
  readonly signal: AbortSignal;
  /** Whoever makes it ends it when the load comes to nothing. */
  readonly progress: Progress;
}

export function sendingEvents(talk: SendingTalk): SendingEvents {
  const { terminal, answer, flags, service, signal, progress } = talk;
  const leaveBeforeQuestion = () => {
    if (signal.aborted && !flags.yes) throw stoppedBefore();
  };
  return {
    onProgress: (checked) => {
      leaveBeforeQuestion();
      terminal.wait(() => checkingText(checked));
    },
    confirm: async (preview) => {
      leaveBeforeQuestion();
      const isMeant = await isConfirmed(talk, preview);
      if (!isMeant && signal.aborted) throw stoppedBefore();
      return isMeant;
    },
    onHealth: (health) => {
      if (health.state === 'warning') terminal.warn(textOf(health.message));
    },
    onBegin: (run, preview) => {
      answer.begins(run);
      terminal.say(`Run ${run} into ${service}`);
      progress.begin(toSendOf(preview));
    },
    onRow: ({ state }) => progress.row(state),
    onReport: () => {
      progress.end();
      terminal.wait(() => 'Writing the results.');
    },
  };
}

/** Of a person who leaves at a question, or before it. */
function stoppedBefore(): DealsheetError {
  return new DealsheetError('interrupted', 'Nothing was sent.', 'Run the same command again.');
}

/** @throws DealsheetError `usage` where something would have to be asked, and nobody could answer it */
async function isConfirmed(talk: SendingTalk, preview: Preview): Promise<boolean> {
  const { terminal, flags, service } = talk;
  tellPreview(talk, preview);
  const isAsked = preview.repeatable > 0 && !flags.skipLoaded;
  const count = preview.repeatable;
  const found = `Among notes and transactions, ${count === 1 ? '1 row was' : `${count} rows were`} loaded before`;
  if (isAsked && !terminal.isInteractive) {
    const examples = preview.loadedRows.filter(({ isRepeatable }) => isRepeatable);
    throw new DealsheetError(
      'usage',
      [`${found}, and equal ones can both be meant:`, ...listed(examples, count)].join('\n'),
      'Add --skip-loaded to skip them. If some are meant a second time, put those into a file of their own and load it with --again, which sends every row of its file. Nothing was sent.',
    );
  }
  if (preview.loaded > 0) terminal.say(loadedText(preview));
  // Where nothing else is to be sent, the question that follows is enough.
  const isAskedNext = !flags.yes && toSendOf(preview) === 0;
  if (isAsked && !isAskedNext && !(await terminal.ask(`${found}. Skip them and send the others?`))) return false;
  if (talk.ledgerIsNew && !flags.fresh) terminal.warn('This ledger is new: it knows nothing of earlier loads.');
  if (!flags.yes) return terminal.ask(questionOf(preview, service));
  terminal.say(`To be sent: ${sendingText(preview)}.`);
  return true;
}

/** A quiet load is silent when all is well: what may make a record twice is not that. */
export function tellPreview({ terminal, flags }: SendingTalk, preview: Preview): void {
  const text = flags.quiet ? recordsTwiceText(preview) : previewText(preview);
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

/** Rows that went in with an earlier file, with file and day; those that you are asked about come first. */
function loadedText({ loaded, loadedRows }: Preview): string {
  const were =
    loaded === 1
      ? '1 row was loaded before and is not sent again:'
      : `${loaded} rows were loaded before and are not sent again:`;
  const askedFirst = [...loadedRows].sort((one, other) => Number(other.isRepeatable) - Number(one.isRepeatable));
  return [were, ...listed(askedFirst, loaded)].join('\n');
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

/** Says how it ended, and gives the exit code. */
export function tellEnd({ terminal, answer, flags, isRehearsal }: SendingTalk, result: SendingResult | null): number {
  if (result === null) {
    answer.giveFailure({ code: 'usage', message: 'Nothing was sent.', remedy: 'Answer yes, or add --yes, to send.' });
    terminal.warn('Nothing was sent.');
    return exitCodes.usage;
  }
  const code = exitCodeOfRun(result);
  const text = resultText(result, { limit: flags.limit ?? null, isRehearsal });
  if (code === exitCodes.allIn) terminal.say(text);
  else terminal.warn(text);
  for (const line of besidesText(result.besides, result.results)) terminal.warn(line);
  answer.give(resultJson(result));
  return code;
}
