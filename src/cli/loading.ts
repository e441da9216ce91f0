/** What the commands that load have around them: a log, a service, a bar, and a person who may interrupt. */
import type { Ledger } from '../ledger/ledger.ts';
import { retryBudgetFor } from '../load/defaults.ts';
import type { Connect } from '../load/sending.ts';
import { interruption, stoppingLoad } from './interruption.ts';
import type { ServiceSession } from './settings/service-session.ts';
import type { EventLog } from './talk/event-log.ts';
import type { JsonAnswer } from './talk/json-answer.ts';
import { leftLoad } from './talk/leaving.ts';
import { tellingPauses } from './talk/pause-talk.ts';
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
    log.close();
  }
}

export interface LoadSetting {
  readonly terminal: Terminal;
  readonly answer: JsonAnswer;
  readonly flags: { readonly quiet: boolean };
  readonly ledger: Ledger;
  readonly log: EventLog;
  readonly open: () => Promise<ServiceSession>;
}

/** A load that can be told, and interrupted. */
export interface LoadUnderWay {
  readonly session: ServiceSession;
  readonly connect: Connect;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** Opens the service for the time of a load. */
export async function duringLoad(
  { terminal, answer, flags, ledger, log, open }: LoadSetting,
  load: (underWay: LoadUnderWay) => Promise<number>,
): Promise<number> {
  const interrupted = interruption(terminal, answer, {
    stopping: () => stoppingLoad(answer.runUnderWay),
    leaving: () => leftLoad(ledger, answer.runUnderWay),
  });
  try {
    const session = await open();
    if (session.notice !== null) terminal.say(session.notice);
    const progress = loadProgress(terminal, flags);
    const connect = (rows: number) => session.connect(retryBudgetFor(rows), tellingPauses(log.service, terminal));
    try {
      return await load({ session, connect, progress, signal: interrupted.signal });
    } finally {
      progress.end();
      interrupted.stop();
      await session.close();
    }
  } finally {
    interrupted.stop();
  }
}
