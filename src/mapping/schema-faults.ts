/** The schema's verdict on a body, in the words of a person: which field, which value, which rule. */
import type * as z from 'zod';
import { type PathSegment, pathOf } from '../contract/fields.ts';
import type { Message } from '../messages/message.ts';
import { valueMessage } from '../messages/values.ts';
import { type Body, valueAt } from './body.ts';

/** One broken rule: where in the body, and what is wrong with the value there. */
export interface SchemaFault {
  readonly segments: readonly PathSegment[];
  readonly path: string;
  /** Nothing stands where the schema wants something. */
  readonly missing: boolean;
  readonly said: Message;
}

export function schemaFaultOf(issue: z.core.$ZodIssue, body: Body): SchemaFault {
  const segments = issue.path.filter((segment) => typeof segment !== 'symbol');
  const value = valueAt(body, segments);
  return { segments, path: pathOf(segments), missing: value === undefined, said: saidOf(issue, value) };
}

function saidOf(issue: z.core.$ZodIssue, value: unknown): Message {
  switch (issue.code) {
    case 'too_small':
      return issue.origin === 'number'
        ? valueMessage('below-least', { least: `${issue.minimum}` })
        : valueMessage('empty');
    case 'too_big':
      return typeof value === 'string'
        ? valueMessage('too-many-characters', { length: value.length, most: `${issue.maximum}` })
        : valueMessage('above-most', { most: `${issue.maximum}` });
    case 'invalid_format':
      return valueMessage('not-an-email');
    case 'invalid_value':
      return valueMessage('not-a-choice', { allowed: issue.values.map(String), part: null, near: null });
    default:
      return valueMessage('not-allowed', { why: [issue.message] });
  }
}
