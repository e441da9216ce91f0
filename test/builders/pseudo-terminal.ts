/** The command line at a terminal, with somebody who answers. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { runs } from './tools.ts';
import { environmentOf, main, type Workplace } from './workplace.ts';

export const hasTerminal = runs('script', '--version');
export const hasShell = hasTerminal && runs('bash', '--version');

/** What a shell does with the command, `"$@"`. */
type Shell = string;
/** A command that Ctrl-Z has stopped is gone on with at once. */
export const goingOn: Shell = 'set -m; "$@"; fg';
/** As on a disk that is full, no file grows over so many KiB. */
export const withSmallFiles = (size: number): Shell => `trap "" XFSZ; ulimit -f ${size}; "$@"`;

type Answers = readonly (readonly [said: string, typed: string])[];

/** Types each answer once the words before it have been said. A terminal may say a question several times, as one types. */
export async function answer(
  place: Workplace,
  words: readonly string[],
  answers: Answers,
  env: Record<string, string> = {},
): Promise<string> {
  return (await endedAtTerminal(place, words, answers, env)).said;
}

/** The same, and tells the exit code too. */
export function endedAtTerminal(
  place: Workplace,
  words: readonly string[],
  answers: Answers,
  env: Record<string, string> = {},
): Promise<{ readonly said: string; readonly exitCode: number | null }> {
  return answering(atTerminal(place, words, env), answers);
}

/** The same, in a shell that does more than to run the command. */
export function endedInShell(
  shell: Shell,
  place: Workplace,
  words: readonly string[],
  answers: Answers,
  env: Record<string, string> = {},
): Promise<{ readonly said: string; readonly exitCode: number | null }> {
  return answering(atTerminal(place, words, env, shell), answers);
}

function answering(
  child: ChildProcessWithoutNullStreams,
  answers: Answers,
): Promise<{ readonly said: string; readonly exitCode: number | null }> {
  let said = '';
  let asked = 0;
  return new Promise((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString('utf8');
      const [wanted, typed] = answers[asked] ?? [];
      const at = wanted === undefined ? -1 : said.indexOf(wanted);
      if (at === -1 || !/[?)][^?]*(?:: |\[y\/N\] )/.test(said.slice(at))) return;
      asked += 1;
      child.stdin.write(typed as string);
    });
    child.on('close', (exitCode) => resolve({ said: said.replaceAll('\r', ''), exitCode }));
  });
}

/** Closes the terminal under the command once it has said something. */
export async function closedTerminal(
  place: Workplace,
  words: readonly string[],
  text: string,
  env: Record<string, string> = {},
): Promise<void> {
  await onceSaid(place, words, text, (terminal) => terminal.kill('SIGKILL'), env);
}

/** Types a key once the command has said something, whether or not it asks. */
export function endedByKey(
  place: Workplace,
  words: readonly string[],
  [text, key]: readonly [said: string, key: string],
  env: Record<string, string> = {},
  shell: Shell | null = null,
): Promise<{ readonly said: string; readonly exitCode: number | null }> {
  return onceSaid(place, words, text, (terminal) => terminal.stdin.write(key), env, shell);
}

async function onceSaid(
  place: Workplace,
  words: readonly string[],
  text: string,
  act: (terminal: ChildProcessWithoutNullStreams) => void,
  env: Record<string, string>,
  shell: Shell | null = null,
): Promise<{ readonly said: string; readonly exitCode: number | null }> {
  const terminal = atTerminal(place, words, env, shell);
  let said = '';
  let isDone = false;
  terminal.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString('utf8');
    if (isDone || !said.includes(text)) return;
    isDone = true;
    act(terminal);
  });
  const [exitCode] = (await once(terminal, 'close')) as [number | null];
  return { said: said.replaceAll('\r', ''), exitCode };
}

function atTerminal(
  place: Workplace,
  words: readonly string[],
  env: Record<string, string>,
  shell: Shell | null = null,
): ChildProcessWithoutNullStreams {
  const command = [...(shell === null ? [] : ['bash', '-c', shell, 'bash']), process.execPath, main, ...words]
    .map((word) => `'${word}'`)
    .join(' ');
  return spawn('script', ['-qec', command, '/dev/null'], { cwd: place.folder, env: environmentOf(place.folder, env) });
}
