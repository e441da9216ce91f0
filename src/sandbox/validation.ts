/** Checks a body against a record kind's own schema and says in plain words what is wrong, without repeating what is personal. */
import type * as z from 'zod';
import { isObject, valuesAt } from '../contract/body-path.ts';
import { type PathSegment, pathOf } from '../contract/fields.ts';
import { sensitiveNames } from '../contract/sensitive-names.ts';
import { type FieldError, Problem } from './problem.ts';

/** Nine digits with or without the usual dashes: an SSN that was put into another field is not shown either. */
export const likeSsn = /\d{3}[- ]?\d{2}[- ]?\d{4}/;
/** Of a value that an error repeats, in characters. */
const longestValue = 120;
const mostErrors = 100;

export type Validated<Value> = { readonly value: Value } | { readonly errors: readonly FieldError[] };

/** Gives the checked value, or every error. A value that is no object is refused first: rules may look into it. */
export function validate<Schema extends z.ZodObject>(schema: Schema, value: unknown): Validated<z.output<Schema>> {
  if (!isObject(value) || Array.isArray(value)) {
    return { errors: [{ path: '', rule: 'type', message: 'The body must be an object.' }] };
  }
  const result = schema.safeParse(value);
  return result.success ? { value: result.data } : { errors: fieldErrors(result.error.issues, value) };
}

/** Gives the value back, or throws a problem of 422 that lists every error. */
export function valid<Value>(validated: Validated<Value>): Value {
  if ('errors' in validated) throw invalidFields(validated.errors);
  return validated.value;
}

export function invalidFields(errors: readonly FieldError[], members: Readonly<Record<string, unknown>> = {}): Problem {
  const first = errors[0]?.message ?? 'Something is not as it should be.';
  const detail = errors.length <= 1 ? first : `${errors.length} things are not as they should be. The first: ${first}`;
  return new Problem('invalid-fields', { detail, errors: errors.slice(0, mostErrors), members });
}

/** An error of a rule that no schema holds, at a field of the body. */
export function fieldError(path: string, rule: string, message: string, value: unknown): FieldError {
  return { path, rule, message, ...shownValue(path.split('.'), value) };
}

/** The rule that each kind of issue breaks. */
const rules: Readonly<Partial<Record<z.core.$ZodIssue['code'], string>>> = {
  invalid_type: 'type',
  invalid_union: 'type',
  invalid_value: 'allowed-values',
  too_big: 'maximum',
  too_small: 'minimum',
  invalid_format: 'format',
  custom: 'rule',
};

export function fieldErrors(issues: readonly z.core.$ZodIssue[], body: unknown): FieldError[] {
  return issues.map(({ code, message, path: place }) => {
    const segments = place.map((segment) => (typeof segment === 'symbol' ? String(segment) : segment));
    const path = pathOf(segments);
    const [value] = valuesAt(body, path === '' ? '.' : path);
    const isMissing = value === undefined || value === '';
    const [rule, told] = isMissing ? ['required', `${path} is required`] : [rules[code] ?? code, `${path}: ${message}`];
    return { path, rule, message: `${told}.`.replace(/\.+$/, '.'), ...shownValue(segments, value) };
  });
}

/** The value of an error, unless it may be personal. */
function shownValue(segments: readonly PathSegment[], value: unknown): Pick<FieldError, 'value'> {
  if (segments.some((segment) => sensitiveNames.has(segment)) || likeSsn.test(JSON.stringify(value) ?? '')) return {};
  if (typeof value === 'string') {
    return { value: value.length > longestValue ? `${value.slice(0, longestValue)}…` : value };
  }
  const isPlain = typeof value === 'boolean' || value === null || (typeof value === 'number' && Number.isFinite(value));
  return isPlain ? { value } : {};
}
