/** Bearer tokens: issued with or without a lifetime, kept as digests in the data file, so that a restart does not end them. */
import { digestOf, isSameSecret, newSecret } from './access.ts';
import type { Store } from './store.ts';

export type Tokens = ReturnType<typeof openTokens>;

const millisecondsInSecond = 1000;

/**
 * @param fixedToken  a token that is always valid, or `null`
 * @param lifetimeSeconds  of issued tokens; `null` for no end
 * @param clock  milliseconds since 1970
 */
export function openTokens(
  { tables, write }: Store,
  fixedToken: string | null,
  lifetimeSeconds: number | null,
  clock: () => number,
) {
  return {
    lifetimeSeconds,
    /** Makes a token and answers once it is kept. */
    async issue(): Promise<string> {
      const token = newSecret('sandbox');
      const expires = lifetimeSeconds === null ? null : clock() + lifetimeSeconds * millisecondsInSecond;
      await write(() => tables.addToken(digestOf(token), expires));
      return token;
    },
    accepts(token: string): boolean {
      if (fixedToken !== null && isSameSecret(token, fixedToken)) return true;
      const known = tables.token(digestOf(token));
      return known !== undefined && clock() < (known.expires ?? Number.POSITIVE_INFINITY);
    },
    /** Ends every token that was issued. The fixed one stays. */
    revokeAll: () => write(() => tables.removeTokens()),
  };
}
