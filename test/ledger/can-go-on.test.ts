import { expect, it } from 'vitest';
import { canGoOn } from '../../src/ledger/run-records.ts';

it.each([
  [{ created: 2, 'not-sent': 1 }, true],
  [{ created: 2, sending: 1 }, true],
  [{ created: 2, failed: 1, 'in-doubt': 1 }, true],
  [{ created: 2, 'in-doubt': 1 }, false],
  [{ created: 2, 'in-doubt': 1, waiting: 1 }, false],
  [{ created: 3, waiting: 1 }, true],
  [{ created: 2, invalid: 1, rejected: 1 }, false],
] as const)('a run goes on with rows that may be sent, and not with doubts alone: %j', (counts, goesOn) => {
  expect(canGoOn(counts)).toBe(goesOn);
});
