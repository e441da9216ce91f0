/** What the commands that load have around them: a log, a ledger, a service, and a person who may interrupt. */
import { basename } from 'node:path';
import type { Ledger } from '../ledger/ledger.ts';
import { isSandbox } from '../ledger/run-records.ts';
import type { Connect, SendingResult } from '../load/sending.ts';
import { commandText } from '../messages/commands.ts';
import { heldByRun, numberless, unlikeLast } from '../plan/expectations.ts';
import type { Exchange } from '../service/exchange.ts';
import { type LedgerFlags, ledgerFiles } from '../settings/ledger-choice.ts';
import { ownerOf, type ServiceChoice, type ServiceFlags } from '../settings/service-choice.ts';
import { type RunService, type ServiceSession, typedPace } from '../settings/service-session.ts';
import { exitCodeSeen, interruption } from './interruption.ts';
import { type ReadingFlags, readingOptions } from './reading.ts';
import type { EventLog } from './talk/event-log.ts';
import { endOf, type Failure, type JsonAnswer } from './talk/json-answer.ts';
import { type LoadEnd, type Notice, noticeOf, notify } from './talk/notify.ts';
import { tellingPauses } from './talk/pause-talk.ts';
import type { SendingFlags, SendingTalk } from './talk/sending-talk.ts';
import type { Terminal } from './terminal/terminal.ts';

/** Who hears how a load ends. */
export interface Audience {
  readonly log: EventLog;
  readonly answer: JsonAnswer;
  readonly terminal: Terminal;
  readonly notice: Notice | null;
}

export interface LoadCame {
  readonly code: number;
  /** `null` for a plan, and where a person said no: no notification is sent for these. */
  readonly result: SendingResult | null;
  /** What is far from the last load of such a file. */
  readonly unlike: readonly string[];
}

/** Does the work of a load: whatever it comes to, the log has its end, and who is to be notified hears of it. */
export async function concluded(
  { log, answer, terminal, notice }: Audience,
  work: () => Promise<LoadCame>,
): Promise<LoadCame> {
  const tell = async (came: Omit<LoadEnd, 'run' | 'service' | 'file'>, isNotified: boolean) => {
    const { service, file } = answer.subject;
    const end = { ...came, exitCode: exitCodeSeen(came.exitCode), run: answer.runUnderWay, service, file };
    log.end(end);
    if (isNotified && notice !== null) await notify(notice, end, terminal);
  };
  try {
    const came = await work();
    const { code: exitCode, result, unlike } = came;
    const { counts = null, seconds = null } = result ?? {};
    await tell({ exitCode, counts, seconds, error: null, unlike }, result !== null);
    return came;
  } catch (error) {
    const { exitCode, code } = endOf(error);
    await tell({ exitCode, counts: null, seconds: null, error: code, unlike: [] }, true);
    throw error;
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
): Notice | null {
  const owner = ownerOf(flags);
  const series = [ledgerFiles(flags), owner?.name ?? '', numberless(basename(file))].join('\n');
  return noticeOf(flags.notify, owner, series);
}

export interface LoadSetting extends Omit<Audience, 'notice' | 'log'> {
  /** Hears of pauses and retries; `null` where no log is kept. */
  readonly log: EventLog | null;
  readonly ledger: Ledger;
  readonly flags: SendingFlags;
  readonly open: RunService['open'];
}

/** A load that can be told, and interrupted. */
export interface LoadUnderWay {
  readonly session: ServiceSession;
  readonly connect: (onExchange?: (exchange: Exchange) => void) => ReturnType<Connect>;
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
    leaving: () => leftLoad(answer.runUnderWay),
  });
  const { signal } = interrupted;
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
      connect: (onExchange) => connect(tellingPauses(log?.service ?? {}, terminal), onExchange),
      talk: { terminal, answer, flags, service, isRehearsal, ledgerIsNew, signal },
    });
  } finally {
    interrupted.stop();
    await session?.close();
  }
}

/** @param run  the run that is under way, or `null` before the first row */
function leftLoad(run: string | null): Failure {
  if (run === null) {
    const remedy = 'Run the same command again.';
    return { code: 'interrupted', message: 'Left at once. Nothing was sent.', remedy };
  }
  return {
    code: 'interrupted',
    message: `Left at once: the run ${run}. What was on its way may be in or not. The results sheet, where there is one, is older than that.`,
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
