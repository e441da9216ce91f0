/** Mappings that a person chose to remember. One is used for each file that has exactly its headers. */
import { copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { folderOwnerOnly, nextFreeName } from '../../disk/new-file.ts';
import {
  foreignHeaders,
  headerName,
  isLeftOut,
  mappedNames,
  sameButForMonth,
} from '../../mapping/mapping-file/mapped-sheet.ts';
import type { Mapping, SheetMappingRules } from '../../mapping/mapping-file/mapping.ts';
import { type NamedMapping, readMapping } from '../../mapping/mapping-file/read-mapping.ts';
import { errorOf } from '../../messages/text.ts';
import type { Source } from '../../tables/source.ts';
import { ownColumnsIn } from '../own-columns.ts';
import { type SheetBeginning, type SheetChoice, sheetsToRead } from './sheets-to-read.ts';

/** Keeps a copy of a mapping. It replaces one with the same headers, but none that only has the same file name. */
export function rememberMapping({ path, mapping }: NamedMapping, folder: string): string {
  mkdirSync(folder, { recursive: true, mode: folderOwnerOnly });
  const before = rememberedPaths(folder).find((kept) => areForSameFiles(readMapping(kept).mapping, mapping));
  const named = join(folder, basename(path));
  const target = before ?? (existsSync(named) ? nextFreeName(named) : named);
  if (target !== path) copyFileSync(path, target);
  return target;
}

export function rememberedPaths(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => join(folder, name));
}

/**
 * The remembered mapping that reads the most sheets of a file, or `null`. Each of its sheets must match exactly, or be
 * missing while all other sheets to read match.
 * @throws DealsheetError `usage` when a remembered mapping is unusable, or when several match equally
 */
export async function rememberedMapping(
  source: Source,
  folder: string,
  choice: SheetChoice,
): Promise<NamedMapping | null> {
  const kept = rememberedPaths(folder);
  if (kept.length === 0) return null;
  const sheets: SheetHeaders[] = [];
  for (const sheet of await sheetsToRead(source, { sheet: null, ignoredSheets: [] }))
    sheets.push({ name: sheet.name, headers: new Set((await headerRowsOf(sheet)).map(setOf)) });
  const filled = sheets.filter(({ headers }) => headers.size > 0);
  // With --ignore-sheets all, sheets that the mapping does not read are left out, so they need not match.
  const read = choice.ignoredSheets === 'all' ? [] : await sheetsToRead(source, choice);
  const chosen = new Set(read.map(({ name }) => name));
  const fitting = kept.flatMap((path) => {
    const named = readMapping(path);
    const wanted = named.mapping.sheets.map(headersNamed);
    const found = wanted.filter((names) => filled.some(({ headers }) => headers.has(names))).length;
    const isRead = ({ name, headers }: SheetHeaders) =>
      !chosen.has(name) || isLeftOut(named.mapping, name) || wanted.some((names) => headers.has(names));
    const gone = wanted.length - found;
    const fits = gone === 0 || (found > 0 && filled.every(isRead));
    return fits ? [{ named, found, gone }] : [];
  });
  const [best, second] = fitting.sort((one, other) => other.found - one.found || one.gone - other.gone);
  if (best === undefined) return null;
  if (second !== undefined && second.found === best.found && second.gone === best.gone)
    throw errorOf('several-mappings-fit', { paths: [best.named.path, second.named.path] });
  return best.named;
}

/** Each of the first rows of a sheet, as its possible headers. */
interface SheetHeaders {
  readonly name: string;
  readonly headers: ReadonlySet<string>;
}

/** A results sheet is read like its source, so its own columns do not count. */
async function headerRowsOf({ sheet, rows }: SheetBeginning): Promise<readonly (readonly string[])[]> {
  const merges = await sheet.mergedHeaderRanges();
  return rows.map((row, position) => {
    const own = ownColumnsIn(row);
    return foreignHeaders(row, rows[position - 1], merges, own)
      .slice(own)
      .filter((name) => name !== null);
  });
}

/** Whether both mappings have the same sheets, by headers and by name. Another month in the name does not matter. */
function areForSameFiles(one: Mapping, other: Mapping): boolean {
  if (one.sheets.length !== other.sheets.length) return false;
  return one.sheets.every((rules) =>
    other.sheets.some((others) => isSameSheet(rules, others) && headersNamed(rules) === headersNamed(others)),
  );
}

function isSameSheet({ sheet: one = '' }: SheetMappingRules, { sheet: other = '' }: SheetMappingRules): boolean {
  return headerName(one) === headerName(other) || sameButForMonth(one, other);
}

function headersNamed(rules: SheetMappingRules): string {
  return setOf(mappedNames(rules));
}

function setOf(names: readonly string[]): string {
  return [...new Set(names.map(headerName))].sort().join('\n');
}
