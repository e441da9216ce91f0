/** Serves the pages. They hold no scripts at all, and nothing comes from elsewhere. */
import { html } from 'hono/html';
import type { ApiParts, SandboxApp, SandboxContext } from '../api/api.ts';
import { openApiDocument } from '../openapi/document.ts';
import { kindNames, numberOf, storedKinds } from '../record-ids.ts';
import { apiPage } from './api-page.ts';
import { helpPage } from './help-page.ts';
import { homePage } from './home-page.ts';
import { type Piece, page } from './layout.ts';
import { listPage } from './list-page.ts';
import { recordPage } from './record-page.ts';
import { styleSheet } from './style.ts';

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

export function mountSite(
  app: SandboxApp,
  { store: { tables }, surroundings }: ApiParts,
  dataFile: string | null,
): void {
  app.get('/', () => shown(homePage(tables, dataFile)));
  app.get('/help', () => shown(helpPage(surroundings.publicUrl)));
  app.get('/api', () => shown(apiPage()));
  app.get('/openapi.json', () =>
    Response.json(openApiDocument(surroundings.publicUrl), { headers: { 'x-content-type-options': 'nosniff' } }),
  );
  app.get('/style.css', () => new Response(styleSheet, { headers: { 'content-type': 'text/css; charset=utf-8' } }));
  for (const kind of storedKinds) {
    app.get(`/${kindNames[kind]}`, (context) => shown(listPage(kind, queryOf(context), tables)));
    app.get(`/${kindNames[kind]}/:id`, (context) => {
      const number = numberOf(kind, context.req.param('id'));
      const found = number === null ? null : recordPage(kind, number, tables);
      return found === null ? shown(missingPage(), 404) : shown(found);
    });
  }
  app.notFound(() => shown(missingPage(), 404));
}

function queryOf(context: SandboxContext): URLSearchParams {
  return new URL(context.req.url).searchParams;
}

async function shown(content: Piece, status = 200): Promise<Response> {
  return new Response(String(await content), { status, headers: pageHeaders });
}

function missingPage(): Piece {
  return page({ title: 'Not found', kind: null, content: html`<p>There is nothing at this address.</p>` });
}
