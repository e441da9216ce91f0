/** Values as pages show them. */
import { html } from 'hono/html';
import { idOf, numberOf, pagePathOf, type StoredKind } from '../record-ids.ts';
import { isoTime } from '../time.ts';
import type { Piece } from './layout.ts';

const money = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const counts = new Intl.NumberFormat('en-US');

/** 1250.5 to `1,250.50`; whatever is not a number is shown as it is, nothing as an empty text. */
export function moneyText(value: unknown): string {
  return typeof value === 'number' ? money.format(value) : plainText(value);
}

export function countText(count: number): string {
  return counts.format(count);
}

/** A value of a record as text: lists with commas, objects as JSON. */
export function plainText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map(plainText).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Milliseconds since 1970 as `2026-06-30 14:05 UTC`, for people and for programs. */
export function timeText(at: number): Piece {
  const iso = isoTime(at);
  return html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`;
}

const kibibyte = 1024;

export function sizeText(bytes: unknown): string {
  if (typeof bytes !== 'number') return plainText(bytes);
  if (bytes < kibibyte) return `${bytes} B`;
  return bytes < kibibyte ** 2 ? `${(bytes / kibibyte).toFixed(1)} KB` : `${(bytes / kibibyte ** 2).toFixed(1)} MB`;
}

/** A link to a record's page. */
export function recordLink(kind: StoredKind, number: number): Piece {
  return html`<a href="${pagePathOf(kind, number)}">${idOf(kind, number)}</a>`;
}

/** The same for a record that need not be there. */
export function recordLinkIfAny(kind: StoredKind, number: number | null): Piece | string {
  return number === null ? '' : recordLink(kind, number);
}

/** A link for an id as it stands in a body, when it can be one. */
export function idLink(kind: StoredKind, id: unknown): Piece | string {
  const number = typeof id === 'string' ? numberOf(kind, id) : null;
  return number === null ? plainText(id) : recordLink(kind, number);
}
