/** Serves the pages. They contain no scripts and load nothing from elsewhere. */
import { html } from 'hono/html';
import { isObject } from '../../contract/body-path.ts';
import { type Leaf, leavesOf } from '../../contract/leaves.ts';
import type { RecordKind } from '../../contract/record-kind.ts';
import { shortened } from '../../messages/plain-text.ts';
import type { ApiParts, SandboxApp } from '../api/api.ts';
import { type Body, bodyOf, childKindsOf, findRecord, idOf, pagePathOf, parentsOf, storedKinds } from '../kinds.ts';
import { fundingOf } from '../loans.ts';
import { openApiDocument } from '../openapi.ts';
import { isoTime, titleOf, withDefaults } from '../records.ts';
import type { StoredRecord, Tables } from '../store.ts';
import { definitions, type Piece, page, styleSheet, table } from './layout.ts';

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

/** @param dataFile  shown on the home page, so that a person knows which records these are; `null` for memory */
export function mountSite(app: SandboxApp, { store, url }: ApiParts, dataFile: string | null): void {
  const { tables } = store;
  app.get('/', () => shown(homePage(tables, dataFile)));
  app.get('/openapi.json', () =>
    Response.json(openApiDocument(url), { headers: { 'x-content-type-options': 'nosniff' } }),
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

const pageSize = 50;
const longestCell = 160;
/** The first values of a record show which one it is. */
const mostAbout = 5;

function listPage(kind: RecordKind, query: URLSearchParams, tables: Tables): Piece {
  const number = pageNumber(query.get('page'));
  // One more than fits shows whether there is another page.
  const found = tables.list(kind.name, (number - 1) * pageSize, pageSize + 1);
  const records = found.slice(0, pageSize);
  const first = (number - 1) * pageSize + 1;
  const range = `${countText(first)}–${countText(first + records.length - 1)}`;
  const caption = `${range} of ${countText(tables.count(kind.name))}, the newest first`;
  const list = records.length === 0 ? html`<p>There are none here.</p>` : recordTable(caption, kind, records, tables);
  return page(kind.sheet, kind, html`${list}${turning(kind, number, found.length > pageSize)}`);
}

function recordTable(caption: string, kind: RecordKind, records: readonly StoredRecord[], tables: Tables): Piece {
  const rows = records.map((record) => {
    const id = idOf(kind, record.number);
    const body = withDefaults(kind, bodyOf(record));
    const texts = linesOf(kind, body).map(([, text]) => text);
    const about = [...new Set([titleText(kind, body, tables), ...texts])]
      .filter((text) => text !== '')
      .slice(0, mostAbout);
    return [
      html`<a href="${pagePathOf(kind, id)}">${id}</a>`,
      shortened(about.join(' · '), longestCell),
      timeText(record.at),
    ];
  });
  return table(caption, ['Id', 'About', 'Added'], rows);
}

function titleCase(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

function pageNumber(text: string | null): number {
  return /^[1-9]\d{0,5}$/.test(text ?? '') ? Number(text) : 1;
}

function turning({ name }: RecordKind, number: number, hasMore: boolean): Piece | string {
  const link = (page: number, words: string, rel: string) =>
    html`<a rel="${rel}" href="/${name}?page=${page}">${words}</a>`;
  const newer = number > 1 ? link(number - 1, '← Newer', 'prev') : '';
  const older = hasMore ? link(number + 1, 'Older →', 'next') : '';
  return newer === '' && older === '' ? '' : html`<nav class="pages" aria-label="Pages">${newer}${older}</nav>`;
}

/** The list page shows any further children. */
const mostShown = 200;

function recordPage(kind: RecordKind, record: StoredRecord, tables: Tables): Piece {
  const id = idOf(kind, record.number);
  const body = withDefaults(kind, bodyOf(record));
  const changed = record.changed === record.at ? '' : html`<p class="quiet">Changed ${timeText(record.changed)}</p>`;
  const funding = kind.name === 'deals' ? fundingOf(id, tables) : undefined;
  const content = html`<p class="quiet">Added ${timeText(record.at)}</p>${changed}${parentLinks(kind, body, tables)}
${funding === undefined ? '' : section('Balance', figures(funding))}
${section(titleCase(kind.singular), definitions(linesOf(kind, body)))}
${childKindsOf(kind).map((child) => section(child.sheet, childTable(child, id, tables)))}`;
  return page(`${titleText(kind, body, tables) || titleCase(kind.singular)} · ${id}`, kind, content);
}

function figures({ amount, paybackAmount, paid, balance }: NonNullable<ReturnType<typeof fundingOf>>): Piece {
  const lines = { Amount: amount, 'Payback amount': paybackAmount, Paid: paid, Balance: balance };
  return definitions(Object.entries(lines).map(([label, value]) => [label, moneyText(value)]));
}

function childTable(child: RecordKind, parent: string, tables: Tables): Piece {
  const records = tables.children(parent, child.name, mostShown);
  if (records.length === 0) return html`<p class="quiet">None.</p>`;
  const caption = records.length < mostShown ? `${records.length} in all` : `The newest ${mostShown}`;
  return recordTable(caption, child, records, tables);
}

function section(title: string, content: Piece): Piece {
  return html`<section><h2>${title}</h2>${content}</section>`;
}

const money = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const shownDigits = 4;
const ssnDigits = 9;
const hidden = '••••';
/** Nine digits with or without the usual dashes. An SSN in the wrong field is hidden too. */
const likeSsn = /\d{3}[- ]?\d{2}[- ]?\d{4}/g;

/** Formats 1250.5 as `1,250.50`. Anything but a number is shown unchanged. */
function moneyText(value: unknown): string {
  return typeof value === 'number' ? money.format(value) : valueText(value);
}

function countText(count: number): string {
  return count.toLocaleString('en-US');
}

/** Text, or several joined by commas. Anything like an SSN is hidden. */
function valueText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map(valueText).join(', ');
  const text = isObject(value) ? JSON.stringify(value) : String(value);
  return text.replace(likeSsn, hidden);
}

/** Milliseconds since 1970 as `2026-06-30 14:05 UTC`, with the ISO time for programs. */
function timeText(at: number): Piece {
  const iso = isoTime(at);
  return html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`;
}

/** Shows `219-09-9999` as `•••-••-9999`. Other sensitive values, and those that the contract does not name, are `••••`. */
function leafText({ place: { path, field, isSensitive }, value }: Leaf, { sending }: RecordKind): string {
  const digits = String(value).replace(/\D/g, '');
  if (field?.format === 'ssn' && digits.length === ssnDigits) return `•••-••-${digits.slice(-shownDigits)}`;
  // Facts about a file are stored below its field.
  const isNamed = field !== null || (sending.hasFile && path.startsWith('file.'));
  if (isSensitive || !isNamed) return hidden;
  return field?.format === 'money' ? moneyText(value) : valueText(value);
}

function titleText(kind: RecordKind, body: Body, tables: Tables): string {
  return valueText(titleOf(kind, body, tables));
}

function parentLinks(kind: RecordKind, body: Body, tables: Tables): readonly Piece[] {
  return parentsOf(kind, body).map(({ kind: parent, id }) => {
    const record = findRecord(parent, id, tables);
    const title = record === undefined ? '' : titleText(parent, bodyOf(record), tables);
    return html`<p>Belongs to <a href="${pagePathOf(parent, id)}">${title || id}</a>.</p>`;
  });
}

/** Labels and values of a record. */
function linesOf(kind: RecordKind, body: Body): (readonly [label: string, text: string])[] {
  const leaves = leavesOf(kind, body).filter(({ value }) => value !== null);
  return leaves.map((leaf) => [leaf.place.field?.label ?? `{${leaf.place.path}}`, leafText(leaf, kind)]);
}
