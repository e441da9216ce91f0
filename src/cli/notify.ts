/**
 * Tells a program or a web address that a load wants a person, and once all is well again. Its one rule: nothing of the rows and
 * no token goes with it, and whether it arrives or not, the load and its exit code stay as they are.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { type Counts, emptyCounts } from '../contract/row-state.ts';
import { DealsheetError } from '../errors.ts';
import { folderOwnerOnly, ownerOnly } from '../file-modes.ts';
import { isLoopback } from '../service/address.ts';
import { proxyOf } from '../service/proxy.ts';
import type { FoundProfile } from '../settings/configuration.ts';
import { stateFolder } from '../settings/folders.ts';
import { exitCodes } from './terminal/exit-code.ts';
import { rows } from './terminal/figures.ts';
import type { Terminal } from './terminal/terminal.ts';

/** How a load ended. */
export interface LoadEnd {
  readonly exitCode: number;
  readonly run: string | null;
  readonly service: string | null;
  readonly file: string | null;
  /** `null` where a run broke off, or came to nothing. */
  readonly counts: Counts | null;
  /** The code of the error that ended it. */
  readonly error: string | null;
  /** What is far from the last load of such a file. */
  readonly unlike: readonly string[];
}

type Target = { readonly program: string; readonly words: readonly string[]; readonly folder: string } | URL;

export interface Notice {
  readonly target: Target;
  /** The share of wrong rows above which it is told: 0.05. */
  readonly wrongAbove: number;
  /** By which share rows and sums may differ from the last load of such a file; `null` where that is not told. */
  readonly unlikeLast: number | null;
  /** Which loads are one series: the first good one after a bad one is told as a recovery. */
  readonly series: string;
}

/** `20%` to 0.2 */
function shareOf(percentage: string): number {
  return Number(percentage.replace('%', '')) / 100;
}

/**
 * @param where  what `--notify` says: a web address or a program
 * @param owner  the profile of the load
 * @throws DealsheetError `usage` for an address that others could read along
 */
export function noticeOf(
  where: string | undefined,
  owner: FoundProfile | null,
  series: string,
  terminal: Terminal,
): Notice | null {
  const ofProfile = owner?.isTrusted ? owner.profile.notify : undefined;
  if (owner?.profile.notify !== ofProfile && where === undefined)
    terminal.warn(`Nobody is notified: ${owner?.file} is not your own configuration, and its "notify" is not used.`);
  const named = where === undefined ? ofProfile : /^https?:/.test(where) ? { url: where } : { command: [where] };
  if (named === undefined) return null;
  const folder = where === undefined ? dirname(owner?.file ?? '') : process.cwd();
  return {
    target: targetOf(named, folder),
    wrongAbove: shareOf(ofProfile?.wrongAbove ?? '0%'),
    unlikeLast: ofProfile?.unlikeLast === undefined ? null : shareOf(ofProfile.unlikeLast),
    series,
  };
}

type NotifySetting = NonNullable<FoundProfile['profile']['notify']>;

function targetOf({ command: [program = '', ...words] = [], url }: NotifySetting, folder: string): Target {
  return url === undefined ? { program, words, folder } : webAddress(url);
}

/** What stands in such an address may be a secret: it is not repeated. */
function webAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url !== null && (url.protocol === 'https:' || isLoopback(url.hostname))) return url;
  throw new DealsheetError(
    'usage',
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

export async function notify(notice: Notice | null, end: LoadEnd, terminal: Terminal): Promise<void> {
  if (notice === null) return;
  const folder = join(stateFolder, 'notified');
  const mark = join(folder, createHash('sha256').update(notice.series).digest('hex'));
  try {
    const troubles = troublesOf(end, notice);
    if (troubles.length > 0) {
      mkdirSync(folder, { recursive: true, mode: folderOwnerOnly });
      writeFileSync(mark, '', { mode: ownerOnly });
      await deliver(notice.target, messageOf(troubles, end));
    } else if (existsSync(mark)) {
      await deliver(notice.target, messageOf(['recovered'], end));
      rmSync(mark, { force: true });
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : 'unknown';
    terminal.warn(`The notification could not be delivered: ${why}. The load is as it is told here.`);
  }
}

/** The run has ended by itself. */
const ended: readonly number[] = [exitCodes.allIn, exitCodes.someNotIn, exitCodes.inDoubt];

function troublesOf({ exitCode, run, counts, error, unlike }: LoadEnd, notice: Notice): readonly Ending[] {
  const { rows: all, invalid, rejected, failed, inDoubt } = counts ?? emptyCounts();
  const hasBrokenOff = error !== null || !ended.includes(exitCode);
  const isWrong = (invalid + rejected + failed) / Math.max(all, 1) > notice.wrongAbove;
  return [
    ...(hasBrokenOff ? [run === null ? ('failed' as const) : ('stopped' as const)] : []),
    ...(inDoubt > 0 ? ['in-doubt' as const] : []),
    ...(isWrong ? ['wrong-rows' as const] : []),
    ...(unlike.length > 0 ? ['unlike-last' as const] : []),
  ];
}

/** One JSON object. Chat programs show its `text`. */
function messageOf(events: readonly Ending[], { file, unlike, ...end }: LoadEnd): string {
  const { run, service, counts, exitCode } = end;
  const name = file === null ? 'dealsheet' : basename(file);
  const into = service === null ? '' : ` into ${service}`;
  const wrong = counts === null ? 0 : counts.invalid + counts.rejected + counts.failed;
  const figures = counts === null ? '' : ` ${rows(counts.rows)}, ${wrong} wrong, ${counts.inDoubt} in doubt.`;
  const text = [
    `${name}${into}: ${events.map((event) => endings[event]).join('. ')}.${figures}`,
    ...unlike,
    `${run === null ? '' : `Run ${run}, `}exit code ${exitCode}.`,
  ].join('\n');
  return JSON.stringify({ text, events, file: name, ...end });
}

/** In milliseconds. */
const longestDelivery = 15_000;

async function deliver(target: Target, message: string): Promise<void> {
  return target instanceof URL ? post(target, message) : run(target, message);
}

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
function run({ program, words, folder }: Exclude<Target, URL>, message: string): Promise<void> {
  const { DEALSHEET_TOKEN: _token, ...env } = process.env;
  const started = basename(program) === program ? program : resolve(folder, program);
  return new Promise((settle, reject) => {
    const child = execFile(
      started,
      words,
      { cwd: folder, env, timeout: longestDelivery, windowsHide: true },
      (error) => {
        if (error === null) settle();
        else
          reject(
            new Error(`${program} ${typeof error.code === 'number' ? `ended with ${error.code}` : 'could not be run'}`),
          );
      },
    );
    // A program that does not read its input has been told all the same.
    child.stdin?.on('error', () => {});
    child.stdin?.end(`${message}\n`);
  });
}
