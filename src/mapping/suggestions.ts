/** Suggests fields for a header that names none: those that share its words, or differ by a typo. */
import { distance } from 'fastest-levenshtein';
import { type Field, fieldsOf, templateFieldsOf } from '../contract/fields.ts';
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

export function suggestionsFor(kind: RecordKind, name: string): readonly Suggestion[] {
  if (name.length > longestName) return [];
  const wanted = wordsOf(name);
  const isNumbered = /\d/.test(name);
  const best = new Map<Field, number>();
  for (const { field, words, joined, isFirst } of namesOf(kind)) {
    const score = isFirst || isNumbered ? likeness(wanted, words, joined) : 0;
    if (score >= leastScore && !isOtherMeasure(name, field)) best.set(field, Math.max(score, best.get(field) ?? 0));
  }
  const scored = [...best].map(([field, score]) => ({ field, score }));
  const sorted = scored.sort((one, other) => other.score - one.score);
  return sorted.filter(({ score }) => score >= (sorted[0]?.score ?? 0) * leastOfBest).slice(0, mostSuggestions);
}

/** `Payment %` is a share, not an amount. */
export function isOtherMeasure(header: string, { format }: Field): boolean {
  return format === 'money' && header.includes('%');
}

/** `"A"`, `"A" or "B"`, `"A", "B" or "C"`; `null` without suggestions. */
export function suggestedLabels(kind: RecordKind, name: string): string | null {
  const labels = suggestionsFor(kind, name).map(({ field }) => `"${field.label}"`);
  const last = labels.pop() ?? null;
  return labels.length === 0 ? last : `${labels.join(', ')} or ${last}`;
}

/** The weight of the words shared with the header. The rest is the weight of those shared with the field. */
const shareOfName = 0.6;

function likeness(wanted: readonly string[], words: readonly string[], joined: string): number {
  const shared = wanted.reduce((sum, word) => sum + Math.max(0, ...words.map((other) => sameness(word, other))), 0);
  if (shared === 0) return isNear(wanted.join(''), joined) ? shareOfName : 0;
  return (shareOfName * shared) / wanted.length + ((1 - shareOfName) * shared) / words.length;
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
  return namesOf(kind).find(({ joined, isFirst }) => isFirst && isNear(header, joined))?.field ?? null;
}

/** Every name of each field. For a list, a header without a number means the first part. */
const namesOf = oncePer((kind: RecordKind) => {
  const first = new Set(templateFieldsOf(kind, 'every'));
  return fieldsOf(kind).flatMap((field) =>
    // In the sheet of its own kind, people call a Ref by the kind: `Deal #`, `Merchant ID`.
    [...field.headers, ...(field.path === 'ref' ? kind.sheetAliases.map((name) => `${name} ref`) : [])].map(
      (header) => {
        const words = wordsOf(header);
        return { field, words, joined: words.join(''), isFirst: first.has(field) };
      },
    ),
  );
});

/** Shorter words must match exactly, so that SSN does not match EIN. */
const shortestMisspelt = 4;
const longEnoughForTwo = 6;

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
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}
