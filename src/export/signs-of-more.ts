/**
 * What stands beside the balances and may mean that there are more, known by the form of its value. Where no pages are declared, a
 * sign holds the export: one line in the profile settles it, while a list that was cut would be written as whole.
 */
import Big from 'big.js';
import { readRulesOf } from '../contract/answer-rules.ts';
import { endFlags, type Pages } from '../contract/balances-rules.ts';
import { firstAt, pathOf, plainName, type Segment } from '../contract/body-path.ts';
import type { ContractSettings } from '../contract/contract-settings.ts';
import { asFault } from './answer-outline.ts';
import { type BalanceLayout, recordsOf } from './balance-layout.ts';
import { isEpoch } from './column-look.ts';
import { wordsOf } from './column-words.ts';
import { ExactNumber, isJsonObject, type JsonObject, type JsonReader, type JsonValue } from './exact-json.ts';
import { ExactSum } from './exact-sum.ts';
import { openAnswer } from './kept-answers.ts';
import { isAddress, type PageRead } from './next-page.ts';
import { plainDecimal } from './record-shape.ts';

type SignKind = 'link' | 'asked' | 'address' | 'token' | 'flag' | 'count';

export interface Sign {
  readonly kind: SignKind;
  /** Where it stands in the answer, or which part of the request it is. */
  readonly path: string;
  /** How the next page could be asked for, to be declared. */
  readonly pages: Pages;
}

interface OnlyPage extends Pick<PageRead, 'around' | 'link' | 'query'> {
  readonly answer: string;
  readonly layout: BalanceLayout;
  /** The path that it was asked for with, and its query. */
  readonly path: string;
  readonly records: number;
  readonly first: JsonObject | null;
  readonly last: JsonObject | null;
}

const mostSigns = 20;
/** Of a text: enough to tell what it is. */
const longestLooked = 4000;
const byPage = { by: 'page', parameter: 'page', first: 1 } as const;

/** @returns the signs of an answer for which no pages are declared, the clearest first */
export function signsOfMore(page: OnlyPage, contract: ContractSettings): readonly Sign[] {
  const signs: Sign[] = page.link === null ? [] : [{ kind: 'link', path: 'Link', pages: { by: 'link' } }];
  for (const [name, value] of page.query)
    if (page.records > 0 && Number(value) === page.records) signs.push({ kind: 'asked', path: name, pages: byPage });
  const sums = sumsOf(page);
  const said = [...yesPaths({}), ...yesPaths(contract.answers)].map((path) => `.${path}`);
  for (const { segments, value } of valuesBeside(page)) {
    const path = pathOf(segments);
    const isDeclared =
      path === contract.balances.total || said.some((each) => `.${path.replace(/\[\d+\]/g, '[]')}`.endsWith(each));
    const kind = isDeclared ? null : kindOf(nameOf(segments), value, page);
    if (kind === null || (kind === 'count' && sums(value))) continue;
    signs.push({ kind, path, pages: pagesBy(kind, path, value, page) });
    if (signs.length >= mostSigns) break;
  }
  const order: readonly SignKind[] = ['link', 'address', 'token', 'flag', 'count', 'asked'];
  return signs.sort((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind));
}

/** Where an answer says yes: such a flag, or code, tells nothing of pages. */
function yesPaths(answers: ContractSettings['answers']): readonly string[] {
  const { yes } = readRulesOf(null, answers);
  return yes === '2xx' ? [] : Object.keys(yes);
}

/** A rule that reads this very value; what stands in a list, or too deep, is not found again on the next page. */
function pagesBy(kind: SignKind, at: string, value: JsonValue, { around }: OnlyPage): Pages {
  const found = firstAt(around, [at]);
  const isFound = found === value || (found instanceof ExactNumber && value instanceof ExactNumber);
  if (isFound && kind === 'address') return { by: 'address', at };
  if (isFound && kind === 'token') return { by: 'cursor', at, parameter: 'cursor' };
  return isFound && kind === 'flag' && isTrue(value) ? { ...byPage, more: at } : byPage;
}

