/** What a person reads and answers while rows are sent, for `import` and `resume`. */

import { type RowState, rowStates } from '../contract/row-state.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { isSandbox, serviceText } from '../ledger/run-records.ts';
import type { SendingEvents, SendingResult } from '../load/sending.ts';
import { errorOf, messageOf, textOf } from '../messages/text.ts';
import { countsByCode } from '../plan/finding-groups.ts';
import type { Preview } from '../plan/preview.ts';
import type { ServiceClient, ServiceEvents } from '../service/client.ts';
import type { Flags } from '../settings/flags.ts';
import { addressOf, openService, type ServiceChoice, type ServiceSession } from '../settings/service.ts';
import { exitCodeOfRun, exitCodes, interruption, type JsonAnswer } from './command-end.ts';
import { duration, listed, rows, secondsSince } from './formats.ts';
import {
  besidesText,
  checkingText,
  previewText,
  recordsTwiceText,
  resultJson,
  resultText,
  sendingText,
} from './load-text.ts';
import type { EventLog } from './log-and-notify.ts';
import { needConfirmation, type Terminal } from './terminal.ts';

export interface LoadFlags extends Flags {
  /** Whether the results are moved once they are written, so that their place is told later. */
  readonly movesResults?: boolean;
}

/** What a load needs from its command. */
interface LoadAsked {
  readonly terminal: Terminal;
  readonly answer: JsonAnswer;
  readonly flags: LoadFlags;
  readonly ledger: Ledger;
  readonly choice: ServiceChoice;
  readonly log?: EventLog;
}

/** A running load: the open service, and the person who waits. */
export interface LoadDialog extends LoadAsked {
  readonly session: ServiceSession;
  readonly connect: (events?: ServiceEvents) => ServiceClient;
  /** The service as messages name it. A rehearsal has no meaningful address. */
  readonly service: string;
  readonly isRehearsal: boolean;
  readonly signal: AbortSignal;
}

export async function duringLoad<Result>(asked: LoadAsked, load: (dialog: LoadDialog) => Promise<Result>) {
  const { terminal, answer } = asked;
  const interrupted = interruption(terminal, answer, {
    stopping: () =>
      answer.runUnderWay === null
        ? 'Stopping before the first row.'
        : 'Stopping: nothing new is sent, and what is under way may finish (30 s). Press Ctrl-C again to stop at once.',
    left: () => {
      const run = answer.runUnderWay;
      return run === null ? errorOf('load-not-begun', { atOnce: true }) : errorOf('load-left', { run });
    },
  });
  let session: ServiceSession | null = null;
  try {
    session = await openService(asked.choice);
    const { connect, identity, url, notice } = session;
    answer.about({ service: url.href });
    const isRehearsal = isSandbox(identity);
    if (notice !== null && !isRehearsal) terminal.say(textOf(notice));
    const loaded = await load({
      ...asked,
      session,
      isRehearsal,
      signal: interrupted.signal,
      connect: (events) => connect({ ...tellPauses(terminal), ...events }),
      service: serviceText(identity, url),
    });
    // It is about the links in the results.
    if (notice !== null && isRehearsal) terminal.say(textOf(notice));
    return loaded;
  } finally {
    interrupted.stop();
    await session?.close();
  }
}

export function sendingEvents(dialog: LoadDialog): SendingEvents {
  const { terminal, answer, flags, service, signal, log = () => {} } = dialog;
  const progress = loadProgress(terminal);
  /** Ends a load that was interrupted before anybody agreed to it. After that, its results tell of the interruption. */
  const endUnlessAgreed = (isAgreed = false) => {
    if (!isAgreed && signal.aborted) throw errorOf('load-not-begun', { atOnce: false });
  };
  return {
    onProgress: (checked) => {
      endUnlessAgreed(flags.yes);
      terminal.progress(() => checkingText(checked));
    },
    confirm: async (preview) => {
      endUnlessAgreed(flags.yes);
      const isAgreed = await isConfirmed(dialog, preview);
      endUnlessAgreed(isAgreed);
      return isAgreed;
    },
    onHealth: (health) => {
      log('health', { state: health.state });
      if (health.state === 'warning') terminal.warn(textOf(health.message));
    },
    onBegin: (run, { sheets }) => {
      const kinds = sheets.map(({ kind, rows, staying: { invalid = 0 } }) => ({
        kind: kind.name,
        rows,
        invalidRows: invalid,
      }));
      log('begin', { run, sheets: kinds, findings: countsByCode(sheets.flatMap(({ findings }) => findings)) });
      answer.begins(run);
      terminal.say(`Run ${run} into ${service}`);
      progress.begin(toSendOf({ sheets }));
    },
    onRow: ({ sheet, row, state, code }) => {
      log('row', { sheet, row, state, code });
      progress.row(state);
    },
    onReport: () => {
      log('report', {});
      terminal.progress(() => 'Writing the results.');
    },
  };
}

const secondsOfMinute = 60;

export function loadProgress(terminal: Pick<Terminal, 'progress'>) {
  const counts = new Map<RowState, number>();
  let [began, expected, done] = [0, 0, 0];
  /** `40 of 100 rows, 12 a second, 5 s left: 31 created, 9 rejected` */
  const progressText = (): string => {
    // A row with errors may turn out to be in after all, so more rows than expected may be done.
    const total = Math.max(expected, done);
    const speed = done / secondsSince(began);
    if (done === 0 || !Number.isFinite(speed)) return `${done} of ${rows(total)}`;
    const pace = speed < 1 ? `${Math.round(speed * secondsOfMinute)} a minute` : `${Math.round(speed)} a second`;
    const parts = [...counts].map(([state, count]) => `${count} ${rowStates[state].status.toLowerCase()}`);
    return `${done} of ${rows(total)}, ${pace}, ${duration((total - done) / speed)} left: ${parts.join(', ')}`;
  };
  return {
    begin: (total: number) => {
      began = performance.now();
      expected = total;
      terminal.progress(progressText);
    },
    row: (state: RowState) => {
      done += 1;
      counts.set(state, (counts.get(state) ?? 0) + 1);
      if (began !== 0) terminal.progress(progressText);
    },
  };
}

