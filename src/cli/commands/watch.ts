/**
 * `dealsheet watch FOLDER`: load each file that is put into a folder. Its one rule: a file is in `loading` until it is settled,
 * and what is found there is loaded again, so that a watch that was killed loses nothing and sends nothing twice.
 */
import { existsSync, mkdirSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { basename, extname, join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { FileLock } from '../../disk/file-lock.ts';
import { isOpenElsewhere, nextFreeName, plainName } from '../../disk/free-name.ts';
import { DealsheetError, exitCodeOf, isDealsheetError, obstacleText } from '../../errors.ts';
import { millisecondsOfSecond } from '../../seconds.ts';
import { tellFlagsOf } from '../../settings/ledger-choice.ts';
import { chooseService, needsApproval } from '../../settings/service-choice.ts';
import { command } from '../command.ts';
import { addressFlags, paceFlags, withFlags } from '../flags.ts';
import type { LoadCame } from '../loading.ts';
import { JsonAnswer } from '../talk/json-answer.ts';
import { exitCodes } from '../terminal/exit-code.ts';
import { openTerminal, type Terminal } from '../terminal/terminal.ts';
import { endOf, tellError } from '../told-error.ts';
import { type ImportFlags, loadFile } from './import.ts';

/** In seconds: what is uploaded or saved takes no longer between two pieces. */
const usualRest = 10;

export const watchCommand = command({
  command: 'watch <folder>',
  describe: 'Load each file that is put into a folder, by its remembered mapping',
  examples: [
    ['dealsheet watch inbox --profile live --yes', 'load what arrives; it is then in inbox/done or inbox/failed'],
    ['dealsheet watch inbox --profile live --yes --once', 'load what is there, and end'],
  ],
  builder: (yargs) =>
    withFlags(
      yargs.positional('folder', { type: 'string', demandOption: true, describe: 'The folder' }),
      ...[...addressFlags, ...paceFlags],
      ...(['yes', 'as', 'sheet', 'mapping', 'date-order', 'ignore-columns', 'ignore-sheets', 'encoding'] as const),
      ...(['delimiter', 'attachments', 'sandbox-data', 'ledger', 'allow', 'strict', 'expect-like-last'] as const),
      ...(['all-or-nothing', 'rest', 'once', 'mask', 'log', 'notify', 'quiet'] as const),
    ),
  run: async (flags) => {
    const terminal = openTerminal(flags);
    const { owner } = chooseService(flags);
    if (owner?.profile.approval === 'other') throw needsApproval(owner.name);
    if (!flags.yes)
      throw new DealsheetError(
        'usage',
        'A watch sends without asking.',
        'Add --yes if that is meant. Nothing was sent.',
      );
    const inbox = Inbox.open(resolve(flags.folder));
    const load = (file: string): Promise<LoadCame> => {
      const answer = new JsonAnswer([]);
      answer.ofCommand('import');
      // What an earlier load has left in the commands that messages name is none of this one's.
      tellFlagsOf(flags);
      return loadFile(
        {
          ...flags,
          ...{ file, results: inbox.resultsOf(file), attachments: flags.attachments ?? inbox.folder },
          ...{ remember: false, fresh: false, json: false, again: false, skipLoaded: true, trustResults: false },
          ...{ limit: undefined, plan: undefined, apply: undefined, expectCount: undefined, expectTotal: undefined },
        } satisfies ImportFlags,
        answer,
      );
    };
    terminal.say(`Watching ${inbox.folder}.`);
    try {
      return await watch(inbox, load, terminal, {
        restMs: millisecondsOfSecond * (flags.rest ?? usualRest),
        once: flags.once,
      });
    } finally {
      inbox.close();
    }
  },
});

type Load = (file: string) => Promise<LoadCame>;

/** Until a signal, until the folder is empty, or until a load ends in a way that the next one would end in, too. */
async function watch(
  inbox: Inbox,
  load: Load,
  terminal: Terminal,
  { restMs, once }: { readonly restMs: number; readonly once: boolean },
): Promise<number> {
  const left = leaving();
  const seen = new Map<string, Look | null>();
  let exitCode: number = exitCodes.allIn;
  try {
    while (!left.signal.aborted) {
      const files = inbox.files();
      if (once && files.length === 0) return exitCode;
      const file = files.find((path) => isAtRest(path, seen, restMs));
      if (file === undefined) {
        await wait(Math.min(restMs, longestPauseMs), null, { signal: left.signal }).catch(() => null);
        continue;
      }
      seen.delete(file);
      const taken = inbox.take(file);
      if (taken === null) continue;
      const settled = await settle(taken, inbox, load, terminal);
      if (settled === null) continue;
      if (settled.to === 'stays' || endsAll.includes(settled.code)) return settled.code;
      if (settled.to === 'failed') exitCode = exitCodes.someNotIn;
    }
    return exitCodes.allIn;
  } finally {
    left.stop();
  }
}

/** The service or its token is in the way: of the next file, too. */
const endsAll: readonly number[] = [exitCodeOf['token-refused'], exitCodeOf['service-unusable']];

/** How a load of a file has ended: `stays` is in `loading`, for the next watch. */
interface Ended {
  readonly to: 'done' | 'failed' | 'stays';
  readonly code: number;
}

/** @returns `null` for a file that was changed meanwhile, which this watch loads again */
async function settle(file: string, inbox: Inbox, load: Load, terminal: Terminal): Promise<Ended | null> {
  const name = basename(file);
  terminal.say(`\n${name}`);
  const before = lookAt(file);
  let settled: Ended;
  let reason: string | null = null;
  try {
    settled = settledBy(await load(file));
  } catch (error) {
    tellError(error, [], new JsonAnswer([]));
    settled = { to: isAboutFile(error) ? 'failed' : 'stays', code: endOf(error).exitCode };
    if (isDealsheetError(error)) reason = `${error.message}\n${error.remedy}\n`;
  }
  if (settled.to === 'stays') terminal.warn(`${name} stays in ${inbox.loading}: the next watch goes on with it.`);
  // What was written into it since would be lost with it: it is loaded again, and what is in is not sent again.
  else if (!isSame(before, lookAt(file))) return null;
  else terminal.say(`${name} is now ${inbox.move(file, settled.to, reason)}`);
  return settled;
}

/** A stop keeps the file, unless rows are in doubt: then a person comes first, and the next watch sends nothing more of it. */
function settledBy(came: LoadCame): Ended {
  const { code } = came;
  const { stopReason, interrupted, counts } = ('result' in came && came.result) || {};
  const isStopped = interrupted === true || (stopReason != null && counts?.inDoubt === 0);
  return { to: code === exitCodes.allIn ? 'done' : isStopped ? 'stays' : 'failed', code };
}

/** Whether the next file may fare better. */
function isAboutFile(error: unknown): boolean {
  return isDealsheetError(error) && ['usage', 'unreadable-source', 'unmatched-columns'].includes(error.code);
}

/** What a file is like, and when that was seen. */
interface Look {
  readonly size: number;
  readonly changedAt: number;
  readonly at: number;
}

/** `null` when it is not there. */
function lookAt(path: string): Look | null {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? null : { size: found.size, changedAt: found.mtimeMs, at: performance.now() };
}

function isSame(one: Look | null, other: Look | null): boolean {
  return one !== null && one.size === other?.size && one.changedAt === other.changedAt;
}

const longestPauseMs = 1000;

/** Whether it has stayed the same for long enough; what is seen of it is written down. */
function isAtRest(path: string, seen: Map<string, Look | null>, restMs: number): boolean {
  const [before = null, now] = [seen.get(path), lookAt(path)];
  if (before !== null && now !== null && isSame(before, now)) return now.at - before.at >= restMs;
  seen.set(path, now);
  return false;
}

/** Ctrl-C or the end of the service that runs the watch: a load that is under way ends in good order, then the watch does. */
function leaving(): { readonly signal: AbortSignal; readonly stop: () => void } {
  const controller = new AbortController();
  const leave = () => controller.abort();
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, leave);
  return {
    signal: controller.signal,
    stop: () => {
      for (const signal of signals) process.off(signal, leave);
    },
  };
}

const sheetName = /^(?![.~]).*\.(csv|tsv|xlsx|xlsm|xls)$/i;

/** The folder and those within it: `loading`, with `results` of the file that is in it, `done` and `failed`. */
class Inbox {
  readonly folder: string;
  readonly loading: string;
  readonly #results: string;
  readonly #lock: FileLock;

  private constructor(folder: string, lock: FileLock) {
    this.folder = folder;
    this.loading = join(folder, 'loading');
    this.#results = join(this.loading, 'results');
    this.#lock = lock;
  }

  /** @throws DealsheetError `usage` when there is no such folder, or another watch has it */
  static open(folder: string): Inbox {
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
      throw new DealsheetError('usage', `There is no folder ${folder}.`, 'Correct its name, or make it.');
    for (const name of ['loading/results', 'done', 'failed']) mkdirSync(join(folder, name), { recursive: true });
    const lock = FileLock.take(join(folder, 'loading', '.watch'));
    if (lock === null)
      throw new DealsheetError(
        'usage',
        `Another watch has the folder ${folder}.`,
        'One is enough: end the other first.',
      );
    return new Inbox(folder, lock);
  }

  close(): void {
    this.#lock.release();
  }

  /** What is to be loaded: what an earlier watch has left in `loading`, then the others, the oldest first. */
  files(): readonly string[] {
    return [this.loading, this.folder].flatMap((folder) => {
      const found = readdirSync(folder, { withFileTypes: true }).filter(
        (one) => one.isFile() && sheetName.test(one.name),
      );
      const dated = found
        .map(({ name }) => join(folder, name))
        .map((path) => ({ path, at: lookAt(path)?.changedAt ?? 0 }));
      return dated.sort((one, other) => one.at - other.at || (one.path < other.path ? -1 : 1)).map(({ path }) => path);
    });
  }

  /** Takes a file into `loading`; `null` where somebody has it open, or has taken it away. */
  take(path: string): string | null {
    if (resolve(path, '..') === this.loading) return path;
    const taken = freeIn(this.loading, basename(path));
    try {
      renameSync(path, taken);
      return taken;
    } catch (cause) {
      const isOpen = process.platform === 'win32' && isOpenElsewhere(cause);
      if (isOpen || (cause as NodeJS.ErrnoException).code === 'ENOENT') return null;
      const message = `${path} cannot be moved into ${this.loading}${obstacleText(cause)}.`;
      throw new DealsheetError('usage', message, 'Give yourself the right to change both folders.', { cause });
    }
  }

  resultsOf(file: string): string {
    const name = basename(plainName(file), extname(file)).replace(/\.results$/, '');
    return join(this.#results, `${name}.results.xlsx`);
  }

  /** Moves a file behind its results, so that one that is left without them is loaded again. @returns where it is */
  move(file: string, to: 'done' | 'failed', reason: string | null): string {
    const folder = join(this.folder, to);
    for (const name of readdirSync(this.#results)) renameSync(join(this.#results, name), freeIn(folder, name));
    const path = freeIn(folder, basename(file));
    if (reason !== null) writeFileSync(`${path}.reason.txt`, reason.replaceAll(file, path));
    renameSync(file, path);
    return path;
  }
}

function freeIn(folder: string, name: string): string {
  const path = join(folder, name);
  return existsSync(path) ? nextFreeName(path) : path;
}
