import { describe, expect, it } from 'vitest';
import { recordKind } from '../../../src/contract/record-kinds.ts';
import type { CheckedRow } from '../../../src/mapping/checked-row.ts';
import { ReferenceIndex } from '../../../src/pipeline/survey/reference-index.ts';

const rowWithRef = (row: number, ref: string): CheckedRow => ({
  kind: recordKind('deals'),
  sheet: 'Deals',
  row,
  body: {},
  ref,
  pathId: null,
  references: [],
  problems: [],
  isValid: true,
  reading: 'whole',
  clears: 0,
});

describe('a Ref on several rows', () => {
  const messageOf = (rows: number) => {
    const index = new ReferenceIndex(null);
    for (let row = 2; row < rows + 2; row += 1) index.add(rowWithRef(row, 'N/A'));
    return index.problemsOf(rowWithRef(2, 'N/A'), 0).map(({ message }) => message);
  };

  it('is told with each of them', () => {
    expect(messageOf(2)).toEqual([
      'Ref "N/A" stands more than once among the deals: Deals row 2, Deals row 3. Give each row its own.',
    ]);
  });

  it('is told with the first of them where it stands on all: each row would name all the others', () => {
    expect(messageOf(4_000)).toEqual([
      'Ref "N/A" stands more than once among the deals: Deals row 2, Deals row 3, Deals row 4 and 3997 more. Give each row its own.',
    ]);
  });
});