async function isConfirmed(dialog: LoadDialog, preview: Preview): Promise<boolean> {
  const { terminal, flags, service } = dialog;
  showPreview(dialog, preview);
  const { created, notCreated } = preview.settled;
  const hasEffect = toSendOf(preview) + created + notCreated > 0;
  if (hasEffect) needConfirmation(flags, terminal);
  const count = flags.skipLoaded ? 0 : preview.repeatable;
  if (count > 0) {
    const lines = preview.repeatedRows.map(({ sheet, row, message }) => `  ${sheet} row ${row}: ${textOf(message)}`);
    const shown = listed(lines, lines.length, count).join('\n');
    const equal = errorOf('rows-loaded-before', { rows: count, isOne: count === 1, lines: shown });
    if (!terminal.isInteractive) throw equal;
    terminal.say(equal.message);
    // When nothing else will be sent, the next question is enough.
    const isAsked = flags.yes || toSendOf(preview) > 0;
    if (isAsked && !(await terminal.ask('Skip them and send the others?'))) return false;
  }
  const runs = await dialog.ledger.runs();
  const isFirst = runs.every((run) => run.service !== dialog.session.identity);
  if (isFirst && !flags.fresh) terminal.warn(`This ledger knows nothing of earlier loads into ${service}.`);
  if (!flags.yes && (hasEffect || terminal.isInteractive)) return terminal.ask(questionOf(preview, service));
  terminal.say(`To be sent: ${sendingText(preview)}.`);
  return true;
}

/** A quiet load is silent when all is well. A possible duplicate is not. */
export function showPreview({ terminal, flags }: LoadDialog, preview: Preview): void {
  const text = flags.quiet ? recordsTwiceText(preview) : previewText(preview);
  if (text !== null) terminal.warn(text);
}

/** `5 rows are already loaded. Send 1 row (amounts: 100.00) to https://…?` */
function questionOf(preview: Preview, service: string): string {
  const isIn = preview.sheets.reduce((total, { staying }) => total + (staying['already-loaded'] ?? 0), 0);
  const already = isIn === 0 ? '' : `${rows(isIn)} ${isIn === 1 ? 'is' : 'are'} already loaded. `;
  const settles = preview.settled.created + preview.settled.notCreated > 0;
  return toSendOf(preview) === 0
    ? `${already}There is no row to send to ${service}. ${settles ? 'Take the answers of the ID cells and write' : 'Write'} the results?`
    : `${already}Send ${sendingText(preview)} to ${service}?`;
}

export function toSendOf({ sheets }: Pick<Preview, 'sheets'>): number {
  return sheets.reduce((total, { toSend }) => total + toSend, 0);
}

export function tellEnd(dialog: LoadDialog, result: SendingResult | null): number {
  const { terminal, answer, flags } = dialog;
  if (result === null) {
    const declined = errorOf('load-declined');
    answer.giveFailure(declined);
    terminal.warn(declined.message);
    return exitCodes.usage;
  }
  const code = exitCodeOfRun(result);
  const place = flags.movesResults || result.unwritten !== null ? [] : [`Results: ${result.results}`];
  const text = [resultText(result, dialog), ...place].join('\n');
  if (code === exitCodes.allIn) terminal.say(text);
  else terminal.warn(text);
  for (const line of besidesText(result.besides, result.results)) terminal.warn(line);
  if (result.unwritten === null) answer.giveLoad(resultJson(result));
  else answer.giveFailure(result.unwritten, resultJson(result));
  return code;
}

/** Asks the service something other than a load. */
export async function askService<Result>(
  choice: ServiceChoice,
  terminal: Terminal,
  ask: (client: ServiceClient, session: ServiceSession) => Promise<Result>,
  events: ServiceEvents = {},
  signal?: AbortSignal,
): Promise<Result> {
  const session = await openService(choice);
  // The notice of a rehearsal is about links in results.
  if (session.notice !== null && addressOf(choice) !== null) terminal.warn(textOf(session.notice));
  try {
    const { asking } = await import('../service/client.ts');
    return await asking(session.connect(events), (client) => ask(client, session), signal);
  } finally {
    await session.close();
  }
}

/** A shorter pause is over before anyone has read the message. */
const shortestShownMs = 5_000;
/** Repeated pauses are not reported more often than this. */
const betweenTellingsMs = 60_000;

export function tellPauses(terminal: Pick<Terminal, 'say'>): ServiceEvents {
  let silentUntil = 0;
  const tell = (milliseconds: number, text: (time: string) => string) => {
    const now = performance.now();
    if (milliseconds < shortestShownMs || now < silentUntil) return;
    silentUntil = now + Math.max(milliseconds, betweenTellingsMs);
    terminal.say(text(duration(milliseconds / 1000)));
  };
  return {
    onWait: ({ milliseconds, code, status }) => {
      const why = textOf(messageOf(`pause-${code}`, { status }));
      tell(milliseconds, (time) => `${why} Sending goes on by itself in ${time}.`);
    },
    onLost: ({ milliseconds, fault }) => {
      const why = textOf(fault);
      tell(milliseconds, (time) => `${why} It is tried again for ${time}, and sending goes on by itself.`);
    },
  };
}
