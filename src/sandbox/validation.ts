/** Checks a body against a record kind's own schema and says in plain words what is wrong, without repeating what is personal. */
import * as z from 'zod';
import { type PathSegment, pathOf } from '../contract/fields.ts';
import { sensitiveNames } from '../contract/sensitive-names.ts';
import { isObject, valueAt } from './kinds.ts';
import { type FieldError, Problem } from './problem.ts';

/** Nine digits with or without the usual dashes: an SSN that was put into another field is not shown either. */
export const likeSsn = /\d{3}[- ]?\d{2}[- ]?\d{4}/;
/** Of a value that an error repeats, in characters. */
const longestValue = 120;
const deepestBody = 40;
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
function fieldErrors(issues: readonly z.core.$ZodIssue[], body: unknown): FieldError[] {
  return issues.map((issue) => {
    const segments = issue.path.map((segment) => (typeof segment === 'symbol' ? String(segment) : segment));
    const value = valueAt(body, segments);
    const path = pathOf(segments);
    const { rule, message } = wordsFor(issue, path === '' ? 'The body' : path, value);
    return { path, rule, message: sentence(message), ...shownValue(segments, value) };
  });
}

/** Says no to a body that is nested so deeply that it could not be written out again. */
export function refuseDeepBody(value: unknown): void {
  if (isDeeper(value, deepestBody)) {
    throw new Problem('unreadable-body', { detail: `The body is nested more than ${deepestBody} levels deep.` });
  }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (!isObject(value)) return false;
  if (levels === 0) return true;
  for (const inner of Object.values(value)) if (isDeeper(inner, levels - 1)) return true;
  return false;
}

function wordsFor(issue: z.core.$ZodIssue, name: string, value: unknown): { rule: string; message: string } {
  switch (issue.code) {
    case 'invalid_type':
      if (value === undefined) return { rule: 'required', message: `${name} is required` };
      return { rule: 'type', message: `${name} must be ${withArticle(issue.expected)}, not ${typeInWords(value)}` };
    case 'invalid_value':
      if (value === undefined) return { rule: 'required', message: `${name} is required` };
      return { rule: 'allowed-values', message: `${name} must be one of: ${issue.values.join(', ')}` };
    case 'too_big':
      return { rule: 'maximum', message: `${name} may ${limit(issue.origin, 'at most', issue.maximum)}` };
    case 'too_small':
      if (issue.origin === 'string' && value === '') return { rule: 'required', message: `${name} must not be empty` };
      return { rule: 'minimum', message: `${name} must ${limit(issue.origin, 'at least', issue.minimum)}` };
    case 'invalid_format':
      return { rule: 'format', message: `${name} is not a well-formed ${formatInWords(issue.pattern)}` };
    case 'invalid_union':
      if (value === undefined) return { rule: 'required', message: `${name} is required` };
      return { rule: 'type', message: `${name} must be a string or a number, not ${typeInWords(value)}` };
    case 'custom':
      return { rule: 'rule', message: `${name}: ${issue.message}` };
    default:
      return { rule: issue.code, message: `${name}: ${issue.message}` };
  }
}

function limit(origin: string, words: string, bound: number | bigint): string {
  if (origin === 'string') return `have ${words} ${bound} characters`;
  if (origin === 'array') return `hold ${words} ${bound} values`;
  return `be ${words} ${bound}`;
}

function typeInWords(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return withArticle(typeof value);
}

function formatInWords(pattern: string | undefined): string {
  return pattern === String(z.regexes.email) ? 'e-mail address' : 'value';
}

function withArticle(type: string): string {
  if (type === 'array') return 'a list';
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function shownValue(segments: readonly PathSegment[], value: unknown): { value?: string | number | boolean | null } {
  if (segments.some((segment) => sensitiveNames.has(segment))) return {};
  if (typeof value === 'string' || typeof value === 'number') {
    const text = String(value);
    if (likeSsn.test(text)) return {};
    if (typeof value === 'number') return Number.isFinite(value) ? { value } : {};
    return { value: text.length > longestValue ? `${text.slice(0, longestValue)}…` : text };
  }
  return typeof value === 'boolean' || value === null ? { value } : {};
}
