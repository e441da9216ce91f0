/** The schema's verdict on a body, in the words of a person: which field, which value, which rule. */
import type * as z from 'zod';
import { type PathSegment, pathOf } from '../contract/fields.ts';
import { type Body, valueAt } from './body.ts';
import { type Remark, remark } from './remark.ts';
import { noEmail } from './values/texts.ts';

/** One broken rule: where in the body, and the rest of a sentence that begins with the field and its value. */
export interface SchemaFault {
  readonly segments: readonly PathSegment[];
  readonly path: string;
  /** Nothing stands where the schema wants something. */
  readonly missing: boolean;
  readonly said: Remark;
}

export function schemaFaultOf(issue: z.core.$ZodIssue, body: Body): SchemaFault {
  const segments = issue.path.filter((segment) => typeof segment !== 'symbol');
  const value = valueAt(body, segments);
  return { segments, path: pathOf(segments), missing: value === undefined, said: saidOf(issue, value) };
}

function saidOf(issue: z.core.$ZodIssue, value: unknown): Remark {
  switch (issue.code) {
    case 'too_small':
      return issue.origin === 'number'
        ? remark`must be at least ${String(issue.minimum)}.`
        : remark`must not be empty.`;
    case 'too_big':
      return issue.origin === 'string'
        ? remark`has ${lengthOf(value)} characters, and at most ${String(issue.maximum)} are allowed.`
        : remark`must be at most ${String(issue.maximum)}.`;
    case 'invalid_format':
      return issue.format === 'regex' || issue.format === 'email' ? noEmail : remark`is not a valid ${issue.format}.`;
    case 'invalid_value':
      return remark`is not one of the allowed values: ${issue.values.join(', ')}.`;
    case 'custom':
      return remark`is not allowed: ${issue.message}.`;
    default:
      return remark`is not of the kind that is wanted (${issue.message}).`;
  }
}

function lengthOf(value: unknown): string {
  return typeof value === 'string' ? String(value.length) : 'too many';
}
