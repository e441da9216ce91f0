/** Headers that have come since a mapping was made. Its one rule: such a column is neither guessed nor dropped. */
import { shownHeader } from '../masking.ts';
import { headerName } from './header-name.ts';
import { mappedNames } from './mapped-sheet.ts';
import type { SheetMappingRules } from './mapping.ts';

export function unnamedHeaders(headers: readonly (string | null)[], rules: SheetMappingRules): readonly string[] {
  const named = new Set(mappedNames(rules).map(headerName));
  return headers.filter((name): name is string => name !== null && !named.has(headerName(name)));
}

export function faultOfUnnamed(header: string): string {
  return `Column "${shownHeader(header)}" is not in the mapping: add it with its field, or with null to leave it out.`;
}

/** More new headers than this are not guessed among. */
const mostNewNames = 3;

/** Behind the fault of a column that is gone: a question, or nothing where there are no new headers or too many. */
export function perhapsCalled(unnamed: readonly string[]): string {
  return unnamed.length === 0 || unnamed.length > mostNewNames
    ? ''
    : ` Is it called ${unnamed.map((name) => `"${shownHeader(name)}"`).join(' or ')} now?`;
}
