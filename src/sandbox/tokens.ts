/** Bearer tokens: issued with or without a lifetime, kept as digests in the data file, so that a restart does not end them. */
import { digestOf, isSameSecret, newSecret } from './access.ts';
import type { Store } from './store.ts';

export interface Tokens {
  /** Makes a token and answers once it is kept. */
  issue(): Promise<{ token: string; expiresInSeconds: number | null }>;
  accepts(token: string): boolean;
  /** Ends every token that was issued. The fixed one stays. */
  revokeAll(): Promise<void>;
}

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
  /** Valid tokens and their ends, to spare look-ups: another process on the same file ends tokens for itself alone. */
  const remembered = new Map<string, number>();
  return {
    async issue() {
      const token = newSecret('sandbox');
      const expires = lifetimeSeconds === null ? null : clock() + lifetimeSeconds * millisecondsInSecond;
      await store.write((tables) => tables.addToken(digestOf(token), expires));
      return { token, expiresInSeconds: lifetimeSeconds };
    },
    accepts(token) {
      const until = remembered.get(token);
      if (until !== undefined) return clock() < until;
      const isFixed = fixedToken !== null && isSameSecret(token, fixedToken);
      const known = isFixed ? { expires: null } : store.tables.token(digestOf(token));
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
