/** Numbers that a script gives: each that cannot be worked with is told in words, before anything is sent. */
import { DealsheetError } from './errors.ts';

/** @throws DealsheetError `usage` when it is no finite number above zero */
export function needPositive(name: string, value: number): void {
  if (!(Number.isFinite(value) && value > 0)) throw unusable(name, value, 'a number above zero');
}

/** @throws DealsheetError `usage` when it is no whole number, or less than the least */
export function needWhole(name: string, value: number, least = 1): void {
  if (!(Number.isSafeInteger(value) && value >= least)) throw unusable(name, value, `a whole number from ${least} up`);
}

function unusable(name: string, value: unknown, wanted: string): DealsheetError {
  return new DealsheetError(
    'usage',
    `${name} is ${String(value)}, and ${wanted} is wanted.`,
    'Correct it. Nothing was sent.',
  );
}
