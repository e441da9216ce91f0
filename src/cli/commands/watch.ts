/**
 * `dealsheet watch FOLDER`: loads each file that is put into a folder. Its one rule: a file stays in `loading` until it is settled,
 * and files found there are loaded again. A killed watch therefore loses nothing and sends nothing twice.
 */
import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { rename } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type FileLock, takeLock } from '../../disk/locked-file.ts';
import {
  fileAt,
  giveNumber,
  isOpenElsewhere,
  namesOfResults,
  nextFreeName,
  patiently,
  stemOf,
} from '../../disk/new-file.ts';
import { exitCodeOf } from '../../errors.ts';
import { obstacleText } from '../../messages/file-errors.ts';
import { errorOf } from '../../messages/text.ts';
import { addressFlags, type Flags, paceFlags } from '../../settings/flags.ts';
import { passFlagsOn, withLedger } from '../../settings/ledger-choice.ts';
import { chooseService, refuseUnapproved } from '../../settings/service.ts';
import { command, positional } from '../command.ts';
import { exitCodes, failureOf, JsonAnswer } from '../command-end.ts';
import { readingOptions } from '../load-command.ts';
import type { LoadEnded } from '../log-and-notify.ts';
import { type Terminal, tell } from '../terminal.ts';
import { loadFile } from './import.ts';

/** In seconds: uploads and saves do not pause longer than this between writes. */
const usualRest = 10;

const watchFlags = [
  ...[...addressFlags, ...paceFlags],
  ...(['yes', 'as', 'sheet', 'mapping', 'date-order', 'ignore-columns', 'ignore-sheets', 'encoding'] as const),
  ...(['delimiter', 'attachments', 'sandbox-data', 'ledger', 'allow', 'strict', 'expect-like-last'] as const),
  ...(['all-or-nothing', 'rest', 'once', 'mask', 'log', 'notify', 'quiet'] as const),
] as const;

export const watchCommand = command({
  examples: [
    ['dealsheet watch inbox --profile live --yes', 'load what arrives; it is then in inbox/done or inbox/failed'],
    ['dealsheet watch inbox --profile live --yes --once', 'load what is there, and end'],
  ],
  positionals: { folder: positional('The folder') },
  flags: watchFlags,
  run: async (flags, terminal) => {
    const choice = chooseService(flags);
    refuseUnapproved(choice);
    // What no load could take is refused before the first file comes.
    readingOptions({ ...flags, file: flags.folder }, choice.contract);
    if (!flags.yes) throw errorOf('watch-without-yes');
    const inbox = openInbox(resolve(flags.folder));
    terminal.say(`Watching ${inbox.folder}.`);
    return watch(inbox, flags, terminal).finally(() => inbox.lock.release());
  },
});

/** A problem with the service or its token affects the next file too. */
const endsAll: readonly number[] = [exitCodeOf['token-refused'], exitCodeOf['service-unusable']];

/** Runs until a signal, an empty folder, or a load that ends in a way that would end the next one too. */
async function watch(inbox: Inbox, flags: Flags, terminal: Terminal): Promise<number> {
  const { folder, loading } = inbox;
  const { once, rest = usualRest } = flags;
  const toldToEnd = new AbortController();
  // A running load ends in good order, then the watch does.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => toldToEnd.abort());
  let exitCode: number = exitCodes.allIn;
  for (;;) {
    const seen = [...filesIn(loading), ...filesIn(folder)].map((path) => ({ path, stamp: stampOf(path) }));
    if (once && seen.length === 0) return exitCode;
    if (toldToEnd.signal.aborted) return once ? exitCodes.interrupted : exitCodes.allIn;
    await wait(1000 * rest, null, { signal: toldToEnd.signal }).catch(() => null);
    for (const { path, stamp } of seen) {
      // A file that has changed is still being written.
      if (toldToEnd.signal.aborted || stamp === null || stamp !== stampOf(path)) continue;
      const taken = takeInto(path, loading);
      const ended = taken === null ? null : await settle(taken, inbox, flags, terminal);
      if (ended === null) continue;
      if (ended.to === 'stays' || endsAll.includes(ended.code)) return ended.code;
      if (ended.to === 'failed') exitCode = exitCodes.someNotIn;
    }
  }
}

/** How the load of a file ended. `stays`: the file remains in `loading` for the next watch. */
interface Ended {
  readonly to: 'done' | 'failed' | 'stays';
  readonly code: number;
  readonly run: string | null;
  readonly results: string | null;
  /** Why the load broke off. */
  readonly reason: string | null;
}

/** @returns `null` for a file that changed meanwhile, which this watch loads again */
async function settle(file: string, inbox: Inbox, flags: Flags, terminal: Terminal): Promise<Ended | null> {
  const { folder, loading } = inbox;
  const name = basename(file);
  terminal.say(`\n${name}`);
  const before = stampOf(file);
  // Commands in messages must use the flags of this load, not of an earlier one.
  passFlagsOn(flags);
  const ofFile = { file, results: resultsIn(loading, file), attachments: flags.attachments ?? folder };
  const answer = new JsonAnswer([]);
  const load = loadFile({ ...flags, ...ofFile, skipLoaded: true, movesResults: true }, terminal, answer);
  const ended = await load.then(endedBy, (error) => endedByError(error, answer.runUnderWay));
  const { to, run, reason } = ended;
  // Content written since would be lost. The file is loaded again, and rows that are in are not sent again.
  const isChanged = before === null || before !== stampOf(file);
  const place = to === 'stays' || isChanged ? null : await moved(file, loading, join(folder, to), ended);
  // A command in it names the file where it is now.
  if (reason !== null) tell(reason.replaceAll(file, () => place?.path ?? file));
  if (to === 'stays') terminal.warn(`${name} stays in ${loading}: the next watch continues it.`);
  if (place !== null) terminal.say([`${name} is now ${place.path}`, ...place.results].join(', its results '));
  const [resultsPath] = place?.results ?? [];
  if (run !== null && place !== null && resultsPath !== undefined)
    await withLedger(flags, (ledger) => ledger.moved(run, { sourcePath: place.path, resultsPath }));
  return to !== 'stays' && isChanged ? null : ended;
}

