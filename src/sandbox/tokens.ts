/** Bearer tokens: issued with or without a lifetime, kept as digests in the data file, so that a restart does not end them. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Store } from './store/store.ts';

export interface Tokens {
  /** Makes a token and answers once it is kept. */
  issue(): Promise<{ token: string; expiresInSeconds: number | null }>;
  /** Whether a token is valid now. */
  accepts(token: string): boolean;
  /** Ends every token that was issued. The fixed one stays. */
  revokeAll(): Promise<void>;
}

const tokenBytes = 24;
const millisecondsInSecond = 1000;
const mostRemembered = 1000;

/**
 * @param fixedToken  a token that is always valid, or `null`
 * @param lifetimeSeconds  of issued tokens; `null` for no end
 * @param clock  milliseconds since 1970
 */
export function openTokens(
  store: Store,
  fixedToken: string | null,
  lifetimeSeconds: number | null,
  clock: () => number,
): Tokens {
  const fixedDigest = fixedToken === null ? null : digestOf(fixedToken);
  /**
   * Valid tokens seen lately with their end, so that not every request asks the data file. Another process on the same
   * file that ends all tokens therefore ends them for itself alone.
   */
  const remembered = new Map<string, number>();

  return {
    async issue() {
      const token = `sandbox_${randomBytes(tokenBytes).toString('base64url')}`;
      const expires = lifetimeSeconds === null ? null : clock() + lifetimeSeconds * millisecondsInSecond;
      await store.write((tables) => tables.addToken(digestOf(token), expires));
      return { token, expiresInSeconds: lifetimeSeconds };
    },

    accepts(token) {
      const until = remembered.get(token);
      if (until !== undefined) return clock() < until;
      const digest = digestOf(token);
      const isFixed = fixedDigest !== null && timingSafeEqual(Buffer.from(digest), Buffer.from(fixedDigest));
      const known = isFixed ? { expires: null } : store.tables.token(digest);
      if (known === undefined) return false;
      if (remembered.size >= mostRemembered) remembered.clear();
      const end = known.expires ?? Number.POSITIVE_INFINITY;
      remembered.set(token, end);
      return clock() < end;
    },

    async revokeAll() {
      await store.write((tables) => tables.removeTokens());
      remembered.clear();
    },
  };
}

function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
