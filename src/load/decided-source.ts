/** From a source to what a load would do with each of its rows: stage, plan, preview. */
import { allowedBy } from '../contract/check-codes.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { earlierRefsIn } from '../plan/earlier-refs.ts';
import { loadedElsewhere, rehearsedOnly } from '../plan/loaded-elsewhere.ts';
import { type PlanOptions, plan } from '../plan/plan.ts';
import { type Preview, previewOf } from '../plan/preview.ts';
import type { SendingOptions } from '../plan/sending-options.ts';
import { csvSheetName } from '../sheets/open-source.ts';
import type { Source } from '../sheets/source.ts';
import { levelsOf, type ReadingOptions, stageSource } from '../staging/reading.ts';
import type { Snapshot } from '../staging/source/snapshot.ts';
import type { Staged } from '../staging/stage.ts';
import type { Staging } from '../staging/staging.ts';

export interface Decided {
  readonly staged: Staged;
  readonly preview: Preview;
  /** How its rows were decided, should that have to be done once more. */
  readonly plan: PlanOptions;
  /** Nothing is sent, because rows failed the checks. */
  readonly heldBack: boolean;
}

export interface DecidingOptions {
  readonly options: SendingOptions;
  readonly ledger: Ledger;
  readonly planning: Pick<PlanOptions, 'trustResults' | 'allOrNothing'>;
  /** The run that goes on, or `null`. */
  readonly resumes: string | null;
  /** Whole sentences about how the source is read. */
  readonly notices: readonly string[];
  readonly onProgress: (rows: number) => void;
}

/** What tells a plan of the source itself. */
export function planOfSource(
  { format }: Source,
  { digest, sourceName }: Snapshot,
  { mapping, contract }: ReadingOptions,
): Pick<PlanOptions, 'sourceDigest' | 'sourceName' | 'nameOfSheet' | 'refScope'> {
  return {
    sourceDigest: digest,
    sourceName,
    ...(format === 'csv' && { nameOfSheet: (_, fileName) => csvSheetName(fileName) }),
    refScope: mapping?.mapping.refScope ?? contract.refScope ?? 'service',
  };
}

export async function decideSource(
  source: Source,
  snapshot: Snapshot,
  staging: Staging,
  { options, ledger, planning, resumes, notices, onProgress }: DecidingOptions,
): Promise<Decided> {
  const { service, serviceUrl, again, limit } = options;
  const earlierRefs = earlierRefsIn(ledger, service);
  const staged = await stageSource(source, snapshot, staging, options, { earlierRefs, service, onProgress });
  const runs = await ledger.runs();
  const planOptions: PlanOptions = {
    service,
    ...planOfSource(source, snapshot, options),
    again,
    limit,
    allow: allowedBy(levelsOf(options, service)),
    ...planning,
    resumes,
  };
  const heldBack = await plan(staging, ledger, planOptions);
  const preview = await previewOf(staged, staging);
  const counts: Ledger['counts'] = (run) => ledger.counts(run);
  const runsOfSheet = staging.runsNamed();
  const among = { service, serviceUrl, sourceDigest: snapshot.digest, runs, runsOfSheet, counts };
  const elsewhere = resumes === null ? [...(await loadedElsewhere(among)), ...rehearsedOnly(among)] : [];
  return {
    staged,
    preview: { ...preview, notices: [...notices, ...elsewhere, ...preview.notices] },
    plan: planOptions,
    heldBack,
  };
}
