/** Suggests fields for a header that names none: those that share its words, or differ by a typo. */
import { distance } from 'fastest-levenshtein';
import { type Field, fieldsOf, isLink, templateFieldsOf } from '../contract/fields.ts';
import type { RecordKind } from '../contract/record-kind.ts';
import { oncePer } from '../once.ts';

export interface Suggestion {
  readonly field: Field;
  readonly score: number;
}

const mostSuggestions = 3;
const longestName = 200;
const leastScore = 0.5;
const leastOfBest = 0.9;
/** Whose id it is tells more than that it is one. */
const idWord = 'id';
/** A header without a number means the first part of a list, and often with one: `Owner 2 cel` is hardly Owner 1 phone 2. */
const shareOfLater = 0.97;

export function suggestionsFor(kind: RecordKind, name: string): readonly Suggestion[] {
  if (name.length > longestName) return [];
  const wanted = wordsOf(name.replaceAll('%', '').replace(/#\s*$/, ` ${idWord}`));
  const numbers = name.match(/\d+/g) ?? [];
  const isId = wanted.at(-1) === idWord;
  const about = isId ? wanted.slice(0, -1) : wanted;
  const { names, weightOf } = namesOf(kind);
  const best = new Map<Field, number>();
  for (const { field, words, joined, isFirst } of names) {
    const share = isFirst ? 1 : numbers.length > 0 ? shareOfLater : 0;
    const isOther = isId !== words.includes(idWord) && (isId || field.path === 'ref');
    if (share === 0 || isOther || isOtherMeasure(name, field)) continue;
    const own = isId ? words.filter((word) => word !== idWord) : words;
    const score = share * likeness(about, own, joined, weightOf);
    if (score >= leastScore) best.set(field, Math.max(score, best.get(field) ?? 0));
  }
  // The id of another system goes into the Ref, or into that of the row that this one belongs to.
  const [key] = fieldsOf(kind).filter(isLink);
  if (isId && best.size === 0 && key !== undefined) return [{ field: key, score: leastScore }];
  const scored = [...best].map(([field, score]) => ({ field, score }));
  const numbered = scored.filter(({ field }) => numbers.every((number) => wordsOf(field.label).includes(number)));
  const sorted = (numbered.length > 0 ? numbered : scored).sort((one, other) => other.score - one.score);
  const { field: nearest = null, score: most = 0 } = sorted[0] ?? {};
  const both = refAndId(kind, nearest).map((field) => ({ field, score: most }));
  const near = sorted.filter(({ score }) => score >= most * leastOfBest);
  // Of several that are near, a field that each record has is the likelier: `Merchant` is rather its name than its address.
  const isListed = ({ field }: Suggestion) => Number(field.facts.listed === true);
  return both.length > 0 ? both : near.sort((a, b) => isListed(b) - isListed(a)).slice(0, mostSuggestions);
}

/** For the id of another record, that and the Ref that can replace it: a header such as `Deal #` does not tell which. */
export function refAndId(kind: RecordKind, of: Field | null): readonly Field[] {
  const reference = kind.references.find(({ fills }) => fills === of?.path);
  return fieldsOf(kind).filter(({ path }) => path === reference?.column || path === reference?.fills);
}

/** Signs that say what a figure is. A minus is one unless a word follows: `Amount (-)`. */
const signs = /[\p{Sc}%‰‱#±]|[\p{Pd}−](?![\s([]*[\p{L}\p{N}$%#])/gu;
const ownSigns: Record<string, string> = { money: '$', percent: '%', number: '#', 'text-or-number': '$%' };

/** `Payment %` is a share, `Amount #` a number, `Amount (£)` of another currency: none is an amount. */
export function isOtherMeasure(header: string, { format }: Field): boolean {
  const own = ownSigns[format];
  if (own === undefined) return header.includes('%');
  // With +/- the figures have signs of their own.
  const found = header.replace(/\+\s*\/?\s*[-−]/g, '').match(signs) ?? [];
  return found.some((sign) => !own.includes(sign));
}

/** A header with its signs as words: `%` is percent, `#` is number unless a digit follows, `2nd` is second. */
export function spelledOut(header: string): string {
  if (!/[%#]|[12](?:st|nd)/i.test(header)) return header;
  const words = header.replaceAll('%', ' percent ').replace(/#(?!\s*\d)/g, ' number ');
  return words.replace(/\b1st\b/gi, 'first').replace(/\b2nd\b/gi, 'second');
}

/** `"A"`, `"A" or "B"`, `"A", "B" or "C"`; `null` without suggestions. */
export function suggestedLabels(kind: RecordKind, name: string, taken: ReadonlySet<Field | null>): string | null {
  const labels = suggestionsFor(kind, name)
    .filter(({ field }) => !taken.has(field))
    .map(({ field }) => `"${field.label}"`);
  const last = labels.pop() ?? null;
  return labels.length === 0 ? last : `${labels.join(', ')} or ${last}`;
}

/** How much the words shared with the header count. The rest is for those shared with the field. */
const shareOfName = 0.6;

type WeightOf = (word: string) => number;

function likeness(wanted: readonly string[], words: readonly string[], joined: string, weightOf: WeightOf): number {
  let [shared, all] = [0, 0];
  const met = words.map(() => 0);
  for (const word of wanted) {
    const samenesses = words.map((other) => sameness(word, other));
    const most = Math.max(...samenesses);
    const at = samenesses.indexOf(most);
    const weight = Math.min(weightOf(word), most === 0 ? 1 : weightOf(words[at] ?? word));
    shared += most * weight;
    all += weight;
    // A word that the header says twice, as in `Deal Deals #`, is one word of the field.
    met[at] = Math.max(met[at] ?? 0, most * weight);
  }
  if (shared === 0) return isNear(wanted.join(''), joined) ? shareOfName : 0;
  const sumOf = (weights: readonly number[]) => weights.reduce((sum, weight) => sum + weight, 0);
  return (shareOfName * shared) / all + ((1 - shareOfName) * sumOf(met)) / sumOf(words.map(weightOf));
}

const shortestBeginning = 3;
/** `Funded` may mean `Funding`, but `State` is not `Stage`. */
const weightOfNear = 0.7;

function sameness(one: string, other: string): number {
  if (one === other || one === `${other}s` || (one.length >= shortestBeginning && other.startsWith(one))) return 1;
  const isMisspelt = isNear(one, other) && (one.length > shortestMisspelt || sorted(one) === sorted(other));
  return isMisspelt || isSameStem(one, other) ? weightOfNear : 0;
}

const shortestStem = 4;
const longestEnding = 3;

/** `funded`, `funding` */
function isSameStem(one: string, other: string): boolean {
  const stem = Math.max(shortestStem, Math.max(one.length, other.length) - longestEnding);
  return other.length >= stem && one.startsWith(other.slice(0, stem));
}

/** The field with a name that differs from a header by a typo, or `null`. */
export function nearField(kind: RecordKind, header: string): Field | null {
  return namesOf(kind).names.find(({ joined, isFirst }) => isFirst && isNear(header, joined))?.field ?? null;
}

/** Every name of each field, and how much each word tells: one of many parts of a record, such as `owner`, tells little. */
const namesOf = oncePer((kind: RecordKind) => {
  const first = new Set(templateFieldsOf(kind, 'every'));
  const partsWith = new Map<string, Set<unknown>>();
  const names = fieldsOf(kind).flatMap((field) =>
    // In the sheet of its own kind, people call a Ref by the kind: `Deal #`, `Merchant ID`.
    [...field.headers, ...(field.path === 'ref' ? kind.sheetAliases.map((name) => `${name} ${idWord}`) : [])].map(
      (header) => {
        const words = wordsOf(header);
        const isFirst = first.has(field);
        const part = field.segments.at(-1);
        if (isFirst) for (const word of words) partsWith.set(word, (partsWith.get(word) ?? new Set()).add(part));
        return { field, words, joined: words.join(''), isFirst };
      },
    ),
  );
  return { names, weightOf: (word: string) => (/\d/.test(word) ? 1 : 1 / Math.sqrt(partsWith.get(word)?.size ?? 1)) };
});

/** Shorter words must match exactly, so that SSN does not match EIN. */
const shortestMisspelt = 4;
const longEnoughForTwo = 7;

/** Whether two letters differ (one in short words) or two are swapped. The first or last letter must be the same. */
function isNear(one: string, other: string): boolean {
  const longest = Math.max(one.length, other.length);
  const shortest = Math.min(one.length, other.length);
  if (shortest < shortestMisspelt || longest - shortest > 2) return false;
  const isSameEnd = one.charCodeAt(one.length - 1) === other.charCodeAt(other.length - 1);
  if (!isSameEnd && one.charCodeAt(0) !== other.charCodeAt(0)) return false;
  const away = distance(one, other);
  if (away === 2 && longest < longEnoughForTwo) return sorted(one) === sorted(other);
  return away <= 2;
}

function sorted(word: string): string {
  return [...word].sort().join('');
}

/** `Owner 1 SSN` to `owner`, `1`, `ssn`; `legalName` to `legal`, `name`. */
function wordsOf(name: string): readonly string[] {
  return spelledOut(name)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}
