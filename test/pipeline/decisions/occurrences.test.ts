import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Occurrences } from '../../../src/pipeline/decisions/occurrences.ts';

const digest = (text: string) => createHash('sha256').update(text).digest();

describe('the count of equal rows', () => {
  it('is that of a plain map, for any rows in any order', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 200 }), (rows) => {
        const [counted, plain] = [new Occurrences(), new Map<number, number>()];
        for (const row of rows) {
          plain.set(row, (plain.get(row) ?? 0) + 1);
          expect(counted.next(digest(String(row)))).toBe(plain.get(row));
        }
      }),
    );
  });

  it('stays right while it grows', () => {
    const counted = new Occurrences();
    const rows = 20_000;
    for (let row = 0; row < rows; row += 1) expect(counted.next(digest(String(row)))).toBe(1);
    for (let row = 0; row < rows; row += 1) expect(counted.next(digest(String(row)))).toBe(2);
  });

  it('goes on beyond what a slot holds, in a file of one row repeated', () => {
    const counted = new Occurrences();
    const repeated = digest('the same');
    for (let count = 1; count <= 1_000; count += 1) {
      expect(counted.next(repeated)).toBe(count);
      counted.next(digest(`another ${count}`));
    }
  });
});
