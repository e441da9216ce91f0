import { describe, expect, it } from 'vitest';
import { recordKind } from '../../../src/contract/record-kinds.ts';
import { draftRules } from '../../../src/mapping/mapping-file/draft.ts';

describe('the draft of a mapping', () => {
  it('has every header, also one that is a word of the language', () => {
    const headers = ['Company name', 'constructor', '__proto__'];
    expect(Object.keys(draftRules(recordKind('deals'), headers, []).columns)).toEqual(headers);
  });
});
