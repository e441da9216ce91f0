/**
 * Whether an answer has a further page, and how it is asked for. The interface shows none of it (4.12): what usual services do is
 * looked for on the first page, and holds for all of them.
 */
import type { Pages } from '../contract/balances-rules.ts';
import type { KeptRequest } from '../service/client.ts';
import { type Around, aroundAt } from './answer-outline.ts';
import { ExactNumber } from './exact-json.ts';
import { balanceFault } from './read-fault.ts';

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
  /** How many records there are in all, where that is said. */
  readonly total: number | null;
}

const places = ['', 'meta.', 'pagination.', 'paging.', 'page.', 'pageInfo.', 'page_info.'];
const within = (...names: readonly string[]) => names.flatMap((name) => places.map((place) => place + name));
const addresses = [
  ...within('next', 'nextPage', 'nextLink', 'next_page_url'),
  ...['links.next', 'links.next.href', '_links.next.href', '_links.next'],
];
const cursors: readonly (readonly [path: string, parameter: string])[] = [
  ...within('nextCursor', 'next_cursor').map((path) => [path, 'cursor'] as const),
  ...within('nextPageToken').map((path) => [path, 'pageToken'] as const),
  ...within('next_page_token').map((path) => [path, 'page_token'] as const),
  ['paging.cursors.after', 'after'],
  ['pageInfo.endCursor', 'after'],
];
const flags = within('hasMore', 'has_more', 'hasNext', 'has_next', 'hasNextPage', 'has_next_page', 'more');
const offsets = within('offset', 'skip', 'start');
const numbers = [...within('page', 'currentPage', 'current_page', 'pageNumber', 'page_number'), 'page.number'];
const pageCounts = within('totalPages', 'total_pages', 'pageCount', 'page_count', 'lastPage', 'last_page', 'pages');
const sizes = [...within('pageSize', 'page_size', 'perPage', 'per_page', 'limit'), 'page.size', 'pagination.size'];
/** Count the records of all pages, and nothing else. */
const totals = within(
  ...['totalRecords', 'total_records', 'totalCount', 'total_count'],
  ...['totalElements', 'total_elements', 'totalItems', 'total_items'],
);
/** These may also count the records of one page. */
const vagueTotals = within('total', 'count');
const sizeParameters = ['limit', 'size', 'pageSize', 'page_size', 'perPage', 'per_page'];

/**
 * How this service gives its pages, by the first one.
 *
 * @throws DealsheetError `output-failed` when it says that there is more, and not how to get it
 */
export function pagesShownBy(page: PageRead): Pages {
  const { around, query, records, link, total } = page;
  if (link !== null) return { by: 'link' };
  const more = flags.find((path) => typeof aroundAt(around, path) === 'boolean');
  const saysMore = more === undefined ? null : (aroundAt(around, more) as boolean);
  const isMissing = total !== null && total > records;
  const flag = more === undefined ? {} : { more };
  const named = addresses.find((path) => textAt(around, path) !== null);
  const address = addresses.find((path) => isAddress(textAt(around, path)));
  if (address !== undefined) return { by: 'address', at: address, ...flag };
  if (saysMore !== false) {
    const cursor = [...cursors, ...(saysMore === true ? [['cursor', 'cursor'] as const] : [])].find(
      ([path]) => textAt(around, path) !== null,
    );
    if (cursor !== undefined) return { by: 'cursor', at: cursor[0], parameter: cursor[1], ...flag };
  }
  const size = numberAt(around, sizes);
  const saysNoNext = [...addresses, ...cursors.map(([path]) => path)].some(
    (path) => aroundAt(around, path) !== undefined,
  );
  const isFull = size !== null && records > 0 && records === size && total === null && !saysNoNext;
  const mayGoOn = saysMore ?? (isMissing || isFull);
  const offset = numberAt(around, offsets);
  if (offset !== null && mayGoOn && records > 0) return { by: 'offset', parameter: 'offset', first: offset, ...flag };
  const count = pageCounts.find((path) => numberAt(around, [path]) !== null);
  const first = numberAt(around, numbers) ?? numberOf(query.find(([name]) => name === 'page')?.[1]) ?? 1;
  const counted = { by: 'page', parameter: 'page', first, ...flag } as const;
  if (count !== undefined) return { ...counted, count };
  if (mayGoOn && (size !== null || numberAt(around, numbers) !== null)) return counted;
  const isNumbered = named !== undefined && /^\d{1,9}$/.test(textAt(around, named) ?? '');
  if (isNumbered && saysMore !== false) return { by: 'cursor', at: named, parameter: 'page', ...flag };
  if (saysMore === true || (named !== undefined && records > 0 && saysMore !== false)) throw unknownPages(page);
  return { by: 'none' };
}

