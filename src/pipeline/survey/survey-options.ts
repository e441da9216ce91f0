/** What the first reading of a source is given. */

import type { CheckLevels } from '../../contract/check-codes.ts';
import type { MappingSettings } from '../../mapping/row-mapper.ts';
import type { HeldRows } from '../rows/held-rows.ts';
import type { AttachmentPlace } from './attachment-files.ts';
import type { HiddenOrders } from './hidden-orders.ts';
import type { KeptRows } from './kept-rows.ts';
import type { EarlierRefs } from './reference-index.ts';

export interface SurveyOptions extends Omit<MappingSettings, 'decimals'> {
  /** Those that differ from the defaults, whoever says so. */
  readonly checks: CheckLevels;
  readonly attachments: AttachmentPlace;
  /** Where refs of earlier loads are looked up, or `null` when no service is chosen. */
  readonly earlierRefs: EarlierRefs | null;
  /** What the own columns of a results sheet say, or `null` when no service is chosen: then they say nothing. */
  readonly heldRows: HeldRows | null;
  /** What the hidden dates of a results sheet told when they could be seen. */
  readonly hiddenOrders: HiddenOrders;
  /** The identity of the service that the rows would go to, or `null` when none is chosen. */
  readonly service: string | null;
  /** Where rows are kept that will be gone through again, or `null` when they will not. */
  readonly keptRows: KeptRows | null;
  /** Told every thousand rows. */
  readonly onProgress: (rows: number) => void;
}
