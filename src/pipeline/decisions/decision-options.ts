/** What a decision on a row hangs on beside the row itself: what a person chose, and the earlier loads of its source. */
import type { ContractSettings } from '../../contract/contract-settings.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { type HowRead, howRead } from '../options/run-options.ts';
import type { SendingOptions } from '../options/sending-options.ts';
import type { Snapshot } from '../source/snapshot.ts';
import type { AttachmentPlace } from '../survey/attachment-files.ts';
import { attachmentsOf } from '../survey/reading.ts';
import type { Survey } from '../survey/survey.ts';
import { type EarlierRun, earlierRunsOf } from './earlier-runs.ts';

export interface DecisionOptions {
  readonly service: string;
  /** The file that is loaded, as a whole path. */
  readonly sourcePath: string;
  readonly contract: ContractSettings;
  readonly attachments: AttachmentPlace;
  /** Sends rows although equal ones are in. */
  readonly again: boolean;
  readonly idempotencyKeys: boolean;
  /** Whether the run was begun before: its rows that are settled stay as they are. */
  readonly resumed: boolean;
  /** Earlier runs of the same source, the newest first: updates that went in with one of them are not sent again. */
  readonly earlierRuns: readonly EarlierRun[];
  /** How the source is read, or `null` when a run goes on that was agreed to with that. */
  readonly howRead: HowRead | null;
}

/** A source that was looked through, and is to be loaded. */
export interface SurveyedLoad {
  readonly options: SendingOptions;
  readonly ledger: Ledger;
  readonly snapshot: Snapshot;
  readonly surveyed: Survey;
  /** Whether the run was begun before. */
  readonly resumed: boolean;
}

/** @param run  the run that is under way, or `null` for none */
export function decisionOptions(load: SurveyedLoad, run: string | null): DecisionOptions {
  const { options, ledger, snapshot, surveyed, resumed } = load;
  const earlierRuns = options.again ? [] : earlierRunsOf(ledger, options.service, snapshot, surveyed, run);
  const { sourcePath } = snapshot;
  return {
    ...options,
    sourcePath,
    attachments: attachmentsOf(options, snapshot),
    resumed,
    earlierRuns,
    howRead: resumed ? null : howRead(options),
  };
}
