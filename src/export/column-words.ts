/** What the name of a field says: its words, a label for people, and what kind of value stands behind it. */
import type { PathSegment } from '../contract/fields.ts';
import { plainText } from '../service/plain-text.ts';

const acronyms = new Set([
  'id',
  'ids',
  'ein',
  'ssn',
  'dba',
  'url',
  'apr',
  'nsf',
  'nsfs',
  'uuid',
  'guid',
  'iso',
  'tin',
  'utc',
]);
const spelling: ReadonlyMap<string, string> = new Map([
  ['ids', 'IDs'],
  ['nsfs', 'NSFs'],
  ['zip', 'ZIP'],
  ['dob', 'date of birth'],
]);

const identifierEndings = new Set(
  'id ids uuid guid number no num code key ref reference zip postcode phone fax ein ssn tin iban routing account naics sic'.split(
    ' ',
  ),
);
const moneyWords = new Set(
  'amount amounts balance balances payment payments payback paid principal fee fees charge charges interest total due owed owing price cost costs commission revenue gross net deposit deposits outstanding remaining overdue arrears advance funded proceeds income profit budget cash usd'.split(
    ' ',
  ),
);
/** Beside a money word, these say that the value is something else. */
const noMoneyWords = new Set(
  'rate rates ratio percent percentage pct count days day months month weeks term terms frequency date dates at on number factor type status score times quantity year name kind method interval cents'.split(
    ' ',
  ),
);
const percentWords = new Set(['percent', 'percentage', 'pct', 'apr', 'ownership']);

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
  for (const [index, segment] of segments.entries()) {
    const own = typeof segment === 'number' ? [String(segment + 1)] : wordsOf(segment);
    const added = typeof segments[index + 1] === 'number' ? [...own.slice(0, -1), singular(own.at(-1) ?? '')] : own;
    const isRepeated = added.length > words.length && words.every((word, index) => word === added[index]);
    words.push(...(isRepeated ? added.slice(words.length) : added));
  }
  const text = words.map((word) => spelling.get(word) ?? (acronyms.has(word) ? word.toUpperCase() : word)).join(' ');
  return text === '' ? plainText(segments.join('.')) || 'Without a name' : text.charAt(0).toUpperCase() + text.slice(1);
}

/** One of a list: `addresses` to `address`. */
function singular(word: string): string {
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return word.replace(/(?<=ss|x|ch|sh)es$|(?<=[^s])s$/, '');
}

/** What a value is about: its own name, and that of its object where its own says no more than `amount` (`balance.value`). */
export function ownWordsOf(segments: readonly PathSegment[]): readonly string[] {
  const own = wordsOf(String(segments.at(-1)));
  const parent = segments.at(-2);
  return own.length === 1 && vague.has(own[0] ?? '') && typeof parent === 'string' ? [...wordsOf(parent), ...own] : own;
}

const vague = new Set(['amount', 'value', 'total']);

export function namesIdentifier(words: readonly string[]): boolean {
  return identifierEndings.has(words.at(-1) ?? '');
}

export function namesMoney(words: readonly string[]): boolean {
  return words.some((word) => moneyWords.has(word)) && !words.some((word) => noMoneyWords.has(word));
}

/** Whether a value with two decimals under this name may be money. */
export function mayBeMoney(words: readonly string[]): boolean {
  return !words.some((word) => noMoneyWords.has(word) || percentWords.has(word));
}

export function namesPercent(words: readonly string[]): boolean {
  return words.some((word) => percentWords.has(word));
}

export function namesMoment(words: readonly string[]): boolean {
  return ['at', 'date', 'time', 'timestamp', 'on'].includes(words.at(-1) ?? '');
}
