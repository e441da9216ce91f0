/** The time that an answer may take. */
import { wasSleptThrough } from './sleep-watch.ts';
import { timerMs } from './timers.ts';

/** What has come while the process slept is read in less. */
const timeToReadMs = 1_000;

export class AnswerTimer {
  readonly #onOver: () => void;
  #timer: NodeJS.Timeout;

  constructor(milliseconds: number, onOver: () => void) {
    this.#onOver = onOver;
    this.#timer = this.#runningFor(timerMs(milliseconds));
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  /** One that rings late was slept through, as by Ctrl-Z: the answer may have come meanwhile, and is read now. */
  #runningFor(milliseconds: number): NodeJS.Timeout {
    const dueAt = performance.now() + milliseconds;
    return setTimeout(() => {
      if (wasSleptThrough(dueAt)) this.#timer = this.#runningFor(timeToReadMs);
      else this.#onOver();
    }, milliseconds);
  }
}
