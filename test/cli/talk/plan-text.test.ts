import { describe, expect, it } from 'vitest';
import { checkedText } from '../../../src/cli/talk/plan-text.ts';
import { emptyCounts } from '../../../src/contract/row-state.ts';

describe('what a check says at its end', () => {
  it.each([
    [1, 'The one row passes the checks. Nothing was sent.'],
    [2, 'Both rows pass the checks. Nothing was sent.'],
    [3, 'All 3 rows pass the checks. Nothing was sent.'],
  ])('is, of %d rows without an error, that they pass', (rows, text) => {
    expect(checkedText({ counts: { ...emptyCounts(), rows } })).toBe(text);
  });
});
