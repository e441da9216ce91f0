/**
 * What a row says, apart from the way in which it is written and from the way in which it names its parents: that is told apart
 * by their rows.
 */
import { segmentsOf } from '../contract/body-path.ts';
import { type Field, fieldsOf, isSensitiveName, looksSensitive, type PathSegment } from '../contract/fields.ts';
import type { RecordKind } from '../contract/record-kind.ts';
import { type Body, valueAt } from '../mapping/body.ts';
import { withoutLostZeros } from '../mapping/spreadsheet-rewriting.ts';
import { oncePer } from '../once.ts';
import type { JudgedRow, NamedParent, StagedRow } from './staged-row.ts';

interface RowSays extends Pick<StagedRow, 'isMasked' | 'parents' | 'identifies' | 'unique'> {
  readonly says: string;
  /** What its results will show of it, where they hide something. */
  readonly shown: string | null;
}

export function sayingOf(kind: RecordKind): (row: JudgedRow) => RowSays {
  const plainOf = plainFor(kind);
  const unique = kind.uniqueBy === null ? null : segmentsOf(kind.uniqueBy);
  return (row) => {
    const parents = parentsOf(row);
    const body = withoutParents(row);
    const ofRow = JSON.stringify([row.pathId, row.file?.digest ?? null]);
    const said = (whole: Body): string => {
      const { plain, defaults } = plainOf(whole);
      return [ofRow, JSON.stringify(plain), ...defaults].join('\n');
    };
    const shown = shownOf(body);
    const isMasked = isMaskedRow(row);
    return {
      says: said(isMasked ? shown : body),
      shown: !isMasked && shown !== body ? said(shown) : null,
      isMasked,
      parents,
      identifies: identifying(row, parents),
      unique: unique === null ? null : bareText(valueAt(body, unique)),
    };
  };
}

/** Also a row with faults beside its stars says no more than its results showed. */
function isMaskedRow({ problems }: JudgedRow): boolean {
  return problems.some(({ code }) => code === 'masked');
}

/**
 * What a row says, field by field, each with its path; but sensitive values, of which no digest by itself may be kept: an SSN or a
 * day is soon guessed.
 */
export function fieldsSaid(row: JudgedRow): readonly (readonly [path: string, value: string])[] {
  const body = withoutParents(row);
  const { plain, defaults } = plainFor(row.kind)(isMaskedRow(row) ? shownOf(body) : body);
  const said: (readonly [path: string, value: string])[] = [];
  if (row.pathId !== null) said.push(['companyId', row.pathId]);
  if (row.file !== null) said.push(['file', row.file.digest]);
  addLeaves(said, placesOf(row.kind), plain);
  for (const one of defaults) said.push([one.slice(0, one.indexOf('=')), one]);
  return said;
}

/** Where a value stands in the records of a kind; the places within it are found out once. */
interface Place {
  readonly path: string;
  readonly isSensitive: boolean;
  readonly inner: Map<string | number, Place>;
}

const placesOf = oncePer((_kind: RecordKind): Place => ({ path: '', isSensitive: false, inner: new Map() }));
const mostInner = 1_000;

