/**
 * Whether an answer has a further page, and how it is asked for: by an address that the answer names, by a cursor, or by
 * the number of the page. The interface shows none of it (4.12), so what usual services do is looked for in turn.
 */
import type { ContractSettings } from '../../contract/contract-settings.ts';
import { DealsheetError } from '../../errors.ts';
import type { KeptRequest } from '../../service/client.ts';
import { ExactNumber } from './exact-json.ts';
import { asBefore } from './read-fault.ts';
import { type Around, aroundAt } from './record-list.ts';

export type Query = readonly (readonly [name: string, value: string])[];

export interface PageRead {
  /** The query that the first page was asked with. */
  readonly query: Query;
  /** The number of this page among those read, from 1. */
  readonly number: number;
  readonly around: Around;
  /** Records on this page, and on all pages so far. */
  readonly records: number;
  readonly recordsSoFar: number;
  /** The next page as the `Link` header names it. */
  readonly link: string | null;
  /** How many records there are in all, as a header says. */
  readonly total: number | null;
}

const pagingPlaces = ['pagination.', 'paging.', 'page.', 'pageInfo.', 'page_info.'];
const places = ['', 'meta.', ...pagingPlaces];
/** Count the records of all pages, and nothing else: a bare `total` may be an amount. */
const namesOfTotals = [
  'totalRecords',
  'total_records',
  'totalCount',
  'total_count',
  'totalElements',
  'total_elements',
  'totalItems',
  'total_items',
];

const namesOfSizes = ['pageSize', 'page_size', 'perPage', 'per_page', 'limit', 'size'];
const namesOfPageCounts = ['totalPages', 'total_pages', 'pageCount', 'page_count', 'lastPage', 'last_page', 'pages'];

/** @throws DealsheetError `output-failed` when the answer says that there is more, and not how to get it */
export function nextPage(page: PageRead, contract: ContractSettings): KeptRequest | null {
  const { balances } = contract;
  if (page.link !== null) return { page: page.link };
  const named = balances.next.map((path) => aroundAt(page.around, path)).filter((value) => isNamed(value));
  for (const address of named) {
    if (typeof address === 'string' && isAddress(address)) return { page: address };
  }
  for (const [path, parameter] of Object.entries(balances.cursors)) {
    const cursor = textOf(aroundAt(page.around, path));
    if (cursor !== null && saysMore(page) !== false) return withParameter(page.query, parameter, cursor);
  }
  const cursor = textOf(aroundAt(page.around, 'cursor'));
  if (cursor !== null && saysMore(page) === true) return withParameter(page.query, 'cursor', cursor);
  const next = byNumber(page, contract) ?? byNextNumber(page, named, contract);
  // Something follows, and nobody can tell how to ask for it: to stop here in silence would lose records.
  if (next !== null) return next;
  const total = page.total ?? totalOf(page);
  const isUnclear = named.length > 0 && page.records > 0 && saysMore(page) !== false;
  if (isUnclear || (total ?? 0) > page.recordsSoFar) throw cannotGoOn(page, total);
  return null;
}

/**
 * The most records of a page, where the first one has so many, no further one is named, and nothing says that it is the last;
 * else `null`. Behind a later page, the service has shown how it names the next one.
 */
export function fullPage(page: PageRead, { balances }: ContractSettings): number | null {
  const { around, query, number, records, total } = page;
  const asked = query.find(([name]) => namesOfSizes.includes(name))?.[1];
  const size = numberAt(around, namesOfSizes) ?? numberOf(asked);
  if (number > 1 || size === null || records === 0 || records !== size) return null;
  const isCounted = (total ?? numberAt(around, [...namesOfTotals, ...namesOfPageCounts, 'total'])) !== null;
  const saysNoNext = [...balances.next, ...Object.keys(balances.cursors)].some(
    (path) => aroundAt(around, path) !== undefined,
  );
  return isCounted || saysNoNext || saysMore(page) !== null ? null : size;
}

