/**
 * The source of a run. A private copy is kept while rows of the run are open, because a resume and new results need it. Its one
 * rule: the copy is deleted once every row of its run is settled, by whatever run or answer.
 */
import { constants } from 'node:fs';
import { copyFile, readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import type { ContractSettings } from '../contract/contract-settings.ts';
import { removeLeftFiles } from '../disk/locked-file.ts';
import { giveSecondName, modeOf, namesOfResults } from '../disk/new-file.ts';
import { type DealsheetError, isDealsheetError } from '../errors.ts';
import type { Ledger, RowPosition, RunCounts, RunRecord } from '../ledger/ledger.ts';
import { canGoOn } from '../ledger/run-records.ts';
import { obstacleText } from '../messages/file-errors.ts';
import { errorOf } from '../messages/text.ts';
import { readRecordedOptions, recordedOptionsOf, recordedReading } from '../plan/options.ts';
import { earlierRefsIn } from '../plan/parents.ts';
import { digestsAlone, type PlanLedger } from '../plan/row-digests.ts';
import type { ReadSource } from '../report/report.ts';
import { placeOf } from '../staging/own-columns.ts';
import { stageSource, withStaging } from '../staging/reading.ts';
import { correctionsAt, keptCorrections } from '../staging/source/corrections.ts';
import {
  copyName,
  copySource,
  digestOf,
  type SourceCopy,
  stampAt,
  standardInput,
} from '../staging/source/source-copy.ts';
import type { MeasuredSheet } from '../staging/stage.ts';
import type { KnownStaged } from '../staging/staged-row.ts';
import type { Staging } from '../staging/staging.ts';

/**
 * Keeps the copy under the id of its run before the first request, so that even a killed load can be resumed.
 *
 * @throws DealsheetError `unreadable-source` when the disk refuses it
 */
export async function keepSource(copy: SourceCopy, run: string): Promise<void> {
  const kept = keptPath(dirname(copy.path), run);
  await rm(kept, { force: true });
  try {
    if (!(await giveSecondName(copy.path, kept))) await copyFile(copy.path, kept, constants.COPYFILE_EXCL);
  } catch (cause) {
    throw errorOf('source-not-kept', { path: kept, obstacle: obstacleText(cause) }, cause);
  }
}

/**
 * Runs `use` with the bytes that a run began with: its kept copy, else a new copy of the source, which somebody may be editing.
 *
 * @throws DealsheetError {@link sourceGone} when neither has these bytes
 */
export async function withSourceOf<Result>(run: RunRecord, folder: string, use: (copy: SourceCopy) => Promise<Result>) {
  const digest = run.sourceDigest;
  const kept = keptPath(folder, run.id);
  const isKept = await hasDigest(kept, digest);
  const there = isKept ? kept : await placeOfSource(run.sourcePath, digest);
  // A colleague may have begun the run on another computer. A copy of that file may be in the current folder.
  const copied = there === null ? await placeOfSource(resolve(run.sourceName), digest) : null;
  const sourcePath = copied ?? run.sourcePath;
  const sourceFolder = sourcePath === standardInput ? process.cwd() : dirname(sourcePath);
  const sourceMode = modeOf(sourcePath);
  const stamp = await stampAt(sourcePath);
  const of = { sourcePath, sourceName: run.sourceName, sourceFolder, sourceMode, stamp, folder, digest };
  const path = there ?? copied;
  if (path === null) throw sourceGone(run);
  if (isKept) return use({ ...of, path });
  const { lock, ...taken } = await copySource(path, folder, process.stdin);
  try {
    if (taken.digest !== digest) throw sourceGone(run);
    return await use({ ...of, path: taken.path });
  } finally {
    lock.remove();
  }
}

/** Where a source is now, unchanged, or `null`. Results that were loaded may have been given a number since. */
export async function placeOfSource(sourcePath: string, digest: string): Promise<string | null> {
  if (sourcePath === standardInput) return null;
  for (const path of [sourcePath, ...namesOfResults(sourcePath)]) if (await hasDigest(path, digest)) return path;
  return null;
}

async function hasDigest(path: string, digest: string): Promise<boolean> {
  return (await digestOf(path).catch(() => null)) === digest;
}

/** The source of a run, or a person's corrections of it, are missing or have changed. */
function sourceGone({ id: run, host, person, sourcePath: path, sourceName: name }: RunRecord): DealsheetError {
  return host === hostname()
    ? errorOf('source-gone', { run, path, name: basename(path) })
    : errorOf('source-elsewhere', { run, path, name, person, host });
}

export function isSourceGone(error: unknown): boolean {
  return isDealsheetError(error) && (error.reason === 'source-gone' || error.reason === 'source-elsewhere');
}

const keptName = /^(?<run>\d{4}-\d{2}-\d{2}-.+)\.source$/;

function keptPath(folder: string, run: string): string {
  return join(folder, `${run}.source`);
}

/**
 * Tidies the folder of one ledger: deletes files of dead processes, copies of settled and pruned runs, and unused corrections.
 * What a failing disk does not delete stays for the next time.
 */
export async function tidySources(folder: string, ledger: Ledger): Promise<void> {
  removeLeftFiles(folder, copyName);
  const corrections = new Set(keptCorrections(folder));
  // The results of a run can be written again from its file only with its corrections.
  if (corrections.size > 0)
    for (const run of await ledger.runs()) corrections.delete(recordedOptionsOf(run)?.corrections?.path ?? '');
  for (const path of corrections) await rm(path, { force: true }).catch(() => {});
  await forgetSettledSources(folder, ledger, true);
}

/** Deletes the copies of settled runs. Unless the folder is of this ledger alone, it may also hold those of others. */
export async function forgetSettledSources(folder: string, ledger: Ledger, isOwn = false): Promise<void> {
  const copies = await keptIn(folder);
  if (copies.length === 0) return;
  const runs = new Map((await ledger.runs()).map((run) => [run.id, run]));
  for (const id of copies) {
    const run = runs.get(id);
    const isUnused = run === undefined ? isOwn : run.state !== 'running' && !(await isUnsettled(ledger, run));
    if (isUnused) await rm(keptPath(folder, id), { force: true }).catch(() => {});
  }
}

async function keptIn(folder: string): Promise<readonly string[]> {
  const files = await readdir(folder).catch(() => []);
  return files.flatMap((name) => keptName.exec(name)?.groups?.run ?? []);
}

/** Whether rows of a run may still be sent, or are in doubt. */
export async function isUnsettled(ledger: Ledger, run: RunRecord): Promise<boolean> {
  const counts = await ledger.counts(run.id);
  return counts['in-doubt'] !== undefined || canResume(ledger, run, counts);
}

/**
 * Whether a resume may send rows of a run, also of one that was killed before the ledger knew all rows of its file, if that was
 * not loaded again.
 */
export async function canResume(ledger: Ledger, run: RunRecord, asked?: RunCounts): Promise<boolean> {
  const counts = asked ?? (await ledger.counts(run.id));
  if (canGoOn(counts)) return true;
  const { service, sourceDigest } = run;
  const newest = (await ledger.runs()).find((one) => one.service === service && one.sourceDigest === sourceDigest);
  if (run.state !== 'stopped' || newest?.id !== run.id) return false;
  const known = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const held = Object.values(recordedOptionsOf(run)?.held ?? {});
  return known === 0 || known < held.reduce((sum, { rows }) => sum + rows, counts['left-out'] ?? 0);
}

export interface ReadAgainOptions {
  readonly sourcesFolder: string;
  readonly contract: ContractSettings;
}

/** @throws DealsheetError {@link sourceGone} when the source, or a person's corrections of it, are missing or have changed */
export async function readAgain<Result>(
  run: RunRecord,
  ledger: PlanLedger,
  options: ReadAgainOptions,
  use: (source: ReadSource) => Promise<Result>,
): Promise<Result> {
  const { corrections, ...recorded } = readRecordedOptions(run.options);
  if (corrections !== null && correctionsAt(corrections) === null) throw sourceGone(run);
  const places = { file: run.sourcePath, resultsPath: null, privatePaths: [], standardInput: process.stdin };
  const reading = { ...options, ...recordedReading({ ...recorded, corrections }), ...places };
  return withSourceOf(run, options.sourcesFolder, (copy) =>
    withStaging(copy, reading, async (source, staging) => {
      const earlierRefs = earlierRefsIn(ledger, run.service);
      const digestOf = digestsAlone({ ledger, service: run.service });
      const further = { earlierRefs, service: run.service, digestOf, onProgress: () => {} };
      const staged = await stageSource(source, copy, staging, reading, further);
      return use({ staged, staging, copy, mask: reading.mask });
    }),
  );
}

/**
 * What `take` makes of the rows at these positions, by `SHEET!N`. Empty if the source cannot be read: the person's answers count
 * without it.
 */
export async function rowsReadAgain<Row>(
  run: RunRecord,
  ledger: Ledger,
  positions: readonly RowPosition[],
  options: ReadAgainOptions,
  take: (row: KnownStaged, staging: Staging, of: MeasuredSheet) => Row,
): Promise<ReadonlyMap<string, Row>> {
  const rows = new Map<string, Row>();
  if (positions.length === 0) return rows;
  await readAgain(run, ledger, options, async ({ staged, staging }) => {
    for (const position of positions) {
      const of = staged.sheets.find(({ sheet }) => sheet.name === position.sheet);
      const row = of === undefined ? null : staging.at(of.number, position.row);
      if (of !== undefined && row !== null) rows.set(placeOf(position), take(row, staging, of));
    }
  }).catch((error) => {
    if (!isDealsheetError(error) || error.code === 'ledger-refused') throw error;
  });
  return rows;
}
