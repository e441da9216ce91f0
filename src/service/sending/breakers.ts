/** What in the answers of a run says that it must not go on. */
import type { Outcome, StopReason } from '../records/outcome.ts';

/** Answers in a row, from the first one on, that say the address is closed to this token. */
const closedAnswers = 5;
const doubtsInARow = 5;
const equalRejections = 50;

export class Breakers {
  #onlyClosed = true;
  #closed = 0;
  #doubts = 0;
  #rejection = '';
  #rejections = 0;

  /**
   * Notes an answer to a request of the run.
   * @param isClosed  whether it said that the address is closed
   * @returns why to stop, or `null`
   */
  answered(status: number, isClosed: boolean): StopReason | null {
    if (!isClosed) this.#onlyClosed = false;
    if (!this.#onlyClosed) return null;
    this.#closed += 1;
    if (this.#closed < closedAnswers) return null;
    return {
      code: 'service-unusable',
      kind: 'closed',
      message: `The service answered ${status} to everything: the first ${closedAnswers} requests were all refused in the same way.`,
      remedy: 'Check the service address and what the token may do, then go on with the run.',
    };
  }

  /** Notes what became of a request: one outcome, or the outcomes of the rows in one request. */
  settled(outcomes: readonly Outcome[]): StopReason | null {
    const [first] = outcomes;
    if (first === undefined) return null;
    return this.#countDoubt(outcomes.some(({ state }) => state === 'in-doubt')) ?? this.#countRejections(outcomes);
  }

  #countDoubt(inDoubt: boolean): StopReason | null {
    this.#doubts = inDoubt ? this.#doubts + 1 : 0;
    if (this.#doubts < doubtsInARow) return null;
    return {
      code: 'service-unusable',
      kind: 'many-doubts',
      message: `The answers to ${doubtsInARow} requests in a row left it open whether their records were made.`,
      remedy: 'Find out what is wrong with the service, look up the rows in doubt there, then go on with the run.',
    };
  }

  #countRejections(outcomes: readonly Outcome[]): StopReason | null {
    for (const outcome of outcomes) {
      const rejection = outcome.state === 'rejected' ? normalised(outcome.message) : '';
      this.#rejections = rejection !== '' && rejection === this.#rejection ? this.#rejections + 1 : 1;
      this.#rejection = rejection;
      if (rejection === '' || this.#rejections < equalRejections || outcome.state !== 'rejected') continue;
      return {
        code: 'service-unusable',
        kind: 'same-rejection',
        message: `The service rejected ${equalRejections} rows in a row with the same words: ${outcome.message}`,
        remedy: 'Correct what they have in common, then import the results file.',
      };
    }
    return null;
  }
}

/** The message without what differs from row to row: numbers, ids, quoted values, masked values. */
function normalised(message: string): string {
  return message
    .toLowerCase()
    .replace(/\[[^\]]*\]|"[^"]*"|'[^']*'|“[^”]*”|`[^`]*`/g, '*')
    .replace(/\S*\d\S*/g, '#');
}
