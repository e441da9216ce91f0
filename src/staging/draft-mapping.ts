/** Drafts a mapping for a file whose headers Dealsheet does not know (the `map` command). */

import type { RecordKind } from '../contract/record-kind.ts';
import { recordKind, recordKinds } from '../contract/record-kinds.ts';
import { bestHeaderRow, type HeaderRow } from '../mapping/header-row.ts';
import { countMatches, fieldOfHeader, folded, kindNamed, likelyKinds } from '../mapping/headers.ts';
import { draftColumns, ruleNamed } from '../mapping/mapping-file/draft.ts';
import { foreignHeaders, headerName, isLeftOut, rulesFor } from '../mapping/mapping-file/mapped-sheet.ts';
import type { ColumnRule, Mapping, SheetMappingRules } from '../mapping/mapping-file/mapping.ts';
import { shownHeader } from '../mapping/marks.ts';
import { errorOf } from '../messages/text.ts';
import { openSource } from '../tables/open-source.ts';
import type { MergedRange, SheetRow } from '../tables/row.ts';
import type { Source } from '../tables/source.ts';
import { ownColumnsIn } from './own-columns.ts';
import type { ReadingOptions } from './reading.ts';
import { withoutOwnColumns } from './source/matched-sheet.ts';
import { needSheet, type SheetBeginning, sheetsToRead } from './source/sheets-to-read.ts';

/** Sheets left out by `all` are those whose kind neither their name nor their headers show. */
export interface DraftOptions
  extends Pick<ReadingOptions, 'file' | 'kind' | 'sheet' | 'ignoredSheets' | 'encoding' | 'delimiter'> {
  /** The record kind by sheet name. It overrides `kind`. */
  readonly kinds: ReadonlyMap<string, RecordKind>;
  /** The current mapping of the file. Its rules stay until the person changes them. */
  readonly before: Mapping | null;
}

export interface Draft {
  readonly mapping: Mapping;
  /** All sheets with rows in file order, each with the index of its rules in the mapping, or `null` without rules. */
  readonly sheets: readonly { readonly name: string; readonly at: number | null }[];
  /** Sheets whose record kind is unknown. The mapping has no rules for them, so a load stops. */
  readonly unknown: readonly string[];
  /** The mapping rule for a column that is mapped to this field, or split as in `splitsOf`. */
  readonly ruleOf: (column: ColumnPlace, field: string) => string | ColumnRule | null;
}

export interface ColumnPlace {
  /** The index of the sheet in the mapping, from 0. */
  readonly sheet: number;
  readonly header: string;
}

export function columnQuestions(mapping: Mapping) {
  return rulesIn(mapping).flatMap(({ place, rule: { split, field, suggestions = [] } }) =>
    split === undefined && field === null ? [{ ...place, suggestions }] : [],
  );
}

/** Values that the field does not allow and that have no replacement yet. */
export function openValues(mapping: Mapping) {
  return rulesIn(mapping).flatMap(({ kind, place, rule }) => {
    const field = fieldOfHeader(recordKind(kind), rule.field ?? rule.suggestions?.[0]?.field ?? '');
    return Object.entries(rule.values ?? {}).flatMap(([from, to]) => (to === null ? [{ ...place, from, field }] : []));
  });
}

function rulesIn({ sheets }: Mapping) {
  return sheets.flatMap(({ kind, columns }, sheet) =>
    Object.entries(columns).flatMap(([header, rule]) =>
      rule === null || typeof rule === 'string' ? [] : [{ kind, place: { sheet, header }, rule }],
    ),
  );
}

export function withRule(mapping: Mapping, place: ColumnPlace, rule: null | string | ColumnRule): Mapping {
  const sheets = mapping.sheets.map((rules, index) =>
    index === place.sheet ? { ...rules, columns: { ...rules.columns, [place.header]: rule } } : rules,
  );
  return { ...mapping, sheets };
}

/** @throws DealsheetError `unreadable-source`; `unmatched-columns` without headers or a named sheet */
export async function draftMapping(options: DraftOptions): Promise<Draft> {
  const { file, encoding, before } = options;
  const delimiter = options.delimiter ?? before?.delimiter ?? null;
  const source = await openSource(file, { name: file, encoding, usualEncoding: before?.encoding, delimiter });
  try {
    const isOnlySheet = source.format === 'csv' || source.sheets.length === 1;
    const sheets: SheetMappingRules[] = [];
    const drafted: { kind: RecordKind; headers: HeaderRow['headers']; rows: readonly SheetRow[] }[] = [];
    const leftOut: string[] = [];
    const unknown: string[] = [];
    const all: { name: string; at: number | null }[] = [];
    const beginnings = await beginningsOf(source, options);
    for (const beginning of beginnings) {
      const kind = decidedKind(beginning, options, beginnings.length === 1);
      all.push({ name: beginning.name, at: typeof kind === 'string' ? null : sheets.length });
      if (kind === 'left out') leftOut.push(beginning.name);
      else if (kind === 'unknown') unknown.push(beginning.name);
      else {
        const { number, headers } = headerRowFor(beginning, kind);
        needHeaders(beginning.name, kind, headers);
        const rows = beginning.rows.filter((row) => row.number > number);
        drafted.push({ kind, headers, rows });
        const named = isOnlySheet ? {} : { sheet: beginning.name };
        const same = rulesBefore(before, beginning.name);
        const known = same?.kind === kind.name ? same : null;
        sheets.push({ ...known, ...named, kind: kind.name, columns: draftColumns(kind, headers, rows, known) });
      }
    }
    if (sheets.length + unknown.length === 0) {
      const others = options.sheet === null ? null : source.sheets.map(({ name }) => name);
      throw errorOf('nothing-to-map', { sheets: others });
    }
    const { sheets: _sheets, ignoreSheets: _leftOut, ...said } = before ?? {};
    const mapping = {
      ...said,
      sheets,
      ...(leftOut.length === 0 ? {} : { ignoreSheets: leftOut }),
      ...(encoding === null ? {} : { encoding }),
      ...(delimiter === null ? {} : { delimiter }),
    };
    const ruleOf: Draft['ruleOf'] = ({ sheet, header }, field) => {
      const of = drafted[sheet];
      return of === undefined ? null : ruleNamed(of.kind, field, of.rows, of.headers.indexOf(header), header);
    };
    return { mapping, sheets: all, unknown, ruleOf };
  } finally {
    await source.close();
  }
}

