/**
 * Finds out whether an answer has further pages. What the profile declares decides alone. Without it, any sign of more stops the
 * export, and one line in the profile settles it.
 */

import { readRulesOf } from '../contract/answer-rules.ts';
import { firstAt, pathOf, type Segment } from '../contract/body-path.ts';
import type { ContractSettings, Pages } from '../contract/contract-settings.ts';
import { spacedWords } from '../contract/fields.ts';
import { shortened } from '../messages/plain-text.ts';
import type { KeptRequest, KeptResult } from '../service/client.ts';
import type { BalanceLayout } from './balance-layout.ts';
import { plainDecimal } from './columns.ts';
import { ExactNumber, isJsonObject, type JsonObject, type JsonValue, textOf } from './exact-json.ts';
import { balanceFault } from './read-fault.ts';

export type Query = readonly (readonly [name: string, value: string])[];

export interface PageRead extends Extract<KeptResult, { state: 'kept' }> {
  readonly query: Query;
  /** The number of this page, from 1. */
  readonly number: number;
  readonly around: JsonObject;
  /** Records on this page, and on all pages so far. */
  readonly records: number;
  readonly recordsSoFar: number;
  readonly last: JsonObject | null;
  readonly beside: readonly Beside[];
}

/** A single value of an answer outside its records. */
interface Beside {
  readonly name: string;
  readonly path: string;
  readonly text: string;
}

/** `cursor meta.nextCursor → cursor` */
export function pagesText(pages: Pages | null): string {
  if (pages === null) return 'one answer';
  if (pages.by === 'none') return 'one answer, as declared';
  if (pages.by === 'link') return 'Link header';
  const at = 'at' in pages ? ` ${pages.at}` : '';
  return `${pages.by}${at}${'parameter' in pages ? ` → ${pages.parameter}` : ''}`;
}

/** @throws DealsheetError `output-failed` when the answer announces more but not how to get it */
export function nextPage(page: PageRead, pages: Pages): KeptRequest | null {
  const { around, query, number, records, recordsSoFar, last, nextPage: link, total } = page;
  if (pages.by === 'none') return null;
  if (pages.by === 'link') return link === null ? null : { page: link };
  const withParameter = (name: string, value: string): KeptRequest => {
    const kept = query.filter(([each]) => each !== name);
    return { query: [...kept, [name, value]] };
  };
  const unknownPages = () => balanceFault('unknown-pages', { records: recordsSoFar });
  const more = pages.more === undefined ? null : flagAt(around, pages.more);
  if (more === undefined) throw unknownPages();
  if (pages.by === 'address' || pages.by === 'cursor') {
    const held = firstAt(around, [pages.at]) as JsonValue | undefined;
    const said = textOf(held)?.trim() ?? '';
    const next = nowhere.test(said) ? '' : said;
    if (next === '' && (more === true || isJsonObject(held))) throw unknownPages();
    if (next === '' || (more === false && pages.by === 'cursor')) return null;
    if (pages.by === 'cursor') return withParameter(pages.parameter, textOf(held) ?? '');
    if (!isAddress(next)) throw unknownPages();
    return { page: next };
  }
  const mayFollow = more ?? (records > 0 && (total === null || total > recordsSoFar));
  if (pages.by === 'after') {
    const said = textOf(firstAt(last, [pages.at]) as JsonValue | undefined)?.trim() ?? '';
    if (mayFollow && said === '') throw unknownPages();
    return mayFollow ? withParameter(pages.parameter, said) : null;
  }
  if (pages.by === 'offset')
    return mayFollow ? withParameter(pages.parameter, String(pages.first + recordsSoFar)) : null;
  const next = pages.first + number;
  const count = numberAt(around, pages.count);
  const isLeft = count !== null && next - Math.min(pages.first, 1) < count;
  if (isLeft && more === false) throw unknownPages();
  return (more ?? (count === null ? mayFollow : isLeft)) ? withParameter(pages.parameter, String(next)) : null;
}

/** `null` when there is no flag, `undefined` for a value that is not a flag. */
function flagAt(around: JsonObject, path: string): boolean | null | undefined {
  const held = (firstAt(around, [path]) ?? '') as JsonValue;
  return held === '' ? null : flagOf(wordOf(held));
}

