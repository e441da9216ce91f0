/**
 * What the names and texts of an answer say of its rows, gathered while it is gone through. Its one rule: what stands against a
 * yes stays, whatever else is found.
 */
import {
  namesOfAsides,
  namesOfRowsMade,
  statusUnderWay,
  wordsOfPart,
  wordsOfPartMade,
  wordsOfTaking,
} from '../../contract/answer-signs.ts';
import type { ContractSettings } from '../../contract/contract-settings.ts';
import type { Question } from '../records/question.ts';
import { isObject, valueAt } from './answer.ts';
import { countsInWords } from './counts-in-words.ts';
import { SentTexts } from './sent-texts.ts';
import { doubt, type Sign, type Signs } from './signs.ts';
import {
  isGoodStatus,
  isNoStatus,
  isNothing,
  isOpenStatus,
  numberIn,
  rowsToldIn,
  shown,
  somethingIn,
  tellsNothing,
} from './values-of-answer.ts';
import { type AnswerWords, isNo, longestText, type NameGroup, type Word } from './words-of-answer.ts';

/** Of an error in a list of them. */
const deepestText = 2;

/** `failedIndex` */
const namesOfOneRow = /(?:index|idx)$/i;
const namesOfCodes = /codes?$/i;

const anyLetter = /\p{L}/u;
const negations = /\b(?:not|no|never|cannot|without)\b|n['’]t\b/i;

export class FoundSigns implements Signs {
  readonly #question: Question;
  readonly #contract: ContractSettings;
  readonly #words: AnswerWords;
  readonly #sent: SentTexts;
  readonly #against = new Map<string, Sign>();
  readonly #inWords = new Map<string, Sign>();
  readonly refusals: (readonly unknown[])[] = [];
  saysNo = false;
  saysYes = false;
  tellsOfSome = false;
  tellsOfMade = false;
  leavesOpen = false;
  isUnderWay = false;
  saysUnknown = false;

  constructor(question: Question, contract: ContractSettings, words: AnswerWords) {
    this.#question = question;
    this.#contract = contract;
    this.#words = words;
    this.#sent = new SentTexts(question.sent, words);
  }

  get against(): readonly Sign[] {
    return [...this.#against.values()];
  }

  get inWords(): readonly Sign[] {
    return [...this.#inWords.values()];
  }

  /** The whole of an answer is a number: of the rows that are in, or a status. */
  bareNumber(number: number): void {
    const told = `the whole of it is ${number}`;
    if (number === 0 || isNoStatus(number)) this.stands(told, doubt);
    else this.#fewer(told, number);
  }

  /** The whole of an answer is a text. */
  text(text: string): void {
    if (this.#sent.isRepeatedBy(text)) return;
    const word = this.#sent.wordBeside(text);
    if (isNo(word)) this.stands(`it is the text ${shown(text)}`, { ...doubt, isNo: word === 'no' });
    else if (text.trimStart().startsWith('<')) this.stands('it is markup that cannot be read', doubt);
    else {
      if (word === 'yes') this.saysYes = true;
      this.#counts(`it is the text ${shown(text)}`, text);
    }
  }

  /** The flag at a path of the contract; `undefined` where the answer has none. */
  documentedFlag(path: string, value: unknown): void {
    if (value === undefined) return;
    if (this.#flagOf(value) === 'no') this.saysNo = true;
    this.#flag(path.split('.').at(-1) ?? path, value);
  }

  /** @param group  what the name tells of, or `null` where nobody knows */
  named(name: string, held: unknown, group: NameGroup | null): void {
    const isWord = group === 'statuses' || group === 'messages';
    if (isWord && this.#sent.isRepeatedBy(held)) return;
    if (group === 'flags') this.#flag(name, held);
    else if (group === 'taken') this.#taken(name, held);
    else if (group === 'statuses') this.#status(name, held);
    else if (group === 'messages') this.#message(name, held);
    else if (group !== null) this.trouble(name, held, group);
  }

  /** An item of a list that has no names. */
  bareItem(item: unknown): void {
    const said = typeof item === 'string' ? this.#words.wordOf(item) : item === false ? 'no' : null;
    if (isNo(said)) this.stands(`an item of a list is ${shown(item)}`, doubt);
  }

  #flag(name: string, held: unknown): void {
    const said = this.#flagOf(held);
    const told = `"${name}" is ${shown(held)}`;
    if (said === 'yes') this.saysYes = true;
    else if (typeof said === 'number') {
      this.tellsOfMade = true;
      this.#fewer(told, said);
    } else if (said !== null) this.stands(told, { ...doubt, isNo: said === 'no' });
  }

  /** A truth value, a word, a good status, or how many rows are in. */
  #flagOf(held: unknown): Word | number {
    const { rows } = this.#question;
    if (typeof held === 'boolean') return held ? 'yes' : 'no';
    const number = Array.isArray(held) ? somethingIn(held).length : numberIn(held);
    if (number !== null) {
      if (number === 0) return 'no';
      if (number > 0 && number < rows) return number;
      return number === rows || isGoodStatus(number) ? 'yes' : 'unclear';
    }
    if (typeof held === 'string') {
      this.#tellsOfPartMade(held);
      return this.#words.wordOf(held) ?? 'unclear';
    }
    return held === null ? 'unclear' : null;
  }

  #taken(name: string, held: unknown): void {
    const told = `"${name}" is ${shown(held)}`;
    if (held === true) this.#some();
    if (held === false) this.#fewer(told, 0);
    if (typeof held === 'string' && this.#words.wordOf(held) === 'no') this.#fewer(told, 0);
    const number = Array.isArray(held) ? somethingIn(held).length : numberIn(held);
    if (number === null) return;
    if (number > 0 && number <= this.#question.rows && namesOfRowsMade.test(name)) this.tellsOfMade = true;
    this.#fewer(told, number);
  }

  #fewer(told: string, number: number): void {
    const { rows } = this.#question;
    if (number > 0 && number <= rows) this.tellsOfSome = true;
    if (number < rows) this.stands(told, { ...doubt, mostAccepted: number });
  }

  #some(): void {
    this.saysYes = true;
    this.tellsOfSome = true;
  }

  /** What was refused, went wrong or was passed over. */
  trouble(name: string, held: unknown, group: 'refused' | 'errors' | 'passedOver'): void {
    const { rows } = this.#question;
    const isFirstRow = namesOfOneRow.test(name) && numberIn(held) === 0;
    if (!isFirstRow && this.#tellsNothing(name, held)) return;
    this.#tellsOfPartMade(held);
    if (group === 'refused' && Array.isArray(held)) this.refusals.push(held);
    const number = Array.isArray(held) ? rowsToldIn(held, this.#contract) : numberIn(held);
    const refused = isFirstRow ? 1 : number;
    const leastRefused = refused === null ? null : Math.min(Math.abs(refused), rows);
    // Errors may name the worst rows alone; a number of refused rows leaves others that are in.
    if (group === 'refused' && leastRefused !== null && leastRefused < rows) this.tellsOfSome = true;
    this.#leavesOpen(numberIn(valueAt(held, ['status', 'statusCode', 'code'])));
    const told = isObject(held) ? `"${name}" is not empty` : `"${name}" is ${shown(held)}`;
    this.stands(told, { isNo: group !== 'passedOver', leastRefused, mostAccepted: null });
  }

  /** A list of codes has no rows, and `[0, 0, 0]` is one for each row, and not the number of the first three times. */
  #tellsNothing(name: string, held: unknown): boolean {
    const { rows } = this.#question;
    const isOneEach = Array.isArray(held) && rows > 1 && held.length === rows && held.every((item) => item === 0);
    return isOneEach || namesOfCodes.test(name) ? isNothing(held) : tellsNothing(held, this.#contract);
  }

  #status(name: string, held: unknown): void {
    const said = this.#statusOf(held);
    if (said === 'unclear') this.leavesOpen = true;
    if (typeof held === 'string' && statusUnderWay.test(held)) this.isUnderWay = true;
    if (said === 'yes') this.saysYes = true;
    else if (said !== null) this.stands(`"${name}" is ${shown(held)}`, { ...doubt, isNo: said === 'no' });
    else if (typeof held === 'string') this.#unknown(held);
  }

  #unknown(text: string): void {
    const isTaken = statusUnderWay.test(text) || (wordsOfTaking.test(text) && !negations.test(text));
    if (anyLetter.test(text) && !isTaken && !this.#sent.has(text)) this.saysUnknown = true;
  }

  #message(name: string, held: unknown): void {
    for (const text of Array.isArray(held) ? held : [held]) {
      if (typeof text !== 'string') continue;
      const told = `"${name}" is ${shown(text)}`;
      this.#counts(told, text);
      this.#tellsOfPart(text);
      const word = this.#sent.wordBeside(text);
      if (isNo(word)) this.#inWords.set(told, { told, ...doubt });
      else if (word === null && !namesOfAsides.test(name)) this.#unknown(text);
    }
  }

  /** Of how many of the rows a text tells. */
  #counts(told: string, text: string): void {
    const { rows } = this.#question;
    const { rowsIn, out, oneIsOut } = countsInWords(text, rows, (part) => this.#sent.wordBeside(part));
    if ((rowsIn !== null && rowsIn > 0 && rowsIn <= rows) || (out !== null && out > 0 && out < rows && rowsIn !== 0))
      this.tellsOfSome = true;
    // `2 of 3 rows` alone may be those that are refused.
    if (rowsIn !== null && rowsIn > 0 && this.#sent.wordBeside(text) !== null) this.tellsOfMade = true;
    const mostAccepted = rowsIn !== null && rowsIn < rows ? rowsIn : null;
    const refused = Math.min(Math.max(out ?? 0, oneIsOut ? 1 : 0), rows);
    const leastRefused = refused > 0 ? refused : null;
    if (mostAccepted !== null || leastRefused !== null) this.stands(told, { isNo: false, leastRefused, mostAccepted });
  }

  #tellsOfPart(text: string): boolean {
    const isOfPart = wordsOfPart.test(text.slice(0, longestText));
    if (isOfPart) this.tellsOfSome = true;
    this.#tellsOfPartMade(text);
    return isOfPart;
  }

  /** In a text, or in those of an error: `{ "error": { "message": "Some rows were saved" } }`. */
  #tellsOfPartMade(held: unknown, depth = 0): void {
    if (typeof held === 'string' && wordsOfPartMade.test(held.slice(0, longestText))) this.tellsOfMade = true;
    if (isObject(held) && depth < deepestText)
      for (const part of Object.values(held)) this.#tellsOfPartMade(part, depth + 1);
  }

  #statusOf(held: unknown): Word {
    if (typeof held === 'string' && this.#tellsOfPart(held)) this.tellsOfMade = true;
    if (typeof held === 'boolean') return held ? 'yes' : 'no';
    const number = numberIn(held);
    if (this.#leavesOpen(number)) return 'unclear';
    if (number !== null) return isNoStatus(number) ? 'no' : isGoodStatus(number) ? 'yes' : null;
    return typeof held === 'string' ? this.#sent.wordBeside(held) : null;
  }

  /** A status after which a record may be in stands for that beside a no, too. */
  #leavesOpen(status: number | null): boolean {
    if (!isOpenStatus(status, this.#contract)) return false;
    this.leavesOpen = true;
    this.tellsOfSome = true;
    return true;
  }

  /** @param told  the place, as a message tells it: `"failed" is 2` */
  stands(told: string, sign: Omit<Sign, 'told'>): void {
    this.#against.set(told, { told, ...sign });
  }
}
