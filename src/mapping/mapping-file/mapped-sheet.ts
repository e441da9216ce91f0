/** Which rules of a mapping a sheet is read by, and where its headers stand. */
import { isDeepStrictEqual } from 'node:util';
import type { MergedRange, SheetRow } from '../../sheets/cell.ts';
import type { PersonsWord } from '../column-evidence.ts';
import { type HeaderRow, rowsToSearch } from '../header-row.ts';
import { foreignHeaders } from './foreign-headers.ts';
import { headerName } from './header-name.ts';
import type { Mapping, SheetMappingRules } from './mapping.ts';
import { sameButForMonth } from './months-in-names.ts';

/** The sheets of a file, as a mapping has to do with them. */
export interface MappedFile {
  /** The names of all of its sheets. */
  readonly sheets: readonly string[];
  /** The names of those that are read and hold anything. */
  readonly read: readonly string[];
  /**
   * Whether the names of sheets are its own: a CSV file has none, and its sheet is called by the name of the file, which is
   * another one each month.
   */
  readonly namesSheets: boolean;
  /** Whether the file holds results: of the sheets of its source, it has those alone that were read. */
  readonly holdsResults: boolean;
}

export interface AssignedRules {
  /** By the name of the sheet, among those that are read. */
  readonly rules: ReadonlyMap<string, SheetMappingRules>;
  /** Sheets that are left out by the mapping's word. */
  readonly leftOut: readonly string[];
  /** What is not as the mapping says, as whole sentences. */
  readonly faults: readonly string[];
  /** Sheets that are read and have no rules. */
  readonly without: readonly string[];
  /** Sheets of the mapping that the file does not have, where all that is read has its rules: a month may be without calls. */
  readonly gone: readonly string[];
}

/** Which rules are for which sheet: none of the one may be without the other, or what is read is not what was decided. */
export function assignRules(mapping: Mapping, file: MappedFile): AssignedRules {
  const leftOut = file.read.filter((name) => isLeftOut(mapping, name));
  const read = file.read.filter((name) => !leftOut.includes(name));
  const only = mapping.sheets.length === 1 ? mapping.sheets[0] : undefined;
  const [sheet, ...others] = read;
  const nothing = { rules: new Map<string, SheetMappingRules>(), leftOut, faults: [], without: [], gone: [] };
  if (sheet === undefined) return { ...nothing, faults: leftOut.length === 0 ? [] : [everySheetLeftOut(leftOut)] };
  if (only !== undefined && others.length === 0) {
    const isItsSheet = only.sheet === undefined || !file.namesSheets || file.holdsResults;
    if (isItsSheet) return { ...nothing, rules: new Map([[sheet, only]]) };
  }
  if (only !== undefined && only.sheet === undefined) {
    const message = `The mapping does not say for which sheet it is, and the file has several: ${quoted(read)}.`;
    return { ...nothing, faults: [message] };
  }
  const rules = new Map<string, SheetMappingRules>();
  for (const name of read) {
    const found = rulesNamed(mapping, name) ?? rulesOfAnotherMonth(mapping, name);
    if (found !== null) rules.set(name, found);
  }
  const unused = file.holdsResults
    ? []
    : mapping.sheets.filter((each) => !file.sheets.some((name) => isFor(each, name)));
  const without = read.filter((name) => !rules.has(name));
  const names = unused.map((each) => each.sheet ?? '');
  if (without.length === 0) return { rules, leftOut, faults: [], without, gone: names };
  // One that is gone and one that has no rules may be the same under another name.
  const faults = names.map(
    (name) =>
      `The mapping has rules for a sheet "${name}", and the file has none of that name: it has ${quoted(file.sheets)}.`,
  );
  return { rules, leftOut, faults, without, gone: [] };
}

function everySheetLeftOut(names: readonly string[]): string {
  return `The mapping leaves out every sheet that is to be read: ${quoted(names)} ("ignoreSheets").`;
}

