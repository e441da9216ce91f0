/** The choices of a person for a load. */
import type { Expectation } from '../plan/expectations.ts';
import type { PlannedChoices } from '../plan/load-plan.ts';
import type { LoadPlan } from '../plan/written-plan.ts';

export interface ImportOptions extends PlannedChoices {
  /** The plan that must still hold, or nothing is sent; `null` for none. */
  readonly plan: LoadPlan | null;
  /** What the file must hold, or nothing is sent. */
  readonly expectations: readonly Expectation[];
}
