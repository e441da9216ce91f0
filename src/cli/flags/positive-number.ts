/** Numbers on the command line: each is above zero, and most are whole. */
import { DealsheetError } from '../../errors.ts';
import { type Given, lastOf } from './repeated-flags.ts';

/** A flag with a value of its own. Without the count, yargs takes a second `1` for one more: `--port 5 --port 1` would be 6. */
export const oneValue = { nargs: 1 } as const;

/** The flag's value throws a DealsheetError `usage` where it is no number above zero. */
export function positiveNumber(flag: string) {
  return numberFlag(flag, 'a number above zero', (value) => Number.isFinite(value) && value > 0);
}

/** The flag's value throws a DealsheetError `usage` where it is no whole number above zero. */
export function positiveWholeNumber(flag: string) {
  return numberFlag(flag, 'a whole number above zero', (value) => Number.isSafeInteger(value) && value > 0);
}

/** To yargs it is a text: of numbers that are given twice, it counts a `1` as one more. */
function numberFlag(flag: string, wanted: string, isWanted: (value: number) => boolean) {
  const coerce = (given: Given<string>): number => {
    const text = lastOf(given);
    const value = text.trim() === '' ? Number.NaN : Number(text);
    if (isWanted(value)) return value;
    throw new DealsheetError(
      'usage',
      `The flag ${flag} wants ${wanted}. Nothing was sent.`,
      `Give ${flag} again with such a number.`,
    );
  };
  return { type: 'string', requiresArg: true, coerce } as const;
}
