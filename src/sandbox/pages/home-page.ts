/** The first page: what is here, and where things are. */
import { html } from 'hono/html';
import { kindNames, storedKinds } from '../record-ids.ts';
import type { Tables } from '../store/tables.ts';
import { type Piece, page, sheetOf } from './layout.ts';
import { recordTable } from './list-page.ts';
import { countText } from './values.ts';

const newest = 10;

/** @param dataFile  shown, so that a person knows which records these are; `null` for memory */
export function homePage(tables: Tables, dataFile: string | null): Piece {
  const cards = storedKinds.map(
    (kind) => html`<li><a href="/${kindNames[kind]}"><b>${countText(tables.count(kind))}</b>${sheetOf(kind)}</a></li>`,
  );
  const deals = tables.list('deal', { search: '', offset: 0, limit: newest });
  const content = html`<p class="lead">The whole service, small and complete, to rehearse against. ${
    dataFile === null
      ? 'Its records are in memory and end with it.'
      : html`Its records are in <code>${dataFile}</code>.`
  }</p>
<ul class="cards">${cards}</ul>
${deals.length === 0 ? '' : html`<h2>Newest deals</h2>${recordTable(`The newest ${deals.length}`, 'deal', deals, tables)}`}`;
  return page({ title: 'Records', kind: null, content });
}
