/** Reads what answers say, with the words of the contract. */
import type { ContractSettings } from '../../contract/contract-settings.ts';
import type { Question } from '../records/question.ts';
import type { AnswerBody } from './answer.ts';
import { AnswerReading } from './answer-reading.ts';
import type { Signs } from './signs.ts';
import { AnswerWords, type Word } from './words-of-answer.ts';

export class SignReader {
  readonly #contract: ContractSettings;
  readonly #ofCreate: AnswerWords;
  readonly #ofUpdate: AnswerWords;

  constructor(contract: ContractSettings) {
    this.#contract = contract;
    this.#ofCreate = new AnswerWords(contract.answers.signs, false);
    this.#ofUpdate = new AnswerWords(contract.answers.signs, true);
  }

  /** What the body of an answer says. */
  ofBody(body: AnswerBody, question: Question): Signs {
    if (body.kind === 'json') return this.of(body.value, question);
    const reading = this.#reading(question);
    if (body.kind === 'text') reading.signs.text(body.text);
    if (body.kind === 'unreadable') reading.cut(body.text);
    return reading.signs;
  }

  /** What a part of an answer says. */
  of(value: unknown, question: Question): Signs {
    const reading = this.#reading(question);
    reading.whole(value);
    return reading.signs;
  }

  isAround(name: string): boolean {
    return this.#ofCreate.nameOf(name).isAround;
  }

  /** Whether a name holds what was refused, went wrong or was passed over, or messages. */
  isOfTrouble(name: string): boolean {
    const { group } = this.#ofCreate.nameOf(name);
    return group === 'refused' || group === 'errors' || group === 'passedOver' || group === 'messages';
  }

  isOfMessages(name: string): boolean {
    return this.#ofCreate.nameOf(name).group === 'messages';
  }

  /** Whether a name holds what became of a row, and none of its values. */
  isKnown(name: string): boolean {
    return this.#ofCreate.nameOf(name).group !== null;
  }

  wordOf(text: string): Word {
    return this.#ofCreate.wordOf(text);
  }

  #reading(question: Question): AnswerReading {
    return new AnswerReading(question, this.#contract, question.isUpdate ? this.#ofUpdate : this.#ofCreate);
  }
}
