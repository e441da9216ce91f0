/** How a field is shown, from its name and from all of its values. What is in doubt stays text: text is exact. */
import type { PathSegment } from '../contract/fields.ts';
import { excelDigits } from '../sheets/excel-digits.ts';
import type { ColumnLook, ColumnMeaning } from '../workbooks/export-column.ts';
import {
  mayBeMoney,
  namesIdentifier,
  namesMoment,
  namesMoney,
  namesPercent,
  ownWordsOf,
  wordsOf,
} from './column-words.ts';
import type { ValueFacts } from './record-shape.ts';

const moneyDecimals = 2;
const epochSeconds = [1e9, 4e9] as const;
const epochMilliseconds = [1e12, 4e12] as const;

export function lookOf(segments: readonly PathSegment[], facts: ValueFacts): ColumnLook {
  const words = segments.flatMap((segment) => (typeof segment === 'number' ? [] : wordsOf(segment)));
  const ownWords = ownWordsOf(segments);
  const isOther = facts.recordLists + facts.plainLists > 0;
  if (isOther || namesIdentifier(ownWords)) return 'text';
  if (facts.booleans > 0) return facts.numbers + facts.texts === 0 ? 'yes-no' : 'text';
  if (facts.numbers > 0) return lookOfNumbers(ownWords, facts);
  return lookOfTexts(words, facts);
}

function lookOfNumbers(words: readonly string[], facts: ValueFacts): ColumnLook {
  if (namesMoment(words) && facts.integers === facts.numbers && isEpoch(facts.largest)) return 'date-time';
  if (namesPercent(words)) return facts.largest <= 1 && facts.mostDecimals > 0 ? 'number' : 'percent';
  if (namesMoney(words) || (facts.mostDecimals === moneyDecimals && mayBeMoney(words))) return 'money';
  if (facts.mostDigits > excelDigits) return 'text';
  return facts.integers === facts.numbers && words.at(-1) !== 'year' ? 'integer' : 'number';
}

function lookOfTexts(words: readonly string[], facts: ValueFacts): ColumnLook {
  const filled = facts.texts - facts.emptyTexts;
  if (filled === 0) return 'text';
  if (facts.dates === filled) return 'date';
  if (facts.dates + facts.moments === filled) return facts.midnights === facts.moments ? 'date' : 'date-time';
  if (facts.percentTexts === filled) return 'percent';
  if (facts.numericTexts + facts.formattedAmounts === filled) {
    if (facts.formattedAmounts > 0 || namesMoney(words)) return 'money';
  }
  return 'text';
}

/** Whether a number may be a moment, in seconds or milliseconds; no list has so many records. */
export function isEpoch(number: number): boolean {
  return [epochSeconds, epochMilliseconds].some(([least, most]) => number >= least && number < most);
}

export function meaningOf(segments: readonly PathSegment[], look: ColumnLook): ColumnMeaning {
  const words = ownWordsOf(segments);
  const says = (...some: readonly string[]) => some.some((word) => words.includes(word));
  const isPastDue = says('overdue', 'arrears', 'delinquent') || (says('past') && says('due'));
  if (look === 'money' || look === 'integer') {
    if (isPastDue) return 'overdue';
    return look === 'money' && says('balance', 'outstanding') ? 'balance' : null;
  }
  if (look === 'date' && (says('maturity') || (says('due') && !says('paid')))) return 'due-date';
  if (look !== 'text') return null;
  if (['status', 'stage'].includes(words.at(-1) ?? '')) return 'status';
  return namesIdentifier(words) ? 'id' : null;
}
