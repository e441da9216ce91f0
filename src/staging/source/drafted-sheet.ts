/** One sheet of somebody else's file: what its rows are, where its headers stand, and how it may be read. */
import type { RecordKind } from '../../contract/record-kind.ts';
import { recordKinds } from '../../contract/record-kinds.ts';
import { rowsToSearch } from '../../mapping/header-row.ts';
import { draftRules, sureHeaders } from '../../mapping/mapping-file/draft.ts';
import { foreignHeaders } from '../../mapping/mapping-file/foreign-headers.ts';
import type { SheetMappingRules } from '../../mapping/mapping-file/mapping.ts';
import { tellKind } from '../../mapping/parent-columns.ts';
import { kindInWordsOf, kindOfSheetName } from '../../mapping/sheet-kind.ts';
import type { MergedRange, SheetRow } from '../../sheets/cell.ts';
import type { SourceSheet } from '../../sheets/source.ts';
import { firstRowsOf } from './sheets-to-read.ts';

export interface DraftedSheet {
  readonly rules: SheetMappingRules;
  readonly kind: RecordKind;
  readonly headers: readonly (string | null)[];
  /** Those below the headers that were looked at. */
  readonly rows: readonly SheetRow[];
}

/** A sheet as it is looked at before anybody knows what its rows are. */
export interface SheetBeginning {
  readonly name: string;
  readonly rows: readonly SheetRow[];
  readonly merges: readonly MergedRange[];
}

/** A file of somebody else's has no columns of ours. */
const noOwnColumns = 0;
/** Rows whose values are looked at. */
const rowsToLookAt = 500;

/** @returns `null` for a sheet without a row below its headers */
export async function beginningOf(sheet: SourceSheet): Promise<SheetBeginning | null> {
  const rows = await firstRowsOf(sheet, rowsToLookAt);
  return rows.length < 2 ? null : { name: sheet.name, rows, merges: await sheet.mergedHeaderRanges() };
}

/**
 * What the name or the headers tell that the rows are, or `null`.
 *
 * @param isOnlySheet  whether it must hold what the file was made for; of several, one may be a list to look things up in,
 *   and one word that it has in common with a kind tells nothing, nor do several that say not of which record the rows are
 */
export function kindOf({ name, rows, merges }: SheetBeginning, isOnlySheet: boolean): RecordKind | null {
  const named = kindOfSheetName(name) ?? kindInWordsOf(name, recordKinds);
  if (named !== null) return named;
  const scored = recordKinds.map((kind) => ({ kind, ...headerRowFor(kind, rows, merges) }));
  scored.sort((one, other) => other.sure - one.sure);
  const [best, second] = scored;
  if (best === undefined || best.sure === 0 || best.sure === second?.sure) return null;
  const texts = best.headers.filter((header) => header !== null).length;
  if (!isOnlySheet && !tellKind(best.kind, best.headers)) return null;
  return best.sure === 1 && texts > 1 && !isOnlySheet ? null : best.kind;
}

/** The headers of a sheet of which nobody knows what it holds: the first row with the most texts. */
export function likelyHeaders({ rows, merges }: SheetBeginning): readonly string[] {
  return headersIn(rows, merges, () => 0).headers.filter((name) => name !== null);
}

/** @param isOnlySheet  whether the rules need not name their sheet */
export function draftSheet(beginning: SheetBeginning, kind: RecordKind, isOnlySheet: boolean): DraftedSheet {
  const { name, rows, merges } = beginning;
  const header = headerRowFor(kind, rows, merges);
  const data = rows.filter(({ number }) => number > header.number);
  const { columns, ...found } = draftRules(kind, header.headers, data);
  const rules = {
    ...(isOnlySheet ? {} : { sheet: name }),
    kind: kind.name,
    columns,
    ...found,
  };
  return { rules, kind, headers: header.headers, rows: data };
}

interface FoundHeaders {
  readonly number: number;
  readonly headers: readonly (string | null)[];
  readonly sure: number;
}

function headerRowFor(kind: RecordKind, rows: readonly SheetRow[], merges: readonly MergedRange[]): FoundHeaders {
  return headersIn(rows, merges, (headers) => sureHeaders(kind, headers));
}

/** The row with the most headers that are sure; where none are, the first with the most texts. */
function headersIn(
  rows: readonly SheetRow[],
  merges: readonly MergedRange[],
  sureOf: (headers: readonly (string | null)[]) => number,
): FoundHeaders {
  const candidates = rows.slice(0, rowsToSearch).map((row, position) => {
    const headers = foreignHeaders(row, rows[position - 1], merges, noOwnColumns);
    const texts = row.cells.filter((cell) => typeof cell === 'string').length;
    return { number: row.number, headers, sure: sureOf(headers), texts };
  });
  candidates.sort((one, other) => other.sure - one.sure || other.texts - one.texts || one.number - other.number);
  return candidates[0] ?? { number: 1, headers: [], sure: 0 };
}
