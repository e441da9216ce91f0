/** The choices of a person for a load. */
import type { Expectation } from './foresight/expectations.ts';
import type { PlannedChoices } from './foresight/load-plan.ts';
import type { LoadPlan } from './foresight/written-plan.ts';

export interface ImportOptions extends PlannedChoices {
  /** The plan that must still hold, or nothing is sent; `null` for none. */
  readonly plan: LoadPlan | null;
  /** What the file must hold, or nothing is sent. */
  readonly expectations: readonly Expectation[];
}
