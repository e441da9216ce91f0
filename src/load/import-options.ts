/** The choices of a person for a load. */
import type { Expectation } from '../plan/expectations.ts';
import type { PlannedChoices } from '../plan/load-plan.ts';
import { choice, isObject, type Wanted, wantedSending } from '../plan/wanted-options.ts';
import type { LoadPlan } from '../plan/written-plan.ts';

export interface ImportOptions extends PlannedChoices {
  /** The plan that must still hold, or nothing is sent; `null` for none. */
  readonly plan: LoadPlan | null;
  /** What the file must hold, or nothing is sent. */
  readonly expectations: readonly Expectation[];
}

export const wantedImport: Wanted<ImportOptions> = {
  ...wantedSending,
  allOrNothing: choice,
  trustResults: choice,
  serviceName: { wanted: 'an object with the names by which a resume finds the service, or {}', isRight: isObject },
  plan: { wanted: 'what readPlan gives, or null', isRight: (given) => given === null || isObject(given) },
  expectations: { wanted: 'a list of what the file must hold, or []', isRight: Array.isArray },
};
