/** Companies by their names, where other records name them by their ids alone. */
import { html } from 'hono/html';
import { idOf, pagePathOf } from '../record-ids.ts';
import type { Tables } from '../store/tables.ts';
import type { Piece } from './layout.ts';
import { plainText } from './values.ts';

/** What a company is called now; empty when it has neither a name nor a DBA. */
export function companyName(tables: Tables, number: number): string {
  const company = tables.company(number);
  if (company === undefined) return '';
  const { name, dba } = JSON.parse(company.body) as Record<string, unknown>;
  return plainText(name) || plainText(dba);
}

/** A link to the page of a company, with its name where it has one. */
export function companyLink(tables: Tables, number: number | null): Piece | string {
  if (number === null) return '';
  return html`<a href="${pagePathOf('company', number)}">${companyName(tables, number) || idOf('company', number)}</a>`;
}
