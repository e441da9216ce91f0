/** How a command is declared: every file in commands/ exports one, and names the flags that it takes. */
import type { InferredOptionType, Options, PositionalOptions } from 'yargs';
import { type FlagName, type FlagsNamed, flagGroups } from '../settings/flags.ts';
import type { JsonAnswer } from './ending.ts';
import type { Terminal } from './terminal.ts';

type Places = Readonly<Record<string, PositionalOptions>>;

interface Declared<Flags> {
  /** Command lines with what they do: the first thing in the help. */
  readonly examples: readonly (readonly [line: string, what: string])[];
  readonly places?: Places;
  readonly flags: readonly FlagName[];
  /** Flags of its own, and what one of the others means where it means something else here. */
  readonly own?: Readonly<Record<string, Options>>;
  /** The flags and places at which `-` stands for standard input or output. */
  readonly takesDashAt?: readonly string[];
  readonly run: (flags: Flags, terminal: Terminal, answer: JsonAnswer) => Promise<number | undefined>;
}

export type Command = Declared<object>;

/** Makes a command whose flags keep their types up to its run. */
export function command<
  const Where extends Places,
  const Names extends readonly FlagName[],
  const Own extends Readonly<Record<string, Options>>,
>(
  declared: Declared<
    { [Name in keyof Where]: InferredOptionType<Where[Name]> } & FlagsNamed<Names> & {
        [Name in Exclude<keyof Own, Names[number]>]: InferredOptionType<Own[Name]>;
      }
  > & { readonly places?: Where; readonly flags: Names; readonly own?: Own },
): Command {
  return declared as unknown as Command;
}

export function place(describe: string) {
  return { type: 'string', demandOption: true, describe } as const;
}

export function maybePlace(describe: string) {
  return { type: 'string', describe } as const;
}

/**
 * The flags of a command as yargs takes them, in the order of the help.
 *
 * @param use  laying out the help behind every command would take a twentieth of a small load
 */
export function optionsOf({ flags: named, own = {} }: Command, use: 'help' | 'completion' | 'run') {
  const all = Object.entries(flagGroups).flatMap(([group, ofGroup]) =>
    Object.entries<Options>(ofGroup).flatMap(([name, known]): readonly (readonly [string, Options])[] => {
      const isNamed = named.some((each) => each === name);
      if (!isNamed && own[name] === undefined) return [];
      const flag = { ...(isNamed && known), ...own[name], group };
      if (use !== 'help') return [[name, { ...flag, hidden: use === 'run' }]];
      // The help says what a flag wants, however it is read, and of a switch not that it is off.
      if ('coerce' in flag) return [[name, { ...flag, type: 'number' }]];
      return [[name, flag.default === false ? { ...flag, default: undefined } : flag]];
    }),
  );
  return Object.fromEntries(all);
}

/** yargs takes a lone `-` for nothing: it goes through the parser under this name. */
export const standardInputWord = '<standard input>';

/** The flags by the names that the code has for them; of one that is given twice, the last counts, unless it is a list. */
export function flagsOf(given: object, options: Readonly<Record<string, Options>>): object {
  const entries = Object.entries(given).map(([name, value]: [string, unknown]) => {
    const isOne = options[name] !== undefined && options[name].array !== true;
    return [camel(name), Array.isArray(value) && isOne ? value.at(-1) : value];
  });
  return Object.fromEntries(entries);
}

/** A flag by the name that the code has for it: `token-file` is `tokenFile`. */
export function camel(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Names that are given with commas between them, in several flags, or both. */
export function namesIn(texts: readonly string[] | undefined): readonly string[] {
  const names = (texts ?? []).flatMap((text) => text.split(',')).map((text) => text.trim());
  return names.filter((text) => text !== '');
}
