/** What every file in commands/ exports. */
import type { ArgumentsCamelCase, Argv } from 'yargs';
import type { JsonAnswer } from './talk/json-answer.ts';
import type { Terminal } from './terminal/terminal.ts';

export interface Command {
  /** The words of the command line, such as `check <file>`. */
  readonly command: string;
  /** One line in the list of commands, and the first of the command's own help. */
  readonly describe: string;
  /** Command lines with what they do: the first thing in the help. */
  readonly examples: readonly (readonly [line: string, what: string])[];
  readonly builder: (yargs: Argv) => Argv;
  /** The flags and places at which `-` stands for standard input or output. */
  readonly takesDashAt: readonly string[];
  /** Does the work and gives the exit code. */
  readonly run: (flags: ArgumentsCamelCase, terminal: Terminal, answer: JsonAnswer) => Promise<number>;
}

/** Makes a command whose flags keep their types from its builder to its run. */
export function command<Flags>(
  definition: Pick<Command, 'command' | 'describe' | 'examples'> & {
    readonly builder: (yargs: Argv) => Argv<Flags>;
    readonly takesDashAt?: readonly (keyof Flags & string)[];
    readonly run: (flags: ArgumentsCamelCase<Flags>, terminal: Terminal, answer: JsonAnswer) => Promise<number>;
  },
): Command {
  return { takesDashAt: [], ...definition } as unknown as Command;
}

const narrowTerminal = 100;

/** Examples as they stand above the flags; what they do stands beside them where there is room for it, else above. */
export function exampleText(examples: Command['examples']): string {
  const widest = Math.max(...examples.map(([line]) => line.length));
  const beside = examples.map(([line, what]) => `${line.padEnd(widest)}  ${what}`);
  const above = examples.map(([line, what]) => `# ${what}\n${line}`);
  return ['Examples:', ...(beside.some((text) => text.length > narrowTerminal) ? above : beside)].join('\n');
}