interface Beside {
  readonly segments: Path;
  readonly value: JsonValue;
}

/** Every single value of an answer outside of its records. */
function* valuesBeside({ answer, layout }: OnlyPage): Generator<Beside> {
  const passed = [layout.path, ...(layout.header === null ? [] : [layout.header])];
  const { reader, close } = openAnswer(answer);
  try {
    yield* walk(reader, [], passed);
  } catch (error) {
    throw asFault(error);
  } finally {
    close();
  }
}

type Path = readonly Segment[];

function* walk(reader: JsonReader, segments: Path, passed: readonly Path[]): Generator<Beside> {
  const isAt = (path: Path) => path.length === segments.length && path.every((name, at) => name === segments[at]);
  if (passed.some(isAt)) return reader.skip();
  const next = reader.peek();
  if (next === '{') for (const name of reader.members()) yield* walk(reader, [...segments, name], passed);
  else if (next === '[') for (const place of reader.items()) yield* walk(reader, [...segments, place], passed);
  else yield { segments, value: reader.value() };
}

function nameOf(segments: Path): string {
  return String(segments.findLast((segment) => typeof segment === 'string') ?? '');
}

function kindOf(name: string, value: JsonValue, page: OnlyPage): SignKind | null {
  if (value instanceof ExactNumber) return kindOfNumber(name, value.digits, page);
  if (typeof value === 'string') return kindOfText(name, value.trim().slice(0, longestLooked), page);
  if (typeof value !== 'boolean') return null;
  return value !== endFlags.has(plainName(name)) ? 'flag' : null;
}

function isTrue(value: JsonValue): boolean {
  return value === true || (typeof value === 'string' && /^(?:true|yes|y)$/i.test(value.trim()));
}

function kindOfText(name: string, text: string, page: OnlyPage): SignKind | null {
  if (isTrue(text) || /^false$/i.test(text)) return isTrue(text) === endFlags.has(plainName(name)) ? null : 'flag';
  if (isAddress(text)) return isAsked(text, page.path) ? null : 'address';
  if (/^\d+$/.test(text)) return kindOfNumber(name, text, page);
  if (text === '' || isMoment(text) || plainDecimal.test(text)) return null;
  if (/\s/.test(text) || !/\p{L}/u.test(text)) return mayCountMore(text, page.records) ? 'count' : null;
  if (namesId(name) && /^[\w.:-]{1,40}$/.test(text) && !isPacked(text)) return mayBeRecord(name, text, page);
  return text.endsWith('=') || !text.split(/[^\p{L}\p{N}]+/u).every(isWord) ? 'token' : null;
}

/** A number that counts the records, under a name that says so, is their total; a size of pages may be as large as well. */
function kindOfNumber(name: string, digits: string, page: OnlyPage): SignKind | null {
  const number = Number(digits);
  if (!Number.isInteger(number) || number <= 0 || isMoment(digits) || isEpoch(number)) return null;
  if (namesId(name)) return mayBeRecord(name, digits, page);
  const isTotal = wordsOf(name).some((word) => /^(?:total|count)s?$/.test(word));
  return isTotal && number === page.records ? null : 'count';
}

/** The address of this page itself, such as `links.self`. */
function isAsked(text: string, asked: string): boolean {
  try {
    const { pathname, search } = new URL(text, new URL(asked, 'http://service'));
    return pathname + search === asked;
  } catch {
    return false;
  }
}

/** `1 of 5`, `0-99/500`, `Showing 100 of 500`: any number in it but that of the records. */
function mayCountMore(text: string, records: number): boolean {
  const numbers = text.replace(/\d{4}-\d\d-\d\d\S*/g, '').match(/(?<![\p{L}\p{N}.])\d[\d,]*/gu) ?? [];
  return numbers.map((each) => Number(each.replaceAll(',', ''))).some((each) => each !== 0 && each !== records);
}

