/** What the format of a cell adds to an amount, and the number in the cell does not say: `DR`, `k`, `days`, brackets. */

import { amountMessage } from '../../messages/amounts.ts';
import type { Message } from '../../messages/message.ts';
import type { FormatAddition, NumberCell } from '../../sheets/cell.ts';
import { roundToExcel } from '../../sheets/excel-digits.ts';
import { formOf } from '../reading.ts';

/**
 * Whether the number alone is another amount than the one that a person sees.
 * @param isMoney  elsewhere a short word may be a measure: a term of `12m` is one of months
 */
export function isAnotherAmount(adds: FormatAddition, isMoney: boolean): boolean {
  if (adds.kind === 'scientific' || adds.kind === 'fraction' || adds.kind === 'unseen') return false;
  if (adds.kind !== 'words') return true;
  return adds.words.split(' ').some((word) => otherSign.test(word) || (isMoney && otherSize.test(word)));
}

/** What is wrong with the amount of such a cell, or `null` where it is to be told and no more. */
export function faultOfAddition(cell: NumberCell, isMoney: boolean): Message | null {
  const { adds } = cell;
  if (adds === undefined || !isAnotherAmount(adds, isMoney)) return null;
  const form = formOf(cell);
  if (form !== null) return amountMessage('no-number-but', { form });
  const number = roundToExcel(cell.value);
  if (adds.kind === 'sign') return amountMessage('sign-by-format', { shown: adds.shown, number });
  if (adds.kind !== 'words') return amountMessage('size-by-format', { number });
  const { words } = adds;
  const isSize = isMoney && words.split(' ').some((word) => otherSize.test(word));
  return isSize ? amountMessage('size-by-format', { number }) : amountMessage('words-by-format', { words, number });
}

/** The note on what leaves the amount what it is: words beside money, and a format that shows nothing. */
export function noteBeside({ adds, value }: NumberCell, isMoney: boolean): Message | null {
  const number = roundToExcel(value);
  if (adds?.kind === 'unseen') return amountMessage('shown-as-nothing', { number });
  return adds?.kind === 'words' && isMoney ? amountMessage('words-beside', { words: adds.words, number }) : null;
}

/** Debit and credit. A small c or d is rather a cent or a day. */
const otherSign = /^(?:[CD]|[CDcd][Rr]|[Cc]redit|[Dd]ebit|CREDIT|DEBIT)\.?$/;
const otherSize =
  /^(?:k|m{1,2}|mn|mio|mil|mill|millions?|b|bn|billions?|mrd|md|t|tn|tsd|thsd|thousands?|hundreds?|lakhs?|lacs?|crores?)\.?$/i;
