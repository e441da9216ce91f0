/** The list of a kind, the newest first, with a search and pages. */
import { html } from 'hono/html';
import { kindNames, numberOf, type StoredKind } from '../record-ids.ts';
import type { StoredRecord } from '../store/rows.ts';
import type { Tables } from '../store/tables.ts';
import { type Column, columns } from './columns.ts';
import { type Piece, page, sheetOf, table } from './layout.ts';
import { countText } from './values.ts';

const pageSize = 50;
const longestSearch = 100;
const lastPage = 1_000_000;

/** @param query  `q` to search for, `page` from 1 */
export function listPage(kind: StoredKind, query: URLSearchParams, tables: Tables): Piece {
  const search = (query.get('q') ?? '').trim().slice(0, longestSearch);
  const number = pageNumber(query.get('page'));
  const found = recordsOn(kind, search, number, tables);
  const records = found.slice(0, pageSize);
  const content = html`${searchForm(kind, search)}
${records.length === 0 ? html`<p>${emptyText(search, number)}</p>` : recordTable(captionOf(kind, search, number, records.length, tables), kind, records, tables)}
${turning(kind, search, number, found.length > pageSize)}`;
  return page({ title: sheetOf(kind), kind, content });
}

/**
 * A table of some records in the columns of their list.
 *
 * @param without  the label of a column that would say the same on every line
 */
export function recordTable(
  caption: string,
  kind: StoredKind,
  records: readonly StoredRecord[],
  tables: Tables,
  without: string | null = null,
): Piece {
  const heads = columns[kind].filter(({ label }) => label !== without);
  return table(
    caption,
    heads,
    records.map((record) => cellsOf(heads, record, tables)),
  );
}

function cellsOf(heads: readonly Column[], record: StoredRecord, tables: Tables): (Piece | string)[] {
  const body = JSON.parse(record.body) as Record<string, unknown>;
  return heads.map((column) => column.cell(record, body, tables));
}

/** One more than fits, so that the page knows whether there is another. An id finds its record. */
function recordsOn(kind: StoredKind, search: string, number: number, tables: Tables): StoredRecord[] {
  const named = numberOf(kind, search.toLowerCase());
  if (named !== null) return [tables.record(kind, named)].filter((record) => record !== undefined);
  return tables.list(kind, { search, offset: (number - 1) * pageSize, limit: pageSize + 1 });
}

function pageNumber(text: string | null): number {
  const number = /^\d{1,7}$/.test(text ?? '') ? Number(text) : 1;
  return Math.min(Math.max(number, 1), lastPage);
}

function searchForm(kind: StoredKind, search: string): Piece {
  return html`<form class="search" role="search" action="/${kindNames[kind]}" method="get">
<div><label for="q">Search ${sheetOf(kind).toLowerCase()}</label>
<input id="q" name="q" type="search" maxlength="${longestSearch}" value="${search}" placeholder="id, name, text"></div>
<button type="submit">Search</button>${search === '' ? '' : html` <a href="/${kindNames[kind]}">Show all</a>`}
</form>`;
}

function captionOf(kind: StoredKind, search: string, number: number, shown: number, tables: Tables): string {
  const first = (number - 1) * pageSize + 1;
  const range = `${countText(first)}–${countText(first + shown - 1)}`;
  return search === ''
    ? `${range} of ${countText(tables.count(kind))}, the newest first`
    : `Found: ${range}, the newest first`;
}

function emptyText(search: string, number: number): string {
  if (number > 1) return 'There is nothing on this page.';
  return search === '' ? 'There are none yet.' : `Nothing was found for “${search}”.`;
}

function turning(kind: StoredKind, search: string, number: number, hasMore: boolean): Piece | string {
  const link = (target: number, words: string, rel: string) => {
    const query = new URLSearchParams({ ...(search === '' ? {} : { q: search }), page: String(target) });
    return html`<a rel="${rel}" href="/${kindNames[kind]}?${query.toString()}">${words}</a>`;
  };
  if (number === 1 && !hasMore) return '';
  return html`<nav class="pages" aria-label="Pages">${number > 1 ? link(number - 1, '← Newer', 'prev') : ''}
${hasMore ? link(number + 1, 'Older →', 'next') : ''}</nav>`;
}
