/** How many requests of a run may be sent again: ten in a hundred rows, and fifty in any run. */

const retryShare = 0.1;
const leastRetryBudget = 50;

export function retryBudgetFor(rows: number): number {
  return Math.max(leastRetryBudget, Math.ceil(rows * retryShare));
}
