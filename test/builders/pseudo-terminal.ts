/** The command line at a terminal, with somebody who answers. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { runs } from './tools.ts';
import { environmentOf, main, type Workplace } from './workplace.ts';

export const hasTerminal = runs('script', '--version');

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
  const child = atTerminal(place, words, env);
  let said = '';
  let asked = 0;
  return new Promise((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString('utf8');
      const [wanted, typed] = answers[asked] ?? [];
      const at = wanted === undefined ? -1 : said.indexOf(wanted);
      if (at === -1 || !/\?[^?]*(?:: |\[y\/N\] )/.test(said.slice(at))) return;
      asked += 1;
      child.stdin.write(typed as string);
    });
    child.on('close', (exitCode) => resolve({ said: said.replaceAll('\r', ''), exitCode }));
  });
}

/** Closes the terminal under the command once `isTime` says so. */
export async function closedTerminal(
  place: Workplace,
  words: readonly string[],
  isTime: (said: string) => boolean,
  env: Record<string, string> = {},
): Promise<void> {
  const child = atTerminal(place, words, env);
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString('utf8');
  });
  const closed = once(child, 'close');
  const watch = setInterval(() => {
    if (isTime(said)) child.kill('SIGKILL');
  }, betweenLooksMs);
  await closed;
  clearInterval(watch);
}

const betweenLooksMs = 10;

function atTerminal(place: Workplace, words: readonly string[], env: Record<string, string>) {
  const command = [process.execPath, main, ...words].map((word) => `'${word}'`).join(' ');
  return spawn('script', ['-qec', command, '/dev/null'], {
    cwd: place.folder,
    env: environmentOf(place.folder, env),
  });
}