/** A number by its digits, a flag as `true` or `false`; blank for anything but a single value. */
function wordOf(value: JsonValue): string {
  return typeof value === 'boolean' ? String(value) : (textOf(value)?.trim() ?? '');
}

/** `undefined` for neither yes nor no. */
function flagOf(text: string): boolean | undefined {
  if (/^(?:true|yes|y|on|1)$/i.test(text)) return true;
  return /^(?:false|no|n|off|0)$/i.test(text) ? false : undefined;
}

/** Whether the declared place of the next page exists. If not, this is the last page, or the profile misspells the place. */
export function isPlaceThere(around: JsonObject, pages: Pages): boolean {
  return !('at' in pages) || pages.by === 'after' || firstAt(around, [pages.at]) !== undefined;
}

export function numberAt(around: JsonObject, path: string | null | undefined): number | null {
  const held = firstAt(around, path ? [path] : []) as JsonValue | undefined;
  const number = Number(textOf(held) || Number.NaN);
  return Number.isSafeInteger(number) && number >= 0 ? number : null;
}

/** An absolute address, one from the root, or anything with a query. */
function isAddress(text: string): boolean {
  return /^[/?]|:\/\/|[?&][^\s=]+=/.test(text);
}

type Kind = 'link' | 'address' | 'token' | 'flag' | 'count' | 'asked';

const mostNamed = 3;
const longestPath = 80;
/** Characters of a text that are examined: enough to classify it. */
const longestLooked = 4000;

export function* valuesBeside(
  value: JsonValue,
  layout: BalanceLayout,
  path: readonly Segment[] = [],
): Generator<Beside> {
  if ([layout.path, layout.header].some((each) => each !== null && pathOf(each) === pathOf(path))) return;
  const isList = Array.isArray(value);
  if (isList || isJsonObject(value)) {
    const parts = (isList ? value : (value as JsonObject)).entries() as Iterable<[Segment, JsonValue]>;
    for (const [name, part] of parts) yield* valuesBeside(part, layout, [...path, name]);
    return;
  }
  // Some services write an integer as 500.0.
  const text = wordOf(value)
    .replace(value instanceof ExactNumber ? /\.0$/ : '', '')
    .slice(0, longestLooked);
  const name = path.findLast((segment) => typeof segment === 'string') ?? '';
  if (text !== '') yield { name: spacedWords(String(name)), path: pathOf(path), text };
}

/** The path of a total count, by name, when it exceeds the records of this page; `null` when ambiguous. */
export function totalAmong(beside: readonly Beside[], records: number): string | null {
  const totals = beside.filter(({ name, text }) => isTotal(name) && /^\d+$/.test(text) && Number(text) > records);
  const [total] = totals;
  return total !== undefined && totals.every(({ text }) => text === total.text) ? total.path : null;
}

/** @throws DealsheetError `output-failed` for an answer with signs of more; the message has their paths, never a value */
export function refuseHintsOfMore(page: PageRead, contract: ContractSettings, shown: (text: string) => string): void {
  const { nextPage: link, query, records } = page;
  const headers = Object.entries(page.about).map(([path, text]) => ({ name: spacedWords(path), path, text }));
  const inBody = page.beside.filter(({ path }) => !isDeclared(path, contract));
  const beside = [...inBody, ...headers.filter(({ text }) => text !== '')];
  // When the records are all counted, only a next page is a sign of more.
  const isCounted = beside.some(({ name, text }) => /\b(?:total|pages)\b/.test(name) && isTheirs(name, text, records));
  const hints: { kind: Kind; path: string }[] = link === null ? [] : [{ kind: 'link', path: 'Link' }];
  for (const [name, value] of isCounted || records === 0 ? [] : query)
    if (Number(value) === records) hints.push({ kind: 'asked', path: name });
  for (const { name, path, text } of beside) {
    const kind = isCounted && !leadsOn.test(name) && !counts.test(name) ? null : kindOf(name, text, page);
    if (kind !== null) hints.push({ kind, path });
  }
  if (hints.length === 0) return;
  const seen = hints.slice(0, mostNamed).map(({ kind, path }) => ({ kind, path: shortened(shown(path), longestPath) }));
  throw balanceFault('may-be-more', { records, seen, others: hints.length - seen.length });
}

