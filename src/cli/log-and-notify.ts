/**
 * Who else hears of a load: an event log for schedules, and a program or web address that is notified when a person is needed. Its
 * one rule: no value of a row, no token and no message of the service goes there. Delivery never changes the load or its exit code.
 */
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Counts, emptyCounts } from '../contract/row-state.ts';
import { firstLineOf } from '../disk/file-pieces.ts';
import { folderOwnerOnly, ownerOnly } from '../disk/new-file.ts';
import { type KeptFile, needWritable } from '../disk/output-guard.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { SendingResult } from '../load/sending.ts';
import { errorOf, textOf } from '../messages/text.ts';
import { contentsOfRun, numberless, unlikeLast } from '../plan/expectations.ts';
import { isLoopback, proxyOf } from '../service/address.ts';
import { printedBy } from '../service/program.ts';
import { stateFolder } from '../settings/configuration.ts';
import type { Flags } from '../settings/flags.ts';
import { ledgerFiles } from '../settings/ledger-choice.ts';
import { serviceProfileOf } from '../settings/service.ts';
import { exitCodeSeen, exitCodes, type Failure, failureOf, type JsonAnswer } from './command-end.ts';
import { rounded, rows } from './formats.ts';
import type { Terminal } from './terminal.ts';

export interface LoadEnded {
  readonly code: number;
  /** `null` for a plan, or when the person declined: these send no notification. */
  readonly result: SendingResult | null;
  /** What differs greatly from the last load of such a file. */
  readonly unlike?: readonly string[];
}

export type EventLog = (event: string, facts: object) => void;

/**
 * @param name  the name of the loaded file
 * @param kept  files that events must not overwrite
 */
export async function openListeners(
  flags: Flags,
  { name, kept }: { readonly name: string; readonly kept: readonly KeptFile[] },
  terminal: Terminal,
  answer: JsonAnswer,
) {
  const log: EventLog = flags.log === undefined ? () => {} : await openLog(flags.log, kept, terminal);
  const notification = notificationOf(flags, name);
  const end = async (code: number, failure: Failure | null, { result, unlike = [] }: Partial<LoadEnded>) => {
    const { service, file } = answer.subject;
    const { counts = null, seconds = null } = result ?? {};
    const [exitCode, run] = [exitCodeSeen(code), answer.runUnderWay];
    const why = { error: failure?.code ?? null, reason: failure?.reason ?? null };
    const time = seconds === null ? null : rounded(seconds);
    log('end', { run, exitCode, seconds: time, counts, ...(failure !== null && why) });
    if (notification === null || result === null) return;
    const loaded = { file: basename(file ?? 'dealsheet'), exitCode, run, service, counts, ...why };
    await notification.tell(loaded, unlike).catch((error: unknown) => {
      terminal.warn(`The notification could not be delivered: ${whyOf(error)}. The load itself is not affected.`);
    });
  };
  return {
    log,
    /** Runs the work of a load. Whatever happens, the log gets its end event, and the notification is sent when due. */
    during: async (work: () => Promise<LoadEnded>): Promise<LoadEnded> => {
      try {
        const came = await work();
        await end(came.code, came.result?.unwritten ?? null, came);
        return came;
      } catch (error) {
        const failure = failureOf(error, answer.runUnderWay);
        await end(failure.exitCode, failure, {});
        throw error;
      }
    },
    /** What differs between an ended run and the last one, where a notification asks for it. */
    unlike: async (run: string | null, ledger: Ledger): Promise<readonly string[]> => {
      const share = notification?.unlikeLast ?? null;
      if (run === null || share === null) return [];
      const runs = await ledger.runs();
      const ended = runs.find(({ id }) => id === run);
      const contents = ended && contentsOfRun(ended);
      return (contents && unlikeLast(contents, runs, share)?.map(textOf)) ?? [];
    },
  };
}

/** Row events are batched, because one write per row would cost as much as the rest. */
const rowsInWrite = 200;

/** Opens a log, appending to an existing one. A log that becomes unwritable is reported once, and does not stop the load. */
async function openLog(path: string, kept: readonly KeptFile[], terminal: Terminal): Promise<EventLog> {
  const isEarlier = async () => /^\{"time":"[^"]*","event":"/.test(await firstLineOf(path));
  await needWritable({ path, flag: '--log', kept, what: 'log', isEarlier });
  appendFileSync(path, '', { mode: ownerOnly });
  let waiting: string[] = [];
  let isLost = false;
  return (event, facts) => {
    if (isLost) return;
    waiting.push(`${JSON.stringify({ time: new Date().toISOString(), event, ...facts })}\n`);
    if (event === 'row' && waiting.length < rowsInWrite) return;
    try {
      appendFileSync(path, waiting.join(''));
    } catch (error) {
      terminal.warn(`The log ${path} can no longer be written (${whyOf(error)}). The load goes on without it.`);
      isLost = true;
    }
    waiting = [];
  };
}

function whyOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(/\.$/, '') : 'unknown';
}

