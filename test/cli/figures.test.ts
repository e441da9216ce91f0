import { expect, it } from 'vitest';
import { money } from '../../src/cli/formats.ts';

it.each([
  ['0', '0.00'],
  ['-100', '-100.00'],
  ['1234567.5', '1,234,567.50'],
  ['-9007199254740993.125', '-9,007,199,254,740,993.125'],
])('An amount as a person reads it has all digits of %s: %s', (digits, shown) => expect(money(digits)).toBe(shown));
