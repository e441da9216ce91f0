/** Checks a body against a record kind's own schema and says in plain words what is wrong, without repeating what is personal. */
import * as z from 'zod';
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
    return { errors: [{ path: '', rule: 'type', message: `The body must be an object, not ${typeInWords(value)}.` }] };
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

/** zod's issues in the sandbox's words. */
export function fieldErrors(issues: readonly z.core.$ZodIssue[], body: unknown): FieldError[] {
  return issues.map((issue) => {
    const segments = issue.path.map((segment) => (typeof segment === 'symbol' ? String(segment) : segment));
    const path = pathOf(segments);
    const [value] = valuesAt(body, path === '' ? '.' : path);
    const [rule, message] = wordsFor(issue, path === '' ? 'The body' : path, value);
    return { path, rule, message: /[.!?]$/.test(message) ? message : `${message}.`, ...shownValue(segments, value) };
  });
}

function wordsFor(issue: z.core.$ZodIssue, name: string, value: unknown): [rule: string, message: string] {
  const required: [string, string] = ['required', `${name} is required`];
  switch (issue.code) {
    case 'invalid_type':
    case 'invalid_union': {
      const wanted = issue.code === 'invalid_type' ? withArticle(issue.expected) : 'a string or a number';
      return value === undefined ? required : ['type', `${name} must be ${wanted}, not ${typeInWords(value)}`];
    }
    case 'invalid_value':
      return value === undefined ? required : ['allowed-values', `${name} must be one of: ${issue.values.join(', ')}`];
    case 'too_big':
      return ['maximum', `${name} may ${limit(issue.origin, 'at most', issue.maximum)}`];
    case 'too_small':
      if (issue.origin === 'string' && value === '') return ['required', `${name} must not be empty`];
      return ['minimum', `${name} must ${limit(issue.origin, 'at least', issue.minimum)}`];
    case 'invalid_format': {
      const isEmail = issue.pattern === String(z.regexes.email);
      return ['format', `${name} is not a well-formed ${isEmail ? 'e-mail address' : 'value'}`];
    }
    default:
      return [issue.code === 'custom' ? 'rule' : issue.code, `${name}: ${issue.message}`];
  }
}

function limit(origin: string, words: string, bound: number | bigint): string {
  if (origin === 'string') return `have ${words} ${bound} characters`;
  return origin === 'array' ? `hold ${words} ${bound} values` : `be ${words} ${bound}`;
}

function typeInWords(value: unknown): string {
  if (value === null) return 'null';
  return withArticle(Array.isArray(value) ? 'array' : typeof value);
}

function withArticle(type: string): string {
  if (type === 'array') return 'a list';
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
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
