/** Whether a mapping is for the sheets of a file: where it is not, its words would be passed over in silence. */
import { DealsheetError } from '../errors.ts';
import { rulesFor } from '../mapping/mapping-file/mapped-sheet.ts';
import type { NamedMapping } from '../mapping/mapping-file/read-mapping.ts';

/**
 * What is to be said of a mapping beside its file: by what the file is read, and what of the two has no counterpart.
 *
 * @param sheets  the names of the sheets that are read
 * @throws DealsheetError `unmatched-columns` when none of them is read by the mapping
 */
export function mappingNotices({ mapping, path }: NamedMapping, sheets: readonly string[]): readonly string[] {
  const rules = new Map(sheets.map((name) => [name, rulesFor(mapping, name, sheets.length === 1)]));
  const used = new Set(rules.values());
  const idle = mapping.sheets.flatMap((found) => (used.has(found) ? [] : [found.sheet ?? null]));
  if (sheets.length > 0 && idle.length === mapping.sheets.length) throw unfit(path, idle, sheets);
  const plain = sheets.filter((name) => rules.get(name) === null);
  return [
    `The file is read by the mapping ${path}.`,
    ...plain.map((name) => `The mapping has no rules for the sheet ${name}: it is read by its own headers.`),
    ...idle.map((name) => `The mapping has rules ${whose(name)}, and no sheet is read by them.`),
  ];
}

function unfit(path: string, idle: readonly (string | null)[], sheets: readonly string[]): DealsheetError {
  return new DealsheetError(
    'unmatched-columns',
    `The mapping ${path} has rules ${idle.map(whose).join(' and ')}, and the file has ${sheets.length === 1 ? 'the sheet' : 'the sheets'} ${sheets.join(', ')}: none is read by them.`,
    'Name the sheet in the mapping as it is called in the file, or choose it with --sheet. Nothing was sent.',
  );
}

function whose(name: string | null): string {
  return name === null ? 'for the only sheet of a file' : `for the sheet ${name}`;
}
