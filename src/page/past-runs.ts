/** Earlier loads: what became of them, their rows in doubt, and the files that they give. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { assumedContract } from '../contract/contract-settings.ts';
import { recordKind } from '../contract/record-kinds.ts';
import { DealsheetError } from '../errors.ts';
import { exportBalances } from '../export/export-balances.ts';
import { localDay } from '../export/export-moment.ts';
import { folderOwnerOnly } from '../file-modes.ts';
import type { Ledger, RunCounts, RunRecord } from '../ledger/ledger.ts';
import { minuteOf } from '../ledger/moments.ts';
import { isSandbox } from '../ledger/sandbox-identity.ts';
import { type ReadAgainOptions, rowsReadAgain } from '../load/read-again.ts';
import { saidBy } from '../load/record-likeness.ts';
import { doubtsIn, resolveDoubts } from '../load/resolve-doubt.ts';
import { rewriteResults } from '../load/rewrite-results.ts';
import { writeWrongRows } from '../load/wrong-rows.ts';
import { textOf } from '../messages/text.ts';
import { areResultsThere } from '../report/unwritten-results.ts';
import { ledgerFiles, needRun, sourcesFolderOf, tidyLedger, withLedger } from '../settings/ledger-choice.ts';
import { contractOfRun, serviceOfRun } from '../settings/service-session.ts';
import { typedAnswerOf } from '../staging/own-columns.ts';
import { placeOf } from '../staging/row-place.ts';
import type { DoubtShown, Given, RunShown } from './protocol.ts';
import type { OpenService, PageFlags } from './services.ts';
import { stateCounts } from './shown-preview.ts';
import { uploadStem } from './uploads.ts';

/** Files that come in and go out by the page stand beside the ledger, for their owner alone. */
export function pageFolder(flags: PageFlags): string {
  const folder = `${ledgerFiles(flags)}.page`;
  mkdirSync(folder, { recursive: true, mode: folderOwnerOnly });
  return folder;
}

const passingStem = 'passing-';
/** A quarter: then a file that was dropped is at home with the person, or forgotten. */
const longestKeptMs = 92 * 24 * 3_600_000;

/** Takes away what earlier pages have left: downloads, and files that were dropped long ago. */
export function tidyPageFolder(folder: string, now = Date.now()): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const isOld = name.startsWith(uploadStem) && now - statSync(path).mtimeMs > longestKeptMs;
    if (isOld || name.startsWith(passingStem)) rmSync(path, { recursive: true, force: true });
  }
}

const openStates: readonly (keyof RunCounts)[] = ['failed', 'not-sent', 'waiting', 'ready', 'sending', 'in-doubt'];
const mostRuns = 200;

export function runsShown(flags: PageFlags): Promise<readonly RunShown[]> {
  return withLedger(flags, async (ledger) => {
    const runs = (await ledger.runs()).slice(0, mostRuns);
    return Promise.all(runs.map(async (run) => runShown(run, await ledger.counts(run.id))));
  });
}

function runShown(run: RunRecord, all: RunCounts): RunShown {
  const { sending = 0, ...counts } = all;
  const { id, sourceName, startedAt, person, host, serviceUrl, service, state } = run;
  const inDoubt = (counts['in-doubt'] ?? 0) + sending;
  return {
    id,
    file: sourceName,
    began: `${minuteOf(startedAt)} UTC`,
    person: `${person} on ${host}`,
    service: serviceUrl,
    isRehearsal: isSandbox(service),
    state,
    states: stateCounts({ ...counts, 'in-doubt': inDoubt }),
    inDoubt,
    canResume: state !== 'ended' && openStates.some((one) => all[one] !== undefined),
  };
}

function readingOf(ledger: Ledger, run: RunRecord, { config }: PageFlags): ReadAgainOptions {
  return { snapshotFolder: sourcesFolderOf(ledger.files), contract: contractOfRun(run, config) ?? assumedContract };
}

export function doubtsShown(flags: PageFlags, id: string): Promise<readonly DoubtShown[]> {
  return withLedger(flags, async (ledger) => {
    const run = await needRun(ledger, id);
    const doubts = await doubtsIn(ledger, run);
    const places = doubts.map(({ sheet, place: row }) => ({ sheet, row }));
    const rows = places.length === 0 ? null : await rowsReadAgain(run, ledger, places, readingOf(ledger, run, flags));
    return doubts.map(({ sheet, place: row, kind, message }) => {
      const judged = rows?.get(placeOf({ sheet, row }));
      return {
        sheet,
        row,
        kind: recordKind(kind).singular,
        came: message === null ? '' : textOf(message),
        says: judged === undefined ? '' : saidBy(judged),
      };
    });
  });
}

