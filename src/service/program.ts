/** Runs a program that the configuration names, without a shell, and without our token in its environment. */
import { type ExecFileException, execFile } from 'node:child_process';
import { basename, resolve } from 'node:path';
import type { DealsheetError } from '../errors.ts';
import { errorOf } from '../messages/text.ts';

export interface Program {
  readonly command: readonly string[];
  /** The folder in which it runs. Its program, scripts and files resolve from here, not from the working folder. */
  readonly folder: string;
  readonly timeoutMs: number;
}

const largestOutput = 64 * 1024 * 1024;

/** @returns what it prints on standard output */
export async function printedBy({ command, folder, timeoutMs }: Program, input = ''): Promise<string> {
  const [program = '', ...parameters] = command;
  const { DEALSHEET_TOKEN: _token, ...env } = process.env;
  // A bare name is looked up in PATH.
  const started = basename(program) === program ? program : resolve(folder, program);
  // The timeout also closes the pipes, which a grandchild may hold open.
  const limits = { timeout: timeoutMs, killSignal: 'SIGKILL', maxBuffer: largestOutput } as const;
  return new Promise((settle, reject) => {
    const child = execFile(
      started,
      parameters,
      { cwd: folder, env, windowsHide: true, ...limits },
      (error, printed) => {
        if (error === null) settle(printed);
        else reject(failureOf(error, program, timeoutMs));
      },
    );
    // One that is told something may leave its pipes to a program that it has started.
    child.once('exit', () => {
      if (input === '') return;
      child.stdout?.destroy();
      child.stderr?.destroy();
    });
    // A program that ignores its input is not an error.
    child.stdin?.on('error', () => {}).end(input);
  });
}

/** stderr may contain a token, so it is not repeated. */
function failureOf({ code, killed, signal }: ExecFileException, program: string, timeoutMs: number): DealsheetError {
  const isUnknown = typeof code === 'string';
  const seconds = killed === true ? timeoutMs / 1000 : null;
  return errorOf('command-failed', { program, isUnknown, seconds, signal: signal ?? null, status: code ?? '' });
}