/** What a notification tells of a load: no value of its rows. */
interface NotifiedFacts {
  readonly file: string;
  readonly exitCode: number;
  readonly run: string | null;
  readonly service: string | null;
  /** `null` when a run was interrupted or never began. */
  readonly counts: Counts | null;
  /** The codes of the error that ended the load, and of its text. */
  readonly error: string | null;
  readonly reason: string | null;
}

const marksFolder = join(stateFolder, 'notified');

function notificationOf(flags: Flags, file: string) {
  const serviceProfile = serviceProfileOf(flags);
  const { notify: typed } = flags;
  const { notify: ofProfile } = serviceProfile?.profile ?? {};
  const target = typed === undefined ? ofProfile : /^https?:/.test(typed) ? { url: typed } : { command: [typed] };
  if (target === undefined) return null;
  const folder = typed === undefined ? dirname(serviceProfile?.file ?? '') : process.cwd();
  const address = target.url === undefined ? null : webAddress(target.url);
  // A series is identified by the file name without month or number.
  const series = [ledgerFiles(flags), serviceProfile?.name ?? '', numberless(file)].join('\n');
  /** This file exists after a bad load of the series. The next good load then sends a recovery. */
  const mark = join(marksFolder, createHash('sha256').update(series).digest('hex'));
  return {
    /** The share by which rows and sums may differ from the last load of such a file; `null` for no comparison. */
    unlikeLast: ofProfile?.unlikeLast ?? null,
    tell: async (loaded: NotifiedFacts, unlike: readonly string[]): Promise<void> => {
      const troubles = troublesOf(loaded, unlike, ofProfile?.wrongAbove ?? 0);
      const isWell = troubles.length === 0;
      if (isWell && !existsSync(mark)) return;
      if (!isWell) leaveMark(mark);
      const message = notificationJson(isWell ? ['recovered'] : troubles, loaded, unlike);
      if (address !== null) await post(address, message);
      else await printedBy({ command: target.command ?? [], folder, timeoutMs: longestDelivery }, `${message}\n`);
      if (isWell) rmSync(mark, { force: true });
    },
  };
}

/** The address may contain a secret, so it is not repeated. */
function webAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url !== null && (url.protocol === 'https:' || isLoopback(url.hostname))) return url;
  throw errorOf('notify-address');
}

function leaveMark(mark: string): void {
  try {
    mkdirSync(marksFolder, { recursive: true, mode: folderOwnerOnly });
    writeFileSync(mark, '', { mode: ownerOnly });
  } catch {
    // Without the mark, only the recovery is not sent.
  }
}

const endings = {
  failed: 'The load failed: nothing was sent',
  stopped: 'The load stopped early',
  'in-doubt': 'Rows are in doubt',
  'wrong-rows': 'Rows are wrong',
  'unlike-last': 'Rows or amounts are far from those of the last load',
  recovered: 'All is well again',
} as const;
type Ending = keyof typeof endings;

const endedInOrder: readonly number[] = [exitCodes.allIn, exitCodes.someNotIn, exitCodes.inDoubt];

function troublesOf({ exitCode, run, counts, error }: NotifiedFacts, unlike: readonly string[], wrongAbove: number) {
  const { rows: all, inDoubt } = counts ?? emptyCounts();
  const has: readonly (readonly [boolean, Ending])[] = [
    [error !== null || !endedInOrder.includes(exitCode), run === null ? 'failed' : 'stopped'],
    [inDoubt > 0, 'in-doubt'],
    [wrongIn(counts) / Math.max(all, 1) > wrongAbove, 'wrong-rows'],
    [unlike.length > 0, 'unlike-last'],
  ];
  return has.flatMap(([isSo, ending]) => (isSo ? [ending] : []));
}

function wrongIn(counts: Counts | null): number {
  return counts === null ? 0 : counts.invalid + counts.rejected + counts.failed;
}

/** One JSON object. Chat programs show its `text`. */
function notificationJson(events: readonly Ending[], loaded: NotifiedFacts, unlike: readonly string[]): string {
  const { file, run, service, counts, exitCode } = loaded;
  const into = service === null ? '' : ` into ${service}`;
  const figures = counts === null ? '' : ` ${rows(counts.rows)}, ${wrongIn(counts)} wrong, ${counts.inDoubt} in doubt.`;
  const text = [
    `${file}${into}: ${events.map((event) => endings[event]).join('. ')}.${figures}`,
    ...unlike,
    `${run === null ? '' : `Run ${run}, `}exit code ${exitCode}.`,
  ].join('\n');
  return JSON.stringify({ text, events, ...loaded });
}

const longestDelivery = 15_000;

async function post(url: URL, body: string): Promise<void> {
  const { fetch, ProxyAgent } = await import('undici');
  const proxy = proxyOf(url, process.env);
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(longestDelivery),
    ...(proxy && { dispatcher: new ProxyAgent(proxy.url.href) }),
  }).catch((error: Error) => {
    throw new Error(`${url.host} cannot be reached`, { cause: error });
  });
  // An answer that goes on would keep the program from ending.
  await answer.body?.cancel();
  if (!answer.ok) throw new Error(`${url.host} answered ${answer.status}`);
}
