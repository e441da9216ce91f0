/**
 * Goes through an answer with a good status, for what it says beside the id: yes, no, or both at once. Three rules hold for
 * every answer: its flag is read as documented (2.6); whatever else says no stands against a yes; what the row sent itself is
 * an echo.
 */
import type { ContractSettings } from '../../contract/contract-settings.ts';
import type { Question } from '../records/question.ts';
import { identifier, idUnderAnyName, isObject, valueAt } from './answer.ts';
import { FoundSigns } from './found-signs.ts';
import { doubt } from './signs.ts';
import { listOf, textOf } from './values-of-answer.ts';
import type { AnswerWords } from './words-of-answer.ts';

/** A list in a list in an object in the answer is no longer about the rows. */
const deepest = 5;

/** One reading of one answer. */
export class AnswerReading {
  readonly #question: Question;
  readonly #contract: ContractSettings;
  readonly #words: AnswerWords;
  readonly signs: FoundSigns;

  constructor(question: Question, contract: ContractSettings, words: AnswerWords) {
    this.#question = question;
    this.#contract = contract;
    this.#words = words;
    this.signs = new FoundSigns(question, contract, words);
  }

  whole(value: unknown): void {
    if (value === false) this.signs.stands('the whole of it is false', { ...doubt, isNo: true });
    if (typeof value === 'number') this.signs.bareNumber(value);
    if (typeof value === 'string') this.signs.text(value);
    for (const path of this.#contract.answers.success) this.signs.documentedFlag(path, valueAt(value, [path]));
    this.#visit(value, 0, false, false);
  }

  /** What is left of an answer that cannot be read whole: only a no of the documented flag is looked for. */
  cut(text: string): void {
    for (const path of this.#contract.answers.success) {
      const name = path.split('.').at(-1) ?? path;
      const place = text.indexOf(JSON.stringify(name));
      if (place < 0) continue;
      const [, value] = /^\s*:\s*("[^"]*"|\w+)/.exec(text.slice(place + name.length + 2)) ?? [];
      if (value !== undefined && /^"?(?:false|no|0)"?$/i.test(value)) this.signs.stands(`"${name}" is ${value}`, doubt);
    }
  }

  /** @param isOfOthers  whether it holds records, whose states are theirs: no more is read of it than what went wrong */
  #visit(value: unknown, depth: number, isInList: boolean, isOfOthers: boolean): void {
    if (depth > deepest || value === this.#question.except) return;
    if (!isObject(value)) {
      if (isInList && !isOfOthers) this.signs.bareItem(value);
      return;
    }
    const list = listOf(value);
    if (Array.isArray(value)) {
      for (const item of value) this.#visit(item, depth + 1, true, isOfOthers);
      return;
    }
    if (list !== null && !isOfOthers) for (const item of list) if (!isObject(item)) this.signs.bareItem(item);
    const id = isInList ? (identifier(valueAt(value, this.#contract.answers.id)) ?? idUnderAnyName(value)) : null;
    if (id !== null && !isOfOthers) this.signs.tellsOfSome = true;
    for (const [name, held] of Object.entries(value)) {
      if (!this.#isEcho(name, held)) this.#member(name, held, depth, isOfOthers);
    }
  }

  #member(name: string, held: unknown, depth: number, isOfOthers: boolean): void {
    const { sent, beside } = this.#question;
    const { group, saysNo, isAround, holds } = this.#words.nameOf(name);
    if (!isOfOthers || group === 'flags' || group === 'errors') this.signs.named(name, held, group);
    // Where an id tells of the row, it may be of anything: `creditReportError`.
    if (saysNo && !isOfOthers && (sent === null || beside !== 'nothing')) this.signs.trouble(name, held, 'passedOver');
    if (!isAround && (beside === 'nothing' || group === 'refused' || group === 'errors')) return;
    const isTheirs = holds === null ? isOfOthers : holds === 'others';
    this.#visit(held, depth + 1, false, beside === 'everything' ? isTheirs : isOfOthers || !isAround);
  }

  #isEcho(name: string, held: unknown): boolean {
    const { sent } = this.#question;
    if (sent === null || !Object.hasOwn(sent, name)) return false;
    return hasAsMany(sent[name], held) && textOf(sent[name]) === textOf(held);
  }
}

/** Tells most objects apart without writing them out: an answer often has the id of a company of which much was sent. */
function hasAsMany(one: unknown, other: unknown): boolean {
  if (!isObject(one) || !isObject(other)) return true;
  return Object.keys(one).length === Object.keys(other).length;
}
