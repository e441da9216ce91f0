/** Mappings that a person has told to remember: the one whose headers are exactly those of a file is used for it. */
import { copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DealsheetError } from '../../errors.ts';
import { folderOwnerOnly } from '../../file-modes.ts';
import { rowsToSearch } from '../../mapping/header-row.ts';
import { foreignHeaders } from '../../mapping/mapping-file/foreign-headers.ts';
import { headerName } from '../../mapping/mapping-file/header-name.ts';
import { isLeftOut, mappedNames } from '../../mapping/mapping-file/mapped-sheet.ts';
import type { Mapping, SheetMappingRules } from '../../mapping/mapping-file/mapping.ts';
import { sameButForMonth } from '../../mapping/mapping-file/months-in-names.ts';
import { type NamedMapping, readMapping } from '../../mapping/mapping-file/read-mapping.ts';
import { shownHeader } from '../../mapping/masking.ts';
import type { MergedRange, SheetRow } from '../../sheets/cell.ts';
import { nextFreeName } from '../../sheets/free-name.ts';
import type { Source, SourceSheet } from '../../sheets/source.ts';
import { ownColumnsIn } from './sheet-headers.ts';
import { firstRowsOf, type SheetChoice, sheetsToRead } from './sheets-to-read.ts';

/**
 * Keeps a copy of a mapping under its name. One that was kept before for the same headers gives way; one for other headers that
 * happens to have the same name (`mapping.json`) stays.
 *
 * @returns where the copy stands
 */
export function rememberMapping({ path, mapping }: NamedMapping, folder: string): string {
  mkdirSync(folder, { recursive: true, mode: folderOwnerOnly });
  const before = keptIn(folder).find((kept) => areForSameFiles(readMapping(kept).mapping, mapping));
  const named = join(folder, basename(path));
  const target = before ?? (existsSync(named) ? nextFreeName(named) : named);
  if (target !== path) copyFileSync(path, target);
  return target;
}

/**
 * The remembered mapping for a file: the one that reads most of its sheets. Every sheet that a mapping speaks of has exactly its
 * headers, or the file is without it and all others that are to be read have theirs; `null` when there is none such.
 *
 * @throws DealsheetError `usage` when a remembered mapping has become unusable, or when several read as much
 */
export async function rememberedMapping(
  source: Source,
  folder: string,
  choice: SheetChoice,
): Promise<NamedMapping | null> {
  const kept = keptIn(folder);
  if (kept.length === 0) return null;
  const sheets: SheetHeaders[] = [];
  for (const sheet of await sheetsToRead(source, everySheet)) sheets.push(await headersOfSheet(sheet));
  const filled = sheets.filter(({ headers }) => headers.size > 0);
  const chosen = await namesToRead(source, choice);
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
  fitting.sort((one, other) => other.found - one.found || one.gone - other.gone);
  const [best] = fitting;
  if (best === undefined) return null;
  const asGood = fitting.filter(({ found, gone }) => found === best.found && gone === best.gone);
  if (asGood.length > 1) throw severalFit(asGood.map(({ named }) => named));
  return best.named;
}

const everySheet = { sheet: null, ignoredSheets: [] };

/** Those that a person has not left out. Where all are left out that a mapping does not read, it may be without any of them. */
async function namesToRead(source: Source, choice: SheetChoice): Promise<ReadonlySet<string>> {
  if (choice.ignoredSheets === 'all') return new Set();
  return new Set((await sheetsToRead(source, choice)).map(({ name }) => name));
}

/** Each of the first rows of a sheet, as the headers that it may be. */
interface SheetHeaders {
  readonly name: string;
  readonly headers: ReadonlySet<string>;
}

async function headersOfSheet(sheet: SourceSheet): Promise<SheetHeaders> {
  return { name: sheet.name, headers: new Set((await headerRows(sheet)).map(setOf)) };
}

/** The remembered mapping whose headers a file has almost, and what is not as it says. */
export interface NearlyRemembered {
  readonly path: string;
  /** What is new and what is gone, as parts of a sentence. */
  readonly differences: readonly string[];
}

/** The nearest of them, when the file has more of its headers than it differs in; `null` when none is near. */
export async function nearlyRemembered(
  source: Source,
  folder: string,
  choice: SheetChoice,
): Promise<NearlyRemembered | null> {
  const kept = keptIn(folder);
  if (kept.length === 0) return null;
  const rows: NamedRow[] = [];
  for (const sheet of source.sheets) rows.push(...(await namedHeaderRows(sheet)));
  const chosen = await namesToRead(source, choice);
  let nearest: { readonly path: string; readonly fit: MappingFit } | null = null;
  for (const path of kept) {
    const fit = fitOf(readMapping(path).mapping, rows, chosen);
    if (fit.known > fit.differing && (nearest === null || fit.differing < nearest.fit.differing))
      nearest = { path, fit };
  }
  return nearest === null ? null : { path: nearest.path, differences: nearest.fit.differences };
}

/** How far a file has the headers of a mapping. */
interface MappingFit {
  /** How many headers are as the mapping says. */
  readonly known: number;
  readonly differing: number;
  readonly differences: readonly string[];
}

