/**
 * Computes the content of a row, independent of formatting and of its parents, which are compared by row id. The text of a cell that
 * could not be read is part of it: two rows that differ there are two.
 */
import { hash } from 'node:crypto';
import { segmentsOf, valueAt } from '../contract/body-path.ts';
import { type Field, fieldsOf, isWrittenSsn } from '../contract/fields.ts';
import { type Leaf, leavesOf, placeAt } from '../contract/leaves.ts';
import type { RecordKind } from '../contract/record-kind.ts';
import { bareText, comparableKey } from '../mapping/spreadsheet-rewriting.ts';
import { oncePer, oncePerText } from '../once.ts';
import type { MappedData, NamedParent, RowContent, RowData } from './staged-row.ts';

/** @param asWritten  the digest of its raw cells, in a chain of its own */
export function contentOf(row: MappedData, asWritten: RowContent['identifies'] = []) {
  const isMasked = isMaskedRow(row);
  const parents = parentsOf(row);
  const { identifies, shares } = identifying(row, parents, asWritten);
  const leaves = leavesSaid(row, isMasked);
  const loose = looseLeaves(row, leaves);
  const { digest, maskedDigest } = contentDigests(row, leaves, isMasked);
  const looseDigest = loose === null ? null : contentDigests(row, loose, isMasked).digest;
  const content: RowContent = { digest, maskedDigest, looseDigest, identifies, shares };
  return { content, isMasked, parents };
}

/** A row with masked cells is compared only by what its results show, even if it has other errors. */
function isMaskedRow({ problems }: MappedData): boolean {
  return problems.some(({ code }) => code === 'masked');
}

function isHidden({ place, value }: Leaf): boolean {
  if (isUnread(value)) return place.isSensitive || isWrittenSsn(value.unread);
  return place.isSensitive || (Array.isArray(value) ? value.some(isWrittenSsn) : isWrittenSsn(value));
}

/** Whether this is the value of a leaf whose cell could not be read. Any other value is plain JSON without members. */
function isUnread(value: unknown): value is { readonly unread: string } {
  return typeof value === 'object' && value !== null && 'unread' in value;
}

/** The values of a row and its unread cells. */
function leavesSaid({ kind, body, unread }: MappedData, hides: boolean): readonly Leaf[] {
  const leaves = leavesOf(kind, body, hides);
  if (unread.length === 0) return leaves;
  const more = unread.map(([path, text]): Leaf => ({ place: placeAt(kind, path), value: { unread: text } }));
  return [...leaves, ...(hides ? more.filter((leaf) => !isHidden(leaf)) : more)];
}

/** The leaves with their references as a spreadsheet program rewrites them: it drops leading zeros. `null` if they are the same. */
function looseLeaves({ kind }: MappedData, leaves: readonly Leaf[]): readonly Leaf[] | null {
  const { identifiers } = factsOf(kind);
  const isReference = ({ place, value }: Leaf) => typeof value === 'string' && identifiers.has(place.path);
  const isLoose = leaves.some((leaf) => isReference(leaf) && comparableKey(String(leaf.value)) !== leaf.value);
  if (!isLoose) return null;
  return leaves.map((leaf) => (isReference(leaf) ? { ...leaf, value: comparableKey(String(leaf.value)) } : leaf));
}

/**
 * What results hide is digested on top of what they show. Only in a list can it change what they show: the parts behind it move up.
 * Excludes parents, so a deal that names its company by id or by Ref has the same digest. Excludes the name of a file
 * whose bytes are known, so a moved or renamed file has the same digest.
 */
function contentDigests(row: MappedData, leaves: readonly Leaf[], isMasked: boolean) {
  const hidden = isMasked ? [] : leaves.filter(isHidden);
  if (hidden.length === 0) return { digest: contentDigest(row, leaves), maskedDigest: null };
  const isMoved = hidden.some(({ place, value }) => Array.isArray(value) || place.path.includes('['));
  const shown = isMoved ? leavesSaid(row, true) : leaves.filter((leaf) => !hidden.includes(leaf));
  const maskedDigest = contentDigest(row, shown);
  return { digest: isMoved ? contentDigest(row, leaves) : contentDigest(row, hidden, maskedDigest), maskedDigest };
}

/**
 * The same in whatever order the columns of the row stand.
 *
 * @param ofShown  the digest of the leaves that results show, where these are the hidden ones
 */
function contentDigest(row: MappedData, leaves: readonly Leaf[], ofShown: string | null = null): string {
  const { kind, file = null } = row;
  const { isParent, defaults } = factsOf(kind);
  const blank = new Map<string, unknown>(defaults);
  const values: [path: string, value: unknown][] = [];
  for (const { place, value } of leaves) {
    blank.delete(place.path);
    if ((isUnread(value) || !isParent.has(place.path)) && (file === null || place.field?.format !== 'file'))
      values.push([place.path, plainValue(place.field, value)]);
  }
  const sorted = [...values, ...blank].sort(([one], [other]) => (one === other ? 0 : one < other ? -1 : 1));
  return hash('sha256', comparableJson([ofShown ?? file?.digest, ...sorted]));
}

