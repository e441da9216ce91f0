/**
 * Compares a record of the service with a row. Its one rule: it compares only what a service returns as it got it: names, ignoring
 * case and punctuation, and amounts. Nothing sensitive.
 */

import Big from 'big.js';
import { valueAt } from '../contract/body-path.ts';
import { fieldsOf } from '../contract/fields.ts';
import type { RecordKind, RecordKindName } from '../contract/record-kind.ts';
import { recordKind } from '../contract/record-kinds.ts';
import type { Body, CheckedRow } from '../mapping/body.ts';
import { shownValue } from '../messages/message.ts';
import { messageOf } from '../messages/text.ts';

const names: Readonly<Partial<Record<RecordKindName, readonly string[]>>> = {
  deals: ['company.name', 'company.dba', 'owner1.firstName', 'owner1.lastName'],
  companies: ['name', 'dba'],
};

/**
 * @param record  the record under the id, with its documented field names
 * @returns `says`: the record in words, as in `Company name "Harbor", Amount requested 100`; empty if it has none of these values
 */
export function likenessOf(kindName: RecordKindName, record: object | null, row: CheckedRow | null) {
  const kind = recordKind(kindName);
  const there = wordsOf(kind, record);
  const here = wordsOf(kind, row?.body ?? null);
  const both = [...there].flatMap(([label, word]) => {
    const other = here.get(label);
    return other === undefined ? [] : [{ label, word, other }];
  });
  const differing = both.filter(({ word, other }) => word.plain !== other.plain);
  return {
    says: textOf(there),
    compared: both.length,
    differences: differing.map(({ label, word, other }) =>
      messageOf('value-differs', { label, there: word.shown, here: other.shown }),
    ),
  };
}

export function namesAndAmountOf({ kind, body }: CheckedRow): string {
  return textOf(wordsOf(kind, body));
}

interface Word {
  readonly shown: string;
  /** Normalized, for comparison. */
  readonly plain: string;
}

function wordsOf(kind: RecordKind, record: object | null): ReadonlyMap<string, Word> {
  const words = new Map<string, Word>();
  for (const path of [...(names[kind.name] ?? []), ...(kind.amount === null ? [] : [kind.amount])]) {
    const field = fieldsOf(kind).find((one) => one.place === 'body' && one.path === path);
    if (field === undefined || record === null) continue;
    const value = valueAt(record as Body, field.segments);
    const word = path === kind.amount ? amountWord(value) : nameWord(value);
    if (word !== null) words.set(field.label, word);
  }
  return words;
}

function textOf(words: ReadonlyMap<string, Word>): string {
  return [...words].map(([label, { shown }]) => `${label} ${shown}`).join(', ');
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
  return plain === '' ? null : { shown: `"${shownValue(value.trim())}"`, plain };
}
