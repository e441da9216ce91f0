/** The commands that messages tell a person to run. Typed as printed, they find the ledger and the runs of the current command. */
import { asReader } from './ways.ts';

const flagsTakenBy = {
  runs: ['--ledger'],
  ledger: ['--ledger'],
  map: [],
  results: ['--ledger', '--config'],
  resume: ['--ledger', '--config', '--token-file'],
  resolve: ['--ledger', '--config', '--token-file'],
} as const;

export type NamedCommand = keyof typeof flagsTakenBy;

/** Where the page offers the same as a command. */
const onPage: Readonly<Partial<Record<NamedCommand, string>>> = {
  runs: '“Earlier loads” on the page',
  results: '“Results” under “Earlier loads” on the page',
  resume: '“Go on” under “Earlier loads” on the page',
};

interface NeededFlag {
  readonly flag: string;
  readonly path: string;
}

/** The flags of the current command that the next one needs too, and the run under way. */
let needed: () => readonly NeededFlag[] = () => [];
let runUnderWay: string | null = null;

export function setFlagsOfCommands(flags: () => readonly NeededFlag[]): void {
  needed = flags;
  runUnderWay = null;
}

export function setRunOfCommands(run: string): void {
  runUnderWay = run;
}

/**
 * A command to type: `dealsheet resolve 2026-11-20-01 --row 'Deals!12'`
 * @param run  for `resume`, the run under way by default
 */
export function commandText(command: NamedCommand, run?: string, ...further: readonly string[]): string {
  const itsRun = run ?? (command === 'resume' ? runUnderWay : null);
  const taken: readonly string[] = flagsTakenBy[command];
  const flags = needed().flatMap(({ flag, path }) => (taken.includes(flag) ? [flag, path] : []));
  const words = [...(itsRun === null ? [] : [itsRun]), ...flags, ...further];
  const typed = ['dealsheet', command, ...words.map(shellWord)].join(' ');
  return asReader(typed, onPage[command] ?? typed);
}

/** How to go on. A command that ends before its run has begun can only be given again. */
export function continueText(): string {
  const resuming = `continue with: ${commandText('resume')}`;
  return asReader(runUnderWay === null ? 'try again.' : resuming, resuming);
}

const plainForAnyShell = /^[\w@%+=:,./-]+$/;
/** For cmd and PowerShell. */
const plainForWindows = /^[\w:\\./+-]+$/;

/** Quotes a word for the shell, with single quotes, because most shells expand "!" between double ones. */
export function shellWord(word: string): string {
  if (process.platform === 'win32') return plainForWindows.test(word) ? word : `"${word}"`;
  return plainForAnyShell.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

export function namesWithCommas(names: readonly string[]): string {
  return names.map((name) => (name.includes(',') ? `"${name}"` : name)).join(',');
}