/** What a person found of a row in doubt: its record, by its id or a link to it, or that there is none (`null`). */
export function resolveDoubt(
  flags: PageFlags,
  { run: id, sheet, row, record }: Given<'resolve'>,
  open: OpenService | null,
): Promise<readonly string[]> {
  return withLedger(flags, async (ledger) => {
    const run = await needRun(ledger, id);
    const said = record === null ? ('not-created' as const) : { created: recordIn(record) };
    let close = async () => {};
    const connect = async () => {
      const { open: openOther } = serviceOfRun(run, { ...flags, sandbox: false });
      const own = open?.session.identity === run.service ? open.session : null;
      const session = own ?? (await openOther());
      const client = session.connect(1, {});
      close = async () => {
        await client.close();
        if (own === null) await session.close();
      };
      return client;
    };
    try {
      const options = { ...readingOf(ledger, run, flags), connect, changedSince: false };
      const { corrections, found, unsure } = await resolveDoubts(
        ledger,
        run,
        [{ position: { sheet, row }, said }],
        options,
      );
      await tidyLedger(ledger);
      return [...corrections, ...found, ...unsure];
    } finally {
      await close();
    }
  });
}

/** @throws DealsheetError `usage` for what is no id, and no link that ends in one */
function recordIn(text: string): string {
  const answer = typedAnswerOf(text.trim());
  if (answer.kind === 'created' && answer.id !== null) return answer.id;
  throw new DealsheetError('usage', 'That is no id, and no link that ends in one.', 'Copy it from the record.');
}

/** A file for the person: its place and its name. */
export interface GivenFile {
  readonly path: string;
  readonly name: string;
  /** The folder that goes once it was given; `null` for a file that stays. */
  readonly passing: string | null;
  /** What a person is to know of it. */
  readonly notices: readonly string[];
}

export function resultsOf(flags: PageFlags, id: string): Promise<GivenFile> {
  return withLedger(flags, async (ledger) => {
    const run = await needRun(ledger, id);
    const there = areResultsThere(run);
    const name = basename(run.resultsPath);
    if (there) return { path: run.resultsPath, name, passing: null, notices: [] };
    const passing = mkdtempSync(join(pageFolder(flags), passingStem));
    const path = join(passing, name);
    const written = await rewriteResults(run, ledger, { ...readingOf(ledger, run, flags), resultsPath: path });
    const alone = 'The file of this load is gone: your own columns are not in the results.';
    return { path: written.path, name, passing, notices: written.withSource ? [] : [alone] };
  });
}

export function wrongRowsOf(flags: PageFlags, id: string): Promise<GivenFile> {
  return withLedger(flags, async (ledger) => {
    const run = await needRun(ledger, id);
    const name = `${run.sourceName.replace(/(\.results)?\.(xlsx|csv|txt|tsv)$/i, '')}.wrong.xlsx`;
    const passing = mkdtempSync(join(pageFolder(flags), passingStem));
    const path = join(passing, name);
    const options = { ...readingOf(ledger, run, flags), path, by: null };
    const [part] = await writeWrongRows(run, ledger, options);
    if (part !== undefined) return { path: part.path, name, passing, notices: [] };
    throw new DealsheetError('usage', 'No row needs anything done.', 'There is nothing to download.');
  });
}

const lengthOfMonth = 'YYYY-MM'.length;

/** The balances of today, compared with the newest of an earlier month that this page has brought. */
export async function balancesOf(flags: PageFlags, { choice, session, key }: OpenService): Promise<GivenFile> {
  const folder = join(pageFolder(flags), 'balances', encodeURIComponent(key));
  mkdirSync(folder, { recursive: true, mode: folderOwnerOnly });
  const now = new Date();
  const name = `balances-${localDay(now)}.xlsx`;
  const month = name.slice(0, 'balances-'.length + lengthOfMonth);
  const earlier = readdirSync(folder)
    .filter((one) => /^balances-\d{4}-\d{2}-\d{2}\.xlsx$/.test(one) && one < month)
    .sort()
    .at(-1);
  const output = join(folder, name);
  if (existsSync(output)) rmSync(output);
  const client = session.connect(1, {});
  try {
    const { notices } = await exportBalances(
      {
        ...{ output, format: null, columns: [], lists: 'count', mask: true, now, query: [], groupBy: [], key: null },
        previous: earlier === undefined ? null : join(folder, earlier),
        contract: choice.contract,
        service: session.url.href,
        signal: new AbortController().signal,
        standardOutput: process.stdout,
      },
      client,
      { onPage: () => {}, onWritten: () => {} },
    );
    const compared = earlier === undefined ? [] : [`Compared with ${earlier}.`];
    return { path: output, name, passing: null, notices: [...compared, ...notices] };
  } finally {
    await client.close();
  }
}
