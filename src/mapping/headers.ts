/** Matches headers to fields by label, alias or path, ignoring case, spacing and punctuation. Never guesses or drops a column. */
import { pathOf } from '../contract/body-path.ts';
import { type Field, fieldsOf, isOpenPath, isSensitiveName } from '../contract/fields.ts';
import { oneOf, type RecordKind } from '../contract/record-kind.ts';
import { recordKinds } from '../contract/record-kinds.ts';
import type { Message } from '../messages/message.ts';
import { messageOf } from '../messages/text.ts';
import { oncePer } from '../once.ts';
import { columnName } from '../tables/excel-limits.ts';
import { cellAt, type SheetRow } from '../tables/row.ts';
import type { Column } from './column.ts';
import { shownHeader } from './marks.ts';
import { isOtherMeasure, nearField, spelledOut, suggestedLabels, suggestionsFor } from './suggestions.ts';

/** Headers or sheet names that a person leaves out. Within a list, `all` means all unnamed ones. */
export type IgnoredNames = 'all' | readonly string[];

const allNames = 'all';

/** Whether everything without a match is left out, not only the named ones. */
function leavesAllOut(ignored: IgnoredNames): boolean {
  return ignored === allNames || (ignored.length > 1 && ignored.includes(allNames));
}

/** Combines what is left out of one file with what is left out of every file. */
export function ignoredTogether(ofFile: IgnoredNames, always: readonly string[] = []): IgnoredNames {
  return always.length === 0 ? ofFile : [ofFile, always].flat();
}

export interface MatchedHeaders {
  /** Without those left out in parentheses or by the person. */
  readonly columns: readonly Column[];
  /** Headers that stop the load. */
  readonly problems: readonly Message[];
}

/** Matches the headers of a sheet. `all` leaves out every header that neither matches nor resembles a field. */
export function matchHeaders(
  kind: RecordKind,
  headers: readonly (string | null)[],
  ignored: IgnoredNames,
  placeOf: PlaceOfHeader = columnAmong(kind, headers),
): MatchedHeaders {
  const { columns, leftOut, refused } = matchEach(kind, headers, ignored);
  const named = new Set(headers.map((header) => fieldOfHeader(kind, header ?? '')));
  const problems = refused.map(({ header, index, why }, at): Message => {
    const bare = bareHeader(header);
    const place = placeOf(bare, index);
    if (why === 'no-path') return messageOf('header-no-path', { place, most: openPathOf(bare) ? null : deepestPath });
    if (why === 'undocumented') return messageOf('header-undocumented', { place, kind: oneOf(kind) });
    if (why !== 'unknown') return messageOf('header-twice', { place, other: placeOf(why.header, why.index) });
    const near = at < mostSuggestions ? suggestedLabels(kind, bare, named) : null;
    return messageOf('header-unknown', { place, kind: oneOf(kind), near });
  });
  const filled = new Set(columns.map(({ path }) => path));
  const near = leftOut.flatMap(({ header, index }) => {
    const bare = bareHeader(header);
    const plain = bare.replace(inParentheses, '');
    const field = isNamed(bare, ignored) ? null : (fieldOfHeader(kind, plain) ?? nearField(kind, folded(plain)));
    // If another column fills the field, a similar name probably means something else.
    if (field === null || filled.has(field.path)) return [];
    return messageOf('header-near', { place: placeOf(bare, index), field: field.label, header: shownHeader(bare) });
  });
  return { columns, problems: [...problems, ...near] };
}

/** `Amount (USD)` is near `Amount`. */
const inParentheses = /\([^)]*\)/g;

/** Whether every header fills a field or is left out, and at least one fills a field. */
export function fillsAllHeaders(kind: RecordKind, headers: readonly (string | null)[], ignored: IgnoredNames): boolean {
  const { columns, refused } = matchEach(kind, headers, ignored);
  return refused.length === 0 && columns.length > 0;
}

/** The most headers of a sheet that get suggestions, which are slow. The first ones show that the table is foreign. */
const mostSuggestions = 20;

type Placed = Pick<Column, 'header' | 'index'>;

/** Why a header fills nothing: it names none, or another column fills the same place. */
type Refusal = 'no-path' | 'undocumented' | 'unknown' | Column;

function matchEach(kind: RecordKind, headers: readonly (string | null)[], ignored: IgnoredNames) {
  const columns: Column[] = [];
  const leftOut: Placed[] = [];
  const refused: (Placed & { readonly why: Refusal })[] = [];
  const claimed: Claims = new Map();
  for (const [index, header] of headers.entries()) {
    if (header === null || header.trim() === '') continue;
    const found = isNamed(bareHeader(header), ignored) ? null : columnNamed(kind, header, index);
    const why = found === null || typeof found === 'string' ? found : claim(claimed, found);
    if (found === null || (found === 'unknown' && leavesAllOut(ignored))) leftOut.push({ header, index });
    else if (why !== null) refused.push({ header, index, why });
    else if (typeof found !== 'string') columns.push(found);
  }
  return { columns, leftOut, refused };
}

