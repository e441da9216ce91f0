/** The sheets of somebody else's file: each is read by its rules in the mapping, and none without. */
import type { Formats } from '../../contract/formats.ts';
import { recordKind } from '../../contract/record-kinds.ts';
import { DealsheetError } from '../../errors.ts';
import { rowsToSearch } from '../../mapping/header-row.ts';
import {
  assignRules,
  mappedHeaderRow,
  mappedNames,
  sameButForMonth,
  wordOf,
} from '../../mapping/mapping-file/mapped-sheet.ts';
import type { SheetMappingRules } from '../../mapping/mapping-file/mapping.ts';
import type { NamedMapping } from '../../mapping/mapping-file/read-mapping.ts';
import { rowShape } from '../../mapping/mapping-file/row-shape.ts';
import type { Source, SourceSheet } from '../../sheets/source.ts';
import { ownColumnsIn } from '../own-columns.ts';
import { passedOver } from './data-rows.ts';
import {
  emptySheet,
  headerTestOf,
  type MatchOptions,
  matchShape,
  ownColumnCount,
  personsHeaders,
  readable,
  type SheetFinding,
} from './matched-sheet.ts';
import { firstRowsOf, isResultsFile } from './sheets-to-read.ts';

export interface MappedSheets {
  readonly rules: ReadonlyMap<string, SheetMappingRules>;
  readonly notices: readonly string[];
}

/** @throws DealsheetError `unmatched-columns` when a sheet that is to be read has no rules */
export async function sheetsOfMapping(
  source: Source,
  sheets: readonly SourceSheet[],
  { ignoredSheets }: MatchOptions,
  { mapping, path }: NamedMapping,
): Promise<MappedSheets> {
  const read: string[] = [];
  for (const sheet of sheets) if ((await firstRowsOf(sheet, 1)).length > 0) read.push(sheet.name);
  const isResults = await isResultsFile(source);
  const isCsv = source.format === 'csv';
  const names = source.sheets.map(({ name }) => name);
  const assigned = assignRules(mapping, { sheets: names, read, isOfAnyName: isCsv || isResults });
  const { rules, leftOut, without } = assigned;
  const gone = isResults ? [] : assigned.gone;
  const isEveryLeftOut = rules.size === 0 && without.length === 0 && leftOut.length > 0;
  const unruled = ignoredSheets === 'all' && rules.size > 0 ? [] : without;
  const faults = [
    ...unruled.map((name) => `The mapping has no rules for the sheet "${name}".`),
    ...(isEveryLeftOut ? [`The mapping leaves out every sheet that is to be read: ${leftOut.join(', ')}.`] : []),
  ];
  // A sheet that is gone and one that has no rules may be the same under another name.
  const renamed = gone.map(
    (name) => `The mapping has rules for a sheet "${name}", and the file has none of that name.`,
  );
  if (faults.length > 0) throw misnamed([...renamed, ...faults], path);
  const ofMonths = [...rules].filter(([name, { sheet = '' }]) => !isCsv && sameButForMonth(sheet, name));
  const notices = [
    ...ofMonths.map(([name, { sheet }]) => `The sheet ${name} is read as the mapping says of ${sheet}.`),
    ...gone.map((name) => `The file has no sheet ${name}, for which the mapping has rules: nothing of it is loaded.`),
    ...leftOut.map((name) => `The sheet ${name} is left out, as the mapping says.`),
    ...without.map((name) => `The sheet ${name} has no rules in the mapping and is left out.`),
  ];
  return { rules, notices };
}

function misnamed(faults: readonly string[], path: string): DealsheetError {
  return new DealsheetError(
    'unmatched-columns',
    faults.join('\n'),
    `In ${path}, give each entry the name of its sheet as the file has it ("sheet": "…"; another month in the name does not matter). Leave other sheets out with "ignoreSheets": ["NAME"] there, or with --ignore-sheets "NAME" this once, or read the file without a mapping with --mapping none. Nothing was sent.`,
  );
}

/** A sheet of somebody else's: its columns are those of the mapping, under the names that they have in the sheet. */
export async function matchMappedSheet(
  sheet: SourceSheet,
  rules: SheetMappingRules,
  format: Source['format'],
  formats: Formats,
): Promise<SheetFinding> {
  const { name } = sheet;
  const rows = await firstRowsOf(sheet, rowsToSearch);
  const found = mappedHeaderRow(rules, rows, await sheet.mergedHeaderRanges(), ownColumnsIn);
  if (found === null) return emptySheet;
  const ownColumns = ownColumnCount(found);
  const header = { ...found, headers: personsHeaders(found) };
  const kind = recordKind(rules.kind);
  const refused = (faults: readonly string[]): SheetFinding => {
    return { ...emptySheet, faults: faults.map((fault) => `${name}, row ${header.number}: ${fault}`) };
  };
  if (rules.headerRow !== undefined && rules.headerRow !== header.number && ownColumns === 0)
    return { ...emptySheet, faults: [noHeadersThere(name, rules.headerRow)] };
  const shape = rowShape(kind, rules, header.headers, formats);
  const isShape = 'reshape' in shape;
  const { columns, problems } = isShape ? matchShape(kind, shape, header) : { columns: [], problems: [] };
  const isHeaderRow = headerTestOf(kind, header, rows, mappedNames(rules));
  const isSaid = rules.headerRow === header.number;
  const notices = passedOver({ name, rows, header, columns, isHeaderRow, ownColumns, isSaid });
  if (!isShape) return refused(shape);
  if (problems.length > 0) return refused(problems.map(({ message }) => message));
  const read = readable(sheet, format, ownColumns);
  const word = wordOf(formats, rules);
  const matched = { sheet: read, name, kind, header, isHeaderRow, columns, ownColumns, shape, word };
  return { sheet: matched, notices, faults: [] };
}

function noHeadersThere(sheet: string, row: number): string {
  return `${sheet}: the mapping says that the headers stand in row ${row}, and none of those that it names stands there ("headerRow"; it is one of the first ${rowsToSearch} rows that hold anything).`;
}
