/** Serves the pages. They hold no scripts at all, and nothing comes from elsewhere. */
import { html } from 'hono/html';
import type { ApiParts, SandboxApp } from '../api/api.ts';
import { largestAttachment, mostInBatch } from '../api/operations.ts';
import { largestJson } from '../api/request-body.ts';
import { faultNames } from '../faults.ts';
import { findRecord, storedKinds } from '../kinds.ts';
import { openApiDocument } from '../openapi.ts';
import { problemKinds } from '../problem.ts';
import type { Tables } from '../store.ts';
import { type Piece, page, styleSheet, table } from './layout.ts';
import { listPage, recordPage } from './record-pages.ts';
import { countText } from './values.ts';

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

/** @param dataFile  shown, so that a person knows which records these are; `null` for memory */
export function mountSite(app: SandboxApp, { store, options }: ApiParts, dataFile: string | null): void {
  const { tables } = store;
  app.get('/', () => shown(homePage(tables, dataFile)));
  app.get('/help', () => shown(helpPage(options.publicUrl)));
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

/** What a person who works against the sandbox should know: its own choices, where the interface shows none. */
function helpPage(url: string): Piece {
  const problems = Object.entries(problemKinds).map(([kind, { status, title }]) => {
    return [html`<span id="${kind}">${kind}</span>`, String(status), `${title}.`];
  });
  const faults = Object.entries(faultNames).map(([name, about]) => [name, `${about}.`]);
  const curl = `{ printf 'header = "Authorization: Bearer '; cat key; printf '"\\n'; } | curl --config -`;
  const content = html`
<h2>Token and key</h2>
<p>Every address below <code>/v1</code> wants a bearer token; those below <code>/sandbox</code> want the key that the
sandbox tells when it starts. This gives a token, with the key in a file that only you can read:</p>
<pre tabindex="0">${curl} -X POST ${url}/sandbox/token</pre>
<p><code>DELETE /sandbox/token</code> ends every token that was issued. <code>GET /sandbox/accepted</code> is the log.</p>
<h2>What the sandbox decided by itself</h2>
<p>The interface leaves these open; another service may do otherwise.</p>
<ul>
<li>A create answers 201 with the result of 2.6 for every kind, a batch 200.</li>
<li>JSON types are strict: <code>"1"</code> is not a number. Fields that the interface does not name are ignored where it shows all fields, and kept where it shows none.</li>
<li>A company in a deal without an id makes a company, a Merchant; with an id it names one that is here.</li>
<li>An id in a path that nobody has is 404; in a body it is 422.</li>
<li>In a change of a company <code>null</code> empties a field. The rule for Funder fields looks at the company as it would be.</li>
<li>Transactions stand row by row: good ones are made, and the answer lists what became of each. When all are bad the answer is 422.</li>
<li>A transaction pays back its deal's loans, the oldest first. Fee and Charge add to what is owed; Refund, Reversal and Returned payment take a payment back; Funding and Disbursement change nothing.</li>
<li>What is to be paid back is the amount times the factor rate, rounded to the cent.</li>
<li>The same <code>Idempotency-Key</code> with the same request gives the same answer and makes nothing; with another request it is 422.</li>
<li>Limits: ${countText(mostInBatch)} rows a batch, ${countText(largestAttachment)} bytes a file, ${countText(largestJson)} a JSON body.</li>
<li>Of a file its name, size, type and SHA-256 are kept, and not its bytes.</li>
</ul>
<h2>Faults</h2>
<p>Asked for with <code>--faults</code> at the start, or while it runs:</p>
<pre tabindex="0">${curl} ${url}/sandbox/faults -H "Content-Type: application/json" \\
  -d '{"faults":"500-after=2%,reset-after@3,seed=7","latency":"20-80","rate":50}'</pre>
${table('Faults by name', ['Name', 'What happens'], faults)}
<h2>Problems</h2>
<p>Errors are <code>application/problem+json</code> (RFC 9457) with a list <code>errors</code> of path, rule, message and, where it is not personal, value.</p>
${table('Problems by name', ['Name', 'Status', 'Meaning'], problems)}`;
  return page('Help', null, content);
}
