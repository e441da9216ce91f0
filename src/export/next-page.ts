/** How the next page is asked for, as the profile declares it. */

import { firstAt } from '../contract/body-path.ts';
import type { Pages } from '../contract/contract-settings.ts';
import type { KeptRequest } from '../service/client.ts';
import { isJsonObject, type JsonObject, type JsonValue, textOf } from './exact-json.ts';
import { balanceFault } from './read-fault.ts';

export type Query = readonly (readonly [name: string, value: string])[];

export interface PageRead {
  readonly query: Query;
  /** The number of this page among those read, from 1. */
  readonly number: number;
  readonly around: JsonObject;
  /** Records on this page, and on all pages so far. */
  readonly records: number;
  readonly recordsSoFar: number;
  /** The next page as the `Link` header names it. */
  readonly link: string | null;
  readonly total: number | null;
}

/** `cursor meta.nextCursor → cursor` */
export function pagesText(pages: Pages | null): string {
  if (pages === null) return 'one answer';
  if (pages.by === 'none') return 'one answer, as declared';
  if (pages.by === 'link') return 'Link header';
  const at = 'at' in pages ? ` ${pages.at}` : '';
  return `${pages.by}${at}${'parameter' in pages ? ` → ${pages.parameter}` : ''}`;
}

/** @throws DealsheetError `output-failed` when the answer says that there is more, and not how to get it */
export function nextPage(page: PageRead, pages: Pages): KeptRequest | null {
  const { around, query, number, records, recordsSoFar, link, total } = page;
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
    const next = textOf(held)?.trim() ?? '';
    if (next === '' && (more === true || isJsonObject(held))) throw unknownPages();
    if (next === '' || (more === false && pages.by === 'cursor')) return null;
    if (pages.by === 'cursor') return withParameter(pages.parameter, textOf(held) ?? '');
    if (!isAddress(next)) throw unknownPages();
    return { page: next };
  }
  const mayFollow = more ?? (records > 0 && (total === null || total > recordsSoFar));
  if (pages.by === 'offset')
    return mayFollow ? withParameter(pages.parameter, String(pages.first + recordsSoFar)) : null;
  const next = pages.first + number;
  const count = pages.count === undefined ? null : numberAt(around, pages.count);
  const isLeft = count !== null && next - Math.min(pages.first, 1) < count;
  if (isLeft && more === false) throw unknownPages();
  return (more ?? (count === null ? mayFollow : isLeft)) ? withParameter(pages.parameter, String(next)) : null;
}

/** `null` where there is none, `undefined` for what is no flag. */
function flagAt(around: JsonObject, path: string): boolean | null | undefined {
  const held = firstAt(around, [path]) as JsonValue | undefined;
  if (held === undefined || held === null || held === '') return null;
  const text = typeof held === 'boolean' ? String(held) : (textOf(held)?.trim() ?? '');
  return flagOf(text);
}

/** `undefined` for what is neither a yes nor a no. */
export function flagOf(text: string): boolean | undefined {
  if (/^(?:true|yes|y|on|1)$/i.test(text)) return true;
  return /^(?:false|no|n|off|0)$/i.test(text) ? false : undefined;
}

/** Whether the place that tells of a next page is there at all: some leave it out of the last one, and some it was misspelt for. */
export function isPlaceThere(around: JsonObject, pages: Pages): boolean {
  return !('at' in pages) || firstAt(around, [pages.at]) !== undefined;
}

export function numberAt(around: JsonObject, path: string): number | null {
  const number = Number(textOf(firstAt(around, [path]) as JsonValue | undefined) || Number.NaN);
  return Number.isSafeInteger(number) && number >= 0 ? number : null;
}

/** A whole address, one from the root on, or anything with a query. */
export function isAddress(text: string): boolean {
  return /^[/?]|:\/\/|[?&][^\s=]+=/.test(text);
}
