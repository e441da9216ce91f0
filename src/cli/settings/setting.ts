/** A setting with where its value comes from: flags stand above the environment, that above configuration files, those above defaults. */
import type { FoundProfile } from './configuration.ts';
import { fromEnvironment } from './environment.ts';

/** A value, and who says it. */
export interface Candidate<Value> {
  readonly value: Value;
  /** `--rate`, `DEALSHEET_RATE`, `profile "live" in /…/dealsheet.config.json`, `default`. */
  readonly origin: string;
}

/** What is in force, and what it stands above. */
export interface Setting<Value> extends Candidate<Value> {
  readonly overridden: readonly Candidate<Value>[];
}

/** @param candidates  in the order in which they count */
export function settled<Value>(candidates: readonly (Candidate<Value> | null)[], fallback: Value): Setting<Value> {
  const given = candidates.filter((candidate) => candidate !== null);
  const [first = { value: fallback, origin: 'default' }, ...overridden] = given;
  return { ...first, overridden };
}

/** What a flag says, or `null` when it was not given. */
export function fromFlag<Value>(flag: string, value: Value | undefined): Candidate<Value> | null {
  return value === undefined ? null : { value, origin: flag };
}

/** What `DEALSHEET_<name>` says, or `null` when it is not set. */
export function fromVariable<Value>(name: string, read: (name: string) => Value | null): Candidate<Value> | null {
  const value = read(name);
  return value === null ? null : { value, origin: `DEALSHEET_${name}` };
}

export function textFromVariable(name: string): Candidate<string> | null {
  return fromVariable(name, fromEnvironment);
}

/** What a profile says, or `null` when it says nothing. */
export function fromProfile<Value>(found: FoundProfile | null, value: Value | undefined): Candidate<Value> | null {
  return found === null || value === undefined ? null : { value, origin: `profile "${found.name}" in ${found.file}` };
}
