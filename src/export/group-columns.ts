/** The columns by whose values a summary counts: those that a person names, else the status and whoever stands behind the money. */
import { DealsheetError } from '../errors.ts';
import { wordsOf } from './column-words.ts';
import { isNamed, type SourceColumn } from './columns.ts';

const groupWords = ['funder', 'lender', 'investor', 'portfolio', 'program', 'product'];

/**
 * @param named  labels or paths; empty for the usual ones
 * @returns the places of the columns
 * @throws DealsheetError `usage` when there is no such column; it names those that there are
 */
export function groupColumns(columns: readonly SourceColumn[], named: readonly string[]): readonly number[] {
  if (named.length === 0) return usualGroups(columns);
  return named.map((name) => {
    const index = columns.findIndex((column) => isNamed(column, name));
    if (index !== -1) return index;
    throw new DealsheetError(
      'usage',
      `There is no column "${name}" to group by.`,
      `The columns are: ${columns.map(({ label }) => label).join(', ')}.`,
    );
  });
}

function usualGroups(columns: readonly SourceColumn[]): readonly number[] {
  const status = columns.findIndex(({ meaning }) => meaning === 'status');
  const behind = columns.findIndex(
    ({ look, meaning, segments }) => look === 'text' && meaning === null && segments.some(namesWhoIsBehind),
  );
  return [status, behind].filter((index) => index !== -1);
}

function namesWhoIsBehind(segment: string | number): boolean {
  return typeof segment === 'string' && wordsOf(segment).some((word) => groupWords.includes(word));
}
