/** Headers to fields: by label, alias or path, whatever the case, spacing and punctuation. A column is never guessed or dropped. */
import { distance } from 'fastest-levenshtein';
import { type Field, fieldsOf, isOpenPath, type PathSegment, pathOf } from '../contract/fields.ts';
import { oneOf, type RecordKind } from '../contract/record-kind.ts';
import { columnName } from '../sheets/xlsx/cell-reference.ts';
import { ClaimedPaths, type Clash } from './claimed-paths.ts';
import type { Column, HeaderProblem, OpenValueType } from './column.ts';
import { shownHeader } from './masking.ts';

/** Headers that a person leaves out on purpose. */
export type IgnoredColumns = 'all' | readonly string[];

export interface MatchedHeaders {
  readonly columns: readonly Column[];
  readonly problems: readonly HeaderProblem[];
}

/**
 * Matches the headers of one sheet to the fields of a kind.
 *
 * @param headers  the header cells as text, blank ones as `null`; the index is the column
 * @param ignored  headers to leave out without a word; `all` leaves out every one that matches nothing
 */
export function matchHeaders(
  kind: RecordKind,
  headers: readonly (string | null)[],
  ignored: IgnoredColumns,
): MatchedHeaders {
  const columns: Column[] = [];
  const problems: HeaderProblem[] = [];
  const claimed = new ClaimedPaths();
  headers.forEach((header, index) => {
    if (header === null || header.trim() === '') return;
    const found = matchHeader(kind, header, index, ignored);
    if ('message' in found) {
      problems.push(found);
      return;
    }
    const clash = found.use === 'ignored' ? null : claimed.claim(found);
    if (clash === null) columns.push(found);
    else problems.push({ index, header, message: clashInWords(clash, header, index) });
  });
  return { columns, problems };
}

/** How many of these headers name a field of the kind: the measure by which a kind and a header row are found. */
export function countMatches(kind: RecordKind, headers: readonly (string | null)[]): number {
  return headers.filter((header) => header !== null && (fieldOfHeader(kind, header) ?? openPathOf(header)) !== null)
    .length;
}

/** The field that a header names, or `null`. */
export function fieldOfHeader(kind: RecordKind, header: string): Field | null {
  const index = headerIndex(kind);
  const bare = bareHeader(header);
  return index.byPath.get(bare.toLowerCase()) ?? index.byWords.get(folded(bare)) ?? null;
}

/** What a header fills, the same for every way to name it (`DBA`, `company.dba`); `null` when it names nothing. */
export function placeNamed(kind: RecordKind, header: string): string | null {
  const found = matchHeader(kind, header, 0, []);
  return 'message' in found ? null : placeOf(found);
}

