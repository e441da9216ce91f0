/**
 * Finds out whether an answer has further pages. What the profile declares decides alone. Without it, one answer must be all, and
 * anything beside its balances that is not declared stops the export: one line in the profile settles it.
 */

import { readRulesOf } from '../contract/answer-rules.ts';
import { firstAt, isNamed, pathOf, type Segment, segmentsOf } from '../contract/body-path.ts';
import type { ContractSettings, Pages } from '../contract/contract-settings.ts';
import { spacedWords } from '../contract/fields.ts';
import { leavesOf } from '../contract/rename.ts';
import { shortened } from '../messages/plain-text.ts';
import { errorOf } from '../messages/text.ts';
import { holdsSomething } from '../service/answer.ts';
import type { KeptRequest, KeptResult } from '../service/client.ts';
import type { BalanceLayout } from './balance-layout.ts';
import { ExactNumber, isJsonObject, type JsonObject, type JsonValue, plainValue, textOf } from './exact-json.ts';

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
  /** Whether its name can tell what it is: it is next to the balances, or in objects whose names are declared. */
  readonly isNear: boolean;
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
  if (pages.by === 'link') return link === null ? null : { query, page: link };
  const withParameter = (name: string, value: string): KeptRequest => {
    const kept = query.filter(([each]) => each !== name);
    return { query: [...kept, [name, value]] };
  };
  const unknownPages = () => errorOf('pages-unknown', { records: recordsSoFar });
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
    return { query, page: next };
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

/** Services write these where there is no next page. */
const nowhere = /^(?:0|null|none)?$/i;

/** Whether a value is neither blank nor a no. */
export function saysSomething(value: JsonValue): boolean {
  const plain = plainValue(value);
  if (typeof plain === 'object') return holdsSomething(plain);
  return !nowhere.test(wordOf(value)) && flagOf(wordOf(value)) !== false;
}

/** A number by its digits, a flag as `true` or `false`; blank for anything but a single value. */
export function wordOf(value: JsonValue): string {
  return typeof value === 'boolean' ? String(value) : (textOf(value)?.trim() ?? '');
}

/** `undefined` for neither yes nor no. */
export function flagOf(text: string): boolean | undefined {
  if (/^(?:true|yes|y|on|1)$/i.test(text)) return true;
  return /^(?:false|no|n|off|0)$/i.test(text) ? false : undefined;
}

/** Whether the last page has the declared place of a next one. If not, the profile may name a wrong one. */
export function isPlaceThere(around: JsonObject, pages: Pages): boolean {
  if (pages.by === 'link') return false;
  return !('at' in pages) || pages.by === 'after' || firstAt(around, [pages.at]) !== undefined;
}

export function numberAt(around: JsonObject, path: string | null | undefined): number | null {
  const held = firstAt(around, path ? [path] : []) as JsonValue | undefined;
  const number = Number(textOf(held) || Number.NaN);
  return Number.isSafeInteger(number) && number >= 0 ? number : null;
}

/** An absolute address, one from the root, or anything with a query. */
function isAddress(text: string): boolean {
  return /^[/?]|:\/\/|[?&][^\s=?&]+=/.test(text);
}

const anyOrigin = 'http://service';
const mostNamed = 3;
const longestPath = 80;

export function valuesBeside(outline: JsonValue, layout: BalanceLayout, contract: ContractSettings): readonly Beside[] {
  const isBelow = (path: readonly Segment[], above: readonly Segment[] | null) =>
    above?.every((segment, depth) => segment === path[depth]) === true;
  return leavesOf(outline).flatMap(([path, held]) => {
    const value = held as JsonValue;
    // Some services write an integer as 500.0.
    const text = wordOf(value).replace(value instanceof ExactNumber ? /\.0$/ : '', '');
    if (text === '' || isBelow(path, layout.path) || isBelow(path, layout.header)) return [];
    const start = path.findIndex((segment, depth) => segment !== layout.path[depth]);
    const named = path.slice(start).filter((segment) => typeof segment === 'string');
    const isNear = named.slice(0, -1).every((each) => isAbout(each, contract));
    return { name: named.at(-1) ?? '', isNear, path: pathOf(path), text };
  });
}

/** Whether the names in an object with this name tell about the answer. */
export function isAbout(name: string, { balances }: ContractSettings): boolean {
  return [balances.unrelated, balances.paging].some((names) => isNamed(name, names));
}