/** The next watch continues an interrupted load, and one that stopped without doubts: a person settles those first. */
function endedBy({ code, result }: LoadEnded): Ended {
  const { stopReason = null, interrupted = false, unwritten = null, counts, run = null, results = null } = result ?? {};
  const isStopped = interrupted || unwritten !== null || (stopReason !== null && counts?.inDoubt === 0);
  return { to: code === exitCodes.allIn ? 'done' : isStopped ? 'stays' : 'failed', code, run, results, reason: null };
}

/** An error in the file is written beside it. Any other cause may be gone when the next watch begins. */
function endedByError(error: unknown, run: string | null): Ended {
  const { code, exitCode, message, remedy } = failureOf(error, run);
  const isAboutFile = ['usage', 'unreadable-source', 'unmatched-columns'].includes(code);
  return { to: isAboutFile ? 'failed' : 'stays', code: exitCode, run, results: null, reason: `${message}\n${remedy}` };
}

/** A text that differs when the file has changed; `null` when it is missing. */
function stampOf(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? null : `${found.size} ${found.mtimeMs}`;
}

interface Inbox {
  readonly folder: string;
  readonly loading: string;
  readonly lock: FileLock;
}

function openInbox(folder: string): Inbox {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw errorOf('watch-without-folder', { folder });
  const loading = join(folder, 'loading');
  const disk = statSync(folder).dev;
  for (const one of [dirname(resultsIn(loading, '')), join(folder, 'done'), join(folder, 'failed')]) {
    mkdirSync(one, { recursive: true });
    const isApart = statSync(one).dev !== disk;
    const obstacle = obstacleText({ code: 'EXDEV' });
    if (isApart) throw errorOf('watch-cannot-move', { path: join(folder, '*'), folder: one, obstacle });
    accessSync(one, constants.W_OK);
  }
  const lock = takeLock(join(loading, '.watch'));
  if (lock !== null) return { folder, loading, lock };
  throw errorOf('watched-already', { folder });
}

const sheetName = /^(?![.~]).*\.(csv|tsv|xlsx|xlsm|xls)$/i;

/** The oldest first. A link counts as the file that it leads to. */
function filesIn(folder: string): readonly string[] {
  const named = readdirSync(folder).filter((name) => sheetName.test(name));
  const found = named.map((name) => ({ path: join(folder, name), at: fileAt(join(folder, name)) }));
  const files = found.flatMap(({ path, at }) => (at?.isFile() ? [{ path, changed: Number(at.mtimeMs) }] : []));
  return files.sort((one, other) => one.changed - other.changed).map(({ path }) => path);
}

/** Moves a file into `loading`; `null` when another program has it open or has removed it. */
function takeInto(path: string, loading: string): string | null {
  if (dirname(path) === loading) return path;
  const taken = freeIn(loading, basename(path));
  try {
    // A relative link would lead elsewhere from another folder.
    if (lstatSync(path).isSymbolicLink()) {
      symlinkSync(realpathSync(path), taken);
      rmSync(path);
    } else renameSync(path, taken);
    return taken;
  } catch (cause) {
    const isOpen = process.platform === 'win32' && isOpenElsewhere(cause);
    if (isOpen || (cause as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw errorOf('watch-not-moved', { path, folder: loading, obstacle: obstacleText(cause) }, cause);
  }
}

function resultsIn(loading: string, file: string): string {
  return join(loading, 'results', `${stemOf(file)}.results.xlsx`);
}

/**
 * Moves the results first, so that a file left without them is loaded again. The newest have the plain name, as everywhere.
 *
 * @returns the new paths
 */
async function moved(file: string, loading: string, to: string, { results: newest, reason }: Ended) {
  const usual = resultsIn(loading, file);
  const results: string[] = [];
  // The first gets the plain name. The other results there are of files that stay.
  for (const from of new Set([newest ?? usual, usual, ...namesOfResults(usual)].filter((one) => existsSync(one)))) {
    const plain = join(to, basename(results.length === 0 ? usual : from));
    const hasRoom = results.length === 0 && existsSync(plain) && (await giveNumber(plain)) !== null;
    const place = hasRoom ? plain : freeIn(to, basename(plain));
    await move(from, place);
    results.push(place);
  }
  const path = freeIn(to, basename(file));
  if (reason !== null) writeFileSync(`${path}.reason.txt`, `${reason.replaceAll(file, () => path)}\n`);
  await move(file, path);
  return { path, results };
}

async function move(path: string, to: string): Promise<void> {
  await patiently(() => rename(path, to)).catch((cause: unknown) => {
    throw errorOf('watch-not-moved', { path, folder: dirname(to), obstacle: obstacleText(cause) }, cause);
  });
}

function freeIn(folder: string, name: string): string {
  const path = join(folder, name);
  return existsSync(path) ? nextFreeName(path) : path;
}
