/**
 * Finds committed and in-doubt rows that an open row of this file may be a correction of. Its one rule: it looks only where the file
 * gives evidence: later loads of the same source, and places beside known rows.
 */
import { recordKind } from '../contract/record-kinds.ts';
import { entriesOf, isLater, type LogicalRow, type Place, type RowId, type RunRecord } from '../ledger/ledger.ts';
import { once, oncePerText } from '../once.ts';
import type { KnownStaged } from '../staging/staged-row.ts';
import type { StagedSheet, Staging } from '../staging/staging.ts';
import { csvSheetName } from '../tables/open-source.ts';
import { RowFields } from './changed-fields.ts';
import type { PlanOptions } from './decision.ts';
import { digestsFor } from './parents.ts';
import { type Around, candidatesOf, isLive, type PlanLedger } from './row-digests.ts';

/** What later loads of the same source sent after a row. A load that had the row as well tells the two apart, and does not count. */
interface LaterRows {
  /** Of the loads that share rows with this file or with the first run of the row. */
  readonly ofShared: readonly LogicalRow[];
  /** What the others had in its place. */
  readonly inPlace: readonly LogicalRow[];
}

export type LaterOf = (rows: readonly LogicalRow[]) => Promise<ReadonlyMap<RowId, LaterRows>>;

export function laterRows(ledger: PlanLedger, staging: Staging, service: string): LaterOf {
  const ofService = once(async () => (await ledger.runs()).filter((run) => run.service === service));
  const sentOf = oncePerText((kind) => oncePerText((run) => sentIn(ledger, staging, run, kind)));
  return async (rows) => {
    const runs = rows.length === 0 ? [] : await ofService();
    const asked: { readonly row: LogicalRow; readonly ofShared: LogicalRow[]; readonly places: Place[] }[] = [];
    for (const row of rows) {
      const { kind, origin, firstRun, at } = row;
      // A file of a name under which the source was once loaded may be that source with other rows.
      const names = new Set(runs.flatMap((run) => (run.origin === origin ? [origin, run.sourceName] : [])));
      const first = runs.find((run) => run.id === at.run)?.number ?? 0;
      const [ofShared, places]: [LogicalRow[], Place[]] = [[], []];
      for (const run of runs.filter((one) => names.has(one.origin) && one.number > first)) {
        if (row.runs.includes(run.id)) continue;
        const { isOfFile, latest, firstRuns } = await sentOf(kind)(run.id);
        if (isOfFile || firstRuns.has(firstRun)) ofShared.push(...latest);
        else places.push({ run: run.id, sheet: sheetThere(at.sheet, at, run), row: at.row });
      }
      asked.push({ row, ofShared, places });
    }
    const placed = [...(await ledger.lookupPlaces(asked.flatMap(({ places }) => places)))];
    return new Map(
      asked.map(({ row: { id, kind, at }, ofShared, places }) => {
        const isSentLater = (one: LogicalRow) => isLive(one) && one.kind === kind && isLater(one.at.order, at.order);
        const inPlace = placed.splice(0, places.length).flatMap((one) => one?.row ?? []);
        return [id, { ofShared: ofShared.filter(isSentLater), inPlace: inPlace.filter(isSentLater) }];
      }),
    );
  };
}

/** The name of a sheet in a file of another name: that of a CSV is named after its file. */
export function sheetThere(
  sheet: string,
  here: Pick<RunRecord, 'sourceName'>,
  there: Pick<RunRecord, 'sourceName'>,
): string {
  return sheet === csvSheetName(here.sourceName) ? csvSheetName(there.sourceName) : sheet;
}

/**
 * @returns `latest`: of the committed and in-doubt rows that one run first registered, the latest that this file claims, and the
 * latest other
 */
async function sentIn(ledger: PlanLedger, staging: Staging, run: string, kind: string) {
  const ids = new Set<RowId>();
  for await (const entry of entriesOf(ledger, run)) if (entry.kind === kind) ids.add(entry.id);
  const isClaimed = (id: RowId) => staging.claimantOf(id) !== null;
  const firstRuns = new Set<string>();
  const latest = new Map<string, LogicalRow>();
  const all = [...ids];
  for (let from = 0; from < all.length; from += ledger.rowsAtOnce)
    for (const row of (await ledger.lookupRows(all.slice(from, from + ledger.rowsAtOnce))).values()) {
      const key = `${row.firstRun} ${isClaimed(row.id)}`;
      const other = latest.get(key);
      firstRuns.add(row.firstRun);
      if (isLive(row) && (other === undefined || isLater(row.at.order, other.at.order))) latest.set(key, row);
    }
  return { isOfFile: all.some(isClaimed), latest: [...latest.values()], firstRuns };
}

/**
 * Finds the row of this file that claims a row of the ledger; its decision may be out of date. Asks staging once for each id:
 * thousands of rows may share a digest, and each is compared with all others.
 *
 * @param repeats  the new row of each old one: in a resume with `--again`, one line claims both
 */