function placeIn({ path, inner }: Place, name: string | number): Place {
  const known = inner.get(name);
  if (known !== undefined) return known;
  const within = typeof name === 'number' ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`;
  const place = { path: within, isSensitive: isSensitiveName(name), inner: new Map() };
  if (inner.size < mostInner) inner.set(name, place);
  return place;
}

/** A list of words is one value, as it is one cell. */
function addLeaves(said: (readonly [path: string, value: string])[], place: Place, value: unknown): void {
  if (place.isSensitive || looksSensitive(value)) return;
  const isGroup = typeof value === 'object' && value !== null && (!Array.isArray(value) || value.some(isGroupOrGap));
  if (!isGroup) said.push([place.path, JSON.stringify(value)]);
  else if (Array.isArray(value)) for (const [at, part] of value.entries()) addLeaves(said, placeIn(place, at), part);
  else
    for (const name in value) addLeaves(said, placeIn(place, name), (value as Readonly<Record<string, unknown>>)[name]);
}

function isGroupOrGap(part: unknown): boolean {
  return typeof part === 'object';
}

/** Letters and digits alone: the same number is written with marks and without. */
function bareText(value: unknown): string | null {
  const bare = typeof value === 'string' ? value.replace(/[^\p{L}\p{N}]+/gu, '').toLowerCase() : '';
  return bare === '' ? null : bare;
}

function parentsOf({ kind, body, references }: JudgedRow): readonly NamedParent[] {
  return kind.references.flatMap((reference): NamedParent[] => {
    const { to, fills } = reference;
    const named = references.find((one) => one.reference === reference);
    if (named !== undefined) return [{ kind: to, fills, ref: named.ref, id: null }];
    const id = valueAt(body, segmentsOf(fills));
    return typeof id === 'string' ? [{ kind: to, fills, ref: null, id }] : [];
  });
}

/** A deal that names its company by an id alone says no more of it than one that names it by a Ref. */
function withoutParents({ kind, body }: JudgedRow): Body {
  return kind.references.reduce((rest, { fills }) => {
    const segments = segmentsOf(fills);
    if (valueAt(rest, segments) === undefined) return rest;
    const holder = segments.slice(0, -1);
    const isAlone = Object.keys(valueAt(rest, holder) as Body).length === 1;
    return replaced(rest, isAlone && holder.length > 0 ? holder : segments, undefined);
  }, body);
}

/** A copy with another value at one place; the rest is shared, since a whole copy would cost as much as its JSON. */
function replaced(body: Body, [name, ...rest]: readonly PathSegment[], value: unknown): Body {
  if (name === undefined) return body;
  const copy = (Array.isArray(body) ? [...body] : { ...body }) as Record<PathSegment, unknown>;
  if (rest.length > 0) copy[name] = replaced(copy[name] as Body, rest, value);
  else if (value === undefined) delete copy[name];
  else copy[name] = value;
  return copy;
}

/** What the row says in each group, however that is written; `null` for a group that it has not whole. Groups share values. */
function identifying({ kind, body }: JudgedRow, parents: readonly NamedParent[]): StagedRow['identifies'] {
  const texts = new Map<string, string | null>();
  const textAt = (path: string): string | null => {
    let text = texts.get(path);
    if (text !== undefined) return text;
    const value = valueAt(body, segmentsOf(path)) ?? null;
    text = value === null ? null : withoutLostZeros(bareText(value) ?? String(value));
    texts.set(path, text);
    return text;
  };
  const saidIn = (group: readonly string[]) => {
    const said = group.map(textAt);
    const isWhole = group.length > 0 ? !said.includes(null) : parents.length > 0;
    return isWhole ? JSON.stringify(said) : null;
  };
  return kind.identifiedBy.map((chain) => chain.map(saidIn));
}

const writtenWithMarks: ReadonlySet<Field['format']> = new Set(['ein', 'ssn', 'phone']);
const northAmericanDigits = 11;

/** A body that is the same for every way of writing it, and the fields of which the service takes a blank for a value, each with that. */
interface Plain {
  readonly plain: Body;
  readonly defaults: readonly string[];
}

/** Digits of an EIN, an SSN or a phone count without the marks between them. */
export const plainFor = oncePer((kind: RecordKind): ((body: Body) => Plain) => {
  const fields = fieldsOf(kind).filter(({ place }) => place === 'body');
  const marked = fields.filter(({ format }) => writtenWithMarks.has(format));
  const defaulted = fields.flatMap(({ segments: [name], facts }) =>
    typeof name === 'string' && facts.blankMeans !== undefined ? [{ name, blankMeans: facts.blankMeans }] : [],
  );
  return (body) => {
    let plain = body;
    for (const { segments, format } of marked) {
      const written = valueAt(body, segments);
      if (typeof written === 'string') plain = replaced(plain, segments, bareDigits(written, format));
    }
    for (const { name } of defaulted) if (body[name] !== undefined) plain = replaced(plain, [name], undefined);
    const defaults = defaulted.map(({ name, blankMeans }) => `${name}=${String(body[name] ?? blankMeans)}`);
    return { plain, defaults };
  };
});

function shownOf(body: Body): Body {
  return (shownPart(body) ?? {}) as Body;
}

/**
 * What a results sheet shows of a value: the value itself where it hides nothing, and `undefined` where it shows nothing. A group of
 * which nothing is shown is none, as in a row of masked cells.
 */
function shownPart(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const shown: [name: string, part: unknown][] = [];
  let hidesNothing = true;
  for (const name in value) {
    const member = (value as Readonly<Record<string, unknown>>)[name];
    if (member === undefined) continue;
    const part = isSensitiveName(name) || looksSensitive(member) ? undefined : shownPart(member);
    if (part !== undefined) shown.push([name, part]);
    hidesNothing &&= part === member;
  }
  if (hidesNothing) return value;
  if (shown.length === 0) return undefined;
  return Array.isArray(value) ? shown.map(([, part]) => part) : Object.fromEntries(shown);
}

function bareDigits(text: string, format: Field['format']): string {
  const digits = text.replace(/\D+/g, '');
  return format === 'phone' && digits.length === northAmericanDigits && digits.startsWith('1')
    ? digits.slice(1)
    : digits;
}
