import { describe, expect, it } from 'vitest';
import { recordKind } from '../../../src/contract/record-kinds.ts';
import type { CheckedRow } from '../../../src/mapping/checked-row.ts';
import { findingText } from '../../../src/messages/finding.ts';
import { ReferenceIndex } from '../../../src/pipeline/survey/reference-index.ts';

const dealRef = recordKind('notes').references.find(
  ({ to }) => to === 'deals',
) as CheckedRow['references'][number]['reference'];

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
    return index.problemsOf(rowWithRef(2, 'N/A'), 0).map(findingText);
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

describe('a ref that no row carries', () => {
  const messageOf = (ref: string, carried: readonly string[]) => {
    const index = new ReferenceIndex(() => ({ records: [], open: null }));
    carried.forEach((one, place) => {
      index.add(rowWithRef(place + 2, one));
    });
    const note = { ...rowWithRef(2, ''), ref: null, references: [{ reference: dealRef, ref, column: 0 }] };
    return index.problemsOf(note, null).map(findingText)[0];
  };

  it.each([
    ['d-20', ['D-20', 'D-21'], 'D-20'],
    ['D - 20', ['D-20'], 'D-20'],
    ['D20', ['D-20', 'D-21'], 'D-20'],
    ['D-2O', ['D-20', 'D-1'], 'D-20'],
  ])('is told with the one that is meant: %s', (ref, carried, meant) => {
    expect(messageOf(ref, carried)).toBe(
      `"${ref}" is the Ref of no row of this file, and of none that was loaded before. Did you mean "${meant}"? Correct it, or give the id.`,
    );
  });

  it.each([
    ['has another number', 'D-22', ['D-20', 'D-2']],
    ['is as near to two', 'd-20', ['D-20', 'd -20']],
    ['is like none', 'C-99', ['D-20']],
  ])('is told without one where it %s', (_what, ref, carried) => {
    expect(messageOf(ref, carried)).not.toContain('Did you mean');
  });

  it('is told at once also where thousands are named and carried', () => {
    const index = new ReferenceIndex(() => ({ records: [], open: null }));
    for (let row = 2; row < 30_002; row += 1) index.add(rowWithRef(row, `D-${row}`));
    const began = performance.now();
    for (let row = 2; row < 30_002; row += 1) {
      const references = [{ reference: dealRef, ref: `note of ${row}`, column: 0 }];
      index.problemsOf({ ...rowWithRef(row, ''), ref: null, references }, null);
    }
    expect(performance.now() - began).toBeLessThan(3_000);
  });
});
