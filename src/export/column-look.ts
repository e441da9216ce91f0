/** What the name of a field and all of its values say of its column: a label, how it is shown, what it is about. What is in doubt stays text. */
import type { PathSegment } from '../contract/fields.ts';
import { plainText } from '../service/plain-text.ts';
import { excelDigits } from '../sheets/excel-limits.ts';
import type { ColumnLook, ColumnMeaning } from '../workbooks/export-sheet.ts';
import type { ValueFacts } from './record-shape.ts';

const capitals = /^(?:id|ein|ssn|dba|url|apr|nsf|uuid|guid|iso|tin|utc|zip|dob)$/;
const identifier =
  /\b(?:ids?|uuid|guid|number|no|num|code|key|ref|reference|zip|postcode|phone|fax|ein|ssn|tin|iban|routing|account|naics|sic)$/;
const money =
  /\b(?:amounts?|balances?|payments?|payback|paid|principal|fees?|charges?|interest|total|due|owed|owing|price|costs?|commission|revenue|gross|net|deposits?|outstanding|remaining|overdue|arrears|advance|funded|proceeds|income|profit|cash|usd)\b/;
/** Beside a word for money, these say that the value is something else. */
const noMoney =
  /\b(?:rates?|ratio|pct|count|days?|months?|weeks?|terms?|frequency|dates?|at|on|number|factor|type|status|score|times|quantity|year|name|kind|method|interval|cents)\b/;
/** A name that says no more than this takes that of its object to it: `balance.value`. */
const vague = /^(?:amount|value|total)$/;
const moneyDecimals = 2;

/** `pastDueAmount`, `past_due_amount` and `Past due amount` to `past due amount`. */
export function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());
}

/** `company.name` to `Company name`; `owner.ownerId` to `Owner ID`: what a parent has said is not said again. */
export function labelOf(segments: readonly PathSegment[]): string {
  const words: string[] = [];
  for (const segment of segments) {
    const own = typeof segment === 'number' ? [String(segment + 1)] : wordsOf(segment);
    const isRepeated = own.length > words.length && words.every((word, index) => word === own[index]);
    words.push(...(isRepeated ? own.slice(words.length) : own));
  }
  const text = words.map((word) => (capitals.test(word) ? word.toUpperCase() : word)).join(' ');
  return text === '' ? plainText(segments.join('.')) || 'Without a name' : text.charAt(0).toUpperCase() + text.slice(1);
}

export function lookOf(segments: readonly PathSegment[], facts: ValueFacts): ColumnLook {
  const own = ownWords(segments);
  const { kinds } = facts;
  if (identifier.test(own) || kinds.has('records') || kinds.has('list')) return 'text';
  if (kinds.has('flag')) return facts.areAll('flag') ? 'yes-no' : 'text';
  if (facts.areAll('day')) return 'date';
  if (facts.areAll('day', 'moment', 'zoned')) return 'date-time';
  const isMoney = money.test(own) && !noMoney.test(own);
  if (isMoney && (kinds.has('number') || facts.areAll('decimal'))) return 'money';
  if (!kinds.has('number')) return 'text';
  if (facts.mostDecimals === moneyDecimals && !noMoney.test(own)) return 'money';
  if (facts.mostDigits > excelDigits) return 'text';
  return facts.mostDecimals === 0 && !own.endsWith('year') ? 'integer' : 'number';
}

export function meaningOf(segments: readonly PathSegment[], look: ColumnLook): ColumnMeaning {
  const words = ownWords(segments);
  if (look === 'money') return /\b(?:balance|outstanding)\b/.test(words) ? 'balance' : null;
  if (look !== 'text') return null;
  if (/\b(?:status|stage)$/.test(words)) return 'status';
  if (identifier.test(words)) return 'id';
  return /\b(?:funder|lender|investor|portfolio|program|product)\b/.test(allWords(segments)) ? 'funder' : null;
}

function ownWords(segments: readonly PathSegment[]): string {
  const own = allWords(segments.slice(-1));
  return vague.test(own) ? allWords(segments.slice(-2)) : own;
}

function allWords(segments: readonly PathSegment[]): string {
  return segments.flatMap((segment) => (typeof segment === 'number' ? [] : wordsOf(segment))).join(' ');
}
