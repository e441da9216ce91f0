/**
 * The commands that a message tells a person to run, made whole. Who writes the message knows neither which ledger was chosen nor
 * how: what this command was told, the next one has to be told too. Its one rule: what is told runs as it stands, and finds the
 * runs that this command worked with.
 */
import { resolve } from 'node:path';
import { shellWord } from '../../pipeline/rows/shell-word.ts';
import { ledgerPath, ledgerPathWithoutFlags } from '../settings/ledger-choice.ts';

/** Puts what is missing into the commands that a text tells. */
export type WholeCommands = (text: string, run?: string | null) => string;

export interface FlagsOfCommand {
  readonly ledger?: string | undefined;
  readonly config?: string | undefined;
  readonly tokenFile?: string | undefined;
}

const flagsOfSending: readonly string[] = ['--ledger', '--config', '--token-file'];
/** What each of the commands that work with a run can be told. */
const flagsTakenBy: Readonly<Record<string, readonly string[]>> = {
  runs: ['--ledger'],
  'ledger accept': ['--ledger'],
  results: ['--ledger', '--config'],
  resume: flagsOfSending,
  resolve: flagsOfSending,
};
/** What stands behind a slash, or in front of an ending, is the name of a folder or a file. */
const toldCommand =
  /(?<![\w./\\-])dealsheet (runs|results|resume|resolve|ledger accept)\b(?!\.\w|[\\/])( \d{4}-\d{2}-\d{2}-\d+(?:-[a-z]+)?| RUN\b)?/g;

/** @param flags  what the command at hand was given */
export function wholeCommands(flags: FlagsOfCommand): WholeCommands {
  let needed: readonly NeededFlag[] | null = null;
  return (text, run = null) =>
    text.replace(toldCommand, (told, command: string, itsRun: string | undefined) => {
      needed ??= neededFlags(flags);
      const taken = needed.filter(({ flag }) => flagsTakenBy[command]?.includes(flag));
      const runUnderWay = command === 'resume' && itsRun === undefined && run !== null ? ` ${run}` : '';
      return `${told}${runUnderWay}${taken.map(({ flag, path }) => ` ${flag} ${shellWord(path)}`).join('')}`;
    });
}

interface NeededFlag {
  readonly flag: string;
  readonly path: string;
}

/** Where a command that is typed without flags, in another shell, would not look. */
function neededFlags({ ledger, config, tokenFile }: FlagsOfCommand): readonly NeededFlag[] {
  const chosen = orNull(() => ledgerPath({ ledger, config }));
  const isFound = chosen === null || chosen === orNull(ledgerPathWithoutFlags);
  return [
    ...(isFound ? [] : [{ flag: '--ledger', path: chosen }]),
    ...(config === undefined ? [] : [{ flag: '--config', path: resolve(config) }]),
    ...(tokenFile === undefined ? [] : [{ flag: '--token-file', path: resolve(tokenFile) }]),
  ];
}

/** A configuration that cannot be read is told by the command itself, never by a message about something else. */
function orNull(find: () => string): string | null {
  try {
    return find();
  } catch {
    return null;
  }
}
