/** Waits that end early, all together, when there is nothing to wait for any more. */
import type { Clock } from './clock.ts';

export class Waits {
  readonly #clock: Clock;
  readonly #endings = new Set<() => void>();
  #ended = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves after so long, or when the waiting is ended. */
  async wait(milliseconds: number): Promise<void> {
    if (this.#ended || milliseconds <= 0) return;
    await new Promise<void>((resolve) => {
      const end = (): void => {
        cancel();
        this.#endings.delete(end);
        resolve();
      };
      const cancel = this.#clock.after(milliseconds, end);
      this.#endings.add(end);
    });
  }

  end(): void {
    this.#ended = true;
    for (const end of [...this.#endings]) end();
  }
}
