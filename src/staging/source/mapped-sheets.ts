/** Matches the sheets of a file by the rules of a mapping. Sheets without rules are not read. */
import type { Formats } from '../../contract/profile-parts.ts';
import { recordKind } from '../../contract/record-kinds.ts';
import { rowsToSearch } from '../../mapping/header-row.ts';
import {
  isFor,
  isLeftOut,
  mappedHeaderRow,
  mappedNames,
  rulesFor,
  sameButForMonth,
  wordOf,
} from '../../mapping/mapping-file/mapped-sheet.ts';
import type { SheetMappingRules } from '../../mapping/mapping-file/mapping.ts';
import type { NamedMapping } from '../../mapping/mapping-file/read-mapping.ts';
import { rowShape } from '../../mapping/mapping-file/row-shape.ts';
import { errorOf, inPlace, messageOf } from '../../messages/text.ts';
import type { Source } from '../../tables/source.ts';
import { ownColumnsIn } from '../own-columns.ts';
import { noMatch, type SheetMatch, sheetMatch, withoutOwnColumns } from './matched-sheet.ts';
import { isResultsFile, type SheetBeginning, type SheetChoice } from './sheets-to-read.ts';

/** @throws DealsheetError `unmatched-columns` when a sheet to read has no rules */
export async function sheetsOfMapping(
  source: Source,
  sheets: readonly SheetBeginning[],
  { file, ignoredSheets }: SheetChoice & { readonly file: string },
  named: NamedMapping,
) {
  const { mapping, path } = named;
  const filled = sheets.flatMap(({ name, rows }) => (rows.length > 0 ? [name] : []));
  const kept = filled.filter((name) => !isLeftOut(mapping, name));
  const leftOut = filled.filter((name) => !kept.includes(name));
  const [isResults, isCsv] = [await isResultsFile(source), source.format === 'csv'];
  const [only, second] = mapping.sheets;
  const isOne = kept.length === 1 && second === undefined;
  // A CSV file has no sheet name, and results may hold only some sheets of their source.
  const isOfAnyName = isOne && (isCsv || isResults || only?.sheet === undefined);
  const rules = new Map<string, SheetMappingRules>();
  for (const name of kept) {
    const found = isOfAnyName ? only : rulesFor(mapping, name);
    if (found !== undefined) rules.set(name, found);
  }
  const without = kept.filter((name) => !rules.has(name));
  const unused = mapping.sheets.filter((each) => !source.sheets.some(({ name }) => isFor(each, name)));
  const gone = (isResults || isOfAnyName ? [] : unused).flatMap(({ sheet }) => sheet ?? []);
  const isNoneLeft = kept.length === 0 && leftOut.length > 0;
  if (isNoneLeft || (without.length > 0 && !(ignoredSheets === 'all' && rules.size > 0)))
    throw isNoneLeft
      ? errorOf('mapping-leaves-all-out', { leftOut, path, gone })
      : errorOf('sheets-without-rules', { without, file: file === '-' ? null : file, path, gone });
  const ofMonths = [...rules].filter(([name, { sheet = '' }]) => !isCsv && sameButForMonth(sheet, name));
  const notices = [
    ...ofMonths.map(([name, { sheet = '' }]) => messageOf('sheet-by-rules-for', { name, sheet })),
    // A sheet may be missing in some months.
    ...gone.map((name) => messageOf('rules-without-sheet', { name })),
    ...leftOut.map((name) => messageOf('sheet-left-out', { name })),
    ...without.map((name) => messageOf('sheet-without-rules', { name })),
  ];
  return { rules, notices };
}

/** Matches one sheet by its rules. The columns keep the headers that they have in the sheet. */
export async function matchMappedSheet(
  beginning: SheetBeginning,
  rules: SheetMappingRules,
  format: Source['format'],
  formats: Formats,
): Promise<SheetMatch> {
  const { sheet, name, rows } = beginning;
  const found = mappedHeaderRow(rules, rows, await sheet.mergedHeaderRanges(), ownColumnsIn);
  if (found === null) return noMatch;
  const { header, ownColumns } = withoutOwnColumns(found);
  const { headerRow: row } = rules;
  if (row !== undefined && row !== header.number && ownColumns === 0)
    return { ...noMatch, faults: [inPlace(name, messageOf('header-row-elsewhere', { row, most: rowsToSearch }))] };
  const kind = recordKind(rules.kind);
  const shape = rowShape(kind, rules, header.headers, formats);
  const word = wordOf(formats, rules);
  const furtherNames = mappedNames(rules);
  const isDeclared = row === header.number;
  const match = sheetMatch(beginning, { kind, header, ownColumns, shape, word, furtherNames, isDeclared }, format);
  return { ...match, faults: match.faults.map((fault) => inPlace(name, fault, header.number)) };
}
