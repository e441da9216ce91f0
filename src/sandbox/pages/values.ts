/** Values as pages show them. Pages need no key, so whatever is or may be personal is masked. */

import { html } from 'hono/html';
import { isObject } from '../../contract/body-path.ts';
import { type Field, fieldsOf, type PathSegment, pathOf } from '../../contract/fields.ts';
import type { RecordKind } from '../../contract/record-kind.ts';
import { sensitiveNames } from '../../contract/sensitive-names.ts';
import { oncePer } from '../../once.ts';
import { type Body, bodyOf, findRecord, pagePathOf, parentsOf } from '../kinds.ts';
import { likeSsn } from '../problem.ts';
import { isoTime, titleOf } from '../records.ts';
import type { Tables } from '../store.ts';
import { definitions, type Piece } from './layout.ts';

const money = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const shownDigits = 4;
const ssnDigits = 9;
const hidden = '••••';

/** 1250.5 to `1,250.50`; whatever is not a number is shown as it is. */
export function moneyText(value: unknown): string {
  return typeof value === 'number' ? money.format(value) : valueText(value);
}

export function countText(count: number): string {
  return count.toLocaleString('en-US');
}

/** A text, or several with commas, without anything like an SSN. */
export function valueText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map(valueText).join(', ');
  const text = isObject(value) ? JSON.stringify(value) : String(value);
  return text.replace(new RegExp(likeSsn, 'g'), hidden);
}

/** Milliseconds since 1970 as `2026-06-30 14:05 UTC`, for people and for programs. */
export function timeText(at: number): Piece {
  const iso = isoTime(at);
  return html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`;
}

/** The value of a field; `219-09-9999` as `•••-••-9999`, and any other sensitive one as `••••`. */
export function fieldText(field: Field, value: unknown): string {
  if (field.segments.some((segment) => sensitiveNames.has(segment))) {
    const digits = String(value).replace(/\D/g, '');
    return field.format === 'ssn' && digits.length === ssnDigits ? `•••-••-${digits.slice(-shownDigits)}` : hidden;
  }
  return field.format === 'money' ? moneyText(value) : valueText(value);
}

/** Links to the records that a body names, by their titles. */
export function parentLinks(kind: RecordKind, body: Body, tables: Tables): Map<string, Piece> {
  const links = parentsOf(kind, body).map(({ kind: parent, path, id }) => {
    const record = findRecord(parent, id, tables);
    const title = record === undefined ? '' : titleOf(parent, bodyOf(record), tables);
    return [path, html`<a href="${pagePathOf(parent, id)}">${valueText(title) || id}</a>`] as const;
  });
  return new Map(links);
}

/** A list of labels and values of a part of a record. What the contract does not name is masked. */
export function fieldList(kind: RecordKind, at: readonly PathSegment[], value: unknown): Piece {
  const lines = linesOf(fieldsByPath(kind), at, value);
  if (lines.length === 0) return html`<p class="quiet">Nothing was sent.</p>`;
  return definitions(lines);
}

function linesOf(
  fields: ReadonlyMap<string, Field>,
  at: readonly PathSegment[],
  value: unknown,
): (readonly [label: string, text: string])[] {
  if (value === undefined || value === null) return [];
  const isList = Array.isArray(value);
  if (isList ? value.some(isObject) : isObject(value)) {
    return Object.entries(value).flatMap(([name, inner]) =>
      linesOf(fields, [...at, isList ? Number(name) : name], inner),
    );
  }
  const field = fields.get(pathOf(at));
  if (field !== undefined) return [[field.label, fieldText(field, value)]];
  // What is kept of a file stands below its field.
  const above = fields.get(pathOf(at.slice(0, -1)));
  return [[`{${pathOf(at)}}`, above?.format === 'file' ? valueText(value) : hidden]];
}

const fieldsByPath = oncePer(
  (kind: RecordKind): ReadonlyMap<string, Field> => new Map(fieldsOf(kind).map((field) => [field.path, field])),
);
