/** The time that an answer may take. */
import { wasSleptThrough } from './sleep-watch.ts';
import { timerMs } from './timers.ts';

/** What has come while the process slept is read in less. */
const timeToReadMs = 1_000;

export class AnswerTimer {
  readonly #milliseconds: number;
  readonly #onOver: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(milliseconds: number, onOver: () => void) {
    this.#milliseconds = timerMs(milliseconds);
    this.#onOver = onOver;
  }

  start(): void {
    this.#runFor(this.#milliseconds);
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  /** One that rings late was slept through, as by Ctrl-Z: the answer may have come meanwhile, and is read now. */
  #runFor(milliseconds: number): void {
    clearTimeout(this.#timer);
    const dueAt = performance.now() + milliseconds;
    this.#timer = setTimeout(() => {
      if (wasSleptThrough(dueAt)) this.#runFor(timeToReadMs);
      else this.#onOver();
    }, milliseconds);
  }
}
