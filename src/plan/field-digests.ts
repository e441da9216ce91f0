/**
 * Which fields of a row say something else than when it went in, by a short digest of each: the ledger has none of their values.
 * Its one rule: digests of two rows have nothing in common, so that equal values of theirs cannot be told.
 */
import { hash } from 'node:crypto';
import type { Ledger } from '../ledger/ledger.ts';

/** In digits of hexadecimal: of the path, and of what the field says. */
const [tagDigits, saidDigits] = [8, 16];

/** A field with what it says; of a parent, in each way in which it may be named. */
export interface SaidField {
  readonly path: string;
  readonly forms: readonly string[];
}

/** What a row said when it went in, with the digests of its fields by then. */
export interface SentFields {
  readonly content: Buffer;
  readonly fields: Buffer;
}

export function fieldDigests(ledger: Pick<Ledger, 'digest'>, content: Buffer, said: readonly SaidField[]): Buffer {
  const digestOf = digesting(ledger, content);
  const digests = said.flatMap(({ path, forms }) => forms.map((form) => digestOf(path, form)));
  return Buffer.from(digests.join(''), 'hex');
}

/** @param paths  those of fields that may have been emptied */
export function changedFields(
  ledger: Pick<Ledger, 'digest'>,
  { content, fields }: SentFields,
  said: readonly SaidField[],
  paths: readonly string[],
): readonly string[] {
  const digestOf = digesting(ledger, content);
  const sent: readonly string[] = fields.toString('hex').match(new RegExp(`.{${tagDigits + saidDigits}}`, 'g')) ?? [];
  const other = said.filter(({ path, forms }) => !forms.some((form) => sent.includes(digestOf(path, form))));
  const here = new Map(said.map(({ path }) => [path, tagOf(path)]));
  const partsOf = (tags: Iterable<string>, tag: string) => [...tags].filter((one) => one.startsWith(tag)).length;
  const gone = new Map<string, number>();
  const emptied = [...new Set(paths)].filter((path) => {
    const tag = tagOf(path);
    const left = gone.get(tag) ?? partsOf(sent, tag) - partsOf(here.values(), tag);
    const isEmptied = !here.has(path) && left > 0;
    gone.set(tag, isEmptied ? left - 1 : left);
    return isEmptied;
  });
  return [...new Set([...other.map(({ path }) => path), ...emptied])];
}

/** One keyed digest for each row: that of each field would take as long as all the rest of its entry. */
function digesting(ledger: Pick<Ledger, 'digest'>, content: Buffer): (path: string, form: string) => string {
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
