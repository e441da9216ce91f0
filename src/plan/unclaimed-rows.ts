/**
 * Finds committed and in-doubt rows that an open row of this file may be a correction of. Its one rule: it looks only where the file
 * gives evidence: later loads of the same source, and places beside known rows.
 */
import { recordKind } from '../contract/record-kinds.ts';
import { rowStates } from '../contract/row-state.ts';
import { entriesOf, isLater, type LogicalRow, type Place, type RowId, type RunRecord } from '../ledger/ledger.ts';
import { once, oncePerText } from '../once.ts';
import type { KnownStaged } from '../staging/staged-row.ts';
import type { Staging } from '../staging/staging.ts';
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
  const registeredOf = oncePerText((kind) => oncePerText((run) => registeredIn(ledger, staging, run, kind)));
  return async (rows) => {
    const runs = rows.length === 0 ? [] : await ofService();
    const asked: { readonly row: LogicalRow; readonly ofShared: LogicalRow[]; readonly places: Place[] }[] = [];
    for (const row of rows) {
      const { id, kind, origin, firstRun, at } = row;
      // A file of a name under which the source was once loaded may be that source with other rows.
      const names = new Set(runs.flatMap((run) => (run.origin === origin ? [origin, run.sourceName] : [])));
      const first = runs.find((run) => run.id === at.run)?.number ?? 0;
      const [ofShared, places]: [LogicalRow[], Place[]] = [[], []];
      for (const run of runs.filter((one) => names.has(one.origin) && one.number > first)) {
        const { ids, isOfFile, latest } = await registeredOf(kind)(run.id);
        if (ids.has(id)) continue;
        const { rows: newest, firstRuns } = await latest();
        if (isOfFile || firstRuns.has(firstRun)) ofShared.push(...newest);
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

async function registeredIn(ledger: PlanLedger, staging: Staging, run: string, kind: string) {
  const ids = new Set<RowId>();
  for await (const entry of entriesOf(ledger, run)) if (entry.kind === kind) ids.add(entry.id);
  const isClaimed = (id: RowId) => staging.claimantOf(id) !== null;
  /** The committed and in-doubt rows. Of those that one run first registered, the latest that this file claims, and the latest other. */
  const latest = once(async () => {
    const firstRuns = new Set<string>();
    const newest = new Map<string, LogicalRow>();
    const all = [...ids];
    for (let from = 0; from < all.length; from += ledger.rowsAtOnce)
      for (const row of (await ledger.lookupRows(all.slice(from, from + ledger.rowsAtOnce))).values()) {
        const key = `${row.firstRun} ${isClaimed(row.id)}`;
        const other = newest.get(key);
        firstRuns.add(row.firstRun);
        if (isLive(row) && (other === undefined || isLater(row.at.order, other.at.order))) newest.set(key, row);
      }
    return { rows: [...newest.values()], firstRuns };
  });
  return { ids, isOfFile: [...ids].some(isClaimed), latest };
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
 * Finds what rows replace: what was once in their place, and what the file of this name has yet to put right, wherever that is by now.
 *
 * Skips the file of another month, in which no row corrects one of the last month: more than two rows for each known one are unlike
 * what they replace. A row is like it that shares identifying values, or most values with one that is yet to be put right.
 */
export async function replacedRows(around: Source, batch: number): Promise<ReplacedRows> {
  const { staging, ledger } = around;
  const replaced = new Map<number, readonly LogicalRow[]>();
  for (const { number, name, kind } of staging.sheets) {
    if (recordKind(kind).sending.isUpdate) continue;
    const known = staging.knownIn(number);
    const newest = await inNewestLoad(around, name);
    if (known === 0 && newest.at.size === 0) continue;
    const isFree = (one: LogicalRow) => one.kind === kind && staging.claimantOf(one.id) === null;
    const wrong = new Map(newest.wrong.filter(isFree).map((one) => [one.id, one]));
    const met: { row: number; inPlace: readonly LogicalRow[]; elsewhere: readonly LogicalRow[] }[] = [];
    const corrected = new Set<RowId>();
    const alike = new Set<RowId>();
    const unlike: RowId[] = [];
    let [tied, unlikeInvalid] = [0, 0];
    const most = () => 2 * known + Math.max(0, tied - 1);
    for await (const all of staging.batches(number, isUnidentified, batch)) {
      const others = known > 0 ? await besideKnown(around, all) : all.map(({ row }) => newest.at.get(row) ?? null);
      const placeOf = new Map(all.map((row, at) => [row, [others[at] ?? []].flat().filter(isFree)]));
      const rows = all.filter((row) => wrong.size > 0 || placeOf.get(row)?.length === 1);
      const { digests, forms } = await digestsFor(kind, rows, around);
      const ties = await candidatesOf(around, rows.flatMap(digests.ties));
      for (const row of rows) {
        const place = placeOf.get(row) ?? [];
        const fields = new RowFields(ledger, row, staging.data(row), forms);
        const isTied = place.some(({ id }) => ties(digests.ties(row)).some((one) => one.row.id === id));
        const inPlace = place.filter((one) => (known > 0 && wrong.has(one.id)) || fields.areMostlyOf(one));
        const like = [...wrong.values()].filter((one) => fields.areHalfOf(one));
        for (const { id } of like) alike.add(id);
        const isLike = isTied || like.length > 0 || inPlace.some(({ id }) => wrong.has(id));
        // Invalid rows are not sent yet, so however many there are, the valid ones are still compared.
        if (isTied) tied += 1;
        else if (!isLike && row.isValid) unlike.push(...place.map(({ id }) => id));
        else if (!isLike && place.length > 0 && ++unlikeInvalid > most()) continue;
        const found = inPlace.filter((one) => isTied || (wrong.has(one.id) && (known > 0 || like.includes(one))));
        for (const { id } of found) corrected.add(id);
        if (inPlace.length + like.length > 0)
          met.push({ row: row.number, inPlace, elsewhere: found.length > 0 ? [] : like });
      }
      if (unlike.length > most() + rowsCompared) break;
    }
    // What another row is like has moved.
    if (unlike.filter((id) => !alike.has(id)).length > most()) continue;
    for (const { row, inPlace, elsewhere } of met)
      replaced.set(row, [...inPlace, ...elsewhere.filter(({ id }) => !corrected.has(id))]);
  }
  return replaced;
}

/** What was once at the place of each row, counted from the nearest known row. */
function besideKnown({ staging, ledger }: Source, rows: readonly KnownStaged[]) {
  const steps = rows.map((row) => {
    const beside = staging.knownBeside(row);
    return [beside?.id ?? 0, row.row - (beside?.row ?? 0)] as const;
  });
  return ledger.lookupBeside(steps);
}

/** In a longer sheet, known rows tell enough. */
const rowsCompared = 64;

/**
 * The committed and in-doubt rows by their place in the newest load of a file of this name.
 *
 * @returns `wrong`: those that went in otherwise than the file had them, so that it is yet to be put right
 */
async function inNewestLoad({ ledger, service, sourceName, resumes = null }: Source, sheet: string) {
  const isMeant = (run: RunRecord) => run.service === service && run.sourceName === sourceName && run.id !== resumes;
  const newest = (await ledger.runs()).find(isMeant);
  const entries = newest === undefined ? [] : await ledger.entries(newest.id, sheet, 0, rowsCompared);
  const rows = await ledger.lookupRows(entries.map(({ id }) => id));
  const corrected = await ledger.lookupRows([...rows.values()].flatMap(({ corrects }) => corrects ?? []));
  const sentAs = await candidatesOf(
    { ledger, service },
    [...rows.values()].flatMap(({ content }) => content ?? []),
  );
  const wentInAsAtFirst = ({ id, content }: LogicalRow) =>
    sentAs([content ?? '']).some((one) => one.row.id === id && one.isFirst);
  const at = new Map<number, LogicalRow>();
  const wrong: LogicalRow[] = [];
  for (const { row: place, id, state, message } of entries) {
    const row = rows.get(id);
    const other = row === undefined || isLive(row) ? row : corrected.get(row.corrects ?? 0);
    if (row === undefined || other === undefined) continue;
    at.set(place, other);
    const isOtherwise = rowStates[state].isIn ? message?.code === 'loaded-otherwise' : !wentInAsAtFirst(row);
    if (isOtherwise || !isLive(row)) wrong.push(other);
  }
  return { at, wrong };
}

const isUnidentified = 'r.foundBy IS NULL AND r.aside IS NULL';
