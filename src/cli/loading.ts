/** What the commands that load have around them: a log, a ledger, a service, a progress, and a person who may interrupt. */
import type { Ledger } from '../ledger/ledger.ts';
import type { Connect } from '../load/sending.ts';
import { commandText } from '../messages/commands.ts';
import { interruption } from './interruption.ts';
import { type ReadingFlags, readingOptions } from './reading.ts';
import type { ServiceChoice, ServiceFlags } from './settings/service-choice.ts';
import { type RunService, type ServiceSession, typedPace } from './settings/service-session.ts';
import type { EventLog } from './talk/event-log.ts';
import type { Failure, JsonAnswer } from './talk/json-answer.ts';
import { tellingPauses } from './talk/pause-talk.ts';
import { rows } from './terminal/figures.ts';
import { loadProgress, type Progress } from './terminal/progress.ts';
import type { Terminal } from './terminal/terminal.ts';

/** Does the work of a load that is logged: whatever it comes to, the log has its end. */
export async function logged(log: EventLog, answer: JsonAnswer, work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    log.fail(answer.runUnderWay, error);
    throw error;
  } finally {
    log.flush();
  }
}

export interface LoadSetting {
  readonly terminal: Terminal;
  readonly answer: JsonAnswer;
  readonly ledger: Ledger;
  readonly log: EventLog;
  readonly open: RunService['open'];
}

/** A load that can be told, and interrupted. */
export interface LoadUnderWay {
  readonly session: ServiceSession;
  readonly connect: Connect;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** Opens the service for the time of a load. */
export async function duringLoad<Result>(
  { terminal, answer, ledger, log, open }: LoadSetting,
  load: (underWay: LoadUnderWay) => Promise<Result>,
): Promise<Result> {
  const interrupted = interruption(terminal, answer, {
    stopping: () =>
      answer.runUnderWay === null
        ? 'Stopping before the first row.'
        : 'Stopping: nothing new is sent, and what is under way may finish (30 s). Interrupt again to leave at once.',
    leaving: () => leftLoad(ledger, answer.runUnderWay),
  });
  const progress = loadProgress(terminal);
  // The line gives way before anything is said of the interruption.
  interrupted.signal.addEventListener('abort', () => progress.end(), { once: true });
  let session: ServiceSession | null = null;
  try {
    session = await open();
    if (session.notice !== null) terminal.say(session.notice);
    const { connect } = session;
    return await load({
      session,
      connect: (rows) => connect(rows, tellingPauses(log.service, terminal)),
      progress,
      signal: interrupted.signal,
    });
  } finally {
    progress.end();
    interrupted.stop();
    await session?.close();
  }
}

/** A ledger that does not answer at once is not waited for by a person who leaves. */
const longestMs = 1000;

/** @param run  the run that is under way, or `null` before the first row */
async function leftLoad(ledger: Ledger, run: string | null): Promise<Failure> {
  if (run === null) {
    const remedy = 'Run the same command again.';
    return { code: 'interrupted', message: 'Left at once. Nothing was sent.', remedy };
  }
  // What has left and has no answer in the ledger: a resume finds just these in doubt.
  const counted = ledger.counts(run).then(
    ({ sending = 0 }) =>
      `${rows(sending)} ${sending === 1 ? 'was on its way' : 'were on their way'} and may be in or not`,
    () => null,
  );
  const tooLate = new Promise<null>((resolve) => setTimeout(resolve, longestMs, null));
  const inDoubt = (await Promise.race([counted, tooLate])) ?? 'What was on its way may be in or not';
  return {
    code: 'interrupted',
    message: `Left at once: the run ${run}. ${inDoubt}. The results sheet, where there is one, is older than that.`,
    remedy: `Go on with: ${commandText('resume', run)}`,
  };
}

/** The options that every load of a file has, as a person says them. */
export function sendingOptions(
  flags: ReadingFlags & ServiceFlags,
  choice: ServiceChoice,
  { session, signal }: LoadUnderWay,
) {
  return {
    ...readingOptions(flags, choice.contract),
    service: session.identity,
    serviceUrl: session.url.href,
    serviceName: { ...session.name, ...typedPace(flags) },
    idempotencyKeys: choice.idempotencyKeys,
    batch: choice.batch.value,
    signal,
  };
}
