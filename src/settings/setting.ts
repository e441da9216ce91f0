/** A setting with where its value comes from: flags stand above the environment, that above configuration files, those above defaults. */
import { DealsheetError } from '../errors.ts';
import type { FoundProfile } from './configuration.ts';

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

/** The candidate with its value read as something else. */
export function readAs<From, To>(candidate: Candidate<From> | null, read: (value: From) => To): Candidate<To> | null {
  return candidate === null ? null : { value: read(candidate.value), origin: candidate.origin };
}

/** What a flag says, or `null` when it was not given. */
export function fromFlag<Value>(flag: string, value: Value | undefined): Candidate<Value> | null {
  return value === undefined ? null : { value, origin: flag };
}

/** What `DEALSHEET_<name>` says, or `null` when it is not set; an empty one counts as none. */
export function fromVariable(name: string): Candidate<string> | null {
  const value = process.env[`DEALSHEET_${name}`] ?? '';
  return value === '' ? null : { value, origin: `DEALSHEET_${name}` };
}

/** What a profile says, or `null` when it says nothing. */
export function fromProfile<Value>(found: FoundProfile | null, value: Value | undefined): Candidate<Value> | null {
  return found === null || value === undefined ? null : { value, origin: `profile "${found.name}" in ${found.file}` };
}

/**
 * A number that a flag, the environment and a profile may say.
 *
 * @throws DealsheetError `usage` when the variable holds no number above zero
 */
export function numberSetting<Fallback>(
  name: 'concurrency' | 'rate' | 'timeout' | 'batch',
  flag: number | undefined,
  found: FoundProfile | null,
  fallback: Fallback,
): Setting<number | Fallback> {
  const variable = fromVariable(name.toUpperCase());
  const number = readAs(variable, Number);
  if (number !== null && !(Number.isFinite(number.value) && number.value > 0)) {
    const message = `${number.origin} is "${variable?.value}", and a number above zero is wanted.`;
    throw new DealsheetError('usage', message, 'Correct it, or unset it.');
  }
  const candidates = [fromFlag(`--${name}`, flag), number, fromProfile(found, found?.profile[name])];
  return settled<number | Fallback>(candidates, fallback);
}
