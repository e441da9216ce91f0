/** The command line at a terminal, with somebody who answers. */
import { spawn } from 'node:child_process';
import { runs } from './tools.ts';
import { environmentOf, main, type Workplace } from './workplace.ts';

export const hasTerminal = runs('script', '--version');

/** Types each answer once the words before it have been said. A terminal may say a question several times, as one types. */
export function answer(
  place: Workplace,
  words: readonly string[],
  answers: readonly (readonly [said: string, typed: string])[],
  env: Record<string, string> = {},
): Promise<string> {
  const command = [process.execPath, main, ...words].map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    cwd: place.folder,
    env: environmentOf(place.folder, env),
  });
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
    child.on('close', () => resolve(said.replaceAll('\r', '')));
  });
}
