import Big from 'big.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExactSum } from '../../src/export/exact-sum.ts';

function sumOf(...all: readonly string[]): string {
  const sum = new ExactSum();
  for (const digits of all) sum.add(digits);
  return sum.digits;
}

describe('an exact sum', () => {
  it('has no noise of binary numbers', () => {
    expect(sumOf('0.1', '0.2')).toBe('0.3');
    expect(sumOf('9007199254740.93', '0.07', '-0.01')).toBe('9007199254740.99');
    expect(sumOf('12345678901234567890.12', '1e3', '-0.125')).toBe('12345678901234568889.995');
  });

  it('is the sum of decimal numbers of any size', () => {
    const amount = fc.oneof(
      fc
        .tuple(fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }), fc.integer({ min: 0, max: 99 }))
        .map(([whole, cents]) => `${whole}.${String(cents).padStart(2, '0')}`),
      fc.tuple(fc.bigInt(), fc.nat()).map(([whole, fraction]) => `${whole}.${fraction}`),
    );
    fc.assert(
      fc.property(fc.array(amount, { maxLength: 60 }), (all) => {
        const expected = all.reduce((sum, digits) => sum.plus(digits), new Big(0));
        expect(sumOf(...all)).toBe(expected.toFixed());
      }),
    );
  });
});
