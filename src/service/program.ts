/** Runs a program that the configuration names, without a shell, and without our token in its environment. */
import { type ChildProcess, type ExecFileException, execFile, spawn } from 'node:child_process';
import { basename, resolve } from 'node:path';
import type { DealsheetError } from '../errors.ts';
import { errorOf } from '../messages/text.ts';

export interface Program {
  readonly command: readonly string[];
  /** The folder in which it runs. Its program, scripts and files resolve from here, not from the working folder. */
  readonly folder: string;
  readonly timeoutMs?: number;
}

const usualTimeoutMs = 30_000;
const largestOutput = 1024 * 1024;

/** @returns what it prints on standard output; nothing where it gets an input, for it may leave its output to others that go on */
export async function printedBy({ command, folder, timeoutMs = usualTimeoutMs }: Program, input = ''): Promise<string> {
  const [program = '', ...given] = command;
  const { DEALSHEET_TOKEN: _token, ...env } = process.env;
  // A bare name is looked up in PATH.
  const found = basename(program) === program ? program : resolve(folder, program);
  // Windows starts batch files only through cmd. The words are the person's own, and none is a value of a row.
  const isBatch = process.platform === 'win32' && /\.(cmd|bat)$/i.test(program);
  const quoted = [found, ...given].map((word) => `"${word}"`).join(' ');
  const [started, parameters] = isBatch ? ['cmd.exe', ['/d', '/s', '/c', `"${quoted}"`]] : [found, given];
  // The timeout also closes the pipes, which a grandchild may hold open.
  const ending = { timeout: timeoutMs, killSignal: 'SIGKILL' } as const;
  const how = { cwd: folder, env, windowsHide: true, windowsVerbatimArguments: isBatch, ...ending };
  return new Promise<string>((settle, reject) => {
    const ended = (error: Ending | null, printed = '') => (error === null ? settle(printed) : reject(error));
    const child: ChildProcess =
      input === ''
        ? execFile(started, parameters, { ...how, maxBuffer: largestOutput }, ended)
        : spawn(started, parameters, { ...how, stdio: ['pipe', 'ignore', 'ignore'] })
            .once('error', ended)
            .once('exit', (code, signal) => ended(code === 0 ? null : { code, signal, killed: child.killed }));
    // A program that ignores its input is not an error.
    child.stdin?.on('error', () => {}).end(input);
  }).catch((error: Ending) => {
    // What Windows cannot start is thrown.
    throw failureOf(error, program, timeoutMs);
  });
}

type Ending = Pick<ExecFileException, 'code' | 'killed'> & { readonly signal?: NodeJS.Signals | null };

/** stderr may contain a token, so it is not repeated. */
function failureOf({ code, killed, signal }: Ending, program: string, timeoutMs: number): DealsheetError {
  const isUnknown = typeof code === 'string';
  const seconds = killed === true ? timeoutMs / 1000 : null;
  return errorOf('command-failed', { program, isUnknown, seconds, signal: signal ?? null, status: code ?? '' });
}
