/** Decides every staged row, once: preview, load and report read the decisions. Parents are decided before their children. */
import { recordKindNames } from '../contract/record-kind.ts';
import { stemOf } from '../disk/new-file.ts';
import type { RunRecord } from '../ledger/ledger.ts';
import type { KnownStaged } from '../staging/staged-row.ts';
import type { Staging } from '../staging/staging.ts';
import type { Limit, PlanOptions, StagedDecision } from './decision.ts';
import { decisionFacts, type FactsAround } from './decision-facts.ts';
import { identify } from './identity.ts';
import { type PlanLedger, remembering } from './row-digests.ts';
import { laterRows, replacedRows } from './unclaimed-rows.ts';

/** What decisions depend on in the ledger. */
export interface Basis {
  /** Of the service alone. */
  readonly runs: readonly string[];
  /** While it is unchanged, decisions hold. `null` while a load is running. */
  readonly state: string | null;
}

/** @param ignored  a run that has sent nothing yet */
export async function basisOf(ledger: PlanLedger, service: string, ignored: string | null = null): Promise<Basis> {
  const runs = (await ledger.runs()).filter(({ id }) => id !== ignored);
  const states = runs.map(({ id, state, endedAt }) => `${id} ${state} ${endedAt}`);
  const isChanging = runs.some(({ state }) => state === 'running');
  return {
    runs: runs.flatMap((run) => (run.service === service ? [run.id] : [])),
    state: isChanging ? null : [await ledger.newestResolution(), ...states].join('\n'),
  };
}

export interface PlanResult {
  /** Whether nothing is sent because rows are invalid. */
  readonly heldBack: boolean;
  /** See {@link likeliestOrigin}. */
  readonly origin: string;
}

/** @param onDecided  called for each row in loading order, parents before children */
export async function plan(
  staging: Staging,
  ledger: PlanLedger,
  options: PlanOptions,
  onDecided: (row: KnownStaged, decision: StagedDecision) => void = () => {},
): Promise<PlanResult> {
  const { service, allOrNothing, limit } = options;
  const remembered = remembering(ledger);
  const { origins, copied } = await identify(staging, remembered, options);
  staging.findEquals();
  const source = { staging, ledger: remembered, ...options };
  const replaced = await replacedRows(source, options.batch ?? ledger.rowsAtOnce);
  const laterOf = laterRows(remembered, staging, service);
  const around = { staging, ledger: remembered, origins, replaced, laterOf, sentBefore: new Map(), ...options };
  const rowsOf = new Map(origins);
  let heldBack = false;
  if (allOrNothing) {
    for await (const decided of decisions(around, limit))
      heldBack ||= decided.some(([, { do: what }]) => what === 'invalid');
    staging.clearDecisions();
    around.sentBefore.clear();
  }
  for await (const decided of decisions(around, heldBack ? 0 : limit))
    for (const [row, decision] of decided) {
      // A possible correction comes from the file of the row it corrects, unless its key names its own file.
      const corrected = !row.own && 'why' in decision && decision.why === 'possible-correction' ? decision.other : null;
      if (corrected !== null) rowsOf.set(corrected.origin, (rowsOf.get(corrected.origin) ?? 0) + 1);
      onDecided(row, decision);
    }
  return { heldBack, origin: likeliestOrigin(rowsOf, copied, staging, options.origin) };
}

/** Decides all rows, kind by kind, and yields each batch of them. */
async function* decisions(around: FactsAround, limit: Limit) {
  const { staging, ledger, batch = ledger.rowsAtOnce } = around;
  for (const kind of recordKindNames)
    for await (const rows of staging.batches(kind, 'TRUE', batch)) {
      const decide = await decisionFacts(kind, rows, around);
      yield rows.map((row) => {
        const decision = decide(row, !isTurn(row, limit, staging));
        staging.setDecision(row.number, JSON.stringify(decision));
        return [row, decision] as const;
      });
    }
}

/** Rows are numbered from 1 in loading order. */
function isTurn(row: KnownStaged, limit: Limit, staging: Staging): boolean {
  if (limit === null) return true;
  if (typeof limit === 'number') return row.number <= limit;
  const { name } = staging.sheetOf(row);
  return (limit.sheet ?? name) === name && limit.row === row.row;
}

/**
 * The name of the user's own file: the origin of the newest run that its rows name, else of a file of its name, in whatever format
 * or as results. Results of a run that the ledger does not know have no other tie to their file.
 */
export function originNamedIn(staging: Staging, newestFirst: readonly RunRecord[], sourceName: string): string {
  const named = staging.runsNamed();
  const isMeant = [
    ({ id }: RunRecord) => named.has(id),
    ({ origin }: RunRecord) => origin === sourceName,
    ({ origin }: RunRecord) => stemOf(origin) === stemOf(sourceName),
  ];
  const [run] = isMeant.flatMap((one) => newestFirst.find(one) ?? []);
  return run?.origin ?? sourceName;
}

/**
 * The file that the source is a copy of. If no row comes from a file of its own name, it is the one that most of its rows come from,
 * apart from those of runs that the ledger does not know.
 *
 * @param copied  the files that files of its name were copies of: of these, one row is enough
 */
function likeliestOrigin(
  origins: ReadonlyMap<string, number>,
  copied: ReadonlySet<string>,
  staging: Staging,
  ownName: string,
): string {
  if (origins.get(ownName) !== 0) return ownName;
  const unknown = staging.countFoundBy('trusted') + staging.countFoundBy('unknown-key');
  const rows = staging.sheets.reduce((sum, { count }) => sum + count, -unknown);
  const [most = ownName, count = 0] = [...origins].reduce((one, other) => (other[1] > one[1] ? other : one));
  return (copied.has(most) && count > 0) || 2 * count > rows ? most : ownName;
}
