/**
 * Finds committed and in-doubt rows that an open row of this file may be a correction of. Its one rule: it looks only where the file
 * gives evidence: later loads of the same source, and places beside known rows.
 */
import { recordKind } from '../contract/record-kinds.ts';
import { entriesOf, isLater, type LogicalRow, type Place, type RowId, type RunRecord } from '../ledger/ledger.ts';
import { once, oncePerText } from '../once.ts';
import type { KnownStaged } from '../staging/staged-row.ts';
import type { Staging } from '../staging/staging.ts';
import { csvSheetName } from '../tables/open-source.ts';
import { isLive, type PlanLedger } from './row-digests.ts';

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

/** By row number: the row that was once at that place, counted from the nearest known row. */
export type ReplacedRows = ReadonlyMap<number, LogicalRow>;

/** Skips sheets of which less than a third is known: in the file of another month, no row corrects one of the last month. */
export async function replacedRows(staging: Staging, ledger: PlanLedger, batch: number): Promise<ReplacedRows> {
  const replaced = new Map<number, LogicalRow>();
  for (const { number, kind } of staging.sheets) {
    const most = recordKind(kind).sending.isUpdate ? 0 : 2 * staging.knownIn(number);
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
    if (valid <= most) for (const [row, other] of inSheet) replaced.set(row, other);
  }
  return replaced;
}

const isUnidentified = 'r.foundBy IS NULL AND r.aside IS NULL';
