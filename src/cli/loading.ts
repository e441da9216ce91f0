/** What the commands that load have around them: a log, a ledger, a service, a progress, and a person who may interrupt. */
import { basename } from 'node:path';
import type { Ledger } from '../ledger/ledger.ts';
import type { Connect, SendingResult } from '../load/sending.ts';
import { commandText } from '../messages/commands.ts';
import { heldByRun, unlikeLast } from '../plan/like-last.ts';
import type { LoadPlan } from '../plan/written-plan.ts';
import { interruption } from './interruption.ts';
import { type LoadEnd, type Notice, noticeOf, notify } from './notify.ts';
import { type ReadingFlags, readingOptions } from './reading.ts';
import { ownerOf, type ServiceChoice, type ServiceFlags } from './settings/service-choice.ts';
import { type RunService, type ServiceSession, typedPace } from './settings/service-session.ts';
import type { EventLog } from './talk/event-log.ts';
import type { Failure, JsonAnswer } from './talk/json-answer.ts';
import { tellingPauses } from './talk/pause-talk.ts';
import { rows } from './terminal/figures.ts';
import { loadProgress, type Progress } from './terminal/progress.ts';
import type { Terminal } from './terminal/terminal.ts';
import { endOf } from './told-error.ts';

/** Who hears how a load ends. */
export interface Audience {
  readonly log: EventLog;
  readonly answer: JsonAnswer;
  readonly terminal: Terminal;
  readonly notice: Notice | null;
  /** The path of the ledger. */
  readonly ledger: string;
}

/** What a load came to; of a plan, nobody else hears. */
export type LoadCame = { readonly code: number } & (
  | {
      /** `null` where a person said no. */
      readonly result: SendingResult | null;
      /** What is far from the last load of such a file. */
      readonly unlike: readonly string[];
    }
  | { readonly planned: LoadPlan }
);

/** Does the work of a load: whatever it comes to, the log has its end, and who is to be notified hears of it. */
export async function concluded(audience: Audience, work: () => Promise<LoadCame>): Promise<LoadCame> {
  const { log, answer, terminal, notice, ledger } = audience;
  const tell = (came: Pick<LoadEnd, 'exitCode' | 'counts' | 'error' | 'unlike'>) =>
    notify(notice, { ...answer.subject, run: answer.runUnderWay, ...came }, ledger, terminal);
  try {
    const came = await work();
    if (!('result' in came)) return came;
    const { code, result, unlike } = came;
    log.end(result, code);
    if (result !== null) await tell({ exitCode: code, counts: result.counts, error: null, unlike });
    return came;
  } catch (error) {
    const { exitCode, code } = endOf(error);
    log.fail(answer.runUnderWay, { exitCode, code });
    await tell({ exitCode, counts: null, error: code, unlike: [] });
    throw error;
  } finally {
    log.flush();
  }
}

/** What is far from the last load of such a file, where somebody is to be notified of that. */
export async function unlikeOf(notice: Notice | null, run: string | null, ledger: Ledger): Promise<readonly string[]> {
  const share = notice?.unlikeLast ?? null;
  if (run === null || share === null) return [];
  const runs = await ledger.runs();
  const own = runs.find(({ id }) => id === run);
  const held = own === undefined ? null : heldByRun(own);
  return held === null ? [] : (unlikeLast(held, runs, share) ?? []);
}

/** The series of loads that a file belongs to is known by its name. */
export function noticeFor(
  flags: ServiceFlags & { readonly notify?: string | undefined },
  file: string,
  terminal: Terminal,
): Notice | null {
  return noticeOf(flags.notify, ownerOf(flags), basename(file), terminal);
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