/** The number of headers that name a field of the kind. It decides the kind and the header row. */
export function countMatches(kind: RecordKind, headers: readonly (string | null)[]): number {
  return headers.filter((header) => header !== null && (fieldOfHeader(kind, header) ?? openPathOf(header)) !== null)
    .length;
}

/** The kinds of which the most headers name a field. Of several such, those of which the most others may mean one. */
export function likelyKinds(read: readonly { kind: RecordKind; headers: readonly (string | null)[] }[]) {
  const mayMean = (kind: RecordKind) => (header: string | null) => suggestionsFor(kind, header ?? '').length > 0;
  const best = bestOf(read, ({ kind, headers }) => countMatches(kind, headers));
  const near = ({ kind, headers }: (typeof read)[number]) =>
    headers.slice(0, mostSuggestions).filter(mayMean(kind)).length;
  return (best.length === 1 ? best : bestOf(best, near)).map(({ kind }) => kind);
}

function bestOf<One>(all: readonly One[], goodness: (one: One) => number): readonly One[] {
  const scores = all.map(goodness);
  return all.filter((_, index) => scores[index] === Math.max(...scores));
}

/** The field that a header names, or `null`. `EIN #` is the EIN, because its sign adds nothing. A path in braces is exact. */
export function fieldOfHeader(kind: RecordKind, header: string): Field | null {
  const bare = bareHeader(header);
  const index = headerIndex(kind);
  if (bare.length > longestHeader || !mayBeAmong(index.edges, bare)) return null;
  if (isInBraces(bare)) {
    const open = openPathOf(bare);
    return open === null ? null : (index.byExactPath.get(pathOf(open.segments)) ?? null);
  }
  const found =
    index.byPath.get(bare.toLowerCase()) ??
    index.byWords.get(folded(bare)) ??
    index.byWords.get(folded(bare.replace(/[#%]/g, ' ')));
  return found === undefined || isOtherMeasure(bare, found) ? null : found;
}

/** The place that a header fills, the same for each of its names (`DBA`, `company.dba`), or `null`. */
export function placeNamed(kind: RecordKind, header: string): string | null {
  const found = isNamed(bareHeader(header), []) ? null : columnNamed(kind, header, 0);
  return found === null || typeof found === 'string' ? null : `${found.place}:${found.path}`;
}

/** Lower-case letters and digits only, for comparing headers. Signs that say something count as their words. */
export function folded(header: string): string {
  const words = spelledOut(header);
  // Most texts are plain and need no decomposition.
  if (/^[\x20-\x7e]*$/.test(words)) return words.toLowerCase().replace(/[^a-z0-9]+/g, '');
  return words
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/** Whether a text may be one of the names with these edges. Folding each text of a wide table takes far longer. */
export function mayBeAmong(edges: ReadonlySet<string>, text: string): boolean {
  const own = edgesOf(spelledOut(text));
  return !plainEdges.test(own) || edges.has(own);
}

const plainEdges = /^[a-z0-9]{2}$/;

/** The first and last character. Folding keeps them if both are letters or digits. */
export function edgesOf(text: string): string {
  return (text.charAt(0) + text.charAt(text.length - 1)).toLowerCase();
}

const longestHeader = 512;
const deepestPath = 32;

const headerIndex = oncePer((kind: RecordKind) => {
  const fields = fieldsOf(kind);
  const names = fields.flatMap(({ path, headers }) => [path, ...headers.map(folded)]);
  return {
    edges: new Set(names.map(edgesOf)),
    byExactPath: new Map(fields.map((field) => [field.path, field])),
    byPath: new Map(fields.map((field) => [field.path.toLowerCase(), field])),
    byWords: new Map(fields.flatMap((field) => field.headers.map((words) => [folded(words), field] as const))),
  };
});

type PlaceOfHeader = (header: string, index: number) => string;

function columnAmong(kind: RecordKind, headers: readonly (string | null)[]): PlaceOfHeader {
  let isAmongNames: boolean | null = null;
  return (header, index) => {
    isAmongNames ??= countMatches(kind, headers) > 0;
    return `Column ${columnName(index)} "${shownHeader(header, isAmongNames)}"`;
  };
}

/** The column under a header, or why there is none. */
function columnNamed(kind: RecordKind, header: string, index: number): Column | Exclude<Refusal, Column> {
  const placed = { index, header, origins: [index], cellOf: (row: SheetRow) => cellAt(row, index) };
  const field = fieldOfHeader(kind, header);
  if (field !== null) {
    const { place, path, segments, format, label } = field;
    return { ...placed, field, place, path, segments, format, label, sensitive: field.facts.sensitive === true };
  }
  const bare = bareHeader(header);
  const open = openPathOf(bare);
  if (open === null) return isInBraces(bare) ? 'no-path' : 'unknown';
  if (open.segments.includes('__proto__')) return 'no-path';
  if (!isOpenPath(kind, open.segments)) return 'undocumented';
  const sensitive = open.segments.some(isSensitiveName);
  return { ...placed, field: null, place: 'body', path: pathOf(open.segments), label: header, sensitive, ...open };
}

function isNamed(bare: string, ignored: IgnoredNames): boolean {
  const names = ignored === allNames ? [] : ignored;
  return names.some((name) => folded(name) === folded(bare)) || (bare.startsWith('(') && bare.endsWith(')'));
}

/** The names in a list of what is left out that none of the headers or sheets has. */
export function namesWithout(ignored: IgnoredNames, headers: readonly (string | null)[]): readonly string[] {
  const there = new Set([allNames, ...headers.map((header) => folded(bareHeader(header ?? '')))]);
  return ignored === allNames ? [] : ignored.filter((name) => !there.has(folded(name)));
}

function bareHeader(header: string): string {
  const trimmed = header.trim();
  return trimmed.endsWith('*') ? trimmed.slice(0, -1).trimEnd() : trimmed;
}

function isInBraces(bare: string): boolean {
  return bare.startsWith('{') || bare.endsWith('}');
}

function openPathOf(header: string): Pick<Column, 'segments' | 'format'> | null {
  if (header.length > longestHeader) return null;
  const match =
    /^\{\s*([\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*|\[\d{1,2}\])*)\s*(?::\s*(text|number|date|boolean)\s*)?\}$/u.exec(
      header.trim(),
    );
  if (match === null) return null;
  const segments = (match[1] ?? '').split(/[.[\]]+/).filter((part) => part !== '');
  if (segments.length > deepestPath) return null;
  return {
    segments: segments.map((part) => (/^\d+$/.test(part) ? Number(part) : part)),
    format: (match[2] ?? 'text') as Column['format'],
  };
}

/** The first column at each place of a record, and what is there: a value, a list or a group. */
type Claims = Map<string, { readonly column: Column; readonly holds: 'value' | 'list' | 'group' }>;

/** @returns the column that fills the same place, or fills it differently; `null` if this column claims it */
function claim(claims: Claims, column: Column): Column | null {
  const { place, segments } = column;
  const places = segments.map((_, index) => {
    const next = segments[index + 1];
    const holds = next === undefined ? 'value' : typeof next === 'number' ? 'list' : 'group';
    return { key: `${place}:${pathOf(segments.slice(0, index + 1))}`, holds } as const;
  });
  for (const { key, holds } of places) {
    const known = claims.get(key);
    if (known !== undefined && (known.holds !== holds || holds === 'value')) return known.column;
  }
  for (const { key, holds } of places) if (!claims.has(key)) claims.set(key, { column, holds });
  return null;
}

/** The kind with this sheet name, in any spelling. Never a guess between two kinds. */
export function kindOfSheetName(name: string): RecordKind | null {
  return recordKinds.find((kind) => namesOf(kind).some((own) => folded(own) === folded(name))) ?? null;
}

/** The only one of these kinds that has this sheet name, or a name that occurs in it as words (`deals-june-2026`). */
export function kindNamed(name: string, among: readonly RecordKind[] = recordKinds): RecordKind | null {
  const exact = kindOfSheetName(name);
  if (exact !== null && among.includes(exact)) return exact;
  const wanted = wordsOf(name);
  const found = among.flatMap((kind) => namesOf(kind).map((own) => ({ kind, words: wordsOf(own) })));
  const inName = found.filter(({ words }) => wanted.includes(words));
  // `company` within `company updates` names no company.
  const isPart = (part: string) => inName.some(({ words }) => words !== part && words.includes(part));
  const [only = null, second] = new Set(inName.flatMap(({ kind, words }) => (isPart(words) ? [] : [kind])));
  return second === undefined ? only : null;
}

/** `DealsJune_2026` to ` deals june `. Blanks around each word keep `leading` from containing ` lead `. */
function wordsOf(name: string): string {
  const apart = name.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').toLowerCase();
  return ` ${apart.replace(/[^\p{L}]+/gu, ' ').trim()} `;
}

function namesOf(kind: RecordKind): readonly string[] {
  return [kind.sheet, kind.name, kind.singular, ...kind.sheetAliases];
}
