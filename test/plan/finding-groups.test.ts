import { describe, expect, it } from 'vitest';
import { findingOf, findingOfValue } from '../../src/messages/finding.ts';
import type { Message } from '../../src/messages/message.ts';
import { messageOf, textOf } from '../../src/messages/text.ts';
import { FindingGroups } from '../../src/plan/finding-groups.ts';

const notAState = messageOf('choice-read-as', { read: 'NY' });

/** Findings of one cell in each row, as they are told together: how many rows, and the values that are named. */
function grouped(
  values: readonly string[],
  message: (value: string) => Message,
  sensitive = false,
): readonly unknown[] {
  const groups = new FindingGroups();
  const subject = { label: 'State', sensitive };
  values.forEach((value, row) => {
    groups.add({ sheet: 'Deals', row }, [findingOfValue('warning', 3, subject, value, message(value))]);
  });
  return groups.found.map((group) => [group.rows, ...group.values]);
}

describe('findings that are told together', () => {
  it('are those of one value where the value matters', () => {
    expect(grouped(['Tex', 'Cal', 'Tex'], () => notAState)).toEqual([
      [2, 'Tex'],
      [1, 'Cal'],
    ]);
  });

  it('are those of all values elsewhere, with the first of them', () => {
    const readAs = (read: string) => messageOf('read-as', { read });
    expect(grouped(['$1', '$2', '$2', '$3', '$4', '$5'], readAs)).toEqual([[6, '$1', '$2', '$3', '$4']]);
  });

  it('name their first rows, in whatever order the rows come', () => {
    const groups = new FindingGroups(2);
    for (const row of [7, 2, 9, 4]) groups.add({ sheet: 'Deals', row }, [findingOf('warning', notAState)]);
    expect(groups.found).toMatchObject([{ rows: 4, first: { row: 2 }, numbers: [2, 4] }]);
  });

  it('are none whose signs differ', () => {
    const readAs = (read: string) => messageOf('read-as', { read });
    expect(grouped(['$1,250.00', '12.50-', '$9'], readAs)).toEqual([
      [2, '$1,250.00', '$9'],
      [1, '12.50-'],
    ]);
  });

  it('are those of all rows of an earlier load, and then name none of them', () => {
    const groups = new FindingGroups();
    const params = { source: 'deals.csv', sheet: 'Deals', day: '2026-11-20', run: 'r', record: null, shell: true };
    const later = (row: number) => ({ code: 'in-doubt', params: { ...params, row, isUpdate: false } });
    for (const row of [2, 3]) groups.add({ sheet: 'Deals', row }, [findingOf('warning', later(row))]);
    // The rows are listed by their numbers here, which would be those of others in a command for the earlier load.
    const told = groups.found.map(({ first }) => textOf(first.finding));
    expect(told).toEqual([
      expect.stringMatching(/^In doubt since deals.csv, Deals, on 2026-11-20 \(run r\)\. .*that\.$/),
    ]);
  });

  it('name no value that is sensitive', () => {
    expect(grouped(['1', '2'], () => messageOf('blanks-around'), true)).toEqual([[2]]);
  });

  it('stay few where each row has another value', () => {
    const values = Array.from({ length: 5000 }, (_, index) => `state ${index}`);
    expect(grouped(values, () => notAState).length).toBeLessThan(1100);
  });
});
