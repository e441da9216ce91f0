/** Which rules of a mapping a sheet is read by, and where its headers stand. */
import type { MergedRange, SheetRow } from '../../sheets/cell.ts';
import type { PersonsWord } from '../column-evidence.ts';
import { type HeaderRow, rowsToSearch } from '../header-row.ts';
import { foreignHeaders } from './foreign-headers.ts';
import { headerName } from './header-name.ts';
import type { Mapping, SheetMappingRules } from './mapping.ts';

/** The rules for a sheet: those of its name, or those without a name when the file has no other sheet. */
export function rulesFor(mapping: Mapping, sheet: string, isOnlySheet: boolean): SheetMappingRules | null {
  const named = mapping.sheets.find(
    (rules) => rules.sheet !== undefined && headerName(rules.sheet) === headerName(sheet),
  );
  return named ?? (isOnlySheet ? mapping.sheets.find((rules) => rules.sheet === undefined) : undefined) ?? null;
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
  const wanted = new Set([
    ...Object.keys(rules.columns).map(headerName),
    ...(rules.joins ?? []).flatMap(({ columns }) => columns.map(headerName)),
  ]);
  let best: { header: HeaderRow; matches: number } | null = null;
  for (const [position, row] of rows.slice(0, rowsToSearch).entries()) {
    const header = { number: row.number, headers: foreignHeaders(row, rows[position - 1], merges, ownColumnsIn(row)) };
    const matches = header.headers.filter((name) => name !== null && wanted.has(headerName(name))).length;
    // A results sheet has its headers in the first row, wherever they stood before.
    if (row.number === rules.headerRow && matches > 0) return header;
    if (best === null || matches > best.matches) best = { header, matches };
  }
  return best?.header ?? null;
}
