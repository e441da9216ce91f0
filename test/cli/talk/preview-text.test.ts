import { expect, it } from 'vitest';
import { checkedText, resultText } from '../../../src/cli/load-text.ts';
import { emptyCounts } from '../../../src/contract/row-state.ts';
import type { SendingResult } from '../../../src/load/sending.ts';

it.each([
  [{ rows: 1 }, '1 row passes the checks. Nothing was sent.'],
  [{ rows: 3, leftOut: 1 }, '2 rows pass the checks. Left out: 1 row. Nothing was sent.'],
  [
    { rows: 5, invalid: 2, alreadyLoaded: 1, leftOut: 1, ready: 1 },
    '1 row of 5 would be sent. Not sent: 2 invalid, 1 already loaded, 1 left out. Correct the errors and check again.',
  ],
  [
    { rows: 2, notSent: 1, alreadyLoaded: 1 },
    '0 rows of 2 would be sent. Not sent: 1 already loaded, 1 held. The lines above say why, and what to do.',
  ],
  [
    { rows: 3, changedSinceLoaded: 1, ready: 2 },
    '2 rows of 3 would be sent. Not sent: 1 changed since loaded. The lines above say why, and what to do.',
  ],
  [{ rows: 3, ready: 1, alreadyLoaded: 2 }, '3 rows pass the checks. Nothing was sent.'],
])('a check of %j ends with how many rows pass, or would be sent', (counts, text) => {
  expect(checkedText({ ...emptyCounts(), ...counts })).toBe(text);
});

it.each([
  [{ created: 1 }, true],
  [{ created: 1, inDoubt: 1 }, true],
  [{ created: 1, notSent: 1 }, false],
])('a load that is interrupted with %j says whether its last row was through', (counts, isThrough) => {
  const ending = { run: 'r', interrupted: true, stopReason: null, unwritten: null, totals: [], notices: [] };
  const result = { ...ending, file: 'a.csv', original: 'a.csv', counts: { ...emptyCounts(), ...counts } };
  const text = resultText(result as unknown as SendingResult, { isRehearsal: false });
  expect(text.includes('there is nothing to resume')).toBe(isThrough);
});
