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
import type { SendingEvents, SendingResult } from '../load/sending.ts';
import { errorOf, textOf } from '../messages/text.ts';
import { contentsOfRun, numberless, unlikeLast } from '../plan/expectations.ts';
import { countsByCode } from '../plan/finding-groups.ts';
import { isLoopback, proxyOf } from '../service/address.ts';
import { printedBy } from '../service/program.ts';
import { stateFolder } from '../settings/configuration.ts';
import type { Flags } from '../settings/flags.ts';
import { ledgerFiles } from '../settings/ledger-choice.ts';
import { ownerOf } from '../settings/service.ts';
import { exitCodeSeen, exitCodes, type Failure, failureOf, type JsonAnswer } from './command-end.ts';
import { rounded, rows } from './formats.ts';
import type { Terminal } from './terminal.ts';

export interface LoadEnded {
  readonly code: number;
  /** `null` for a plan, or when the person declined: these send no notification. */
  readonly result: SendingResult | null;
}

interface LoadEnd extends Pick<JsonAnswer['subject'], 'run' | 'service' | 'file'> {
  readonly exitCode: number;
  /** `null` when a run was interrupted or never began. */
  readonly counts: Counts | null;
  readonly seconds: number | null;
  /** The codes of what ended the load before its end, and of its text. */
  readonly error: string | null;
  readonly reason: string | null;
  /** What differs greatly from the last load of such a file. */
  readonly unlike: readonly string[];
}

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
  const tell = flags.log === undefined ? () => {} : await openLog(flags.log, kept, terminal);
  const notice = noticeOf(flags, name);
  let unlike: readonly string[] = [];
  const end = async (code: number, failure: Failure | null, { result }: Partial<LoadEnded>) => {
    const { service, file } = answer.subject;
    const { counts = null, seconds = null } = result ?? {};
    const why = { error: failure?.code ?? null, reason: failure?.reason ?? null };
    const of = { exitCode: exitCodeSeen(code), run: answer.runUnderWay, service, file, counts, seconds, unlike };
    const time = seconds === null ? null : rounded(seconds);
    tell('end', { run: of.run, exitCode: of.exitCode, seconds: time, counts, ...(failure !== null && why) });
    if (notice !== null && result !== null) await notify(notice, { ...of, ...why }, terminal);
  };
  return {
    watch: (events: SendingEvents): SendingEvents => ({
      ...events,
      onHealth: (health) => {
        tell('health', { state: health.state });
        events.onHealth(health);
      },
      onBegin: (run, preview) => {
        const sheets = preview.sheets.map(({ kind, rows, staying: { invalid = 0 } }) => {
          return { kind: kind.name, rows, invalidRows: invalid };
        });
        tell('begin', { run, sheets, findings: countsByCode(preview.sheets.flatMap((sheet) => sheet.findings)) });
        events.onBegin(run, preview);
      },
      onRow: (event) => {
        const { sheet, row, state, code } = event;
        tell('row', { sheet, row, state, code }, rowsInWrite);
        events.onRow(event);
      },
      onReport: () => {
        tell('report', {});
        events.onReport();
      },
    }),
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
    /** Compares an ended run with the last one. Call it while the ledger is open. */
    compare: async (run: string | null, ledger: Ledger): Promise<void> => {
      const share = notice?.unlikeLast ?? null;
      if (run === null || share === null) return;
      const runs = await ledger.runs();
      const own = runs.find(({ id }) => id === run);
      const contents = own && contentsOfRun(own);
      if (contents) unlike = unlikeLast(contents, runs, share)?.map(textOf) ?? [];
    },
  };
}

/** Row events are batched, because one write per row would cost as much as the rest. */
const rowsInWrite = 200;

/** Opens a log, appending to an existing one. A log that becomes unwritable is reported once, and does not stop the load. */
async function openLog(path: string, kept: readonly KeptFile[], terminal: Terminal) {
  const isEarlier = () => /^\{"time":"[^"]*","event":"/.test(firstLineOf(path));
  await needWritable({ path, flag: '--log', kept, what: 'log', isEarlier });
  appendFileSync(path, '', { mode: ownerOnly });
  let waiting: string[] = [];
  let isLost = false;
  return (event: string, facts: Readonly<Record<string, unknown>>, mostWaiting = 1) => {
    if (isLost) return;
    waiting.push(`${JSON.stringify({ time: new Date().toISOString(), event, ...facts })}\n`);
    if (waiting.length < mostWaiting) return;
    try {
      appendFileSync(path, waiting.join(''));
    } catch (error) {
      const why = error instanceof Error ? error.message.replace(/\.$/, '') : 'unknown';
      terminal.warn(`The log ${path} can no longer be written (${why}). The load goes on without it.`);
      isLost = true;
    }
    waiting = [];
  };
}

