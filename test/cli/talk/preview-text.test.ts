import { expect, it } from 'vitest';
import { checkedText } from '../../../src/cli/talk/preview-text.ts';
import { emptyCounts } from '../../../src/contract/row-state.ts';

it.each([
  [{ rows: 1 }, '1 row passes the checks. Nothing was sent.'],
  [{ rows: 3, leftOut: 1 }, '2 rows pass the checks. Left out: 1 row. Nothing was sent.'],
  [{ rows: 3, invalid: 2 }, '2 rows of 3 would not be sent. Correct the errors and check again.'],
])('a check of %j ends with how many rows pass, or would not be sent', (counts, text) => {
  expect(checkedText({ ...emptyCounts(), ...counts })).toBe(text);
});