/** The declared total, and the places where an answer says yes. They reveal nothing about pages. */
function isDeclared(path: string, { balances, answers }: ContractSettings): boolean {
  const { yes } = readRulesOf(null, answers);
  const said = ['success', 'ok', ...(yes === '2xx' ? [] : Object.keys(yes))];
  return path === balances.total || said.some((each) => `.${path.replace(/\[\d+\]/g, '[]')}`.endsWith(`.${each}`));
}

/** A number with such a name counts records or pages, whatever other numbers say. */
const counts = /\b(?:totals?|counts?|pages)\b/;
const amount = /\b(?:balance|principal|paid|owed)\b/;
/** A flag that is true at the end. Every other flag is assumed to be true when more follows. */
const endFlag = /\b(?:done|completed?|finished|last|final|end|eof|all)\b/;
/** A value with such a name leads to more, whatever its form. */
const leadsOn = /\b(?:next|cursor|continuation|more)\b|\blast id$/;
/** The values there on the last page. */
const nowhere = /^(?:0|null|none)$/i;
/** Ids of the request itself. */
const ofRequest = /\b(?:request|trace|correlation) id$/;
/** Dates and times: `2026-06`, `2026-06-30T10:00:00Z`, `06/30/2026`, `June 30, 2026`. */
const moment = /^(?:\p{L}{3,9}\.? \d\d?, \d{4}|\d{4}-\d\d(?:-\d\d)?|\d\d?([/.])\d\d?\1\d{4})(?:[T ][\d:.,+Z -]*)?$/u;

/** Whether a number with this name may count the records of all pages. */
function isTotal(name: string): boolean {
  return /\b(?:total|counts?\b)/.test(name) && !/\bpages?\b/.test(name) && !amount.test(name);
}

/** Whether the number equals the records, or is a page count of one. */
function isTheirs(name: string, text: string, records: number): boolean {
  return /\bpages\b/.test(name) ? text === '1' : isTotal(name) && text === String(records);
}

/** What kind of sign a value may be, or `null`. */
function kindOf(name: string, text: string, { records, path }: PageRead): Kind | null {
  const isEnd = endFlag.test(name);
  const flag = isEnd || !/^[01]$/.test(text) ? flagOf(text) : undefined;
  if (flag !== undefined) return flag === isEnd ? null : 'flag';
  if (leadsOn.test(name) && !nowhere.test(text))
    return isAddress(text) ? 'address' : /^\d+$/.test(text) ? 'count' : 'token';
  if (ofRequest.test(name) || moment.test(text)) return null;
  if (isAddress(text)) return isAsked(text, path) ? null : 'address';
  if (/^\d+$/.test(text))
    return Number(text) === 0 || isTheirs(name, text, records) || amount.test(name) ? null : 'count';
  if (plainDecimal.test(text)) return null;
  const numbers = text.replace(/\d{4}-\d\d-\d\d\S*/g, '').match(/(?<![\p{L}\p{N}.])\d[\d,]*/gu) ?? [];
  if (/\s/.test(text) || !/\p{L}/u.test(text))
    return numbers.map((each) => Number(each.replaceAll(',', ''))).some((each) => each !== 0 && each !== records)
      ? 'count'
      : null;
  return text.endsWith('=') || !text.split(/[^\p{L}\p{N}]+/u).every(isWord) ? 'token' : null;
}

/** Whether an address is the one of this request. */
function isAsked(address: string, asked: string): boolean {
  const base = new URL(asked, 'http://service').href;
  if (!URL.canParse(address, base)) return false;
  const { pathname, search, hash } = new URL(address, base);
  return pathname + search + hash === asked;
}

/** A word as people write it: `ok`, `USD`, `loanId`, `PayPal`. */
function isWord(part: string): boolean {
  return /^(?=.{0,24}$)(?:\p{Lu}?\p{Ll}*(?:\p{Lu}\p{Ll}{2,})*(?:\p{Lu}\p{Ll})?|\p{Lu}+s?|\p{Lu}{2,}\p{Ll}{3,}|\p{Lo}+)$/u.test(
    part,
  );
}
