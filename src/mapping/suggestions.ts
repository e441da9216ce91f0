/**
 * Which fields may be meant by a name that none of them has. Its one rule: words that are the field's own go before letters that are
 * alike, so that no SSN is taken for an EIN; and where nothing shares a word, nothing is suggested.
 */
import { distance } from 'fastest-levenshtein';
import { type Field, fieldsOf } from '../contract/fields.ts';
import type { RecordKind } from '../contract/record-kind.ts';
import { isOtherMeasure } from './other-measure.ts';

export interface Suggestion {
  readonly field: Field;
  /** From 0 to 1: how much of the name the field says, and how much of the field the name. */
  readonly score: number;
  /** Every word of the name is one of the field's, no other field has them all, and they are most of what the field says. */
  readonly isSure: boolean;
}

const mostSuggestions = 3;
/** What is longer is text, and no name of anything. */
const longestName = 200;
const leastSureScore = 0.85;
/** What is further behind the best is no second choice. */
const leastOfBest = 0.9;

/** The fields that come near, the nearest first; none where nothing does. */
export function suggestionsFor(kind: RecordKind, name: string): readonly Suggestion[] {
  if (name.length > longestName) return [];
  const wanted = wordsOf(name);
  const vocabulary = vocabularyOf(kind);
  if (wanted.every((word) => vocabulary.ownNames.has(word))) return [];
  const known = wanted.some(saysFurther) ? vocabulary.fields : vocabulary.firstFields;
  const meant = known.filter(({ field }) => !isOtherMeasure(name, field));
  const names = namesOf(wanted, meant, vocabulary);
  if (names.length > 0) return names;
  const found = nearestOf(meant.flatMap((one) => matchesOf(one, wanted, vocabulary)));
  const usual = found.filter(({ field }) => field.common);
  const shown = usual.length > 0 ? usual : found;
  const best = shown[0]?.score ?? 0;
  const isSure = ({ nearness, score }: Match) =>
    nearness === 'same words' && found.length === 1 && score >= leastSureScore;
  return shown
    .filter(({ score }) => score >= best * leastOfBest)
    .slice(0, mostSuggestions)
    .map((match) => ({ field: match.field, score: match.score, isSure: isSure(match) }));
}

/** Of a column that is called by the whole alone, such as `Merchant`, the fields that are its name. */
function namesOf(
  wanted: readonly string[],
  meant: readonly KnownField[],
  { ownNames }: Vocabulary,
): readonly Suggestion[] {
  const whole = wanted.filter((word) => !ownNames.has(word)).join('');
  const names = meant.filter(({ field }) => field.nameOf.some((words) => wordsOf(words).join('') === whole));
  return names.map(({ field }) => ({ field, score: scoreOfName, isSure: names.length === 1 }));
}

const scoreOfName = 0.9;

/** `"A"`, `"A" or "B"`, `"A", "B" or "C"`; `null` where nothing comes near. */
export function suggestedLabels(kind: RecordKind, name: string): string | null {
  const labels = suggestionsFor(kind, name).map(({ field }) => `"${field.label}"`);
  const last = labels.pop();
  if (last === undefined) return null;
  return labels.length === 0 ? last : `${labels.join(', ')} or ${last}`;
}

/** What is found of one of these hides what is found of the next. */
const nearnesses = [
  /** The field has every word of the name. */
  'same words',
  /** The name is made of the initials of the field's words. */
  'initials',
  /** Word by word the same but for a slip of the hand. */
  'misspelt',
  'some words',
] as const;

interface Match {
  readonly field: Field;
  readonly score: number;
  readonly nearness: (typeof nearnesses)[number];
}

/** Those of the best kind that there is, each field once, the nearest first. */
function nearestOf(matches: readonly Match[]): readonly Match[] {
  const found = nearnesses.map((wanted) => matches.filter(({ nearness }) => nearness === wanted));
  const [first = []] = found.filter((some) => some.length > 0);
  const sorted = first.toSorted((one, other) => other.score - one.score);
  return sorted.filter(({ field }, index) => sorted.findIndex((other) => other.field === field) === index);
}

interface Vocabulary {
  readonly fields: readonly KnownField[];
  /** Those that are meant where nothing says that a second one is. */
  readonly firstFields: readonly KnownField[];
  /** The words of the name of the kind itself. */
  readonly ownNames: ReadonlySet<string>;
  /** What a word tells: less, the more fields have it. */
  readonly weightOf: (word: string) => number;
}

interface KnownField {
  readonly field: Field;
  readonly ways: readonly Way[];
  /** Whether it is a second owner, phone or the like: that is meant only where the name says so. */
  readonly isFurther: boolean;
}

