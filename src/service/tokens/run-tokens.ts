/** The tokens of a run: which of them the service has taken, and what is done when it refuses one. */
import { isDealsheetError } from '../../errors.ts';
import type { Clock } from '../clock.ts';
import type { StopReason } from '../outcome.ts';
import { stopReasons } from '../stop-reasons.ts';
import type { Credentials } from './credentials.ts';

/** A token that waited longer than this before it went out may have ended by itself. */
const freshMs = 5_000;

export class RunTokens {
  readonly #credentials: Credentials;
  readonly #clock: Pick<Clock, 'now'>;
  /** The token that was answered last with anything but a refusal of it. */
  #proven: string | null = null;
  /** The last that was got anew. */
  #renewed: string | null = null;
  #renewedAt = 0;

  constructor(credentials: Credentials, clock: Pick<Clock, 'now'>) {
    this.#credentials = credentials;
    this.#clock = clock;
  }

  /** Those that the service has taken, and the newest. */
  get known(): readonly string[] {
    return [this.#proven, this.#renewed].filter((token) => token !== null);
  }

  /** @throws DealsheetError `token-refused` when there is none to be had */
  current(): Promise<string> {
    return this.#credentials.token();
  }

  taken(token: string): void {
    this.#proven = token;
  }

  /**
   * Gets another token, unless the refused one is fresh: one that is refused before it ever worked ends the run.
   * @param leftAt  when the refused request went out
   * @returns why the run stops, or `null` when there is another token to try
   */
  async refused(token: string, leftAt: number): Promise<StopReason | null> {
    const from = this.#credentials.from ?? null;
    const isFresh = token === this.#renewed && leftAt - this.#renewedAt < freshMs;
    if (isFresh && token !== this.#proven) return stopReasons.tokenRefused(from, true);
    try {
      const fresh = await this.#credentials.renew(token);
      if (fresh === null) return stopReasons.tokenRefused(from, false);
      if (fresh !== this.#renewed) this.#renewedAt = this.#clock.now();
      this.#renewed = fresh;
      return null;
    } catch (error) {
      return isDealsheetError(error) ? stopReasons.noToken(error) : stopReasons.tokenRefused(from, false);
    }
  }
}
