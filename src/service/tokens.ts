/** The bearer token (service interface 5): from text, a file or a command; renewed when refused. No message contains it. */
import { type ExecFileException, execFile } from 'node:child_process';
import { open } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { DealsheetError, isDealsheetError, usageError } from '../errors.ts';
import { serviceMessage } from '../messages/service.ts';
import { stopReason, stopWithoutToken } from './circuit-breaker.ts';
import type { StopReason } from './outcome.ts';
import type { Clock } from './retry.ts';

export interface Credentials {
  /** Where the token comes from, as text for a message: `the environment variable DEALSHEET_TOKEN`. */
  readonly from?: string;
  /** Called once, and again for each token that the service refuses. */
  token(): Promise<string>;
}

export interface TokenCommand {
  readonly command: readonly string[];
  /** The folder in which the command runs. Its program, scripts and files resolve from here, not from the working folder. */
  readonly folder: string;
  readonly timeoutMs: number;
}

export const tokenCommandTimeoutMs = 30_000;

const sendable = /^[\x21-\x7e]+$/;
const othersMode = 0o077;
const largestOutput = 1024 * 1024;

/** @throws DealsheetError `usage` when the text cannot be a token; the message does not repeat it */
export function tokenIn(text: string, from: string, remedy = `Put the token alone into ${from}, on one line.`): string {
  const token = text.trim().replace(/^bearer\s+/i, '');
  if (sendable.test(token)) return token;
  const other = `The text in ${from} is not one token: it holds blanks or characters that cannot be sent.`;
  throw usageError(token === '' ? `There is no token in ${from}.` : other, remedy);
}

export function fixedToken(text: string, from: string): Credentials {
  const token = tokenIn(text, from);
  return { token: async () => token };
}

export function tokenFromFile(path: string): Credentials {
  return { token: () => readTokenFile(path) };
}

export function tokenFromCommand(options: TokenCommand): Credentials {
  return { token: async () => tokenIn(await run(options), 'what the token command printed') };
}

/** In bytes. A larger file is not a token file, and must not leave this computer. */
const largestFile = 64 * 1024;

async function readTokenFile(path: string): Promise<string> {
  const file = await open(path, 'r').catch((cause: unknown) => {
    throw usageError(
      `The token file ${path} cannot be opened.`,
      'Check the path and that you may read the file.',
      cause,
    );
  });
  try {
    const { mode, size } = await file.stat();
    // On Windows the mode says nothing about access.
    if (process.platform !== 'win32' && (mode & othersMode) !== 0)
      throw usageError(
        `Other people on this computer can read the token file ${path}.`,
        `Remove their access: chmod 600 ${path}. Then consider replacing the token.`,
      );
    if (size > largestFile)
      throw usageError(
        `The file ${path} is too large to be a token file.`,
        'Name the file that holds the token alone.',
      );
    return tokenIn(await file.readFile('utf8'), `the file ${path}`);
  } finally {
    await file.close();
  }
}

async function run({ command, folder, timeoutMs }: TokenCommand): Promise<string> {
  const [program = '', ...parameters] = command;
  // A bare name is looked up in PATH.
  const started = basename(program) === program ? program : resolve(folder, program);
  // The timeout also closes the pipes, which a grandchild may hold open.
  const limits = { timeout: timeoutMs, killSignal: 'SIGKILL', maxBuffer: largestOutput } as const;
  return new Promise((settle, reject) => {
    const child = execFile(started, parameters, { cwd: folder, windowsHide: true, ...limits }, (error, printed) => {
      if (error === null) return settle(printed);
      // stderr may contain the token, so it is not repeated.
      const message = `The token command ${program} ${endingOf(error, timeoutMs)}.`;
      const remedy = 'Run the command by hand to see what it says, then try again.';
      reject(new DealsheetError('token-refused', message, remedy));
    });
    child.stdin?.end();
  });
}

function endingOf({ code, killed, signal }: ExecFileException, timeoutMs: number): string {
  if (typeof code === 'string') return 'could not be run';
  if (killed === true) return `gave no token within ${timeoutMs / 1000} s`;
  return typeof code === 'number' ? `ended with exit code ${code}` : `was ended by ${signal}`;
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
    return stopReason(serviceMessage('stopped-token-refused', { wasRenewed }), 'get-token', { from });
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
