/**
 * Finds committed and in-doubt rows that an open row of this file may be a correction of. Its one rule: it looks only where the file
 * gives evidence: later loads of the same source, and places beside known rows.
 */
import type { RecordKindName } from '../contract/record-kind.ts';
import { recordKind } from '../contract/record-kinds.ts';
import { entriesOf, isLater, type LogicalRow, type RowId } from '../ledger/ledger.ts';
import { once } from '../once.ts';
import type { KnownStaged } from '../staging/staged-row.ts';
import type { Staging } from '../staging/staging.ts';
import type { PlanLedger } from './row-digests.ts';

interface Entered {
  readonly ids: ReadonlySet<RowId>;
  /** Whether a row of this file claims one of them. */
  readonly isOfFile: boolean;
  /**
   * The rows of this run by the run that first registered them: the latest committed or in-doubt row that this file claims, and the
   * latest one that it does not claim.
   */
  readonly latest: () => Promise<ReadonlyMap<string, readonly LogicalRow[]>>;
}

/**
 * The rows that were sent after a row, by later loads of the same source that share rows with this file or with its first run. A
 * load that had the row as well tells the two apart, so its rows do not count.
 */
export type LaterRows = (row: LogicalRow) => Promise<readonly LogicalRow[]>;

export function laterRows(ledger: PlanLedger, staging: Staging, service: string): LaterRows {
  const runsOf = once(() => ledger.runs());
  const known = new Map<string, Promise<Entered>>();
  const enteredIn = (run: string, kind: RecordKindName): Promise<Entered> => {
    const key = `${kind} ${run}`;
    const entered = known.get(key) ?? readEntered(ledger, staging, run, kind);
    known.set(key, entered);
    return entered;
  };
  return async ({ id, kind, origin, firstRun, at }) => {
    const runs = await runsOf();
    const first = runs.find((run) => run.id === at.run)?.number ?? 0;
    const later = runs.filter((run) => run.service === service && run.origin === origin && run.number > first);
    const found: LogicalRow[] = [];
    for (const run of later) {
      const { ids, isOfFile, latest } = await enteredIn(run.id, kind);
      if (ids.has(id)) continue;
      const latestByFirstRun = await latest();
      if (isOfFile || latestByFirstRun.has(firstRun)) found.push(...[...latestByFirstRun.values()].flat());
    }
    return found.filter((row) => isLater(row.at.order, at.order));
  };
}

async function readEntered(ledger: PlanLedger, staging: Staging, run: string, kind: RecordKindName): Promise<Entered> {
  const ids = new Set<RowId>();
  for await (const entry of entriesOf(ledger, run)) if (entry.kind === kind) ids.add(entry.id);
  const isOfFile = [...ids].some((id) => staging.claimantOf(id) !== null);
  return { ids, isOfFile, latest: once(() => latestOf(ledger, staging, [...ids])) };
}

async function latestOf(ledger: PlanLedger, staging: Staging, ids: readonly RowId[]) {
  const latest = new Map<string, readonly LogicalRow[]>();
  for (let from = 0; from < ids.length; from += ledger.rowsAtOnce) {
    const rows = await ledger.lookupRows(ids.slice(from, from + ledger.rowsAtOnce));
    for (const row of rows.values()) {
      const others = latest.get(row.firstRun) ?? [];
      const isClaimed = ({ id }: LogicalRow) => staging.claimantOf(id) !== null;
      const [alike] = others.filter((other) => isClaimed(other) === isClaimed(row));
      const isNewest = row.phase !== 'open' && (alike === undefined || isLater(row.at.order, alike.at.order));
      latest.set(row.firstRun, isNewest ? [row, ...others.filter((other) => other !== alike)] : others);
    }
  }
  return latest;
}

/** The row of this file that claims a row of the ledger. Its decision may be out of date. */
export type ClaimantOf = (row: Pick<LogicalRow, 'id'>) => KnownStaged | null;

/**
 * Asks once for each id: thousands of rows may share a digest, and each is compared with all others.
 *
 * @param repeats  the new row of each old one: in a resume with `--again`, one line claims both
 */
export function claimantsIn(staging: Staging, repeats: ReadonlyMap<RowId, RowId>): ClaimantOf {
  const known = new Map<number, KnownStaged | null>();
  return ({ id }) => {
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
    for await (const rows of staging.batches(number, isNew, batch)) {
      const steps = rows.map((row) => {
        const beside = staging.nearestKnown(row);
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

const isNew = 'r.foundBy IS NULL AND r.aside IS NULL';
