/** Earlier loads: their outcomes, their rows in doubt, and their downloads. */
import { mkdirSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { recordKind } from '../contract/record-kinds.ts';
import { folderOwnerOnly } from '../disk/new-file.ts';
import { exportBalances } from '../export/export-balances.ts';
import type { RunRecord } from '../ledger/ledger.ts';
import { isSandbox, minuteOf, serviceText } from '../ledger/run-records.ts';
import { describedDoubts, resolveDoubts } from '../load/resolve-doubt.ts';
import { rewriteResults } from '../load/rewrite-results.ts';
import { writeWrongRows } from '../load/rows-to-act-on.ts';
import { canResume } from '../load/run-source.ts';
import { localDay } from '../mapping/values/dates.ts';
import { errorOf, messageOf, textOf } from '../messages/text.ts';
import { areResultsThere, ownPlace } from '../report/results-file.ts';
import { asking } from '../service/client.ts';
import { withLedger, withRun } from '../settings/ledger-choice.ts';
import { readingOfRun } from '../settings/service.ts';
import { typedAnswerOf } from '../staging/own-columns.ts';
import type { ClearAnswer } from '../staging/staged-row.ts';
import { pageFolder, passingFolder } from './page-folder.ts';
import type { DoubtResolved, DoubtShown, RunShown, Wanted } from './protocol.ts';
import { type OpenService, type PageFlags, withServiceOf } from './services.ts';
import { stateCounts } from './shown-load.ts';

const mostRuns = 200;

export function runsShown(flags: PageFlags): Promise<readonly RunShown[]> {
  return withLedger(flags, async (ledger) => {
    const runs = (await ledger.runs()).slice(0, mostRuns);
    return Promise.all(
      runs.map(async (run) => {
        const { id, sourceName, startedAt, person, host, state } = run;
        const { sending = 0, 'in-doubt': doubts = 0, ...counts } = await ledger.counts(id);
        return {
          id,
          file: sourceName,
          began: `${minuteOf(startedAt)} UTC`,
          person: `${person} on ${host}`,
          service: addressOfRun(run),
          states: stateCounts({ ...counts, 'in-doubt': doubts + sending }),
          state,
          canGoOn: await canResume(ledger, run),
        };
      }),
    );
  });
}

/** `null` for a rehearsal. */
export function addressOfRun({ service, serviceUrl }: RunRecord): string | null {
  return isSandbox(service) ? null : serviceUrl;
}

export function doubtsShown(flags: PageFlags, id: string): Promise<readonly DoubtShown[]> {
  return withRun(flags, id, async (run, ledger) => {
    const doubts = await describedDoubts(ledger, run, readingOfRun(run, ledger, flags));
    return doubts.map(({ sheet, row, attempt, kind, message, says }) => ({
      sheet,
      row,
      attempt,
      kind: recordKind(kind).singular,
      came: message === null ? '' : textOf(message),
      says,
    }));
  });
}

export function resolveDoubt(
  flags: PageFlags,
  { run: id, sheet, row, attempt, record, isChange }: DoubtResolved,
  open: OpenService | null,
): Promise<readonly string[]> {
  return withRun(flags, id, async (run, ledger) => {
    const said: ClearAnswer = record === null ? { kind: 'not-created' } : { kind: 'created', id: recordIn(record) };
    return withServiceOf(run, flags, open, (session) =>
      asking(session.connect({}), async (client) => {
        const options = { ...readingOfRun(run, ledger, flags), connect: async () => client, changedSince: false };
        const answer = { position: { sheet, row }, said, attempt, mayBeOld: !isChange };
        const resolved = await resolveDoubts(ledger, run, [answer], options);
        return [...resolved.corrections, ...resolved.found, ...resolved.unsure].map(textOf);
      }),
    );
  });
}

/**
 * @returns the id, or `null` for a record without one
 * @throws DealsheetError `usage` for a text that is neither an id nor a link that ends in one
 */
function recordIn(text: string): string | null {
  const answer = typedAnswerOf(text.trim());
  if (answer.kind === 'created') return answer.id;
  throw errorOf('no-record-id');
}

export interface GivenFile {
  readonly path: string;
  /** Whether to delete its folder after the download. */
  readonly isPassing: boolean;
  readonly notices: readonly string[];
}

/** @throws DealsheetError `usage` when there is nothing to download */
export async function givenFile(
  flags: PageFlags,
  wanted: Wanted,
  service: () => Promise<OpenService>,
): Promise<GivenFile> {
  if (wanted.what === 'balances') return balancesOf(flags, await service());
  return withRun(flags, wanted.run, async (run, ledger) => {
    const { resultsPath, sourceName } = run;
    const { later } = await ownPlace(run, ledger);
    if (wanted.what === 'results' && later === null && areResultsThere(run))
      return { path: resultsPath, isPassing: false, notices: [] };
    const passing = passingFolder(flags);
    const reading = readingOfRun(run, ledger, flags);
    if (wanted.what === 'results') {
      const again = { ...reading, resultsPath: join(passing, basename(resultsPath)) };
      const { path, withSource } = await rewriteResults(run, ledger, again);
      return { path, isPassing: true, notices: withSource ? [] : [textOf(messageOf('page-results-alone'))] };
    }
    const name = `${sourceName.replace(/(\.results)?\.(xlsx|csv|txt|tsv)$/i, '')}.wrong.xlsx`;
    const [part] = await writeWrongRows(run, ledger, { ...reading, path: join(passing, name), by: null });
    if (part !== undefined) return { path: part.path, isPassing: true, notices: [] };
    throw errorOf('no-wrong-rows');
  });
}

/** Today's balances, compared with the newest ones from an earlier month that this page exported. */
async function balancesOf(flags: PageFlags, { choice, session, key }: OpenService): Promise<GivenFile> {
  const folder = join(pageFolder(flags), 'balances', encodeURIComponent(key));
  mkdirSync(folder, { recursive: true, mode: folderOwnerOnly });
  const now = new Date();
  const path = join(folder, `balances-${localDay(now)}.xlsx`);
  const month = basename(path).slice(0, 'balances-YYYY-MM'.length);
  const earlier = readdirSync(folder).filter((name) => name.startsWith('balances-') && name < month);
  const [previous = null] = earlier.sort().reverse();
  const options = {
    ...{ output: path, format: null, columns: [], lists: 'count' as const, mask: true },
    ...{ now, query: [], groupBy: [], key: null },
    previous: previous === null ? null : join(folder, previous),
    contract: choice.contract,
    service: serviceText(session.identity, session.url),
    signal: new AbortController().signal,
  };
  const silent = { onPage: () => {}, onWritten: () => {} };
  const { notices } = await asking(session.connect({}), (client) => exportBalances(options, client, silent));
  const compared = previous === null ? [] : [textOf(messageOf('page-compared', { previous }))];
  return { path, isPassing: false, notices: [...compared, ...notices] };
}
