/**
 * Tells a program or a web address that a load wants a person, and once all is well again. Its one rule: nothing of the rows and
 * no token goes with it, and whether it arrives or not, the load and its exit code stay as they are.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { type Counts, emptyCounts } from '../contract/row-state.ts';
import { usageError } from '../errors.ts';
import { folderOwnerOnly, ownerOnly } from '../file-modes.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { heldByRun, numberless, unlikeLast } from '../plan/expectations.ts';
import { isLoopback, proxyOf } from '../service/address.ts';
import { stateFolder } from '../settings/configuration.ts';
import type { FlagsNamed } from '../settings/flags.ts';
import { type LedgerFlags, ledgerFiles } from '../settings/ledger-choice.ts';
import { ownerOf, type ServiceFlags } from '../settings/service-choice.ts';
import { exitCodes } from './ending.ts';
import { rows } from './figures.ts';
import type { Terminal } from './terminal.ts';

export interface LoadEnd {
  readonly exitCode: number;
  readonly run: string | null;
  readonly service: string | null;
  readonly file: string | null;
  /** `null` where a run broke off, or came to nothing. */
  readonly counts: Counts | null;
  readonly seconds: number | null;
  /** The code of the error that ended it. */
  readonly error: string | null;
  readonly unlike: readonly string[];
}

export interface Notice {
  /** Hands one JSON object over. */
  readonly deliver: (message: string) => Promise<void>;
  /** The share of wrong rows above which it is told: 0.05. */
  readonly wrongAbove: number;
  /** By which share rows and sums may differ from the last load of such a file; `null` where that is not told. */
  readonly unlikeLast: number | null;
  /** Which loads are one series: the first good one after a bad one is told as a recovery. */
  readonly series: string;
}

/** Where the news of a load goes, by the flags or the profile; `null` where nothing is set. */
export function noticeOf(
  flags: ServiceFlags & LedgerFlags & FlagsNamed<readonly ['notify']>,
  file: string,
): Notice | null {
  const owner = ownerOf(flags);
  const { notify: typed } = flags;
  const ofProfile = owner?.profile.notify;
  if (typed === undefined && ofProfile === undefined) return null;
  const url = typed === undefined ? ofProfile?.url : /^https?:/.test(typed) ? typed : undefined;
  const command = typed === undefined ? (ofProfile?.command ?? []) : [typed];
  const folder = typed === undefined ? dirname(owner?.file ?? '') : process.cwd();
  const address = url === undefined ? null : webAddress(url);
  return {
    deliver: (message) => (address === null ? run(command, folder, message) : post(address, message)),
    wrongAbove: ofProfile?.wrongAbove ?? 0,
    unlikeLast: ofProfile?.unlikeLast ?? null,
    // Known by the name of the file, whatever its month or number.
    series: [ledgerFiles(flags), owner?.name ?? '', numberless(basename(file))].join('\n'),
  };
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

/** What stands in such an address may be a secret: it is not repeated. */
function webAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url !== null && (url.protocol === 'https:' || isLoopback(url.hostname))) return url;
  throw usageError(
    'The web address to notify is not one that begins with https://.',
    'Correct --notify, or "notify" in the profile. Nothing was sent.',
  );
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

export async function notify(notice: Notice, end: LoadEnd, terminal: Terminal): Promise<void> {
  const folder = join(stateFolder, 'notified');
  const mark = join(folder, createHash('sha256').update(notice.series).digest('hex'));
  try {
    const troubles = troublesOf(end, notice);
    if (troubles.length > 0) {
      mkdirSync(folder, { recursive: true, mode: folderOwnerOnly });
      writeFileSync(mark, '', { mode: ownerOnly });
      await notice.deliver(messageOf(troubles, end));
    } else if (existsSync(mark)) {
      await notice.deliver(messageOf(['recovered'], end));
      rmSync(mark, { force: true });
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : 'unknown';
    terminal.warn(`The notification could not be delivered: ${why}. The load is as it is told here.`);
  }
}

const ended: readonly number[] = [exitCodes.allIn, exitCodes.someNotIn, exitCodes.inDoubt];

function troublesOf({ exitCode, run, counts, error, unlike }: LoadEnd, { wrongAbove }: Notice): readonly Ending[] {
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

/** The program gets the object on its standard input, and no token by its environment. */
function run([program = '', ...words]: readonly string[], folder: string, message: string): Promise<void> {
  const { DEALSHEET_TOKEN: _token, ...env } = process.env;
  const started = basename(program) === program ? program : resolve(folder, program);
  const how = { cwd: folder, env, timeout: longestDelivery, windowsHide: true };
  return new Promise((settle, reject) => {
    const child = execFile(started, words, how, (error) => {
      const why = typeof error?.code === 'number' ? `ended with ${error.code}` : 'could not be run';
      if (error === null) settle();
      else reject(new Error(`${program} ${why}`));
    });
    // A program that does not read its input has been told all the same.
    child.stdin?.on('error', () => {});
    child.stdin?.end(`${message}\n`);
  });
}
