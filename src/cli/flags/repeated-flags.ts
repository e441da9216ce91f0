/** Flags that may be repeated, beside others of which the last counts. */
import type { Argv } from 'yargs';

const repeatable = { array: true, requiresArg: true } as const;
/** Of all commands: the middleware of each call sees the lists of every other. */
const lists = new Set(['_']);

/**
 * Adds flags that are lists of texts, one at a time: `--expect-count deals=3 --expect-count notes=9`. Without this, yargs keeps
 * the last alone, and takes whatever stands behind the first for more of it, the file included.
 */
export function withRepeatableFlags<Flags, Name extends string>(yargs: Argv<Flags>, flags: Record<Name, string>) {
  for (const name of Object.keys(flags)) lists.add(name);
  const options = Object.fromEntries(
    Object.entries<string>(flags).map(([name, describe]) => [name, { ...repeatable, type: 'string', describe }]),
  ) as Record<Name, typeof repeatable & { readonly type: 'string'; readonly describe: string }>;
  return yargs
    .parserConfiguration({ 'duplicate-arguments-array': true, 'greedy-arrays': false })
    .middleware(keepLast)
    .options(options);
}

/** A value as yargs hands it over before the last of several is kept. */
export type Given<Value> = Value | readonly Value[];

export function lastOf<Value extends number | string>(given: Given<Value>): Value {
  return typeof given === 'object' ? (given.at(-1) as Value) : given;
}

/** Yargs has a flag by two names: `expect-count` and `expectCount`. */
function keepLast(given: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(given)) {
    if (Array.isArray(value) && !lists.has(kebab(name))) given[name] = lastOf(value);
  }
}

/** A flag as it is typed: `groupBy` is `group-by`. */
export function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
