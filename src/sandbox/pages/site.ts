/** Serves the pages. They contain no scripts and load nothing from elsewhere. */
import { html } from 'hono/html';
import { isObject } from '../../contract/body-path.ts';
import { leavesOf } from '../../contract/leaves.ts';
import type { RecordKind } from '../../contract/record-kind.ts';
import { shortened } from '../../messages/plain-text.ts';
import type { ApiParts, SandboxApp } from '../api/api.ts';
import { type Body, bodyOf, childKindsOf, findRecord, idOf, pagePathOf, parentsOf, storedKinds } from '../kinds.ts';
import { fundingOf } from '../loans.ts';
import { openApiDocument } from '../openapi.ts';
import { titleOf, withDefaults } from '../records.ts';
import type { StoredRecord, Tables } from '../store.ts';
import { definitions, type Piece, page, section, styleSheet, table } from './layout.ts';

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
    app.get(`/${kind.name}`, ({ req }) => shown(listPage(kind, Number(req.query('page') ?? 1), tables)));
    app.get(`/${kind.name}/:id`, ({ req }) => {
      const record = findRecord(kind, req.param('id'), tables);
      return record === undefined ? missing() : shown(recordPage(kind, record, tables));
    });
  }
  app.notFound(missing);
}

async function shown(content: Piece, status = 200): Promise<Response> {
  return new Response(String(await content), { status, headers: pageHeaders });
}

function missing(): Promise<Response> {
  return shown(page('Not found', html`<p>There is nothing at this address.</p>`), 404);
}

function homePage(tables: Tables, dataFile: string | null): Piece {
  const place = dataFile === null ? 'in memory and end with it' : html`in <code>${dataFile}</code>`;
  const counts = storedKinds.map(({ name, sheet }) => [sheet, String(tables.count(name))] as const);
  const about = html`<p class="quiet">The whole service, small and complete, to rehearse against. Its records are ${place}.</p>`;
  return page('Records', html`${about}${definitions(counts)}`);
}

const pageSize = 50;
const longestCell = 160;
/** The first values of a record show which one it is. */
const mostAbout = 5;
/** The list page shows any further children. */
const mostChildren = 200;

function listPage(kind: RecordKind, asked: number, tables: Tables): Piece {
  const { name, sheet } = kind;
  const [count, number] = [tables.count(name), Number.isInteger(asked) && asked > 0 ? asked : 1];
  const records = tables.list(name, (number - 1) * pageSize, pageSize);
  const pages = [number - 1, number + 1].filter((each) => each > 0 && (each - 1) * pageSize < count);
  const links = pages.map((each) => html` <a href="/${name}?page=${each}">Page ${each}</a>`);
  const list = recordTable(`Page ${number}: ${count} in all, the newest first`, kind, records, tables);
  return page(sheet, html`${list}<p>${links}</p>`);
}

function recordTable(caption: string, kind: RecordKind, records: readonly StoredRecord[], tables: Tables): Piece {
  if (records.length === 0) return html`<p class="quiet">None.</p>`;
  const rows = records.map((record) => {
    const id = idOf(kind, record.number);
    const about = [titleText(kind, bodyOf(record), tables), ...linesOf(kind, bodyOf(record)).map(([, text]) => text)];
    const first = [...new Set(about)].filter((text) => text !== '').slice(0, mostAbout);
    const link = html`<a href="${pagePathOf(kind, id)}">${id}</a>`;
    return [link, shortened(first.join(' · '), longestCell), timeText(record.at)];
  });
  return table(caption, ['Id', 'About', 'Added'], rows);
}

function recordPage(kind: RecordKind, record: StoredRecord, tables: Tables): Piece {
  const id = idOf(kind, record.number);
  const body = bodyOf(record);
  const changed = record.changed === record.at ? '' : `, changed ${timeText(record.changed)}`;
  const parents = parentsOf(kind, body).map(
    (parent) => html`<p>Belongs to <a href="${pagePathOf(parent.kind, parent.id)}">${parent.id}</a>.</p>`,
  );
  const { loans: _loans, ...figures } = (kind.name === 'deals' ? fundingOf(id, tables) : undefined) ?? {};
  const owed = Object.entries(figures).map(([name, value]) => [name, valueText(value, true)] as const);
  const children = childKindsOf(kind).map((child) => {
    const records = tables.children(id, child.name, mostChildren);
    return section(child.sheet, recordTable('The newest first', child, records, tables));
  });
  const content = html`<p class="quiet">Added ${timeText(record.at)}${changed}</p>${parents}
${definitions([...owed, ...linesOf(kind, body)])}${children}`;
  return page(`${titleText(kind, body, tables) || kind.singular} · ${id}`, content);
}

const money = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const hidden = '••••';
/** Nine digits with or without the usual dashes. An SSN in the wrong field is hidden too. */
const likeSsn = /\d{3}[- ]?\d{2}[- ]?\d{4}/g;

/** Anything like an SSN is hidden. */
function valueText(value: unknown, isMoney = false): string {
  if (isMoney && typeof value === 'number') return money.format(value);
  const text = Array.isArray(value) ? value.join(', ') : isObject(value) ? JSON.stringify(value) : String(value);
  return text.replace(likeSsn, hidden);
}

/** Milliseconds since 1970 as `2026-06-30 14:05 UTC`. */
function timeText(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function titleText(kind: RecordKind, body: Body, tables: Tables): string {
  return valueText(titleOf(kind, body, tables));
}

/** Labels and values of a record. Sensitive values are hidden, and those that the contract does not name. */
function linesOf(kind: RecordKind, body: Body): (readonly [label: string, text: string])[] {
  return leavesOf(kind, withDefaults(kind, body)).flatMap(({ place: { path, field, isSensitive }, value }) => {
    // Facts about a file are stored below its field.
    const isNamed = field !== null || (kind.sending.hasFile && path.startsWith('file.'));
    const text = isSensitive || !isNamed ? hidden : valueText(value, field?.format === 'money');
    return value === null ? [] : [[field?.label ?? `{${path}}`, text] as const];
  });
}
