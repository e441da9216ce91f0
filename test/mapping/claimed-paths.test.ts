import { describe, expect, it } from 'vitest';
import { recordKind } from '../../src/contract/record-kinds.ts';
import { matchHeaders } from '../../src/mapping/headers.ts';

const messages = (...headers: string[]) =>
  matchHeaders(recordKind('submission-loans'), headers, []).problems.map(({ message }) => message);

describe('two columns', () => {
  it('of which one fills what the other fills a part of are refused with both names', () => {
    expect(messages('{a}', '{a.b}')).toEqual([
      'Column B "{a.b}" contradicts Column A "{a}": "a" cannot be a group of fields and one value at once. Keep one of them.',
    ]);
    expect(messages('{a.b.c:number}', '{ a.b }')).toEqual([
      'Column B "{ a.b }" contradicts Column A "{a.b.c:number}": "a.b" cannot be one value and a group of fields at once. Keep one of them.',
    ]);
  });

  it('of which one makes a list of what is a group for the other are refused with both names', () => {
    expect(messages('{a.b}', '{x}', '{a[0]}')).toEqual([
      'Column C "{a[0]}" contradicts Column A "{a.b}": "a" cannot be a list and a group of fields at once. Keep one of them.',
    ]);
  });

  it('that fill different parts stand side by side', () => {
    expect(messages('{a.b}', '{a.c}', '{ab}', '{d[0].e}', '{d[0].f}', '{d[1].e}')).toEqual([]);
  });
});
