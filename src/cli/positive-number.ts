/** Numbers on the command line: each is above zero, and most are whole. */
import { DealsheetError } from '../errors.ts';

/**
 * A flag with a value of its own. Of one that is given twice the last counts; without the count, yargs takes a second `1` for
 * one more: `--limit 5 --limit 1` would be 6.
 */
export const oneValue = { nargs: 1 } as const;

/** @throws DealsheetError `usage` when the flag holds no number above zero */
export function positiveNumber(flag: string): (value: number) => number {
  return (value) => {
    if (Number.isFinite(value) && value > 0) return value;
    throw notThat(flag, 'a number above zero');
  };
}

/** @throws DealsheetError `usage` when the flag holds no whole number above zero */
export function positiveWholeNumber(flag: string): (value: number) => number {
  return (value) => {
    if (Number.isSafeInteger(value) && value > 0) return value;
    throw notThat(flag, 'a whole number above zero');
  };
}

function notThat(flag: string, wanted: string): DealsheetError {
  return new DealsheetError(
    'usage',
    `The flag ${flag} wants ${wanted}. Nothing was sent.`,
    `Give ${flag} again with such a number.`,
  );
}
