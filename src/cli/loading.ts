/** What the commands that load have around them: a log, a ledger, a service, a progress, and a person who may interrupt. */
import { basename } from 'node:path';
import type { Ledger } from '../ledger/ledger.ts';
import { isSandbox } from '../ledger/sandbox-identity.ts';
import type { Connect, SendingResult } from '../load/sending.ts';
import { commandText } from '../messages/commands.ts';
import { heldByRun, numberless, unlikeLast } from '../plan/like-last.ts';
import type { LoadPlan } from '../plan/written-plan.ts';
import type { Exchange } from '../service/exchange.ts';
import { type LedgerFlags, ledgerFiles } from '../settings/ledger-choice.ts';
import { ownerOf, type ServiceChoice, type ServiceFlags } from '../settings/service-choice.ts';
import { type RunService, type ServiceSession, typedPace } from '../settings/service-session.ts';
import { exitCodeSeen, interruption } from './interruption.ts';
import { type LoadEnd, type Notice, noticeOf, notify } from './notify.ts';
import { type ReadingFlags, readingOptions } from './reading.ts';
import type { EventLog } from './talk/event-log.ts';
import type { Failure, JsonAnswer } from './talk/json-answer.ts';
import { tellingPauses } from './talk/pause-talk.ts';
import type { SendingFlags, SendingTalk } from './talk/sending-talk.ts';
import { rows } from './terminal/figures.ts';
import { loadProgress } from './terminal/progress.ts';
import type { Terminal } from './terminal/terminal.ts';
import { endOf } from './told-error.ts';

/** Who hears how a load ends. */
export interface Audience {
  readonly log: EventLog;
  readonly answer: JsonAnswer;
  readonly terminal: Terminal;
  readonly notice: Notice | null;
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
  const { log, answer, terminal, notice } = audience;
  const tell = (came: Pick<LoadEnd, 'exitCode' | 'counts' | 'error' | 'unlike'>) =>
    notify(notice, { ...answer.subject, run: answer.runUnderWay, ...came }, terminal);
  try {
    const came = await work();
    if (!('result' in came)) return came;
    const { code, result, unlike } = came;
    log.end(result, exitCodeSeen(code));
    if (result !== null) await tell({ exitCode: exitCodeSeen(code), counts: result.counts, error: null, unlike });
    return came;
  } catch (error) {
    const { code, ...end } = endOf(error);
    const exitCode = exitCodeSeen(end.exitCode);
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
  flags: ServiceFlags & LedgerFlags & { readonly notify?: string | undefined },
  file: string,
  terminal: Terminal,
): Notice | null {
  const owner = ownerOf(flags);
  const series = [ledgerFiles(flags), owner?.name ?? '', numberless(basename(file))].join('\n');
  return noticeOf(flags.notify, owner, series, terminal);
}

export interface LoadSetting {
  readonly terminal: Terminal;
  readonly answer: JsonAnswer;
  readonly ledger: Ledger;
  readonly log: EventLog;
  readonly flags: SendingFlags;
  readonly open: RunService['open'];
}

/** A load that can be told, and interrupted. */
export interface LoadUnderWay {
  readonly session: ServiceSession;
  readonly connect: (rows: number, onExchange?: (exchange: Exchange) => void) => ReturnType<Connect>;
  readonly talk: SendingTalk;
}

/** Opens the service for the time of a load. */
export async function duringLoad<Result>(
  { terminal, answer, ledger, log, flags, open }: LoadSetting,
  load: (underWay: LoadUnderWay) => Promise<Result>,
): Promise<Result> {
  const interrupted = interruption(terminal, answer, {
    stopping: () =>
      answer.runUnderWay === null
        ? 'Stopping before the first row.'
        : 'Stopping: nothing new is sent, and what is under way may finish (30 s). Press Ctrl-C again to leave at once.',
    leaving: () => leftLoad(ledger, answer.runUnderWay),
  });
  const { signal } = interrupted;
  const progress = loadProgress(terminal);
  // The line gives way before anything is said of the interruption.
  signal.addEventListener('abort', () => progress.end(), { once: true });
  let session: ServiceSession | null = null;
  try {
    session = await open();
    if (session.notice !== null) terminal.say(session.notice);
    const { connect, identity, url } = session;
    answer.about({ service: url.href });
    // A ledger that another command has made, or from which all was forgotten, knows as little as a new one.
    const ledgerIsNew = ledger.isNew || (await ledger.runs()).length === 0;
    const isRehearsal = isSandbox(identity);
    // A rehearsal is told as one: its address says nothing to a person.
    const service = isRehearsal ? 'the sandbox' : url.href;
    return await load({
      session,
      connect: (rows, onExchange) => connect(rows, tellingPauses(log.service, terminal), onExchange),
      talk: { terminal, answer, flags, service, isRehearsal, ledgerIsNew, signal, progress },
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
    remedy: `Continue with: ${commandText('resume', run)}`,
  };
}

/** The options that every load of a file has, as a person says them. */
export function sendingOptions(
  flags: ReadingFlags & ServiceFlags,
  choice: ServiceChoice,
  { session, talk }: LoadUnderWay,
) {
  return {
    ...readingOptions(flags, choice.contract),
    service: session.identity,
    serviceUrl: session.url.href,
    serviceName: { ...session.name, ...typedPace(flags) },
    idempotencyKeys: choice.idempotencyKeys,
    batch: choice.batch.value,
    signal: talk.signal,
  };
}
