/** What is wrong with a command line, said to a person: yargs speaks of arguments, and of which command it leaves open. */
import { closest } from 'fastest-levenshtein';
import { shellWord } from '../messages/commands.ts';
import { nearFlag } from './flags/near-flags.ts';
import { standardInputWord } from './flags/standard-input-word.ts';

/** The command line says something that no command understands. */
export class UsageProblem extends Error {
  readonly remedy: string;

  constructor(message: string, remedy: string) {
    super(message);
    this.remedy = remedy;
  }
}

/**
 * @param message  that of yargs, or of a flag of ours
 * @param command  as the list of commands has it, such as `check <file>`; `null` where none was typed
 * @param words  the command line
 * @param known  the names of the flags that the command takes
 */
export function usageProblem(
  message: string,
  command: string | null,
  words: readonly string[],
  known: readonly string[],
): UsageProblem {
  const [name] = command?.split(' ') ?? [];
  const typed = name === undefined ? 'dealsheet' : `dealsheet ${name}`;
  const remedy =
    name === undefined ? 'dealsheet --help lists the commands.' : `${typed} --help lists what it takes, with examples.`;
  return new UsageProblem(inOurWords(message, typed, command, { words, known }) ?? message, remedy);
}

/**
 * A lone `-` is standard input or output where a command takes it, and a slip elsewhere.
 *
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

/**
 * An empty text is what a shell makes of a variable that is not set: taken at its word, it would be the folder that the command was
 * started in, or a file without a name.
 *
 * @param command  as the list of commands has it
 * @throws UsageProblem
 */
export function refuseEmpties(command: string, flags: Readonly<Record<string, unknown>>): void {
  const [empty] = Object.keys(flags).filter((name) => /^[a-z][a-z-]+$/.test(name) && flags[name] === '');
  if (empty === undefined) return;
  const [name = ''] = command.split(' ');
  if (hasPlaceFor(empty, command)) {
    const message = `dealsheet ${name} was given an empty text as its ${empty}.`;
    throw new UsageProblem(message, 'Look whether a variable in the command is not set.');
  }
  throw new UsageProblem(
    `--${empty} has nothing but an empty text behind it.`,
    'Look whether a variable in the command is not set, or leave the flag out.',
  );
}

function hasPlaceFor(name: string, command: string): boolean {
  return command.includes(`<${name}`) || command.includes(`[${name}`);
}

function isDash(value: unknown): boolean {
  return Array.isArray(value) ? value.includes(standardInputWord) : value === standardInputWord;
}

interface Line {
  readonly words: readonly string[];
  readonly known: readonly string[];
}

type Say = (found: string[], typed: string, usage: string, line: Line) => string;

/** What a command can be told is a flag where it has a name, and a word of its own where it has a place. */
const sayings: readonly (readonly [pattern: RegExp, say: Say])[] = [
  [
    /^Not enough non-option arguments/,
    (_found, _typed, usage, { words }) => `Something is missing: ${usage}${fileTakenForFlag(words)}`,
  ],
  [
    /^Missing required arguments?: (.*)$/,
    ([names = '']) => `${flags(names)} ${names.includes(',') ? 'are' : 'is'} missing.`,
  ],
  [/^Not enough arguments following: (.*)$/, ([name = '']) => `${flags(name)} needs a value behind it.`],
  [
    /^Unknown arguments?: (.*)$/,
    ([names = ''], typed, usage, line) =>
      `${notKnown(asTyped(names, line.words), typed, line.known)}${namesApart(asTyped(names, line.words), usage)}`,
  ],
  [/^Did you mean (.*)\?$/, ([meant = ''], typed, _usage, { words }) => noSuchCommand(meant, typed, words)],
  [
    /^Invalid values:\s+(.*)$/s,
    ([values = ''], typed, usage) =>
      values
        .split('\n')
        .map((value) => notTaken(value, typed, usage))
        .join(' '),
  ],
];

function inOurWords(message: string, typed: string, command: string | null, line: Line): string | null {
  const usage = command === null ? 'dealsheet COMMAND' : `dealsheet ${command}`;
  for (const [pattern, say] of sayings) {
    const found = pattern.exec(message);
    if (found !== null) return say(found.slice(1), typed, usage, line);
  }
  return null;
}

/** Of the words typed, yargs does not say which it took for the command. */
function noSuchCommand(meant: string, typed: string, words: readonly string[]): string {
  return `${typed} does not know ${closest(meant, [...words])}. Did you mean ${meant}?`;
}

function notKnown(strangers: readonly string[], typed: string, known: readonly string[]): string {
  const meant = strangers.map((stranger) => nearFlag(stranger, known)).filter((flag) => flag !== null);
  const question = meant.length === 0 ? '' : ` Did you mean ${meant.join(' and ')}?`;
  return `${typed} does not know ${strangers.join(', ')}.${question}`;
}

const fileName = /\.(?:csv|xlsx)$/i;

function fileTakenForFlag(words: readonly string[]): string {
  const file = words.find((word) => word.startsWith('-') && fileName.test(word));
  return file === undefined
    ? ''
    : `\nA name that begins with a dash is taken for a flag. Write it with its folder: ${shellWord(`./${file}`)}`;
}

/** A shell takes a name apart at its blanks, and makes several names of a pattern. */
function namesApart(strangers: readonly string[], usage: string): string {
  const isApart = usage.includes('<file>') && strangers.some((stranger) => !stranger.startsWith('-'));
  return isApart ? ' It takes one file at a time; a name with blanks in it wants quotes around all of it.' : '';
}

/** @param value  a line of yargs on one value */
function notTaken(value: string, typed: string, usage: string): string {
  const [, name = '', given = '', choices = ''] = /Argument: (.*), Given: (.*), Choices: (.*)$/.exec(value) ?? [];
  const who = hasPlaceFor(name, usage) ? typed : flags(name);
  return `${who} does not take ${given}. It takes: ${choices.replaceAll('"', '')}.`;
}

function flags(names: string): string {
  return names
    .split(', ')
    .map((name) => `${name.length === 1 ? '-' : '--'}${name}`)
    .join(', ');
}

/** yargs takes the dashes off what it does not know, and the `no` before it, and tells of each twice: `frob-nicate, frobNicate`. */
function asTyped(names: string, words: readonly string[]): readonly string[] {
  const known = new Map(words.map((word) => word.split('=')[0] ?? word).map((word) => [word.replace(/^-+/, ''), word]));
  const all = names.split(', ');
  const told = all.filter(
    (name) => known.has(name) || !all.some((other) => other !== name && camelCased(other) === name),
  );
  return told.map((name) => known.get(name) ?? known.get(`no-${name}`) ?? letterOf(name, words));
}

/** One of several letters behind one dash. */
function letterOf(name: string, words: readonly string[]): string {
  return words.some((word) => /^-\w/.test(word) && word.includes(name)) && name.length === 1 ? `-${name}` : name;
}

function camelCased(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
