/** Reads the names and words by which an answer says yes or no; which they are is said in the contract. */
import type { AnswerSigns } from '../../contract/answer-signs.ts';
import { namesOfOtherRecords, namesOfOtherThings, namesOfRows } from '../../contract/lists-of-rows.ts';
import { countedAsNothing, partsOf, withoutNumbersOfOne } from './parts-of-text.ts';

/** What a name or a word says; `null`: nothing. */
export type Word = 'yes' | 'no' | 'unclear' | null;

/** What a name of an answer holds. */
export type NameGroup = 'flags' | 'taken' | 'refused' | 'errors' | 'passedOver' | 'statuses' | 'messages';

interface KnownName {
  readonly group: NameGroup | null;
  /** Whether it is of no group, and says no by its words: `writeErrors`, `notCreated`, `FailedEntryCount`. */
  readonly saysNo: boolean;
  /** Whether what it holds is looked at like the answer itself. */
  readonly isAround: boolean;
  /** Whether it names rows, or records of other kinds. */
  readonly holds: 'rows' | 'others' | null;
}

const countingBefore = /^(?:has|is|was|were|number|num|total|count|rows?|items?|records?|transactions?)(?:of)?/;
const countingBehind = /(?:count|list|rows?|items?|records?|transactions?|total|number|ids?)$/;
/** `totalNumberOfFailedRecordsCount`: more of them are nobody's name. */
const mostCounting = 4;
const tellingBehind = /(?:messages?|codes?|texts?|details?|descriptions?|reasons?)$/;
/** `errorMessage` and `rejectionReason` are of these; a `successMessage` says no more than any text. */
const groupsWithTexts: ReadonlySet<NameGroup> = new Set(['refused', 'errors']);
/** Of names that are no news of rows: `stopOnError`, `maxErrors`, `duplicateCheck`, `errorFileUrl`. */
const settingWords = new Set([
  ...['on', 'ignore', 'skip', 'allow', 'allowed', 'stop', 'continue', 'max', 'maximum', 'limit', 'threshold', 'rate'],
  ...['handling', 'mode', 'policy', 'check', 'checked', 'timeout', 'url', 'link', 'href'],
]);
/** So many words before a yes may turn it round. */
const farthest = 3;
/** `could not save`; `no update` is none. */
const unableTo = /^(?:not|cannot)$/;
const whatWasTried = /^(?:accept|add|create|find|import|insert|load|process|save|store|submit|update|upload|write)$/;
/** Behind a `no`, they say nothing: `no problems found`, `0 duplicates ignored`. */
const noTrouble =
  /^(?:problems?|issues?|warnings?|conflicts?|duplicates?)(?: were)?(?: (?:found|detected|ignored|skipped))?\s*$/i;
/** Beside a yes, these say nothing: a create updates no record, and an update makes none. */
const noneUpdated = /^no updated\s*$/i;
const noneCreated = /^no (?:created|added|inserted)\s*$/i;
/** An echo may bring any number of other names; beyond so many they are looked up anew. */
const mostKept = 2_000;

/** A text is no longer about its beginning beyond this. */
export const longestText = 200;

interface NamesOfGroup {
  readonly group: NameGroup;
  readonly names: ReadonlySet<string>;
}

export class AnswerWords {
  readonly #groups: readonly NamesOfGroup[];
  readonly #around: ReadonlySet<string>;
  readonly #words: Readonly<Record<'no' | 'unclear' | 'yes' | 'negating', ReadonlySet<string>>>;
  readonly #isUpdate: boolean;
  readonly #known = new Map<string, KnownName>();