export function claimantsIn(staging: Staging, repeats: ReadonlyMap<RowId, RowId>) {
  const known = new Map<number, KnownStaged | null>();
  return ({ id }: Pick<LogicalRow, 'id'>): KnownStaged | null => {
    const found = known.get(id);
    if (found !== undefined) return found;
    const number = staging.claimantOf(id) ?? staging.claimantOf(repeats.get(id) ?? 0);
    const claimant = number === null ? null : staging.one(number);
    known.set(id, claimant);
    return claimant;
  };
}

/** By row number: the rows that it may correct, although no value identifies it as one of them. */
export type ReplacedRows = ReadonlyMap<number, readonly LogicalRow[]>;
type Source = Around & Pick<PlanOptions, 'sourceName' | 'resumes'>;

/**
 * Finds what was once at the place of a row, counted from the nearest known row, and what {@link likeStillWrong} finds. Skips sheets of
 * which less than a third is known: in the file of another month, no row corrects one of the last month.
 */
export async function replacedRows(around: Source, batch: number): Promise<ReplacedRows> {
  const { staging, ledger } = around;
  const replaced = new Map<number, readonly LogicalRow[]>();
  for (const sheet of staging.sheets) {
    const { number, kind } = sheet;
    if (recordKind(kind).sending.isUpdate) continue;
    const alike = await likeStillWrong(around, sheet, batch);
    for (const [row, others] of alike) replaced.set(row, others);
    const most = 2 * (staging.knownIn(number) + alike.size);
    if (most === 0) continue;
    const inSheet = new Map<number, LogicalRow>();
    let valid = 0;
    for await (const rows of staging.batches(number, isUnidentified, batch)) {
      const steps = rows.map((row) => {
        const beside = staging.knownBeside(row);
        return [beside?.id ?? 0, row.row - (beside?.row ?? 0)] as const;
      });
      const others = await ledger.lookupBeside(steps);
      for (const [at, { number: row, isValid }] of rows.entries()) {
        const other = others[at] ?? null;
        if (other?.kind !== kind || staging.claimantOf(other.id) !== null) continue;
        // Invalid rows are not sent yet, so however many there are, the valid ones are still compared.
        if (isValid) valid += 1;
        else if (inSheet.size - valid >= most) continue;
        inSheet.set(row, other);
      }
      if (valid > most) break;
    }
    if (valid <= most) for (const [row, other] of inSheet) replaced.set(row, [other, ...(alike.get(row) ?? [])]);
  }
  return replaced;
}

/** In a longer sheet, known rows tell enough. */
const rowsCompared = 100;

/**
 * Finds the rows that have most of the values of one that went in as its results were corrected, and is yet to be put right in its file. It
 * may be anywhere in it, and every other row may be corrected, too.
 */
async function likeStillWrong(around: Source, sheet: StagedSheet, batch: number) {
  const { staging, ledger } = around;
  const found = new Map<number, readonly LogicalRow[]>();
  const isFree = ({ kind, id }: LogicalRow) => kind === sheet.kind && staging.claimantOf(id) === null;
  const { rows, last } = await stillWrong(around, sheet.name);
  const wrong = rows.filter(isFree);
  if (wrong.length === 0 || sheet.count > rowsCompared) return found;
  let others = 0;
  for await (const open of staging.batches(sheet.number, isUnidentified, batch)) {
    const { forms } = await digestsFor(sheet.kind, open, around);
    for (const row of open) {
      const fields = new RowFields(ledger, row, staging.data(row), forms);
      const alike = wrong.filter((one) => fields.areMoreThanHalfOf(one));
      if (alike.length > 0) found.set(row.number, alike);
      // Rows that were added below do not tell another month.
      else if (row.row <= last) others += 1;
    }
  }
  if (others > 2 * (staging.knownIn(sheet.number) + found.size)) found.clear();
  return found;
}

/** Of the newest load of a file of this name: what went in with other values than it came with at first, or what a row is held for. */
async function stillWrong({ ledger, service, sourceName, resumes = null }: Source, sheet: string) {
  const isMeant = (run: RunRecord) => run.service === service && run.sourceName === sourceName && run.id !== resumes;
  const newest = (await ledger.runs()).find(isMeant);
  const entries = newest === undefined ? [] : await ledger.entries(newest.id, sheet, 0, rowsCompared);
  const rows = [...(await ledger.lookupRows(entries.map(({ id }) => id))).values()];
  const contents = rows.flatMap(({ content }) => content ?? []);
  const sentAs = await candidatesOf({ ledger, service }, contents);
  const isAsAtFirst = ({ id, content }: LogicalRow) =>
    sentAs([content ?? '']).some((one) => one.id === id && one.isFirst);
  const heldFor = await ledger.lookupRows(rows.flatMap((row) => (isLive(row) ? [] : (row.corrects ?? []))));
  const corrected = rows.filter((row) => isLive(row) && !isAsAtFirst(row));
  return { rows: [...corrected, ...heldFor.values()], last: entries.at(-1)?.row ?? 0 };
}

const isUnidentified = 'r.foundBy IS NULL AND r.aside IS NULL';
