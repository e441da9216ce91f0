/** How the next page is asked for, as the profile declares it. */
import type { Pages } from '../contract/balances-rules.ts';
import { firstAt } from '../contract/body-path.ts';
import type { KeptRequest } from '../service/client.ts';
import type { Around } from './answer-outline.ts';
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

/** `cursor meta.nextCursor → cursor` */
export function pagesText(pages: Pages | null): string {
  if (pages === null) return 'one answer';
  switch (pages.by) {
    case 'none':
      return 'one answer, as declared';
    case 'link':
      return 'Link header';
    case 'address':
      return `address ${pages.at}`;
    case 'cursor':
      return `cursor ${pages.at} → ${pages.parameter}`;
    default:
      return `${pages.by} → ${pages.parameter}`;
  }
}

/** @throws DealsheetError `output-failed` when the answer says that there is more, and not how to get it */
export function nextPage(page: PageRead, pages: Pages): KeptRequest | null {
  const { around, query, number, records, recordsSoFar, link, total } = page;
  const flag = 'more' in pages && pages.more !== undefined ? String(firstAt(around, [pages.more])) : '';
  const more = ['true', 'false'].includes(flag) ? flag === 'true' : null;
  switch (pages.by) {
    case 'none':
      return null;
    case 'link':
      return link === null ? null : { page: link };
    case 'address':
    case 'cursor': {
      const next = textAt(around, pages.at);
      if (next === null && (more === true || firstAt(around, [pages.at]) instanceof Map)) throw unknownPages(page);
      if (next === null || (more === false && pages.by === 'cursor')) return null;
      if (pages.by === 'cursor') return withParameter(query, pages.parameter, next);
      if (!isAddress(next)) throw unknownPages(page);
      return { page: next };
    }
    case 'page': {
      const next = pages.first + number;
      const count = pages.count === undefined ? null : numberAt(around, pages.count);
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

export function numberAt(around: Around, path: string): number | null {
  const number = Number(textAt(around, path) ?? Number.NaN);
  return Number.isSafeInteger(number) && number >= 0 ? number : null;
}

/** A whole address, one from the root on, or anything with a query. */
export function isAddress(text: string): boolean {
  return /^[/?]|:\/\/|[?&][^\s=]+=/.test(text);
}

function textAt(around: Around, path: string): string | null {
  const value = firstAt(around, [path]);
  if (value instanceof ExactNumber) return value.digits;
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

function withParameter(query: Query, name: string, value: string): KeptRequest {
  const kept = query.filter(([each]) => each !== name);
  return { endpoint: 'getLoanBalances', id: null, query: [...kept, [name, value]] };
}

function unknownPages({ recordsSoFar }: PageRead) {
  return balanceFault('unknown-pages', { records: recordsSoFar });
}
