/**
 * Which fields of a row say something else than when it went in, by a short digest of each: the ledger has none of their values.
 * Its one rule: digests of two rows have nothing in common, so that equal values of theirs cannot be told.
 */
import { hash } from 'node:crypto';
import { fieldsOf as fieldsIn } from '../contract/fields.ts';
import { recordKind } from '../contract/record-kinds.ts';
import { isSensitiveName } from '../contract/sensitive-names.ts';
import type { Ledger, LogicalRow } from '../ledger/ledger.ts';
import { fieldsSaid } from '../staging/row-says.ts';
import { rowOfData } from '../staging/staged-data.ts';
import type { KnownStaged } from '../staging/staged-row.ts';
import type { Staging } from '../staging/staging.ts';
import type { FormsOf } from './row-digests.ts';

/** In digits of hexadecimal: of the path, and of what the field says. */
const [tagDigits, saidDigits] = [8, 16];

/** A field with what it says; of a parent, in each way in which it may be named. */
interface SaidField {
  readonly path: string;
  readonly forms: readonly string[];
}

type Digests = Pick<Ledger, 'digest'>;

export function fieldDigests(ledger: Digests, content: Buffer, row: KnownStaged, formsOf: FormsOf): Buffer {
  const digestOf = digesting(ledger, content);
  const digests = saidBy(row, formsOf).flatMap(({ path, forms }) => forms.map((form) => digestOf(path, form)));
  return Buffer.from(digests.join(''), 'hex');
}

/**
 * @param shown  the paths of its fields that may have been emptied
 * @returns the paths of the fields that differ, or `null` where the ledger has no digests of them
 */
export function changedFields(
  ledger: Digests,
  { content, fields }: LogicalRow,
  row: KnownStaged,
  formsOf: FormsOf,
  shown: () => readonly string[],
): readonly string[] | null {
  if (content === null || fields === null) return null;
  const said = saidBy(row, formsOf);
  const digestOf = digesting(ledger, content);
  const sent: readonly string[] = fields.toString('hex').match(new RegExp(`.{${tagDigits + saidDigits}}`, 'g')) ?? [];
  const other = said.filter(({ path, forms }) => !forms.some((form) => sent.includes(digestOf(path, form))));
  const here = new Map(said.map(({ path }) => [path, tagOf(path)]));
  const partsOf = (tags: Iterable<string>, tag: string) => [...tags].filter((one) => one.startsWith(tag)).length;
  const gone = new Map<string, number>();
  const paths = [...new Set(shown())];
  const emptied = paths.filter((path) => {
    const tag = tagOf(path);
    const left = gone.get(tag) ?? partsOf(sent, tag) - partsOf(here.values(), tag);
    const isEmptied = !here.has(path) && left > 0;
    gone.set(tag, isEmptied ? left - 1 : left);
    return isEmptied;
  });
  return [...new Set([...other.map(({ path }) => path), ...emptied])];
}

/** The paths of a row that may have been emptied: a cell with stars hides a value, and was not. */
export function pathsShown(row: KnownStaged, staging: Staging): readonly string[] {
  const sheet = staging.sheets.find(({ number }) => number === row.sheet);
  if (sheet === undefined) return [];
  const kind = recordKind(sheet.kind);
  const data = staging.at(row.sheet, row.row)?.data ?? '';
  const { problems } = rowOfData(data, { kind, sheet: sheet.name, row: row.row });
  const stars = new Set(problems.flatMap(({ code, label }) => (code === 'masked' ? [label] : [])));
  const hidden = new Set(sheet.columns.flatMap(({ path, label }) => (stars.has(label) ? [path] : [])));
  return [...sheet.columns, ...fieldsIn(kind)].map(({ path }) => path).filter((path) => !hidden.has(path));
}

/** Sensitive fields have no digest: where no other differs, it is the one that the sheet has. */
export function sensitiveOf(row: KnownStaged, staging: Staging): readonly string[] {
  const columns = staging.sheets.find(({ number }) => number === row.sheet)?.columns ?? [];
  const paths = columns.map(({ path }) => path).filter((path) => isSensitiveName(path.split('.').at(-1) ?? path));
  return paths.length === 1 ? paths : [];
}

function saidBy({ says, parents }: KnownStaged, formsOf: FormsOf): readonly SaidField[] {
  const named = parents.map((parent) => ({ path: parent.fills, forms: formsOf(parent) }));
  return [...named, ...fieldsSaid(says).map(([path, value]) => ({ path, forms: [value] }))];
}

/** One keyed digest for each row: that of each field would take as long as all the rest of its entry. */
function digesting(ledger: Digests, content: Buffer): (path: string, form: string) => string {
  const key = ledger.digest(`fields\n${content.toString('hex')}`).toString('hex');
  return (path, form) => tagOf(path) + hash('sha256', `${key}\n${withoutPlaces(path)}\n${form}`).slice(0, saidDigits);
}

const tags = new Map<string, string>();
const mostTags = 1_000;

function tagOf(path: string): string {
  const known = tags.get(path);
  if (known !== undefined) return known;
  const tag = hash('sha256', withoutPlaces(path)).slice(0, tagDigits);
  if (tags.size < mostTags) tags.set(path, tag);
  return tag;
}

/** Parts of a list move up where one before them is emptied: its place tells nothing of a part. */
function withoutPlaces(path: string): string {
  return path.replace(/\[\d+\]/g, '[]');
}
