/** The shape of a command. Every file in commands/ exports one, with the flags that it takes. */
import type { InferredOptionType, Options, PositionalOptions } from 'yargs';
import { type FlagName, type FlagsNamed, flagGroups } from '../settings/flags.ts';
import type { JsonAnswer } from './command-end.ts';
import type { Terminal } from './terminal.ts';

type Positionals = Readonly<Record<string, PositionalOptions>>;

interface Declared<Flags> {
  /** Command lines with explanations, shown first in the help. */
  readonly examples: readonly (readonly [line: string, what: string])[];
  readonly positionals?: Positionals;
  readonly flags: readonly FlagName[];
  /** The command's own flags, and overrides of shared ones. */
  readonly own?: Readonly<Record<string, Options>>;
  /** Flags and arguments where `-` means standard input or output. */
  readonly takesDashAt?: readonly string[];
  readonly run: (flags: Flags, terminal: Terminal, answer: JsonAnswer) => Promise<number | undefined>;
}

export type Command = Declared<object>;

/** Declares a command and infers the types of its flags. */
export function command<
  const Where extends Positionals,
  const Names extends readonly FlagName[],
  const Own extends Readonly<Record<string, Options>>,
>(
  declared: Declared<
    { [Name in keyof Where]: InferredOptionType<Where[Name]> } & FlagsNamed<Names> & {
        [Name in Exclude<keyof Own, Names[number]>]: InferredOptionType<Own[Name]>;
      }
  > & { readonly positionals?: Where; readonly flags: Names; readonly own?: Own },
): Command {
  return declared as unknown as Command;
}

export const positional = (describe: string) => ({ type: 'string', demandOption: true, describe }) as const;
export const optionalPositional = (describe: string) => ({ type: 'string', describe }) as const;

/**
 * The flags of a command for yargs, in help order.
 *
 * @param use  a layout for the help takes a twentieth of a small load, so other uses skip it
 */
export function optionsOf({ flags: named, own = {} }: Command, use: 'help' | 'completion' | 'run') {
  const all = Object.entries(flagGroups).flatMap(([group, ofGroup]) =>
    Object.entries<Options>(ofGroup).flatMap(([name, known]): readonly (readonly [string, Options])[] => {
      const isNamed = named.some((each) => each === name);
      if (!isNamed && own[name] === undefined) return [];
      const flag = { ...(isNamed && known), ...own[name], group };
      if (use !== 'help') return [[name, { ...flag, hidden: use === 'run' }]];
      // The help shows the type of a parsed flag, and no default for a switch.
      if ('coerce' in flag) return [[name, { ...flag, type: 'number' }]];
      return [[name, flag.default === false ? { ...flag, default: undefined } : flag]];
    }),
  );
  return Object.fromEntries(all);
}

/** yargs ignores a lone `-`, so it passes through the parser under this name. */
export const standardInputWord = '<standard input>';

/** The flags by their names in code. The last value of a repeated flag counts, unless it is a list. */
export function flagsOf(given: object, options: Readonly<Record<string, Options>>): object {
  const entries = Object.entries(given).map(([name, value]: [string, unknown]) => {
    const isOne = options[name] !== undefined && options[name].array !== true;
    return [camel(name), Array.isArray(value) && isOne ? value.at(-1) : value];
  });
  return Object.fromEntries(entries);
}

/** Converts `token-file` to `tokenFile`. */
export function camel(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Names from repeated flags, each with one or more, separated by commas. Quotes protect a comma: `"City, State",Rep`. */
export function namesIn(texts: readonly string[] = []): readonly string[] {
  const names = texts.flatMap((text) => text.match(/\s*"[^"]*"\s*(?=,|$)|[^,]+/g) ?? []);
  return names.map((name) => name.trim().replace(/^"(.*)"$/s, '$1')).filter((name) => name !== '');
}
