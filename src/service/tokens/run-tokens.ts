/** The tokens of a run: which of them the service has taken, and what is done when it refuses one. */
import { isDealsheetError } from '../../errors.ts';
import type { StopReason } from '../outcome.ts';
import { stopReasons } from '../stop-reasons.ts';
import type { Credentials } from './credentials.ts';

export class RunTokens {
  readonly #credentials: Credentials;
  /** The token that was answered last with anything but a refusal of it. */
  #proven: string | null = null;
  /** The last that was got anew. */
  #renewed: string | null = null;

  constructor(credentials: Credentials) {
    this.#credentials = credentials;
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
   * @returns why the run stops, or `null` when there is another token to try
   */
  async refused(token: string): Promise<StopReason | null> {
    const from = this.#credentials.from ?? null;
    if (token === this.#renewed && token !== this.#proven) return stopReasons.tokenRefused(from, true);
    try {
      const fresh = await this.#credentials.renew(token);
      if (fresh === null) return stopReasons.tokenRefused(from, false);
      this.#renewed = fresh;
      return null;
    } catch (error) {
      return isDealsheetError(error) ? stopReasons.noToken(error) : stopReasons.tokenRefused(from, false);
    }
  }
}
