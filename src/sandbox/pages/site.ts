/** Serves the pages. They contain no scripts and load nothing from elsewhere. */
import { html } from 'hono/html';
import type { ApiParts, SandboxApp } from '../api/api.ts';
import { findRecord, storedKinds } from '../kinds.ts';
import { openApiDocument } from '../openapi.ts';
import type { Tables } from '../store.ts';
import { type Piece, page, styleSheet } from './layout.ts';
import { countText, listPage, recordPage } from './record-pages.ts';

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

/** @param dataFile  shown on the home page, so that a person knows which records these are; `null` for memory */
export function mountSite(app: SandboxApp, { store, options }: ApiParts, dataFile: string | null): void {
  const { tables } = store;
  app.get('/', () => shown(homePage(tables, dataFile)));
  app.get('/openapi.json', () =>
    Response.json(openApiDocument(options.publicUrl), { headers: { 'x-content-type-options': 'nosniff' } }),
  );
  app.get('/style.css', () => new Response(styleSheet, { headers: { 'content-type': 'text/css; charset=utf-8' } }));
  for (const kind of storedKinds) {
    app.get(`/${kind.name}`, ({ req }) => shown(listPage(kind, new URL(req.url).searchParams, tables)));
    app.get(`/${kind.name}/:id`, ({ req }) => {
      const record = findRecord(kind, req.param('id'), tables);
      return record === undefined ? shown(missingPage(), 404) : shown(recordPage(kind, record, tables));
    });
  }
  app.notFound(() => shown(missingPage(), 404));
}

async function shown(content: Piece, status = 200): Promise<Response> {
  return new Response(String(await content), { status, headers: pageHeaders });
}

function homePage(tables: Tables, dataFile: string | null): Piece {
  const counts = storedKinds.map(
    ({ name, sheet }) => html`<li><a href="/${name}">${sheet}</a>: ${countText(tables.count(name))}</li>`,
  );
  const place = dataFile === null ? 'in memory and end with it' : html`in <code>${dataFile}</code>`;
  const content = html`<p class="quiet">The whole service, small and complete, to rehearse against. Its records are ${place}.</p>
<ul>${counts}</ul>`;
  return page('Records', null, content);
}

function missingPage(): Piece {
  return page('Not found', null, html`<p>There is nothing at this address.</p>`);
}
