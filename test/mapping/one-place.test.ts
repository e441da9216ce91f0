import { describe, expect, it } from 'vitest';
import { recordKind } from '../../src/contract/record-kinds.ts';
import { matchHeaders } from '../../src/mapping/headers.ts';

const messages = (...headers: string[]) => matchHeaders(recordKind('submission-loans'), headers, []).problems;

describe('two columns', () => {
  it.each([
    ['one fills what the other fills a part of', '{a}', '{a.b}'],
    ['one fills a part of what the other fills', '{a.b.c:number}', '{ a.b }'],
    ['one makes a list of what is a group for the other', '{a.b}', '{a[0]}'],
  ])('of which %s are refused with both names', (_, one, other) => {
    const params = { place: `Column B "${other}"`, other: `Column A "${one}"` };
    expect(messages(one, other)).toEqual([{ code: 'header-twice', params }]);
  });

  it('that fill different parts stand side by side', () => {
    expect(messages('{a.b}', '{a.c}', '{ab}', '{d[0].e}', '{d[0].f}', '{d[1].e}')).toEqual([]);
  });
});
