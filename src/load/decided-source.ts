/** Decides what a load would do with each row of a source: read, stage, plan, preview. */
import { allowedBy } from '../contract/check-codes.ts';
import type { RunRecord } from '../ledger/ledger.ts';
import type { CheckedRow } from '../mapping/body.ts';
import type { Message } from '../messages/message.ts';
import { textOf } from '../messages/text.ts';
import type { ValuesBefore } from '../plan/changed-fields.ts';
import type { PlanOptions } from '../plan/decision.ts';
import { withEarlierReading } from '../plan/earlier-reading.ts';
import { meetExpectations, needLikeLast, totalsOf } from '../plan/expectations.ts';
import type { Expectation } from '../plan/options.ts';
import { earlierRefsIn } from '../plan/parents.ts';
import { type Basis, basisOf, originNamedIn, type PlanResult, plan } from '../plan/plan.ts';
import { type Preview, previewing } from '../plan/preview.ts';
import { digestsAlone, type PlanLedger } from '../plan/row-digests.ts';
import { levelsOf, type ReadingOptions, stageSource, withMapping, withStaging } from '../staging/reading.ts';
import { copySource, type SourceCopy } from '../staging/source/source-copy.ts';
import type { Staged } from '../staging/stage.ts';
import type { Staging } from '../staging/staging.ts';
import type { Source } from '../tables/source.ts';
import { earlierValuesOf } from './values-before.ts';

export interface Opened {
  readonly source: Source;
  readonly copy: SourceCopy;
  readonly staging: Staging;
}

/** Runs `use` with a private copy of a file and a staging of its rows, then removes both. */
export async function withSource<Result>(given: ReadingOptions, use: (opened: Opened) => Promise<Result>) {
  const copy = await copySource(given.file, given.sourcesFolder, given.standardInput);
  try {
    return await withStaging(copy, given, (source, staging) => use({ source, copy, staging }));
  } finally {
    copy.lock.remove();
  }
}

export interface Decided<Options extends ReadingOptions = ReadingOptions> extends Opened, PlanResult {
  readonly options: Options;
  readonly staged: Staged;
  readonly preview: Preview;
  readonly valuesBefore: ValuesBefore;
  /** For deciding the rows again once the lease is held. */
  readonly planOptions: PlanOptions;
  /** See {@link basisOf}. */
  readonly basis: Basis;
}

export interface ReadingEvents {
  /** Called as the first reading goes on, with the rows so far. */
  readonly onProgress: (rows: number) => void;
  /** Called for each row with an error or a warning. */
  readonly onProblemRow?: ((row: CheckedRow) => void) | undefined;
}

export interface Deciding extends ReadingEvents {
  /** The identity of the service whose earlier loads count; `null` for none. */
  readonly service: string | null;
  readonly ledger: PlanLedger;
  readonly planning: Pick<PlanOptions, 'again' | 'limit' | 'allOrNothing' | 'trustResults' | 'resumes'>;
}

export async function decideSource<Options extends ReadingOptions>(
  opened: Opened,
  options: Options,
  { service, ledger, planning, onProgress, onProblemRow }: Deciding,
): Promise<Decided<Options>> {
  const { source, copy, staging } = opened;
  const earlierRefs = service === null ? null : earlierRefsIn(ledger, service);
  const digestOf = digestsAlone({ ledger, service: service ?? 'none' });
  const staged = await stageSource(source, copy, staging, options, { earlierRefs, service, digestOf, onProgress });
  const refScope = options.mapping?.mapping.refScope ?? options.contract.refScope;
  const planOptions: PlanOptions = {
    service: service ?? 'none',
    sourceDigest: copy.digest,
    sourceName: copy.sourceName,
    origin: originNamedIn(staging, await ledger.runs(), copy.sourceName),
    isNamedByFile: source.format === 'csv',
    refScope: refScope ?? 'service',
    takesRefs: service === null,
    allow: allowedBy(levelsOf(options, service)),
    ...planning,
  };
  const basis = await basisOf(ledger, planOptions.service);
  const preview = previewing(staged, staging, onProblemRow);
  const planned = await plan(staging, ledger, planOptions, preview.add);
  const { changed } = preview;
  const { sourcesFolder, contract } = options;
  const valuesBefore = await earlierValuesOf(changed, ledger, { sourcesFolder, contract });
  const done = preview.done(refScope !== undefined, valuesBefore);
  return { ...opened, options, staged, preview: done, valuesBefore, planOptions, basis, ...planned };
}

/**
 * Decides a file with the options of the run that wrote it, if it is a results sheet.
 *
 * @throws DealsheetError `usage` when it does not hold what the person expects
 */
export async function decideFile<Options extends ReadingOptions>(
  opened: Opened,
  given: Options & { readonly expectations?: readonly Expectation[]; readonly likeLast?: number | null },
  deciding: Deciding & { readonly runs: readonly RunRecord[] },
): Promise<Decided<Options>> {
  const { service, runs } = deciding;
  const read = await withEarlierReading<Options>(opened.source, given, runs);
  const { source, options } = await withMapping(opened.source, opened.copy, read.options);
  const decided = await decideSource({ ...opened, source }, options, deciding);
  meetExpectations(decided.preview, given.expectations ?? []);
  if (service !== null && given.likeLast != null) {
    const { digest: sourceDigest, sourceName } = opened.copy;
    const file = { service, sourceDigest, sourceName, mapping: options.mapping?.path ?? null };
    needLikeLast({ ...file, totals: totalsOf(decided.preview) }, runs, given.likeLast);
  }
  return withNotices(decided, read.notices);
}

/** Tells the person of these first. */
export function withNotices<Of extends Decided<ReadingOptions>>(decided: Of, notices: readonly Message[]): Of {
  const { preview } = decided;
  return { ...decided, preview: { ...preview, notices: [...notices.map(textOf), ...preview.notices] } };
}