interface Notice {
  readonly deliver: (message: string) => Promise<void>;
  /** The share of wrong rows above which to notify: 0.05. */
  readonly wrongAbove: number;
  /** The share by which rows and sums may differ from the last load of such a file; `null` for no comparison. */
  readonly unlikeLast: number | null;
  /** This file exists after a bad load of the series. The next good load then sends a recovery. */
  readonly mark: string;
}

const marksFolder = join(stateFolder, 'notified');

function noticeOf(flags: Flags, file: string): Notice | null {
  const owner = ownerOf(flags);
  const { notify: typed } = flags;
  const ofProfile = owner?.profile.notify;
  if (typed === undefined && ofProfile === undefined) return null;
  const said = typed === undefined ? ofProfile : /^https?:/.test(typed) ? { url: typed } : { command: [typed] };
  const folder = typed === undefined ? dirname(owner?.file ?? '') : process.cwd();
  const address = said?.url === undefined ? null : webAddress(said.url);
  // A series is identified by the file name without month or number.
  const series = [ledgerFiles(flags), owner?.name ?? '', numberless(file)].join('\n');
  return {
    async deliver(message) {
      if (address !== null) await post(address, message);
      else await printedBy({ command: said?.command ?? [], folder, timeoutMs: longestDelivery }, `${message}\n`);
    },
    wrongAbove: ofProfile?.wrongAbove ?? 0,
    unlikeLast: ofProfile?.unlikeLast ?? null,
    mark: join(marksFolder, createHash('sha256').update(series).digest('hex')),
  };
}

/** The address may contain a secret, so it is not repeated. */
function webAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url !== null && (url.protocol === 'https:' || isLoopback(url.hostname))) return url;
  throw errorOf('notify-address');
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

async function notify({ mark, wrongAbove, deliver }: Notice, end: LoadEnd, terminal: Terminal): Promise<void> {
  try {
    const troubles = troublesOf(end, wrongAbove);
    if (troubles.length > 0) {
      leaveMark(mark);
      await deliver(messageOf(troubles, end));
    } else if (existsSync(mark)) {
      await deliver(messageOf(['recovered'], end));
      rmSync(mark, { force: true });
    }
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/\.$/, '') : 'unknown';
    terminal.warn(`The notification could not be delivered: ${why}. The load itself is not affected.`);
  }
}

function leaveMark(mark: string): void {
  try {
    mkdirSync(marksFolder, { recursive: true, mode: folderOwnerOnly });
    writeFileSync(mark, '', { mode: ownerOnly });
  } catch {
    // Without the mark, only the recovery is not sent.
  }
}

const ended: readonly number[] = [exitCodes.allIn, exitCodes.someNotIn, exitCodes.inDoubt];

function troublesOf({ exitCode, run, counts, error, unlike }: LoadEnd, wrongAbove: number): readonly Ending[] {
  const { rows: all, inDoubt } = counts ?? emptyCounts();
  const has: readonly (readonly [boolean, Ending])[] = [
    [error !== null || !ended.includes(exitCode), run === null ? 'failed' : 'stopped'],
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
function messageOf(events: readonly Ending[], { file, unlike, seconds: _, ...end }: LoadEnd): string {
  const { run, service, counts, exitCode } = end;
  const name = file === null ? 'dealsheet' : basename(file);
  const into = service === null ? '' : ` into ${service}`;
  const figures = counts === null ? '' : ` ${rows(counts.rows)}, ${wrongIn(counts)} wrong, ${counts.inDoubt} in doubt.`;
  const text = [
    `${name}${into}: ${events.map((event) => endings[event]).join('. ')}.${figures}`,
    ...unlike,
    `${run === null ? '' : `Run ${run}, `}exit code ${exitCode}.`,
  ].join('\n');
  return JSON.stringify({ text, events, file: name, ...end });
}

const longestDelivery = 15_000;

async function post(url: URL, body: string): Promise<void> {
  const { fetch, ProxyAgent } = await import('undici');
  const proxy = proxyOf(url, process.env);
  const { ok, status } = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(longestDelivery),
    ...(proxy && { dispatcher: new ProxyAgent(proxy.url.href) }),
  }).catch((error: Error) => {
    throw new Error(`${url.host} cannot be reached`, { cause: error });
  });
  if (!ok) throw new Error(`${url.host} answered ${status}`);
}
