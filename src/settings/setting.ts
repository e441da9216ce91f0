/** A setting with who says it: flags stand above the environment, that above configuration files, those above defaults. */
import type { FoundProfile } from './configuration.ts';

export interface Said<Value> {
  readonly value: Value;
  /** `--rate`, `DEALSHEET_RATE`, `profile "live" in /…/dealsheet.config.json`, `default`. */
  readonly origin: string;
}

/** What is in force, and what it stands above. */
export interface Setting<Value> extends Said<Value> {
  readonly overridden: readonly Said<Value>[];
}

/** @param said  in the order in which it counts */
export function settled<Value>(said: readonly (Said<Value> | null)[], fallback: Value): Setting<Value> {
  const [first = { value: fallback, origin: 'default' }, ...overridden] = said.filter((one) => one !== null);
  return { ...first, overridden };
}

/** What one of them says, read as it is meant; `null` where it says nothing. */
export function said<Given, Value = Given>(
  origin: string,
  given: Given | undefined,
  read: (given: Given) => Value = (value) => value as unknown as Value,
): Said<Value> | null {
  return given === undefined ? null : { value: read(given), origin };
}

/** What `DEALSHEET_<name>` says; an empty one counts as none. */
export function saidByVariable<Value = string>(name: string, read?: (text: string) => Value): Said<Value> | null {
  return said(`DEALSHEET_${name}`, process.env[`DEALSHEET_${name}`] || undefined, read);
}

export function saidByProfile<Given, Value = Given>(
  found: FoundProfile | null,
  given: Given | undefined,
  read?: (given: Given) => Value,
): Said<Value> | null {
  return found === null ? null : said(`profile "${found.name}" in ${found.file}`, given, read);
}
