import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RowFacts } from '../../../src/pipeline/survey/row-facts.ts';

describe('what the first reading found out about a row', () => {
  const rows = fc
    .uniqueArray(fc.nat({ max: 100_000 }), { maxLength: 3000 })
    .map((numbers) => numbers.sort((one, other) => one - other));
  const fact = fc.record({ isPlain: fc.boolean(), amount: fc.option(fc.double({ noNaN: true })) });

  it('is told again for each row, however often they are read', () => {
    fc.assert(
      fc.property(rows, fc.infiniteStream(fact), (numbers, facts) => {
        const known = numbers.map((row) => ({
          row,
          fact: facts.next().value as { isPlain: boolean; amount: number | null },
        }));
        const remembered = new RowFacts();
        for (const { row, fact: told } of known) remembered.add(row, told);
        for (let reading = 0; reading < 2; reading += 1) {
          const factOf = remembered.reader();
          expect(known.map(({ row }) => factOf(row))).toEqual(known.map(({ fact: told }) => told));
        }
      }),
      { numRuns: 50 },
    );
  });

  it('is nothing for a row that was not there', () => {
    const remembered = new RowFacts();
    remembered.add(2, { isPlain: true, amount: 1 });
    remembered.add(5, { isPlain: true, amount: 2 });
    const factOf = remembered.reader();
    expect([1, 2, 3, 5, 6].map((row) => factOf(row)?.amount ?? null)).toEqual([null, 1, null, 2, null]);
  });
});