function rulesNamed(mapping: Mapping, sheet: string): SheetMappingRules | null {
  const same = mapping.sheets.find((rules) => rules.sheet === sheet);
  return same ?? mapping.sheets.find((rules) => rules.sheet !== undefined && isSameName(rules.sheet, sheet)) ?? null;
}

/** The rules for the same sheet of another month; none where those of several months differ, or one of them is left out. */
function rulesOfAnotherMonth(mapping: Mapping, sheet: string): SheetMappingRules | null {
  if (isLeftOutInAnotherMonth(mapping, sheet)) return null;
  const [first, ...others] = mapping.sheets.filter(
    (rules) => rules.sheet !== undefined && sameButForMonth(rules.sheet, sheet),
  );
  if (first === undefined) return null;
  return others.every((other) => isDeepStrictEqual({ ...other, sheet }, { ...first, sheet })) ? first : null;
}

function isFor({ sheet }: SheetMappingRules, name: string): boolean {
  return sheet !== undefined && (isSameName(sheet, name) || sameButForMonth(sheet, name));
}

/** Whether a mapping says that a sheet holds nothing to load. What it says of a month goes before what it says of another. */
export function isLeftOut(mapping: Mapping, sheet: string): boolean {
  const { ignoreSheets = [] } = mapping;
  if (ignoreSheets.some((name) => isSameName(name, sheet))) return true;
  return isLeftOutInAnotherMonth(mapping, sheet) && !mapping.sheets.some((rules) => isFor(rules, sheet));
}

/** Whether a mapping has rules for a sheet in one other month, and leaves it out in another. */
export function isBothInOtherMonths(mapping: Mapping, sheet: string): boolean {
  const isSaidOfIt = isLeftOut(mapping, sheet) || rulesNamed(mapping, sheet) !== null;
  return !isSaidOfIt && isLeftOutInAnotherMonth(mapping, sheet);
}

function isLeftOutInAnotherMonth({ ignoreSheets = [] }: Mapping, sheet: string): boolean {
  return ignoreSheets.some((name) => sameButForMonth(name, sheet));
}

function isSameName(one: string, other: string): boolean {
  return headerName(one) === headerName(other);
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}

/** The names of all columns that the rules speak of. */
export function mappedNames({ columns, joins = [] }: SheetMappingRules): readonly string[] {
  return [...Object.keys(columns), ...joins.flatMap((join) => join.columns)];
}

/** What the rules say of all dates and amounts of the sheet. */
export function wordOf({ dateOrder, decimals }: SheetMappingRules): PersonsWord {
  const mark = decimals === undefined ? null : decimals === ',' ? 'comma' : 'point';
  return { dateOrder: dateOrder ?? null, decimals: mark };
}

/**
 * The row that the mapping names, or the first of those that hold the most of its headers; `null` for an empty sheet.
 *
 * @param ownColumnsIn  how many columns of ours stand in front, if the row is the header of a results sheet
 */
export function mappedHeaderRow(
  rules: SheetMappingRules,
  rows: readonly SheetRow[],
  merges: readonly MergedRange[],
  ownColumnsIn: (row: SheetRow) => number,
): HeaderRow | null {
  const wanted = new Set(mappedNames(rules).map(headerName));
  let best: { header: HeaderRow; matches: number } | null = null;
  for (const [position, row] of rows.slice(0, rowsToSearch).entries()) {
    const { number, width } = row;
    const header = { number, width, headers: foreignHeaders(row, rows[position - 1], merges, ownColumnsIn(row)) };
    const matches = header.headers.filter((name) => name !== null && wanted.has(headerName(name))).length;
    // A results sheet has its headers in the first row, wherever they stood before.
    if (row.number === rules.headerRow && matches > 0) return header;
    if (best === null || matches > best.matches) best = { header, matches };
  }
  return best?.header ?? null;
}