/** `cursor meta.nextCursor → cursor`; `null` where there is but one page. */
export function pagesText(pages: Pages): string | null {
  switch (pages.by) {
    case 'none':
      return null;
    case 'link':
      return 'Link header';
    case 'address':
      return `address ${pages.at}`;
    case 'cursor':
      return `cursor ${pages.at} → ${pages.parameter}`;
    case 'page':
    case 'offset':
      return `${pages.by} → ${pages.parameter}`;
  }
}

/** @throws DealsheetError `output-failed` when the answer says that there is more, and not how to get it */
export function nextPage(page: PageRead, pages: Pages): KeptRequest | null {
  const { around, query, number, records, recordsSoFar, link, total } = page;
  const flag = 'more' in pages && pages.more !== undefined ? aroundAt(around, pages.more) : undefined;
  const more = typeof flag === 'boolean' ? flag : null;
  switch (pages.by) {
    case 'none':
      return null;
    case 'link':
      return link === null ? null : { page: link };
    case 'address':
    case 'cursor': {
      const next = textAt(around, pages.at);
      if (next === null && more === true) throw unknownPages(page);
      if (next === null || (more === false && pages.by === 'cursor')) return null;
      if (pages.by === 'cursor') return withParameter(query, pages.parameter, next);
      if (!isAddress(next)) throw unknownPages(page);
      return { page: next };
    }
    case 'page': {
      const next = pages.first + number;
      const count = pages.count === undefined ? null : numberAt(around, [pages.count]);
      const isLeft = count !== null && next - Math.min(pages.first, 1) < count;
      if (isLeft && more === false) throw unknownPages(page);
      const mayFollow = more ?? (count === null ? records > 0 && (total === null || total > recordsSoFar) : isLeft);
      return mayFollow ? withParameter(query, pages.parameter, String(next)) : null;
    }
    case 'offset': {
      const mayFollow = more ?? (records > 0 && (total === null || total > recordsSoFar));
      return mayFollow ? withParameter(query, pages.parameter, String(pages.first + recordsSoFar)) : null;
    }
  }
}

/**
 * Where the number of all records stands, by the first page. A vague name counts them where it is more than came.
 *
 * @returns a path, or `null` where no number says it
 */
export function totalShownBy(around: Around, records: number): string | null {
  const isCount = (path: string) => numberAt(around, [path]) !== null;
  const vague = vagueTotals.find((path) => (numberAt(around, [path]) ?? 0) > records);
  return totals.find(isCount) ?? vague ?? null;
}

/** The number at the first of some paths that has one. */
export function numberAt(around: Around, paths: readonly string[]): number | null {
  return paths.map((path) => numberOf(textAt(around, path))).find((number) => number !== null) ?? null;
}

/** How many records were asked for, where exactly so many came, and nothing was said of others. */
export function sizeAskedFor({ query, number, records, total }: PageRead, pages: Pages): number | null {
  const asked = numberOf(query.find(([name]) => sizeParameters.includes(name))?.[1]);
  return number === 1 && pages.by === 'none' && total === null && records > 0 && asked === records ? asked : null;
}

function numberOf(text: string | null | undefined): number | null {
  const number = text === null || text === undefined ? Number.NaN : Number(text);
  return Number.isSafeInteger(number) && number >= 0 ? number : null;
}

function textAt(around: Around, path: string): string | null {
  const value = aroundAt(around, path);
  if (value instanceof ExactNumber) return value.digits;
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

function isAddress(text: string | null): boolean {
  return text !== null && /^(https?:\/\/|\/|\?)/i.test(text);
}

function withParameter(query: Query, name: string, value: string): KeptRequest {
  const kept = query.filter(([each]) => each !== name);
  return { endpoint: 'getLoanBalances', id: null, query: [...kept, [name, value]] };
}

function unknownPages({ recordsSoFar }: PageRead) {
  return balanceFault('unknown-pages', { records: recordsSoFar });
}