/** As a person writes one: `ok`, `USD`, `loanId`, `PayPal`. */
function isWord(part: string): boolean {
  return /^(?=.{0,24}$)(?:\p{Lu}?\p{Ll}*(?:\p{Lu}\p{Ll}{2,})*(?:\p{Lu}\p{Ll})?|\p{Lu}+s?|\p{Lu}{2,}\p{Ll}{3,}|\p{Lo}+)$/u.test(
    part,
  );
}

const moments = [
  /^\d{4}-\d\d(?:-\d\d)?(?:[T ][\d:.,+Z -]*)?$/,
  /^\d{1,2}([/.-])\d{1,2}\1(?:19|20)\d\d(?: [\d:]+(?: ?[AP]M)?)?$/i,
  /^(?:19|20)\d\d([/.])\d{1,2}\1\d{1,2}$/,
  /^(?:[a-z]{3}, )?\d{1,2}\.? (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? (?:19|20)\d\d(?: [\d:]+(?: [a-z]{3})?)?$/i,
  /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? (?:\d{1,2}, )?(?:19|20)\d\d$/i,
  /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:\d{6})?$/,
] as const;

function isMoment(text: string): boolean {
  return moments.some((form) => form.test(text));
}

function namesId(name: string): boolean {
  return wordsOf(name).at(-1) === 'id';
}

/** Base64 of a text: a cursor that is called an id. */
function isPacked(text: string): boolean {
  const bytes = Buffer.from(text, 'base64url').toString('latin1');
  return bytes.length >= 6 && /^[A-Za-z\d_-]+$/.test(text) && /^[\x20-\x7e]+$/.test(bytes);
}

/** An id beside the list names the request, unless it is that of a record, or looks like one: the last one here, or the next. */
function mayBeRecord(name: string, text: string, { first, last }: OnlyPage): SignKind | null {
  const digitsOf = (value: JsonValue) => (value instanceof ExactNumber ? value.digits : value);
  if (digitsOf(first?.get(name) ?? null) === text && digitsOf(last?.get(name) ?? null) === text) return null;
  const form = (given: string) => given.replace(/\d+/g, '0');
  const isMet = [...(last ?? [])].some(([own, value]) => {
    const held = digitsOf(value);
    return typeof held === 'string' && (held === text || (namesId(own) && form(held) === form(text)));
  });
  return isMet ? 'token' : null;
}

/** Tells whether a number is the sum of a column of the records, which are read once more when one is asked about. */
function sumsOf({ answer, layout }: OnlyPage): (value: JsonValue) => boolean {
  let sums: readonly Big[] | null = null;
  return (value) => {
    const digits = value instanceof ExactNumber ? value.digits : typeof value === 'string' ? value.trim() : '';
    if (!/^\d/.test(digits) || !Number.isFinite(Number(digits))) return false;
    sums ??= sumsOfColumns(recordsOf(answer, layout));
    return sums.some((sum) => sum.eq(digits));
  };
}

/** Of columns with several values: those of a column with one value alone could come to any number. */
function sumsOfColumns(records: Iterable<JsonObject>): readonly Big[] {
  const columns = new Map<string, { readonly sum: ExactSum; readonly first: string; differs: boolean }>();
  for (const record of records) {
    for (const [path, digits] of numbersOf(record, '')) {
      const column = columns.get(path) ?? { sum: new ExactSum(), first: digits, differs: false };
      columns.set(path, column);
      column.sum.add(digits);
      column.differs ||= column.first !== digits;
    }
  }
  return [...columns.values()].filter(({ differs }) => differs).map(({ sum }) => new Big(sum.digits));
}

function* numbersOf(record: JsonObject, before: string): Generator<readonly [path: string, digits: string]> {
  for (const [name, value] of record) {
    const path = `${before}.${name}`;
    if (isJsonObject(value)) yield* numbersOf(value, path);
    const digits = value instanceof ExactNumber ? value.digits : value;
    if (typeof digits === 'string' && plainDecimal.test(digits)) yield [path, digits];
  }
}
