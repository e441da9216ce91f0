/**
 * Where the bearer token comes from (service interface 5). The token is in no message, and a source is asked again at
 * most once for each token that the service refuses.
 */
import { DealsheetError } from '../../errors.ts';

export interface Credentials {
  /** Where the token comes from, in words for a message: `the environment variable DEALSHEET_TOKEN`. */
  readonly from?: string;
  /**
   * The token to send.
   * @throws DealsheetError `token-refused` when there is none to be had
   */
  token(): Promise<string>;
  /**
   * Another token than the refused one, or `null` when the source has no other. Calls at one time share one renewal.
   * @throws DealsheetError `token-refused` when the source fails
   */
  renew(refused: string): Promise<string | null>;
}

/** Characters that a header may carry: visible ASCII, no blanks. */
const sendable = /^[\x21-\x7e]+$/;
const scheme = /^bearer\s+/i;

/**
 * The token in a text, without blanks around it and without a leading `Bearer`.
 * @param from  where the text came from, in words for a message: `DEALSHEET_TOKEN`
 * @param remedy  what to do when it is none
 * @throws DealsheetError `usage` when the text cannot be a token; it does not repeat the text
 */
export function tokenIn(text: string, from: string, remedy = `Put the token alone into ${from}, on one line.`): string {
  const token = text.trim().replace(scheme, '');
  if (sendable.test(token)) return token;
  throw new DealsheetError(
    'usage',
    token === ''
      ? `There is no token in ${from}.`
      : `What stands in ${from} is not one token: it holds blanks or characters that cannot be sent.`,
    remedy,
  );
}

/** A token that is known once and for all, such as the one from the environment. */
export function fixedToken(text: string, from: string): Credentials {
  const token = tokenIn(text, from);
  return { token: async () => token, renew: async () => null };
}

/**
 * A token from a source that can be asked again: it is read at the first need, kept, and read anew when it is refused.
 * @param read  gives the token as it stands in the source now
 */
export function renewableToken(read: () => Promise<string>): Credentials {
  let current: Promise<string> | null = null;
  let renewal: { refused: string; result: Promise<string | null> } | null = null;

  const token = (): Promise<string> => {
    current ??= read().catch((error: unknown) => {
      current = null;
      throw error;
    });
    return current;
  };
  const readAgain = async (refused: string): Promise<string | null> => {
    const fresh = await read();
    if (fresh === refused) return null;
    current = Promise.resolve(fresh);
    return fresh;
  };
  return {
    token,
    renew: async (refused) => {
      const known = await token();
      if (known !== refused) return known;
      if (renewal?.refused !== refused) renewal = { refused, result: readAgain(refused) };
      return renewal.result;
    },
  };
}
