/** The tokens of a run: read once, renewed when the service refuses one, and which of them it has taken. */
import { isDealsheetError } from '../../errors.ts';
import { serviceMessage } from '../../messages/service.ts';
import type { Clock } from '../clock.ts';
import type { StopReason } from '../outcome.ts';
import { stopReason, stopWithoutToken } from '../stop-reasons.ts';
import type { Credentials } from './credentials.ts';

/** A token that waited longer than this before it went out may have ended by itself. */
const freshMs = 5_000;

export class RunTokens {
  readonly #credentials: Credentials;
  readonly #clock: Pick<Clock, 'now'>;
  #current: Promise<string> | null = null;
  /** The renewal that all wait for whose requests went out with the same token. */
  #renewal: { readonly refused: string; readonly fresh: Promise<string> } | null = null;
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
    this.#current ??= this.#credentials.token().catch((error: unknown) => {
      this.#current = null;
      throw error;
    });
    return this.#current;
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
    const isFresh = token === this.#renewed && leftAt - this.#renewedAt < freshMs;
    if (isFresh && token !== this.#proven) return this.#stop(true);
    try {
      if ((await this.current()) !== token) return null;
      if (this.#renewal?.refused !== token) this.#renewal = { refused: token, fresh: this.#renew(token) };
      if ((await this.#renewal.fresh) === token) return this.#stop(false);
      return null;
    } catch (error) {
      return isDealsheetError(error) ? stopWithoutToken(error) : this.#stop(false);
    }
  }

  async #renew(refused: string): Promise<string> {
    const fresh = await this.#credentials.token();
    if (fresh === refused) return fresh;
    this.#current = Promise.resolve(fresh);
    if (fresh !== this.#renewed) this.#renewedAt = this.#clock.now();
    this.#renewed = fresh;
    return fresh;
  }

  #stop(wasRenewed: boolean): StopReason {
    const from = this.#credentials.from ?? null;
    return stopReason(serviceMessage('stopped-token-refused', { wasRenewed }), 'get-token', { from });
  }
}