/** How many records there are in all, as the body says without a doubt. */
function totalOf({ around }: PageRead): number | null {
  const ofPaging = pagingPlaces.map((place) => numberOf(aroundAt(around, `${place}total`)));
  return numberAt(around, namesOfTotals) ?? ofPaging.find((number) => number !== null) ?? null;
}

/** Whether a value names a next page at all. */
function isNamed(value: unknown): value is string | ExactNumber {
  return value instanceof ExactNumber || (typeof value === 'string' && value.trim() !== '');
}

/** `nextPage: 3`, as a number. */
function byNextNumber(
  page: PageRead,
  named: readonly (string | ExactNumber)[],
  { balances }: ContractSettings,
): KeptRequest | null {
  const number = named.map(textOf).find((text) => text !== null && /^\d{1,9}$/.test(text));
  if (number === undefined || number === null || page.records === 0 || saysMore(page) === false) return null;
  return withParameter(page.query, balances.pageParameter, number);
}

function byNumber(page: PageRead, { balances }: ContractSettings): KeptRequest | null {
  const more = saysMore(page);
  const total = numberAt(page.around, [...namesOfTotals, 'total', 'count']);
  const pages = numberAt(page.around, namesOfPageCounts);
  const size = numberAt(page.around, namesOfSizes);
  const current = numberAt(page.around, ['page', 'currentPage', 'current_page', 'pageNumber', 'page_number', 'number']);
  const offset = numberAt(page.around, ['offset', 'skip', 'start']);
  const isLast = page.records === 0 || more === false;
  const missing = total !== null && total > page.recordsSoFar;
  if (offset !== null && (missing || more === true) && !isLast) {
    return withParameter(page.query, balances.offsetParameter, String(offset + page.records));
  }
  // A person may have begun at a later page.
  const pagesLeft = pages !== null && pages > Math.max(page.number, current ?? 0);
  const isPaged = current !== null || pages !== null || size !== null;
  // Records may be left out of a page for which nobody may see them: the pages behind an empty one have theirs.
  const isNext = pagesLeft ? more !== false : !isLast && pages === null && (missing || more === true);
  if (isPaged && isNext) {
    return withParameter(page.query, balances.pageParameter, String((current ?? page.number) + 1));
  }
  if (more === true || pagesLeft || (isPaged && missing)) throw cannotGoOn(page, missing ? total : null);
  return null;
}

/** `true`, `false`, or `null` when nothing is said. */
function saysMore({ around }: PageRead): boolean | null {
  for (const name of ['hasMore', 'has_more', 'hasNext', 'has_next', 'hasNextPage', 'has_next_page', 'more']) {
    for (const place of places) {
      const value = aroundAt(around, place + name);
      if (typeof value === 'boolean') return value;
    }
  }
  return null;
}

function numberAt(around: Around, names: readonly string[]): number | null {
  for (const name of names) {
    for (const place of places) {
      const number = numberOf(aroundAt(around, place + name));
      if (number !== null) return number;
    }
  }
  return null;
}

function numberOf(value: unknown): number | null {
  const text = textOf(value);
  const number = text === null ? Number.NaN : Number(text);
  return Number.isSafeInteger(number) && number >= 0 ? number : null;
}

function textOf(value: unknown): string | null {
  if (value instanceof ExactNumber) return value.digits;
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

function isAddress(text: string): boolean {
  return /^(https?:\/\/|\/|\?)/i.test(text);
}

function withParameter(query: Query, name: string, value: string): KeptRequest {
  const kept = query.filter(([each]) => each !== name);
  return { endpoint: 'getLoanBalances', id: null, query: [...kept, [name, value]] };
}

/** Where the pages do not lead to the end. */
export const howToAskForAll = `Ask for all at once with --query (such as --query limit=100000), or say in the profile how pages are asked for: "contract": { "balances": … }. ${asBefore}`;

function cannotGoOn(page: PageRead, total: number | null): DealsheetError {
  const said = total === null ? 'that there are more' : `that there are ${total} records`;
  return new DealsheetError(
    'output-failed',
    `The service gave ${page.recordsSoFar} records and says ${said}, but not how to ask for the others: an export would be incomplete.`,
    howToAskForAll,
  );
}
