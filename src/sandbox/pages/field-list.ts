/** The fields of a record by their labels in the contract, personal ones masked. */
import { html } from 'hono/html';
import { type Field, fieldsOf, type PathSegment, pathOf } from '../../contract/fields.ts';
import { recordKind } from '../../contract/record-kinds.ts';
import { sensitiveNames } from '../../contract/sensitive-names.ts';
import { masked } from '../masking.ts';
import { kindNames, type StoredKind } from '../record-ids.ts';
import type { Piece } from './layout.ts';
import { moneyText, plainText } from './values.ts';

const fieldsByPath = new Map<StoredKind, ReadonlyMap<string, Field>>();

/**
 * A list of labels and values.
 *
 * @param kind  whose labels are used
 * @param at  where in the record the value stands (`['owner1']`)
 * @param heading  what stands above the list; a label that begins with it goes without (`SSN` below `Owner 1`)
 */
export function fieldList(kind: StoredKind, at: readonly PathSegment[], value: unknown, heading = ''): Piece {
  const lines = linesOf(kind, at, value).map(({ label, text }) => ({ label: withoutHeading(label, heading), text }));
  if (lines.length === 0) return html`<p class="quiet">Nothing was sent.</p>`;
  return html`<dl>${lines.map(({ label, text }) => html`<dt>${label}</dt><dd>${text}</dd>`)}</dl>`;
}

interface Line {
  readonly label: string;
  readonly text: string;
}

function linesOf(kind: StoredKind, at: readonly PathSegment[], value: unknown): Line[] {
  if (value === undefined || value === null) return [];
  if (isListOfObjects(value)) return value.flatMap((item, index) => linesOf(kind, [...at, index], item));
  if (typeof value === 'object' && !Array.isArray(value)) {
    return Object.entries(value).flatMap(([name, inner]) => linesOf(kind, [...at, name], inner));
  }
  return [lineOf(kind, at, value)];
}

function lineOf(kind: StoredKind, at: readonly PathSegment[], value: unknown): Line {
  const field = fieldAt(kind, pathOf(at));
  const name = at.at(-1) ?? '';
  const label = field?.label ?? `{${pathOf(at)}}`;
  const isSensitive = at.some((segment) => sensitiveNames.has(segment));
  if (isSensitive) return { label, text: masked(name, value) };
  return { label, text: field?.facts.format === 'money' ? moneyText(value) : plainText(value) };
}

function fieldAt(kind: StoredKind, path: string): Field | undefined {
  let fields = fieldsByPath.get(kind);
  if (fields === undefined) {
    fields = new Map(fieldsOf(recordKind(kindNames[kind])).map((field) => [field.path, field]));
    fieldsByPath.set(kind, fields);
  }
  return fields.get(path);
}

function isListOfObjects(value: unknown): value is object[] {
  return Array.isArray(value) && value.some((item) => typeof item === 'object' && item !== null);
}

function withoutHeading(label: string, heading: string): string {
  if (heading === '' || !label.startsWith(`${heading} `)) return label;
  const rest = label.slice(heading.length + 1);
  return `${rest.charAt(0).toUpperCase()}${rest.slice(1)}`;
}