/** Programs write an accented letter as one character or as two, and put a blank that does not break in place of another. */
function comparableJson(value: unknown): string {
  const json = JSON.stringify(value);
  return /[^ -~]/.test(json) ? json.normalize('NFC').replace(/\p{Zs}/gu, ' ') : json;
}

/**
 * The values of a row by field path, without sensitive ones: an SSN or a date is easily guessed from its digest.
 * @param isTyped whether to leave out the defaults of blank cells and what cannot be read
 */
export function fieldValues(row: RowData, isTyped = false): readonly (readonly [path: string, value: string])[] {
  const { kind, file } = row;
  const { isParent, defaults } = factsOf(kind);
  const values: (readonly [path: string, value: string])[] = [];
  if (file !== null) values.push(['file', file.digest]);
  const left = new Map(isTyped ? [] : defaults);
  for (const leaf of leavesSaid(isTyped ? { ...row, unread: [] } : row, isMaskedRow(row))) {
    const { path, field } = leaf.place;
    left.delete(path);
    if (!isHidden(leaf) && (isUnread(leaf.value) || !isParent.has(path)))
      values.push([path, comparableJson(plainValue(field, leaf.value))]);
  }
  for (const [path, blankMeans] of left) values.push([path, JSON.stringify(blankMeans)]);
  return values;
}

/** The paths that parent ids fill, the identifiers that identify a row, and the defaults that the service uses for blank fields. */
const factsOf = oncePer((kind: RecordKind) => ({
  identifiers: new Set(
    fieldsOf(kind).flatMap(({ path, format }) =>
      format === 'identifier' && kind.identifiedBy.flat(2).includes(path) ? [path] : [],
    ),
  ),
  isParent: new Set(kind.references.map(({ fills }) => fills)),
  defaults: new Map(
    fieldsOf(kind).flatMap(({ place, path, facts }) =>
      place === 'body' && facts.blankMeans !== undefined ? [[path, facts.blankMeans] as const] : [],
    ),
  ),
}));

function parentsOf({ kind, body, references, pathId }: MappedData): readonly NamedParent[] {
  return kind.references.flatMap(({ to, fills }): NamedParent[] => {
    const named = references.find(({ reference }) => reference.fills === fills);
    if (named !== undefined) return [{ kind: to, fills, ref: named.ref, id: null }];
    const id = kind.sending.isUpdate ? pathId : valueAt(body, segmentsOf(fills));
    return typeof id === 'string' ? [{ kind: to, fills, ref: null, id }] : [];
  });
}

/** The normalized values of each group. */
function identifying(
  { kind, body }: MappedData,
  parents: readonly NamedParent[],
  asWritten: RowContent['identifies'],
): Pick<RowContent, 'identifies' | 'shares'> {
  const { identifiers } = factsOf(kind);
  const textAt = oncePerText((path): string | null => {
    const value = valueAt(body, segmentsOf(path)) ?? null;
    return value === null ? null : comparableKey(bareText(value) ?? String(value));
  });
  const wholeGroup = (group: readonly string[]) => {
    const all = group.map(textAt);
    const isWhole = group.length > 0 ? !all.includes(null) : parents.length > 0;
    return isWhole ? JSON.stringify(all) : null;
  };
  // A reference without digits, such as ACH, numbers no single record.
  const isNumber = (path: string) => !identifiers.has(path) || /\d/.test(textAt(path) ?? '');
  return {
    identifies: [...kind.identifiedBy.map((chain) => chain.map(wholeGroup)), ...asWritten],
    shares: kind.sharedBy.flatMap(({ proves, paths, besideParent = false }) => {
      const isMeant = (!besideParent || parents.length > 0) && (proves !== 'numbered' || paths.every(isNumber));
      const group = isMeant ? wholeGroup(paths) : null;
      return group === null ? [] : [{ proves, besideParent, values: `${paths}\n${group}` }];
    }),
  };
}

const northAmericanDigits = 11;

/** Reduces an EIN, SSN or phone number to its digits; the letters of a phone, as in an extension, count too. */
function plainValue(field: Field | null, value: unknown): unknown {
  const format = field?.format;
  if (typeof value !== 'string' || (format !== 'ein' && format !== 'ssn' && format !== 'phone')) return value;
  const digits = /\p{L}/u.test(value) ? (bareText(value) ?? '') : value.replace(/\D+/g, '');
  const hasCountry = format === 'phone' && digits.length === northAmericanDigits && digits.startsWith('1');
  return hasCountry ? digits.slice(1) : digits;
}
