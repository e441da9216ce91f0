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
const percent = /\b(?:percent|percentage|pct|apr|ownership)\b/;
const moment = /\b(?:at|date|time|timestamp|on)$/;
const pastDue = /\b(?:overdue|arrears|delinquent)\b|\bpast\b.*\bdue\b/;
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
  if (kinds.has('records') || kinds.has('list') || identifier.test(own)) return 'text';
  if (kinds.has('flag')) return facts.areAll('flag') ? 'yes-no' : 'text';
  return kinds.has('number') ? lookOfNumbers(own, facts) : lookOfTexts(own, facts);
}

function lookOfNumbers(words: string, facts: ValueFacts): ColumnLook {
  const areWhole = facts.mostDecimals === 0;
  if (moment.test(words) && areWhole && isEpoch(facts.largest)) return 'date-time';
  if (percent.test(words)) return facts.largest <= 1 && !areWhole ? 'number' : 'percent';
  if (!noMoney.test(words) && (money.test(words) || facts.mostDecimals === moneyDecimals)) return 'money';
  if (facts.mostDigits > excelDigits) return 'text';
  return areWhole && !words.endsWith('year') ? 'integer' : 'number';
}

function lookOfTexts(words: string, facts: ValueFacts): ColumnLook {
  if (facts.areAll('day')) return 'date';
  if (facts.areAll('day', 'moment', 'zoned')) return 'date-time';
  if (facts.areAll('percent')) return 'percent';
  const isNamed = facts.kinds.has('amount') || (money.test(words) && !noMoney.test(words));
  return isNamed && facts.areAll('decimal', 'amount') ? 'money' : 'text';
}

/** Whether a number may be a moment, in seconds or milliseconds from 2001 on. */
function isEpoch(number: number): boolean {
  return [1e9, 1e12].some((least) => number >= least && number < least * 4);
}

export function meaningOf(segments: readonly PathSegment[], look: ColumnLook): ColumnMeaning {
  const words = ownWords(segments);
  if (look === 'money' && pastDue.test(words)) return 'overdue';
  if (look === 'money') return /\b(?:balance|outstanding)\b/.test(words) ? 'balance' : null;
  if (look === 'date') return /\bmaturity\b|\bdue\b/.test(words) ? 'due-date' : null;
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
