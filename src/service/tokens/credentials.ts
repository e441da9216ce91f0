/** Where the bearer token comes from (service interface 5). It is in no message. */
import { DealsheetError } from '../../errors.ts';

export interface Credentials {
  /** Where the token comes from, in words for a message: `the environment variable DEALSHEET_TOKEN`. */
  readonly from?: string;
  /**
   * The token as it stands in its source now. It is asked for once, and again for each token that the service refuses.
   * @throws DealsheetError `token-refused` when there is none to be had
   */
  token(): Promise<string>;
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
  return { token: async () => token };
}
