/** Mappings that a person has told to remember: the one whose headers are exactly those of a file is used for it. */
import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { rowsToSearch } from '../mapping/header-row.ts';
import { foreignHeaders } from '../mapping/mapping-file/foreign-headers.ts';
import { headerName } from '../mapping/mapping-file/header-name.ts';
import type { SheetMappingRules } from '../mapping/mapping-file/mapping.ts';
import { type NamedMapping, readMapping } from '../mapping/mapping-file/read-mapping.ts';
import type { MergedRange, SheetRow } from '../sheets/cell.ts';
import type { Source, SourceSheet } from '../sheets/source.ts';
import { ownColumnsIn } from './source-plan.ts';

const folderOwnerOnly = 0o700;

/** Keeps a copy of a mapping under its name: one of the same name that was kept before gives way. */
export function rememberMapping({ path }: NamedMapping, folder: string): void {
  mkdirSync(folder, { recursive: true, mode: folderOwnerOnly });
  copyFileSync(path, join(folder, basename(path)));
}

/**
 * The remembered mapping for a file, or `null` when none or more than one has exactly its headers.
 *
 * @throws DealsheetError `usage` when a remembered mapping has become unusable
 */
export async function rememberedMapping(source: Source, folder: string): Promise<NamedMapping | null> {
  const kept = keptIn(folder);
  if (kept.length === 0) return null;
  const headersOf = await Promise.all(source.sheets.map(headerSets));
  const fitting = kept
    .map((path) => readMapping(path))
    .filter(({ mapping }) => mapping.sheets.every((rules) => headersOf.some((sets) => sets.has(headersNamed(rules)))));
  return fitting.length === 1 ? (fitting[0] ?? null) : null;
}

function keptIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => join(folder, name));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

/** The headers of each of the first rows, as one text: one of them is that of the mapping, if it fits. */
async function headerSets(sheet: SourceSheet): Promise<ReadonlySet<string>> {
  const rows: SheetRow[] = [];
  for await (const row of sheet.rows()) {
    rows.push(row);
    if (rows.length === rowsToSearch) break;
  }
  const merges = await sheet.mergedHeaderRanges();
  return new Set(rows.map((row, position) => setOf(personsNames(row, rows[position - 1], merges))));
}

/** Of a results sheet, the names behind our own columns: it is the next input, and read as its source was. */
function personsNames(row: SheetRow, above: SheetRow | undefined, merges: readonly MergedRange[]): readonly string[] {
  const own = ownColumnsIn(row);
  return foreignHeaders(row, above, merges, own)
    .slice(own)
    .filter((name): name is string => name !== null);
}

function headersNamed(rules: SheetMappingRules): string {
  return setOf([...Object.keys(rules.columns), ...(rules.joins ?? []).flatMap(({ columns }) => columns)]);
}

function setOf(names: readonly string[]): string {
  return [...new Set(names.map(headerName))].sort().join('\n');
}