  /** @param isUpdate  whether the answer is to an update */
  constructor(signs: AnswerSigns, isUpdate: boolean) {
    this.#isUpdate = isUpdate;
    const { flags, refused, errors, passedOver, statuses, messages, words } = signs;
    const taken = isUpdate ? signs.takenByUpdate : signs.taken;
    this.#groups = [
      { group: 'flags', names: folded(flags) },
      { group: 'taken', names: folded(taken) },
      { group: 'refused', names: folded(refused) },
      { group: 'errors', names: folded(errors) },
      { group: 'passedOver', names: folded(passedOver) },
      { group: 'statuses', names: folded(statuses) },
      { group: 'messages', names: folded(messages) },
    ];
    this.#around = folded(signs.around);
    this.#words = {
      no: folded(words.no),
      unclear: folded(words.unclear),
      yes: folded(words.yes),
      negating: folded(words.negating),
    };
  }

  nameOf(name: string): KnownName {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const plain = plainName(name);
    const holds = namesOfRows.test(plain) ? 'rows' : namesOfOtherRecords.test(plain) ? 'others' : null;
    const group = this.#groupOf(plain);
    const saysNo = group === null && !namesOfOtherThings.test(plain) && this.#saysNoInName(name);
    const found = { group, saysNo, isAround: this.#around.has(plain), holds } as const;
    if (this.#known.size < mostKept) this.#known.set(name, found);
    return found;
  }

  /** What the beginning of a text says: the words that leave a doubt go first, then those of a no. */
  wordOf(text: string): Word {
    const parts = partsOf(text.slice(0, longestText)).flatMap((part) => this.#newsIn(part));
    const ofOthers = this.#isUpdate ? noneCreated : noneUpdated;
    const others = parts.filter((part) => !ofOthers.test(part));
    if (others.length < parts.length && this.#wordOfWords(wordsOf(others.join(' '))) === 'yes') return 'yes';
    return this.#wordOfWords(wordsOf(parts.join(' ')));
  }

  /** The part as far as its words are known: `0 warnings` and the number of a row turn no other word round. */
  #newsIn(part: string): readonly string[] {
    const counted = countedAsNothing(part);
    if (counted === null) return [withoutNumbersOfOne(part)];
    const { no, unclear, yes } = this.#words;
    const isKnown = wordsOf(counted).some((word) => yes.has(word) || no.has(word) || unclear.has(word));
    return isKnown && !noTrouble.test(counted) ? [`no ${counted}`] : [];
  }

  #wordOfWords(words: readonly string[]): Word {
    const { no, unclear, yes, negating } = this.#words;
    // `without any errors`
    const before = (place: number): string => (words[place - 1] === 'any' ? words[place - 2] : words[place - 1]) ?? '';
    const isTurned = (place: number): boolean => negating.has(before(place));
    if (words.some((word, place) => unclear.has(word) && !isTurned(place))) return 'unclear';
    if (words.some((word, place) => no.has(word) && !isTurned(place))) return 'no';
    if (words.length === 1 && negating.has(words[0] ?? '')) return 'no';
    // `could not be saved` turns a word round from afar; `completed without errors` is used up by the errors.
    const isLoose = (place: number): boolean =>
      negating.has(words[place] ?? '') && !no.has(words[place + 1] ?? '') && !unclear.has(words[place + 1] ?? '');
    const isTurnedFromAfar = (place: number): boolean =>
      words
        .slice(Math.max(0, place - farthest), place)
        .some((_, before) => isLoose(Math.max(0, place - farthest) + before));
    const places = words.flatMap((word, place) => (yes.has(word) ? [place] : []));
    const isUnable = words.some((word, place) => {
      return unableTo.test(word) && negating.has(word) && whatWasTried.test(words[place + 1] ?? '');
    });
    if (places.length === 0) return isUnable ? 'no' : null;
    return places.some(isTurnedFromAfar) ? 'no' : 'yes';
  }

  #saysNoInName(name: string): boolean {
    const words = wordsOf(name);
    // `no` and `0` are numbers there.
    const isNumber = words.length === 1 && this.#words.negating.has(words[0] ?? '');
    return !isNumber && !words.some((word) => settingWords.has(word)) && isNo(this.wordOf(name));
  }

  #groupOf(plain: string): NameGroup | null {
    // `valid` ends as a count of ids does, so a name is looked up before each of the words is taken off too.
    const uncounted = without(countingBefore, plain);
    const bare = uncounted.flatMap((name) => without(countingBehind, name));
    const found = this.#groups.find(({ names }) => bare.some((name) => names.has(name)));
    if (found !== undefined) return found.group;
    const told = bare.map((name) => name.replace(tellingBehind, ''));
    const isTold = ({ group, names }: NamesOfGroup) =>
      groupsWithTexts.has(group) && told.some((name) => names.has(name));
    return this.#groups.find(isTold)?.group ?? null;
  }
}

/** The name, and what is left of it each time that a word of counting is taken off. */
function without(counting: RegExp, name: string): readonly string[] {
  const left = [name];
  while (left.length <= mostCounting) {
    const last = left.at(-1) ?? name;
    const shorter = last.replace(counting, '');
    if (shorter === last) break;
    left.push(shorter);
  }
  return left;
}

/** `wasn't`, `won’t`, `cant` */
const shortNot = /(?<=\b(?:is|are|was|were|has|have|had|do|does|did|ca|could|would|should|wo))n['’]?t\b/g;
/** A balance that is rolled over is no trouble. */
const rolledBack = /\brolled[\s-]+back\b/g;

function wordsOf(text: string): readonly string[] {
  return text
    .slice(0, longestText)
    .replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')
    .toLowerCase()
    .replace(shortNot, ' not')
    .replace(rolledBack, 'rollback')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

export function isNo(word: Word): boolean {
  return word === 'no' || word === 'unclear';
}

function folded(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.map(plainName));
}

/** The name in small letters, without punctuation. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}
