/** What need not be said: the defaults of the command line and of the library, and events that nobody listens to. */
import type { SendingEvents } from './sending.ts';

export const defaultConcurrency = 32;
export const defaultTimeoutSeconds = 60;
/** Transactions in one request. */
export const defaultBatch = 100;

const retryShare = 0.1;
const leastRetryBudget = 50;

/** How many requests may be sent again: ten in a hundred rows, and fifty in any run. */
export function retryBudgetFor(rows: number): number {
  return Math.max(leastRetryBudget, Math.ceil(rows * retryShare));
}

/** Listens to nothing, and says yes to a load. */
export const silentImport: SendingEvents = {
  onProgress: () => {},
  confirm: async () => true,
  onHealth: () => {},
  onBegin: () => {},
  onRow: () => {},
  onReport: () => {},
};
