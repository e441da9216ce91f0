/** What the format of a cell adds to an amount, and the number in the cell does not say: `DR`, `k`, `days`, brackets. */
import type { FormatAddition, NumberCell } from '../../sheets/cell.ts';
import { roundToExcel } from '../../sheets/excel-digits.ts';
import { orHidden, type Remark, remark } from '../remark.ts';

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
export function faultOfAddition({ adds, value }: NumberCell, isMoney: boolean): Remark | null {
  if (adds === undefined || !isAnotherAmount(adds, isMoney)) return null;
  if (adds.kind === 'time') return remark`is a time of day, not a number. Format the cell as a number.`;
  if (adds.kind === 'duration') return remark`is a duration, not a number. Format the cell as a number.`;
  if (adds.kind === 'sign')
    return remark`is shown as ${adds.shown} by the format of its cell alone: the number in it is ${roundToExcel(value)}. Format the cell as a number that shows its own sign, and write the amount with the sign that it is to have, like 1250 or -1250.`;
  if (adds.kind === 'scientific' || adds.kind === 'fraction' || adds.kind === 'unseen') return null;
  const isSize = adds.kind === 'scale' || (isMoney && adds.words.split(' ').some((word) => otherSize.test(word)));
  return isSize
    ? remark`is shown so by the format of its cell alone: the number in it is ${roundToExcel(value)}. ${plainly}, like 50000 for 50k.`
    : remark`${hasWords(adds.words)} from the format of its cell alone: the number in it is ${roundToExcel(value)}. ${plainly} with the sign that it is to have, like 1250 or -1250.`;
}

const plainly = remark`Format the cell as a number without words, and write the whole amount`;

/** The note on what leaves the amount what it is: words beside money, and a format that shows nothing. */
export function saidBeside({ adds, value }: NumberCell, isMoney: boolean): Remark | null {
  if (adds?.kind === 'unseen')
    return remark`is hidden by the format of its cell, which shows nothing there, and is read as ${roundToExcel(value)}.`;
  if (adds?.kind !== 'words' || !isMoney) return null;
  return remark`${hasWords(adds.words)} from the format of its cell, and is read as ${roundToExcel(value)}.`;
}

function hasWords(words: string): Remark {
  return orHidden(remark`has "${words}"`, remark`has words`);
}

/** Debit and credit. A small c or d is rather a cent or a day. */
const otherSign = /^(?:[CD]|[CDcd][Rr]|[Cc]redit|[Dd]ebit|CREDIT|DEBIT)\.?$/;
const otherSize =
  /^(?:k|m{1,2}|mn|mio|mil|mill|millions?|b|bn|billions?|mrd|md|t|tn|tsd|thsd|thousands?|hundreds?|lakhs?|lacs?|crores?)\.?$/i;
