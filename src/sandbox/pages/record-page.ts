/** The page of one record: what was sent for it, and what belongs to it. */
import { html } from 'hono/html';
import { isObject } from '../../contract/body-path.ts';
import type { RecordKind } from '../../contract/record-kind.ts';
import { bodyOf, childKindsOf, idOf } from '../kinds.ts';
import { fundingOf } from '../loans.ts';
import { titleOf, withDefaults } from '../records.ts';
import type { StoredRecord, Tables } from '../store.ts';
import { type Piece, page } from './layout.ts';
import { recordTable, titleCase } from './list-page.ts';
import { fieldList, moneyText, parentLinks, plainText, timeText } from './values.ts';

/** More than these are left to the list's search. */
const mostShown = 200;

export function recordPage(kind: RecordKind, record: StoredRecord, tables: Tables): Piece {
  const id = idOf(kind, record.number);
  const body = withDefaults(kind, bodyOf(record));
  const links = [...parentLinks(kind, body, tables).values()].map((link) => html`<p>Belongs to ${link}.</p>`);
  const changed = record.changed === record.at ? '' : html`<p class="quiet">Changed ${timeText(record.changed)}</p>`;
  const funding = fundingOf(kind, record, tables);
  const groups = Object.entries(body).filter(([, value]) => isObject(value) && !Array.isArray(value));
  const names = groups.map(([name]) => name);
  const plain = Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));
  const content = html`<p class="quiet">Added ${timeText(record.at)}</p>${changed}${links}
${funding === undefined ? '' : section('Balance', figures(funding))}
${section(titleCase(kind.singular), fieldList(kind, [], plain))}
${groups.map(([name, value]) => section(headingOf(name), fieldList(kind, [name], value)))}
${childKindsOf(kind).map((child) => section(child.sheet, childTable(child, id, tables)))}`;
  const title = plainText(titleOf(kind, body, tables)) || titleCase(kind.singular);
  return page({ title: `${title} · ${id}`, kind, content });
}

function figures(funding: NonNullable<ReturnType<typeof fundingOf>>): Piece {
  const { amount, paybackAmount, fees, paid, balance } = funding;
  const lines = Object.entries({ amount, paybackAmount, fees, paid, balance });
  return html`<dl>${lines.map(([name, value]) => html`<dt>${headingOf(name)}</dt><dd>${moneyText(value)}</dd>`)}</dl>`;
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

/** `owner1` to `Owner 1`, as the labels of its fields begin. */
function headingOf(name: string): string {
  return titleCase(name.replaceAll(/(\d+|[A-Z])/g, ' $1').toLowerCase());
}
