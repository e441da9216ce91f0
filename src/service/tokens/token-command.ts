/** A token that a command prints. The command is an argument list and runs without a shell. */
import { spawn } from 'node:child_process';
import { basename, resolve } from 'node:path';
import { DealsheetError } from '../../errors.ts';
import { plainText, shortened } from '../plain-text.ts';
import { type Credentials, tokenIn } from './credentials.ts';

export interface TokenCommand {
  /** The program and its arguments. */
  readonly command: readonly string[];
  /** The folder in which it runs: its program, scripts and files are looked up from there, not from the working folder. */
  readonly folder: string;
  readonly timeoutMs: number;
}

export const tokenCommandTimeoutMs = 30_000;

const largestOutput = 64 * 1024;
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

function run({ command, folder, timeoutMs }: TokenCommand, earlierToken: string): Promise<string> {
  const [program, ...parameters] = command;
  if (program === undefined) {
    throw new DealsheetError('usage', 'The token command is empty.', 'Give the program and its arguments as a list.');
  }
  return new Promise((settle, reject) => {
    const child = spawn(startedFrom(folder, program), parameters, {
      cwd: folder,
      shell: false,
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    const output: Buffer[] = [];
    const complaints: Buffer[] = [];
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      child.kill('SIGKILL');
      // A grandchild may hold the pipes open after the command itself has gone.
      child.stdout.destroy();
      child.stderr.destroy();
    }, timeoutMs);
    child.stdout.on('data', collector(output));
    child.stderr.on('data', collector(complaints));
    child.on('error', (cause) => {
      clearTimeout(timer);
      reject(failure(`The token command ${program} could not be started.`, cause));
    });
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      const printed = Buffer.concat(output).toString('utf8');
      if (timedOut) reject(failure(`The token command ${program} gave no token within ${timeoutMs / 1000} s.`));
      else if (code === 0) settle(printed);
      else {
        const ending = code === null ? `was ended by ${signal}` : `ended with exit code ${code}`;
        const complaint = safeComplaint(Buffer.concat(complaints).toString('utf8'), [printed, earlierToken]);
        reject(failure(`The token command ${program} ${ending}${complaint === '' ? '.' : `: ${complaint}`}`));
      }
    });
  });
}

/** A bare name is found by PATH, as everywhere. */
function startedFrom(folder: string, program: string): string {
  return basename(program) === program ? program : resolve(folder, program);
}

function collector(chunks: Buffer[]): (chunk: Buffer) => void {
  let size = 0;
  return (chunk) => {
    if (size < largestOutput) chunks.push(chunk);
    size += chunk.length;
  };
}

/** What the command complained of, or nothing when that holds a token. */
function safeComplaint(text: string, secrets: readonly string[]): string {
  const pieces = secrets.flatMap((secret) => secret.split(/\s+/)).filter((piece) => piece.length >= shortestSecret);
  return pieces.some((piece) => text.includes(piece)) ? '' : shortened(plainText(text), longestComplaint);
}

function failure(message: string, cause?: unknown): DealsheetError {
  return new DealsheetError('token-refused', message, 'Run the command by hand to see what it says, then try again.', {
    cause,
  });
}
