/** The ids of the sandbox: a word for the kind and a number that counts up, so that a person can read them aloud. */
import type { RecordKindName } from '../contract/record-kind.ts';

/** Every kind of record that the sandbox keeps, with the word that its ids begin with. */
export const idPrefixes = {
  company: 'cmp',
  deal: 'deal',
  note: 'note',
  attachment: 'att',
  lead: 'lead',
  submission: 'sub',
  loan: 'loan',
  transaction: 'txn',
} as const;

/** The record kind of the contract for each; its name is also the path of the pages. */
export const kindNames = {
  company: 'companies',
  deal: 'deals',
  note: 'notes',
  attachment: 'attachments',
  lead: 'leads',
  submission: 'submissions',
  loan: 'submission-loans',
  transaction: 'transactions',
} as const satisfies Record<keyof typeof idPrefixes, RecordKindName>;

export type StoredKind = keyof typeof idPrefixes;
export const storedKinds = Object.keys(idPrefixes) as readonly StoredKind[];

const digits = 6;
const idPattern = /^([a-z]+)_(\d{6,15})$/;

/** `deal` and 1 to `deal_000001`. */
export function idOf(kind: StoredKind, number: number): string {
  return `${idPrefixes[kind]}_${String(number).padStart(digits, '0')}`;
}

/** `deal_000001` to 1; `null` for whatever is not an id of this kind as {@link idOf} writes it. */
export function numberOf(kind: StoredKind, id: string): number | null {
  const match = idPattern.exec(id);
  if (match?.[1] !== idPrefixes[kind]) return null;
  const number = Number(match[2]);
  return idOf(kind, number) === id ? number : null;
}

/** The path of a record's page: `/deals/deal_000001`. */
export function pagePathOf(kind: StoredKind, number: number): string {
  return `/${kindNames[kind]}/${idOf(kind, number)}`;
}
