/**
 * Whether a record of the service can be that of a row. Its one rule: only what a service gives back as it got it is compared,
 * names without case and punctuation, and amounts; nothing sensitive is looked at.
 */
import Big from 'big.js';
import { type Field, fieldsOf } from '../contract/fields.ts';
import type { RecordKind, RecordKindName } from '../contract/record-kind.ts';
import { recordKind } from '../contract/record-kinds.ts';
import { type Body, valueAt } from '../mapping/body.ts';
import type { CheckedRow } from '../mapping/checked-row.ts';
import { shortened } from '../messages/shown-value.ts';

interface Likeness {
  /** What the record says of itself, as in `Company name "Harbor", Amount requested 100`; empty when nothing is known there. */
  readonly says: string;
  /** How many fields both say. */
  readonly compared: number;
  /** In which they differ: whole sentences without their full stop. */
  readonly differences: readonly string[];
}

const names: Readonly<Partial<Record<RecordKindName, readonly string[]>>> = {
  deals: ['company.name', 'company.dba', 'owner1.firstName', 'owner1.lastName'],
  companies: ['name', 'dba'],
};

/**
 * @param record  what the service has under the id, by its documented names
 * @param row     the row, or `null` when its source is gone
 */
export function likenessOf(kindName: RecordKindName, record: object | null, row: CheckedRow | null): Likeness {
  const kind = recordKind(kindName);
  const fields = comparedFields(kind);
  const says: string[] = [];
  const differences: string[] = [];
  let compared = 0;
  for (const field of fields) {
    const there = wordOf(record, field, kind);
    if (there === null) continue;
    says.push(`${field.label} ${there.shown}`);
    const here = row === null ? null : wordOf(row.body, field, kind);
    if (here === null) continue;
    compared += 1;
    if (here.plain !== there.plain)
      differences.push(`${field.label} is ${there.shown} there and ${here.shown} in the row`);
  }
  return { says: says.join(', '), compared, differences };
}

/** What a row says of itself by which a person knows it, as in `Company name "Harbor", Amount requested 100`; may be empty. */
export function saidBy({ kind, body }: CheckedRow): string {
  const words = comparedFields(kind).flatMap((field) => {
    const word = wordOf(body, field, kind);
    return word === null ? [] : [`${field.label} ${word.shown}`];
  });
  return words.join(', ');
}

function comparedFields(kind: RecordKind): readonly Field[] {
  const paths = [...(names[kind.name] ?? []), ...(kind.amount === null ? [] : [kind.amount])];
  const fields = fieldsOf(kind);
  return paths.flatMap((path) => fields.find((field) => field.place === 'body' && field.path === path) ?? []);
}

interface Word {
  readonly shown: string;
  /** The same for equal ones, however they are written. */
  readonly plain: string;
}

function wordOf(record: object | null, { path, segments }: Field, { amount }: RecordKind): Word | null {
  const value = record === null ? null : valueAt(record as Body, segments);
  return path === amount ? amountWord(value) : nameWord(value);
}

function amountWord(value: unknown): Word | null {
  const digits = String(value).replace(/[$, ]/g, '');
  if ((typeof value !== 'number' && typeof value !== 'string') || !/^-?\d+(\.\d+)?$/.test(digits)) return null;
  const plain = new Big(digits).toFixed();
  return { shown: plain, plain };
}

function nameWord(value: unknown): Word | null {
  if (typeof value !== 'string') return null;
  const plain = value
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
  return plain === '' ? null : { shown: `"${shortened(value.trim())}"`, plain };
}
