/** The values of two months, made alike: exact numbers of texts, and texts of values. */
import Big from 'big.js';
import type { OutputValue } from '../../sheets/sheet-writer.ts';
import type { ChangedRecord } from '../../workbooks/changes-sheet.ts';
import { exactNumber } from './previous-values.ts';

export function isEqual(a: Big | null, b: Big | null): boolean {
  return a === null || b === null ? a === b : a.eq(b);
}

export function amountChange(before: Big | null, now: Big | null): ChangedRecord['amounts'][number] {
  const difference = (now ?? new Big(0)).minus(before ?? new Big(0));
  return { before: before?.toFixed() ?? null, now: now?.toFixed() ?? null, difference: difference.toFixed() };
}

export function decimalOf(text: string): Big | null {
  return exactNumber.test(text) ? new Big(text) : null;
}

/** A value as the text that it has in a file of last month. */
export function textOf(value: OutputValue): string {
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  if (typeof value !== 'object') return String(value);
  if ('day' in value) return value.time === undefined ? value.day : `${value.day} ${value.time}`;
  return 'digits' in value ? value.digits : value.text;
}