/** The path of a total count, by name, when it exceeds the records of this page; `null` when ambiguous. */
export function totalAmong(beside: readonly Beside[], records: number): string | null {
  const totals = beside.filter(({ name, text }) => isTotal(name) && /^\d+$/.test(text) && Number(text) > records);
  const [total] = totals;
  return total !== undefined && totals.every(({ text }) => text === total.text) ? total.path : null;
}

/** Whether a number with this name may count the records of all pages. */
function isTotal(name: string): boolean {
  const words = spacedWords(name);
  return /\b(?:total|counts?\b)/.test(words) && !/\b(?:pages?|balance|principal|paid|owed)\b/.test(words);
}

/** @throws DealsheetError `output-failed` for an answer that may not be all; the message has paths, never a value */
export function refuseHintsOfMore(page: PageRead, contract: ContractSettings, shown: (text: string) => string): void {
  const { nextPage: link, path: asked, records, total } = page;
  const { paging } = contract.balances;
  const headers = Object.entries(page.about).map(([path, text]) => {
    return { name: path.replace(/^x-/, ''), isNear: true, path, text };
  });
  const beside = [...page.beside, ...headers];
  const totals = beside.filter(({ name }) => /\btotal/.test(spacedWords(name)));
  const isCounted = total !== null || totals.some((each) => isTheirNumber(each, records) && isAmong(each, paging));
  const hints = [
    ...(link === null ? [] : ['Link']),
    ...[...new URL(asked, anyOrigin).searchParams].flatMap(([path, value]) =>
      !isCounted && records > 0 && Number(value) === records ? [path] : [],
    ),
    ...beside.flatMap((each) => (tellsNothing(each, page, isCounted, contract) ? [] : [forAll(each.path)])),
  ];
  if (hints.length === 0) return;
  const seen = [...new Set(hints)];
  const paths = seen.slice(0, mostNamed).map((path) => shortened(shown(path), longestPath));
  throw errorOf('pages-may-follow', { records, paths, others: seen.length - paths.length });
}

function isAmong({ name, isNear, path }: Beside, declared: readonly string[]): boolean {
  return declared.includes(path) || declared.includes(forAll(path)) || (isNear && isNamed(name, declared));
}

/** `links[0].href` as `links[].href` */
function forAll(path: string): string {
  return path.replace(/\[\d+\]/g, '[]');
}

/** Whether a value beside the records tells nothing of further pages: as the profile declares by its name or path, or blank. */
function tellsNothing(beside: Beside, page: PageRead, isCounted: boolean, { balances, answers }: ContractSettings) {
  const { path, text } = beside;
  const { unrelated, complete, errors, incomplete, further, paging } = balances;
  const { yes } = readRulesOf(null, answers);
  const said = yes === '2xx' ? [] : Object.entries(yes);
  const isYes = said.some(([at, words]) => at === forAll(path) && words.some((word) => String(word) === text));
  if (isYes || path === (balances.total && pathOf(segmentsOf(balances.total))) || isAmong(beside, unrelated))
    return true;
  const anywhere = { ...beside, isNear: true };
  if (isAmong(anywhere, complete)) return flagOf(text) === true && isAmong(beside, complete);
  const isFalseAtEnd = [errors, incomplete, further].some((declared) => isAmong(anywhere, declared));
  if (nowhere.test(text) || (isFalseAtEnd && flagOf(text) === false)) return true;
  if (!isAmong(beside, paging)) return false;
  const { records } = page;
  return isAsked(text, page.path) || isTheirNumber(beside, records) || (isCounted && isOfOnePage(beside, records));
}

function isTheirNumber({ name, text }: Beside, records: number): boolean {
  return isTotal(name) && text === String(records);
}

/** Once a total counts exactly these records: the number of this page, of all pages, or of the records that fit on one. */
function isOfOnePage({ name, text }: Beside, records: number): boolean {
  if (!/^\d+$/.test(text) || isTotal(name)) return false;
  return Number(text) < 2 || (Number(text) >= records && !/\b(?:pages|count)\b/.test(spacedWords(name)));
}

/** Whether an address is the one of this request. */
function isAsked(address: string, asked: string): boolean {
  const base = new URL(asked, anyOrigin).href;
  if (!isAddress(address) || !URL.canParse(address, base)) return false;
  const { pathname, search, hash } = new URL(address, base);
  return pathname + search + hash === asked;
}
