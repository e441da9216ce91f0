/** A lone `-` on the command line: standard input or output where a command takes it, and a slip elsewhere. */
import { UsageProblem } from '../usage-problem.ts';

/** yargs takes a lone `-` for nothing: it goes through the parser under this name. */
export const standardInputWord = '<standard input>';

/**
 * @param command  its name
 * @param taken  the flags and places at which it takes a `-`
 * @throws UsageProblem for one elsewhere: a file would get a name that nobody typed
 */
export function refuseDashes(
  command: string,
  flags: Readonly<Record<string, unknown>>,
  taken: readonly string[],
): void {
  const [strange] = Object.keys(flags).filter(
    (name) => name.length > 1 && !taken.includes(name) && isDash(flags[name]),
  );
  if (strange === undefined) return;
  throw new UsageProblem(
    `dealsheet ${command} takes no "-" as ${strange}: it uses neither standard input nor standard output there.`,
    'Give a name.',
  );
}

function isDash(value: unknown): boolean {
  return Array.isArray(value) ? value.includes(standardInputWord) : value === standardInputWord;
}
