/** The choices of a person for a load. */
import type { Expectation } from './foresight/expectations.ts';
import type { LoadPlan } from './foresight/written-plan.ts';
import type { SendingOptions } from './options/sending-options.ts';

export interface ImportOptions extends SendingOptions {
  readonly allOrNothing: boolean;
  /** Believe the statuses of a results sheet whose run the ledger does not know. */
  readonly trustResults: boolean;
  /** The plan that must still hold, or nothing is sent; `null` for none. */
  readonly plan: LoadPlan | null;
  /** What the file must hold, or nothing is sent. */
  readonly expectations: readonly Expectation[];
  /** How the person named the service, and at what pace it is to be spoken to, so that a resume does as much; nothing secret. */
  readonly serviceName: Readonly<Record<string, string>>;
}
