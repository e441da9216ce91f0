/** The sheets of somebody else's file: each is read by its rules in the mapping, and none without. */
import { recordKind } from '../../contract/record-kinds.ts';
import { DealsheetError } from '../../errors.ts';
import { rowsToSearch } from '../../mapping/header-row.ts';
import { matchHeaders } from '../../mapping/headers.ts';
import {
  assignRules,
  isBothInOtherMonths,
  mappedHeaderRow,
  mappedNames,
  wordOf,
} from '../../mapping/mapping-file/mapped-sheet.ts';
import type { Mapping, SheetMappingRules } from '../../mapping/mapping-file/mapping.ts';
import { sameButForMonth } from '../../mapping/mapping-file/months-in-names.ts';
import type { NamedMapping } from '../../mapping/mapping-file/read-mapping.ts';
import { rowShape } from '../../mapping/mapping-file/row-shape.ts';
import type { Source, SourceSheet } from '../../sheets/source.ts';
import type { MatchOptions, SheetFinding } from './matched-sheet.ts';
import { passedOver } from './rows-around-headers.ts';
import { headerWordsOf, ownColumnCount, ownColumnsIn, personsHeaders, readable } from './sheet-headers.ts';
import { firstRowsOf, isResultsFile } from './sheets-to-read.ts';

export interface MappedSheets {
  readonly rules: ReadonlyMap<string, SheetMappingRules>;
  readonly notices: readonly string[];
}

/** @throws DealsheetError `unmatched-columns` when a sheet has no rules, or rules have no sheet */
export async function mappedSheets(
  source: Source,
  sheets: readonly SourceSheet[],
  { ignoredSheets }: MatchOptions,
  { mapping, path }: NamedMapping,
): Promise<MappedSheets> {
  const read: string[] = [];
  for (const sheet of sheets) if ((await firstRowsOf(sheet, 1)).length > 0) read.push(sheet.name);
  const { rules, leftOut, faults, without, gone } = assignRules(mapping, {
    sheets: source.sheets.map(({ name }) => name),
    read,
    namesSheets: source.format !== 'csv',
    holdsResults: await isResultsFile(source),
  });
  const unruled = ignoredSheets === 'all' ? [] : without;
  const told = [...faults, ...unruled.map((name) => withoutRules(name, sheets, mapping))];
  if (told.length > 0) throw misnamed(told, path);
  const strays = ignoredSheets === 'all' ? without : [];
  const notices = [
    ...otherMonths(rules, source.format !== 'csv'),
    ...gone.map((name) => `The file has no sheet ${name}, for which the mapping has rules: nothing of it is loaded.`),
    ...leftOut.map((name) => `The sheet ${name} is left out, as the mapping says.`),
    ...strays.map((name) => `The sheet ${name} has no rules in the mapping and is left out.`),
  ];
  return { rules, notices };
}

function withoutRules(name: string, sheets: readonly SourceSheet[], mapping: Mapping): string {
  if (isBothInOtherMonths(mapping, name))
    return `The mapping reads the sheet "${name}" in one month and leaves it out in another: of this month it says nothing.`;
  const original = name.replace(/ \(\d+\)$/, '');
  const isCopy = original !== name && sheets.some((sheet) => sheet.name === original);
  const copy = isCopy ? ` It looks like a copy of "${original}": then leave it out, or its rows are sent, too.` : '';
  return `The mapping has no rules for the sheet "${name}".${copy}`;
}

function otherMonths(rules: MappedSheets['rules'], namesSheets: boolean): readonly string[] {
  if (!namesSheets) return [];
  return [...rules].flatMap(([name, { sheet }]) =>
    sheet !== undefined && sameButForMonth(sheet, name)
      ? [`The sheet ${name} is read as the mapping says of ${sheet}: their names differ in the month alone.`]
      : [],
  );
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
): Promise<SheetFinding> {
  const rows = await firstRowsOf(sheet, rowsToSearch);
  const found = mappedHeaderRow(rules, rows, await sheet.mergedHeaderRanges(), ownColumnsIn);
  if (found === null) return 'empty';
  const ownColumns = ownColumnCount(found);
  const header = { ...found, headers: personsHeaders(found) };
  const kind = recordKind(rules.kind);
  const place = `${sheet.name}, row ${header.number}`;
  if (rules.headerRow !== undefined && rules.headerRow !== header.number && ownColumns === 0) {
    return { faults: [noHeadersThere(sheet.name, rules.headerRow)] };
  }
  const shape = rowShape(kind, rules, header.headers);
  const matched = 'reshape' in shape ? matchHeaders(kind, shape.headers, []) : null;
  const headerWords = headerWordsOf(kind, header, rows, mappedNames(rules));
  const isSaid = rules.headerRow === header.number;
  const columns = matched?.columns ?? [];
  const notices = passedOver({ name: sheet.name, rows, header, columns, headerWords, ownColumns, isSaid });
  if (!('reshape' in shape)) return { faults: shape.map((fault) => `${place}: ${fault}`) };
  const problems = matched?.problems ?? [];
  if (problems.length > 0) return { faults: problems.map(({ message }) => `${place}: ${message}`) };
  return {
    sheet: {
      ...readable(sheet, format, ownColumns),
      kind,
      header,
      headerWords,
      columns: columns.map((column) => ({ ...column, header: header.headers[column.index] ?? column.header })),
      shape,
      word: wordOf(rules),
    },
    notices,
  };
}

function noHeadersThere(sheet: string, row: number): string {
  return `${sheet}: the mapping says that the headers stand in row ${row}, and none of those that it names stands there ("headerRow"; it is one of the first ${rowsToSearch} rows that hold anything).`;
}
