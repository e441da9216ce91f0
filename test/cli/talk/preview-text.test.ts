import { expect, it } from 'vitest';
import { checkedText } from '../../../src/cli/load-text.ts';
import { emptyCounts } from '../../../src/contract/row-state.ts';

it.each([
  [{ rows: 1 }, '1 row passes the checks. Nothing was sent.'],
  [{ rows: 3, leftOut: 1 }, '2 rows pass the checks. Left out: 1 row. Nothing was sent.'],
  [
    { rows: 5, invalid: 2, alreadyLoaded: 1, leftOut: 1, ready: 1 },
    '1 row of 5 would be sent. Not sent: 2 invalid, 1 already loaded, 1 left out. Correct the errors and check again.',
  ],
])('a check of %j ends with how many rows pass, or would be sent', (counts, text) => {
  expect(checkedText({ ...emptyCounts(), ...counts })).toBe(text);
});