/** One way to say a field. */
interface Way {
  readonly words: readonly string[];
  /** The same without anything between the words. */
  readonly joined: string;
  readonly initials: string;
}

/** A number says which one of several is meant, and nothing of what it is; nor does the name of the kind itself, as in `Deal owner`. */
const leastWeight = 0.1;

const vocabularies = new WeakMap<RecordKind, Vocabulary>();

function vocabularyOf(kind: RecordKind): Vocabulary {
  const known = vocabularies.get(kind);
  if (known !== undefined) return known;
  const fields = fieldsOf(kind).map((field) => ({
    field,
    ways: [field.label, ...field.headers].map(wayOf),
    isFurther: wordsOf(field.label).some(isFurtherNumber),
  }));
  const firstFields = fields.filter(({ isFurther }) => !isFurther);
  const counts = new Map<string, number>();
  for (const { ways } of firstFields) {
    for (const word of new Set(ways.flatMap(({ words }) => words))) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const weights = new Map([...counts].map(([word, count]) => [word, 1 / (1 + Math.log(count))]));
  const ownNames = new Set(wordsOf(kind.singular));
  const saysLittle = (word: string) => /^\d+$/.test(word) || ownNames.has(word);
  const vocabulary = {
    fields,
    firstFields,
    ownNames,
    weightOf: (word: string) => (saysLittle(word) ? leastWeight : (weights.get(word) ?? 1)),
  };
  vocabularies.set(kind, vocabulary);
  return vocabulary;
}

function wayOf(text: string): Way {
  const words = wordsOf(text);
  return { words, joined: words.join(''), initials: words.map((word) => word.charAt(0)).join('') };
}

function matchesOf(known: KnownField, wanted: readonly string[], vocabulary: Vocabulary): readonly Match[] {
  const { field, ways, isFurther } = known;
  const numbers = wanted.filter(isFurtherNumber);
  return ways
    .filter((way) => numbers.every((number) => way.words.includes(number)))
    .filter((way) => isSaidSo(way, field, wanted))
    .filter((way) => !isFurther || wanted.some((word) => saysFurther(word) && way.words.includes(word)))
    .flatMap((way) => {
      const match = matchOf(way, wanted, vocabulary);
      return match === null ? [] : [{ field, ...match }];
    });
}

/** `Guarantor ownership` and `Billing state` say what `Owner 1 ownership` and `Company address state` do to whoever uses those words. */
function isSaidSo({ words: [start = ''] }: Way, { label }: Field, wanted: readonly string[]): boolean {
  return wordsOf(label)[0] === start || wanted.some((word) => isSameWord(word, start));
}

/** Less of the name than this is no likeness. */
const leastShare = 0.5;
/** What the share of the name counts, beside that of the field. */
const shareOfName = 0.6;
const fewestInitials = 3;
/** A word that only begins another says less than the whole of it. */
const beginning = 0.8;
const shortestBeginning = 3;

function matchOf(
  { words: way, joined: wayJoined, initials }: Way,
  wanted: readonly string[],
  { weightOf }: Vocabulary,
): Omit<Match, 'field'> | null {
  const sum = (words: readonly string[]) => words.reduce((total, word) => total + weightOf(word), 0);
  const scoreOf = (share: number, said: readonly string[]) =>
    share * (shareOfName + (1 - shareOfName) * Math.min(1, sum(said) / sum(way)));
  const joined = wanted.join('');
  const run = wayJoined.includes(joined) ? runOf(way, (words) => words.join('') === joined) : null;
  if (run !== null) return { nearness: 'same words', score: scoreOf(1, run) };
  const parts = wanted.map((word) => partOf(way, word, weightOf));
  const said = parts.flatMap(({ said: word }) => (word === null ? [] : [word]));
  if (parts.every(({ share }) => share === 1)) return { nearness: 'same words', score: scoreOf(1, said) };
  if (joined.length >= fewestInitials && initials.includes(joined)) {
    const from = initials.indexOf(joined);
    return { nearness: 'initials', score: scoreOf(1, way.slice(from, from + joined.length)) };
  }
  if (isMisspelt(wanted, way)) return { nearness: 'misspelt', score: likeness(joined, wayJoined) };
  const weights = wanted.map((word, index) => weightOf(parts[index]?.said ?? word));
  const whole = weights.reduce((total, weight) => total + weight, 0);
  const share = parts.reduce((total, part, index) => total + part.share * (weights[index] ?? 0), 0) / whole;
  return share < leastShare ? null : { nearness: 'some words', score: scoreOf(share, said) };
}

/** The word of a field that a word of the name says, and how much of it. */
function partOf(
  way: readonly string[],
  word: string,
  weightOf: Vocabulary['weightOf'],
): { readonly said: string | null; readonly share: number } {
  const same = way.find((other) => isSameWord(word, other));
  if (same !== undefined) return { said: same, share: 1 };
  const begun = word.length < shortestBeginning ? [] : way.filter((other) => other.startsWith(word));
  const [heaviest = null] = begun.toSorted((one, other) => weightOf(other) - weightOf(one));
  return { said: heaviest, share: heaviest === null ? 0 : beginning };
}

function likeness(one: string, other: string): number {
  return 1 - distance(one, other) / Math.max(one.length, other.length);
}

/** Words that stand side by side and are what is looked for, or `null`. */
function runOf(way: readonly string[], isWanted: (words: readonly string[]) => boolean): readonly string[] | null {
  for (let from = 0; from < way.length; from += 1) {
    for (let to = from + 1; to <= way.length; to += 1) {
      const words = way.slice(from, to);
      if (isWanted(words)) return words;
    }
  }
  return null;
}

function isSameWord(one: string, other: string): boolean {
  return one === other || `${one}s` === other || one === `${other}s`;
}

/** Letters of a short word are never taken for others: an SSN is no EIN by one of them. */
const shortestMisspelt = 4;
const longWord = 8;

function isMisspelt(wanted: readonly string[], way: readonly string[]): boolean {
  if (wanted.length === way.length) return wanted.every((word, index) => isSlip(word, way[index] ?? ''));
  const joined = wanted.join('');
  return joined.length >= longWord && isSlip(joined, way.join(''));
}

function isSlip(written: string, meant: string): boolean {
  if (written === meant) return true;
  if (Math.min(written.length, meant.length) < shortestMisspelt || /\d/.test(`${written}${meant}`)) return false;
  const away = distance(written, meant);
  const isSwapped = away === 2 && sorted(written) === sorted(meant);
  return isSwapped || away <= (written.length >= longWord ? 2 : 1);
}

function sorted(word: string): string {
  return [...word].sort().join('');
}

/**
 * The field one of whose names differs from a header by a slip of the hand, or `null`: by two letters, or by one where the
 * name is short.
 *
 * @param header  without case, blanks and punctuation
 */
export function nearField(kind: RecordKind, header: string): Field | null {
  const lengths = [-2, -1, 0, 1, 2].map((difference) => header.length + difference);
  const letters = lettersOf(header);
  for (const length of lengths) {
    for (const { name, field, letters: others } of namesByLength(kind).get(length) ?? [])
      if (differing(letters, others) <= mostDiffering && isNear(header, name)) return field;
  }
  return null;
}

/** Two letters put in place of two others: names that differ in more are not compared, which takes longer by far. */
const mostDiffering = 4;

/** A bit for each letter that a text has. */
function lettersOf(text: string): number {
  let letters = 0;
  for (let index = 0; index < text.length; index += 1) letters |= 1 << (text.charCodeAt(index) & 31);
  return letters;
}

function differing(one: number, other: number): number {
  let count = 0;
  for (let bits = one ^ other; bits !== 0 && count <= mostDiffering; bits &= bits - 1) count += 1;
  return count;
}

function isNear(header: string, name: string): boolean {
  if (Math.min(header.length, name.length) < shortestMisspelt) return false;
  const away = distance(header, name);
  const most = Math.max(header.length, name.length) < longEnoughForTwo ? 1 : 2;
  return away <= most || (away === 2 && sorted(header) === sorted(name));
}

const longEnoughForTwo = 6;

interface FieldName {
  readonly name: string;
  readonly letters: number;
  readonly field: Field;
}

const foldedNames = new WeakMap<RecordKind, ReadonlyMap<number, readonly FieldName[]>>();

function namesByLength(kind: RecordKind): ReadonlyMap<number, readonly FieldName[]> {
  const known = foldedNames.get(kind);
  if (known !== undefined) return known;
  const fields = new Map<string, Field>();
  for (const { field } of vocabularyOf(kind).firstFields)
    for (const words of field.headers) fields.set(wordsOf(words).join(''), field);
  const names = new Map<number, FieldName[]>();
  for (const [name, field] of fields) {
    const others = names.get(name.length) ?? [];
    names.set(name.length, [...others, { name, field, letters: lettersOf(name) }]);
  }
  foldedNames.set(kind, names);
  return names;
}

function isFurtherNumber(word: string): boolean {
  return /^([2-9]|10)$/.test(word);
}

function saysFurther(word: string): boolean {
  return isFurtherNumber(word) || word === 'second' || word === 'co';
}

/** `Owner 1 SSN` to `owner`, `1`, `ssn`; `legalName` to `legal`, `name`. */
function wordsOf(name: string): readonly string[] {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/['’]s\b/g, '')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{L})(\p{N})|(\p{N})(\p{L})/gu, '$1$3 $2$4')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}
