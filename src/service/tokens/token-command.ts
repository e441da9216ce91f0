/** A token that a command prints. The command is an argument list and runs without a shell. */
import { type ExecFileException, execFile } from 'node:child_process';
import { basename, resolve } from 'node:path';
import { DealsheetError } from '../../errors.ts';
import { asSentence, plainText, shortened } from '../plain-text.ts';
import { type Credentials, tokenIn } from './credentials.ts';

export interface TokenCommand {
  /** The program and its arguments. */
  readonly command: readonly string[];
  /** The folder in which it runs: its program, scripts and files are looked up from there, not from the working folder. */
  readonly folder: string;
  readonly timeoutMs: number;
}

export const tokenCommandTimeoutMs = 30_000;

const largestOutput = 1024 * 1024;
const longestComplaint = 200;
/** Shorter pieces of what the command printed are no secret, and would hide every complaint. */
const shortestSecret = 4;

/** A token that a command prints on its standard output; the command runs again when the service refuses the token. */
export function tokenFromCommand(options: TokenCommand): Credentials {
  let last = '';
  const token = async (): Promise<string> => {
    last = tokenIn(await run(options, last), 'what the token command printed');
    return last;
  };
  return { token };
}

async function run({ command, folder, timeoutMs }: TokenCommand, earlierToken: string): Promise<string> {
  const [program, ...parameters] = command;
  if (program === undefined) {
    throw new DealsheetError('usage', 'The token command is empty.', 'Give the program and its arguments as a list.');
  }
  // At its end the pipes are closed as well, which a grandchild may hold open.
  const limits = { timeout: timeoutMs, killSignal: 'SIGKILL', maxBuffer: largestOutput } as const;
  return new Promise((settle, reject) => {
    const options = { cwd: folder, windowsHide: true, ...limits };
    const child = execFile(startedFrom(folder, program), parameters, options, (error, printed, said) => {
      if (error === null) return settle(printed);
      const ending = endingOf(error, timeoutMs, safeComplaint(said, [printed, earlierToken]));
      reject(failure(asSentence(`The token command ${program} ${ending}`)));
    });
    child.stdin?.end();
  });
}

function endingOf({ code, killed, signal }: ExecFileException, timeoutMs: number, complaint: string): string {
  if (typeof code === 'string') return 'could not be run';
  if (killed === true) return `gave no token within ${timeoutMs / 1000} s`;
  return `${typeof code === 'number' ? `ended with exit code ${code}` : `was ended by ${signal}`}${complaint}`;
}

/** A bare name is found by PATH, as everywhere. */
function startedFrom(folder: string, program: string): string {
  return basename(program) === program ? program : resolve(folder, program);
}

/** What the command complained of, or nothing when that holds a token. */
function safeComplaint(text: string, secrets: readonly string[]): string {
  const pieces = secrets.flatMap((secret) => secret.split(/\s+/)).filter((piece) => piece.length >= shortestSecret);
  const isSafe = text.trim() !== '' && !pieces.some((piece) => text.includes(piece));
  return isSafe ? `: ${shortened(plainText(text), longestComplaint)}` : '';
}

function failure(message: string): DealsheetError {
  return new DealsheetError('token-refused', message, 'Run the command by hand to see what it says, then try again.');
}