function fitOf(mapping: Mapping, rows: readonly NamedRow[], chosen: ReadonlySet<string>): MappingFit {
  const { sheets } = mapping;
  const fits = sheets.map((rules) => sheetFit(rules, rows, sheets.length > 1));
  const added = [...new Set(rows.map(({ sheet }) => sheet))].filter(
    (name) => chosen.has(name) && !isLeftOut(mapping, name) && !isNearAny(sheets, rows, name),
  );
  return {
    known: fits.reduce((sum, fit) => sum + fit.known, 0),
    differing: fits.reduce((sum, fit) => sum + fit.differing, added.length),
    differences: [...added.map((name) => `the sheet "${name}" is new`), ...fits.flatMap((fit) => fit.differences)],
  };
}

function isNearAny(sheets: Mapping['sheets'], rows: readonly NamedRow[], name: string): boolean {
  const ofSheet = rows.filter(({ sheet }) => sheet === name);
  return sheets.some((rules) => ofSheet.some(({ names }) => isNear(columnsBeside(mappedNames(rules), names))));
}

/** Of all rows, the one that the rules fit best; rules that fit none are for a sheet that is gone. */
function sheetFit(rules: SheetMappingRules, rows: readonly NamedRow[], isOneOfSeveral: boolean): MappingFit {
  const wanted = mappedNames(rules);
  // A month may be without one of several sheets: that alone keeps no mapping from being used.
  let best: MappingFit = isOneOfSeveral
    ? { known: 0, differing: 0, differences: [`the sheet "${rules.sheet ?? ''}" is gone`] }
    : { known: 0, differing: wanted.length, differences: ['all of its columns are gone'] };
  for (const { sheet, names } of rows) {
    const columns = columnsBeside(wanted, names);
    const { known, gone, added } = columns;
    const differing = gone.length + added.length;
    if (!isNear(columns) || (best.known > 0 && differing >= best.differing)) continue;
    const place = isOneOfSeveral ? `in the sheet ${sheet} ` : '';
    const differences = [
      ...added.map((name) => `${place}the column "${shownHeader(name)}" is new`),
      ...gone.map((name) => `${place}the column "${name}" is gone`),
    ];
    best = { known, differing, differences };
  }
  return best;
}

/** The columns of a row beside those of rules. */
interface Columns {
  readonly known: number;
  readonly gone: readonly string[];
  readonly added: readonly string[];
}

function columnsBeside(wanted: readonly string[], names: readonly string[]): Columns {
  const gone = without(wanted, names);
  return { known: wanted.length - gone.length, gone, added: without(names, wanted) };
}

function isNear({ known, gone, added }: Columns): boolean {
  return known > gone.length + added.length;
}

function without(names: readonly string[], others: readonly string[]): readonly string[] {
  const known = new Set(others.map(headerName));
  return names.filter((name) => !known.has(headerName(name)));
}

function severalFit(fitting: readonly NamedMapping[]): DealsheetError {
  return new DealsheetError(
    'usage',
    `Several remembered mappings have exactly the headers of the file:\n${fitting.map(({ path }) => `  ${path}`).join('\n')}`,
    'Name the right one with --mapping FILE, or delete the others. Nothing was sent.',
  );
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

interface NamedRow {
  readonly sheet: string;
  readonly names: readonly string[];
}

async function namedHeaderRows(sheet: SourceSheet): Promise<readonly NamedRow[]> {
  return (await headerRows(sheet)).map((names) => ({ sheet: sheet.name, names }));
}

/** The headers of each of the first rows: one of them is that of the mapping, if it fits. */
async function headerRows(sheet: SourceSheet): Promise<readonly (readonly string[])[]> {
  const rows = await firstRowsOf(sheet, rowsToSearch);
  const merges = await sheet.mergedHeaderRanges();
  return rows.map((row, position) => personsNames(row, rows[position - 1], merges));
}

/** Of a results sheet, the names behind our own columns: it is the next input, and read as its source was. */
function personsNames(row: SheetRow, above: SheetRow | undefined, merges: readonly MergedRange[]): readonly string[] {
  const own = ownColumnsIn(row);
  return foreignHeaders(row, above, merges, own)
    .slice(own)
    .filter((name): name is string => name !== null);
}

function headersNamed(rules: SheetMappingRules): string {
  return setOf(mappedNames(rules));
}

/** Whether every sheet of a mapping has its headers and its name, or that of another month, in the other mapping, too. */
function areForSameFiles(one: Mapping, other: Mapping): boolean {
  if (one.sheets.length !== other.sheets.length) return false;
  return one.sheets.every((rules) =>
    other.sheets.some((others) => isSameSheet(rules, others) && headersNamed(rules) === headersNamed(others)),
  );
}

function isSameSheet({ sheet: one = '' }: SheetMappingRules, { sheet: other = '' }: SheetMappingRules): boolean {
  return headerName(one) === headerName(other) || sameButForMonth(one, other);
}

function setOf(names: readonly string[]): string {
  return [...new Set(names.map(headerName))].sort().join('\n');
}
