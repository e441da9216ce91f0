/** The schema's verdict on a body, in the words of a person: which field, which value, which rule. */
import type * as z from 'zod';
import { type PathSegment, pathOf } from '../contract/fields.ts';
import { type Body, valueAt } from './body.ts';

/** One broken rule: where in the body, and the rest of a sentence that begins with the field and its value. */
export interface SchemaFault {
  readonly segments: readonly PathSegment[];
  readonly path: string;
  /** Nothing stands where the schema wants something. */
  readonly missing: boolean;
  readonly text: string;
}

export function schemaFaultOf(issue: z.core.$ZodIssue, body: Body): SchemaFault {
  const segments = issue.path.filter((segment) => typeof segment !== 'symbol');
  const value = valueAt(body, segments);
  return { segments, path: pathOf(segments), missing: value === undefined, text: textOf(issue, value) };
}

function textOf(issue: z.core.$ZodIssue, value: unknown): string {
  switch (issue.code) {
    case 'too_small':
      return issue.origin === 'number' ? `must be at least ${issue.minimum}.` : 'must not be empty.';
    case 'too_big':
      return issue.origin === 'string'
        ? `has ${lengthOf(value)} characters, and at most ${issue.maximum} are allowed.`
        : `must be at most ${issue.maximum}.`;
    case 'invalid_format':
      return issue.format === 'regex' || issue.format === 'email'
        ? 'is not an e-mail address.'
        : `is not a valid ${issue.format}.`;
    case 'invalid_value':
      return `is not one of the allowed values: ${issue.values.join(', ')}.`;
    case 'custom':
      return `is not allowed: ${issue.message}.`;
    default:
      return `is not of the kind that is wanted (${issue.message}).`;
  }
}

function lengthOf(value: unknown): string {
  return typeof value === 'string' ? String(value.length) : 'too many';
}
