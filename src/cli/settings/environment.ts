/** Settings from the environment (`DEALSHEET_*`): they stand between the flags and the configuration files. */
import { DealsheetError } from '../../errors.ts';

/** The value of `DEALSHEET_<name>`; an empty one counts as none. */
export function fromEnvironment(name: string): string | null {
  const value = process.env[`DEALSHEET_${name}`];
  return value === undefined || value === '' ? null : value;
}

/** @throws DealsheetError `usage` when the variable holds no number above zero */
export function numberFromEnvironment(name: string): number | null {
  const text = fromEnvironment(name);
  if (text === null) return null;
  const number = Number(text);
  if (Number.isFinite(number) && number > 0) return number;
  throw new DealsheetError(
    'usage',
    `DEALSHEET_${name} is "${text}", and a number above zero is wanted.`,
    'Correct it, or unset it.',
  );
}