/** Lower case, letters and digits alone: how headers are compared. */
export function folded(header: string): string {
  // Most texts are plain: what needs no decomposition is spared it.
  if (/^[\x20-\x7e]*$/.test(header)) return header.toLowerCase().replace(/[^a-z0-9]+/g, '');
  return header
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

interface HeaderIndex {
  readonly byPath: ReadonlyMap<string, Field>;
  readonly byWords: ReadonlyMap<string, Field>;
}

const indexes = new WeakMap<RecordKind, HeaderIndex>();

function headerIndex(kind: RecordKind): HeaderIndex {
  const known = indexes.get(kind);
  if (known !== undefined) return known;
  const fields = fieldsOf(kind);
  const index = {
    byPath: new Map(fields.map((field) => [field.path.toLowerCase(), field])),
    byWords: new Map(fields.flatMap((field) => field.headers.map((words) => [folded(words), field] as const))),
  };
  indexes.set(kind, index);
  return index;
}

function matchHeader(kind: RecordKind, header: string, index: number, ignored: IgnoredColumns): Column | HeaderProblem {
  const bare = bareHeader(header);
  const isIgnored =
    (ignored !== 'all' && ignored.some((name) => folded(name) === folded(bare))) || /^\(.*\)$/.test(bare);
  if (isIgnored) return { use: 'ignored', index, header };
  const open = openPathOf(bare);
  if (open !== null) return openColumn(kind, header, index, open);
  const field = fieldOfHeader(kind, header);
  if (field !== null) return { use: 'field', index, header, field };
  if (ignored === 'all') return { use: 'ignored', index, header };
  return { index, header, message: unknownHeader(kind, bare, index) };
}

function placeOf(column: Column): string | null {
  switch (column.use) {
    case 'field':
      return `${column.field.place}:${column.field.path}`;
    case 'open':
      return `body:${column.path}`;
    case 'ignored':
      return null;
  }
}

function bareHeader(header: string): string {
  return header
    .trim()
    .replace(/\s*\*$/, '')
    .trim();
}

function openPathOf(header: string): { segments: PathSegment[]; valueType: OpenValueType } | null {
  const match =
    /^\{\s*([\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*|\[\d{1,2}\])*)\s*(?::\s*(text|number|date)\s*)?\}$/u.exec(
      header.trim(),
    );
  if (match === null) return null;
  const segments = (match[1] ?? '').split(/[.[\]]+/).filter((part) => part !== '');
  return {
    segments: segments.map((part) => (/^\d+$/.test(part) ? Number(part) : part)),
    valueType: (match[2] ?? 'text') as OpenValueType,
  };
}

function openColumn(
  kind: RecordKind,
  header: string,
  index: number,
  open: { segments: readonly PathSegment[]; valueType: OpenValueType },
): Column | HeaderProblem {
  const path = pathOf(open.segments);
  if (open.segments.includes('__proto__')) return { index, header, message: `${place(header, index)} is not a path.` };
  const field = fieldOfHeader(kind, path);
  if (field !== null) return { use: 'field', index, header, field };
  if (!isOpenPath(kind, open.segments)) {
    const message = `${place(header, index)} names a field that ${oneOf(kind)} does not have: its fields there are documented, and this is none of them.`;
    return { index, header, message };
  }
  return { use: 'open', index, header, path, segments: open.segments, valueType: open.valueType };
}

function unknownHeader(kind: RecordKind, header: string, index: number): string {
  return `Column ${columnName(index)} ${unknownField(kind, header)}`;
}

/** Says of a name that no field has it, and which one comes near. */
export function unknownField(kind: RecordKind, name: string): string {
  const near = nearestLabel(kind, name);
  const meant = near === null ? '' : ` Did you mean "${near}"?`;
  return `"${shownHeader(name)}" is no field of ${oneOf(kind)}.${meant}`;
}

function clashInWords({ other, contradiction }: Clash, header: string, index: number): string {
  const [one, known] = [place(header, index), place(other.header, other.index)];
  if (contradiction === null) return `${one} names the same field as ${known}. Keep one of them.`;
  return `${one} contradicts ${known}: "${contradiction.place}" cannot be ${contradiction.one} and ${contradiction.other} at once. Keep one of them.`;
}

function place(header: string, index: number): string {
  return `Column ${columnName(index)} "${shownHeader(header)}"`;
}

/** The label of the field whose headers come nearest, when it comes near enough to be what was meant. */
function nearestLabel(kind: RecordKind, header: string): string | null {
  const wanted = folded(header);
  let best: { label: string; distance: number } | null = null;
  for (const [words, field] of headerIndex(kind).byWords) {
    const contained = wanted.length >= 4 && (words.includes(wanted) || wanted.includes(words)) && words.length >= 4;
    const away = contained ? 1 + Math.abs(words.length - wanted.length) / 10 : distance(wanted, words);
    if (best === null || away < best.distance) best = { label: field.label, distance: away };
  }
  const allowed = Math.max(2, Math.floor(wanted.length / 3));
  return best !== null && best.distance <= allowed ? best.label : null;
}
