/** What the checks find in a file: their codes, by the row. */
import { checkCodes } from '../../src/contract/check-codes.ts';
import type { CheckedRow } from '../../src/mapping/body.ts';

/** `error total-row A` for a finding at column A, of each row that has one. */
export function foundIn(rows: readonly CheckedRow[]): Record<number, readonly string[]> {
  const found = rows.map(({ row, problems }) => {
    const ofChecks = problems.filter(({ code }) => (checkCodes as readonly string[]).includes(code));
    const told = ofChecks.map(({ severity, code, column }) =>
      [severity, code, column === null ? [] : String.fromCharCode('A'.charCodeAt(0) + column)].flat().join(' '),
    );
    return [row, told] as const;
  });
  return Object.fromEntries(found.filter(([, told]) => told.length > 0));
}
