/**
 * What an answer repeats of the texts that a row sent, and what it says beside them. Its one rule: a word that was sent
 * is no yes and no no of the service, but only a yes beside it shows that it is that word.
 */
import { literal } from '../text/literal.ts';
import { type AnswerWords, longestText, type Word } from './words-of-answer.ts';

/** `Status changed to Declined`, `moved from Declined to In review` */
const setTo = /\b(?:changed|moved|set)(?: from [^.,;]{1,60}?)? to\b/i;

export class SentTexts {
  readonly #texts: readonly string[];
  readonly #words: AnswerWords;

  /** @param sent  what was sent for the row, or `null` for many rows */
  constructor(sent: Readonly<Record<string, unknown>> | null, words: AnswerWords) {
    this.#texts = Object.values(sent ?? {}).filter((value) => typeof value === 'string');
    this.#words = words;
  }

  /** Several words that were sent, also as `unable_to_contact`: a service says no in words of its own. */
  isRepeatedBy(held: unknown): boolean {
    if (typeof held !== 'string' || this.#texts.length === 0) return false;
    const words = wordsIn(held);
    return isSeveral(words) && this.#texts.some((sent) => wordsIn(sent) === words);
  }

  /** Whether a text, of one word also, is one that was sent: what is not known to say anything then says nothing. */
  has(text: string): boolean {
    return this.#texts.some((sent) => wordsIn(sent) === wordsIn(text));
  }

  /** `Note (Declined) saved` says yes where `Declined` was sent; without a yes beside it, a no stays one. */
  wordBeside(text: string): Word {
    const beginning = text.slice(0, longestText);
    const word = this.#words.wordOf(beginning);
    if (word !== 'no' && word !== 'unclear') return word;
    // A bare `not` that was sent is no such value: without it, the opposite would be read.
    const sent = this.#texts.filter(
      (value) => isSeveral(wordsIn(value)) || this.#words.wordOf(`sent ${value}`) === word,
    );
    const rest = withoutTexts(beginning, sent).replace(setTo, 'saved');
    return this.#words.wordOf(rest) === 'yes' ? 'yes' : word;
  }
}

/** The text without others, where they stand in it as words of their own. */
function withoutTexts(text: string, others: readonly string[]): string {
  const any = others.map((other) => literal(other.trim())).join('|');
  if (any === '') return text;
  return text.replace(new RegExp(`(?<![\\p{L}\\p{N}])(?:${any})(?![\\p{L}\\p{N}])`, 'giu'), ' ');
}

function wordsIn(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

function isSeveral(words: string): boolean {
  return words.includes(' ');
}