/** The rules of an earlier month for a sheet. A CSV file has only one. */
export function rulesBefore(before: Mapping | null, name: string): SheetMappingRules | undefined {
  return before?.sheets.find(({ sheet }) => sheet === undefined) ?? (before ? rulesFor(before, name) : undefined);
}

/** @throws DealsheetError `unmatched-columns` when a header is a row's value, which a mapping would pass on */
function needHeaders(sheet: string, kind: RecordKind, headers: readonly (string | null)[]): void {
  const isAmongNames = countMatches(kind, headers) > 0;
  if (headers.every((name) => name === null || shownHeader(name, isAmongNames) === name)) return;
  throw errorOf('no-headers', { sheet });
}

/** A sheet before its record kind is known. */
interface DraftedSheet extends SheetBeginning {
  readonly merges: readonly MergedRange[];
}

const rowsToLookAt = 500;

/** The sheets with a row below their headers. @throws DealsheetError `unmatched-columns` for a sheet that is missing */
async function beginningsOf(source: Source, options: DraftOptions): Promise<readonly DraftedSheet[]> {
  const named = options.ignoredSheets === 'all' ? [] : options.ignoredSheets;
  for (const name of [...options.kinds.keys(), ...named]) needSheet(source, name);
  const drafted: DraftedSheet[] = [];
  for (const one of await sheetsToRead(source, { ...options, ignoredSheets: [] }, rowsToLookAt))
    if (one.rows.length > 1) drafted.push({ ...one, merges: await one.sheet.mergedHeaderRanges() });
  return drafted;
}

function decidedKind(
  sheet: DraftedSheet,
  options: DraftOptions,
  isOnlySheet: boolean,
): RecordKind | 'left out' | 'unknown' {
  const { ignoredSheets: ignored, before } = options;
  if (ignored !== 'all' && ignored.some((name) => folded(name) === folded(sheet.name))) return 'left out';
  const said = saidKind(sheet, options);
  if (said === null && before !== null && isLeftOut(before, sheet.name)) return 'left out';
  const known = rulesBefore(before, sheet.name)?.kind;
  const kind = said ?? (known && recordKind(known)) ?? options.kind ?? kindOf(sheet, isOnlySheet);
  return kind ?? (ignored === 'all' ? 'left out' : 'unknown');
}

/** The kind by the sheet's name, else by its headers. Beside other sheets, a single matching header may be chance. */
function kindOf(sheet: DraftedSheet, isOnlySheet: boolean): RecordKind | null {
  const named = kindNamed(sheet.name);
  if (named !== null) return named;
  const [best, second] = likelyKinds(recordKinds.map((kind) => ({ kind, headers: headerRowFor(sheet, kind).headers })));
  const matches = best === undefined ? 0 : countMatches(best, headerRowFor(sheet, best).headers);
  return best === undefined || second !== undefined || matches < (isOnlySheet ? 1 : 2) ? null : best;
}

/** The row with the most known headers. If no row has any, the first row with the most text cells. */
function headerRowFor({ rows, merges }: DraftedSheet, kind: RecordKind): Pick<HeaderRow, 'number' | 'headers'> {
  const best = (goodness: (header: HeaderRow) => number) =>
    bestHeaderRow(rows, (row, above) => foreignHeaders(row, above, merges, ownColumnsIn(row)), goodness);
  const textsIn = (number: number) =>
    rows.find((row) => row.number === number)?.values.filter((cell) => typeof cell === 'string').length ?? 0;
  const known = best(({ headers }) => countMatches(kind, headers));
  const isKnown = known !== null && countMatches(kind, known.headers) > 0;
  const found = isKnown ? known : best(({ number }) => textsIn(number));
  return found === null ? { number: 1, headers: [] } : withoutOwnColumns(found).header;
}

/** Two sheet names may differ only in punctuation, so an exact match takes precedence. */
function saidKind({ name }: DraftedSheet, { kinds }: DraftOptions): RecordKind | null {
  const said = [...kinds];
  const own = said.find(([named]) => headerName(named) === headerName(name));
  return (own ?? said.find(([named]) => folded(named) === folded(name)))?.[1] ?? null;
}
