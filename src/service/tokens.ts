/** The bearer token (service interface 5): from text, a file or a command; renewed when refused. No message contains it. */
import { open } from 'node:fs/promises';
import { isDealsheetError } from '../errors.ts';
import { textIn } from '../messages/plain-text.ts';
import { errorOf, messageOf } from '../messages/text.ts';
import { stopReason, stopWithoutToken } from './circuit-breaker.ts';
import type { StopReason } from './outcome.ts';
import { type Program, printedBy } from './program.ts';
import type { Clock } from './retry.ts';

export interface Credentials {
  /** Where the token comes from, as text for a message: `the environment variable DEALSHEET_TOKEN`. */
  readonly from?: string;
  /** Called once, and again for each token that the service refuses. */
  token(): Promise<string>;
}

const sendable = /^[\x21-\x7e]+$/;
const othersMode = 0o077;

/**
 * @param from  where the text is, as text for a message; `null` when a person typed it
 * @throws DealsheetError `usage` when the text cannot be a token; the message does not repeat it
 */
export function tokenIn(text: string, from: string | null): string {
  const token = text.trim().replace(/^bearer\s+/i, '');
  if (sendable.test(token)) return token;
  throw errorOf(token === '' ? 'token-empty' : 'token-malformed', { from });
}

export function fixedToken(text: string, from: string): Credentials {
  const token = tokenIn(text, from);
  return { token: async () => token };
}

export function tokenFromFile(path: string): Credentials {
  return { token: () => readTokenFile(path) };
}

export function tokenFromCommand(program: Program): Credentials {
  return { token: async () => tokenIn(await printedBy(program), 'what the token command printed') };
}

/** In bytes. A larger file is not a token file, and must not leave this computer. */
const largestFile = 64 * 1024;

async function readTokenFile(path: string): Promise<string> {
  const file = await open(path, 'r').catch((cause: NodeJS.ErrnoException) => {
    throw errorOf('settings-unreadable', { path, code: cause.code ?? '' }, cause);
  });
  try {
    const { mode, size } = await file.stat();
    // On Windows the mode says nothing about access.
    if (process.platform !== 'win32' && (mode & othersMode) !== 0)
      throw errorOf('token-file-readable-by-others', { path });
    const from = `the file ${path}`;
    if (size > largestFile) throw errorOf('token-malformed', { from });
    return tokenIn(textIn(await file.readFile()), from);
  } finally {
    await file.close();
  }
}

/** A token that waited longer than this before it was sent may have expired. */
const freshMs = 5_000;

export type RunTokens = ReturnType<typeof runTokens>;

export function runTokens(credentials: Credentials, clock: Pick<Clock, 'now'>) {
  let current: Promise<string> | null = null;
  /** The renewal shared by all requests that left with the same token. */
  let renewal: { readonly refused: string; readonly fresh: Promise<string> } | null = null;
  /** The last token that got an answer other than a token refusal. */
  let proven: string | null = null;
  let renewed: string | null = null;
  let renewedAt = 0;

  const stopFor = (wasRenewed: boolean): StopReason => {
    const from = credentials.from ?? null;
    return stopReason(messageOf('stopped-token-refused', { wasRenewed }), 'get-token', { from });
  };
  const renew = async (refused: string): Promise<string> => {
    const fresh = await credentials.token();
    if (fresh === refused) return fresh;
    current = Promise.resolve(fresh);
    if (fresh !== renewed) renewedAt = clock.now();
    renewed = fresh;
    return fresh;
  };
  const tokens = {
    known: (): readonly string[] => [proven, renewed].filter((token) => token !== null),
    async current(): Promise<string> {
      current ??= credentials.token().catch((error: unknown) => {
        current = null;
        throw error;
      });
      return current;
    },
    taken(token: string): void {
      proven = token;
    },
    /**
     * Gets another token. A fresh token that is refused before it ever worked ends the run instead.
     * @returns why the run stops, or `null` when there is another token to try
     */
    async refused(token: string, leftAt: number): Promise<StopReason | null> {
      const isFresh = token === renewed && leftAt - renewedAt < freshMs;
      if (isFresh && token !== proven) return stopFor(true);
      try {
        if ((await tokens.current()) !== token) return null;
        if (renewal?.refused !== token) renewal = { refused: token, fresh: renew(token) };
        return (await renewal.fresh) === token ? stopFor(false) : null;
      } catch (error) {
        return isDealsheetError(error) ? stopWithoutToken(error) : stopFor(false);
      }
    },
  };
  return tokens;
}
