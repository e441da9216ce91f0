/** The columns that steer a row without being sent: the person's own key, and keys of other rows. */
import * as z from 'zod';
import { field } from './field-facts.ts';

export function ref(example: string) {
  return field(z.string(), {
    label: 'Ref',
    aliases: ['Reference key', 'Row key'],
    format: 'identifier',
    example,
    source: 'assumed',
    section: '2.7',
    rule: 'Your own key for this row, by which other rows point at it. Once in a kind.',
  });
}

export function refTo(label: string, example: string) {
  return field(z.string(), {
    label,
    format: 'identifier',
    example,
    source: 'assumed',
    section: '2.7',
    rule: 'The Ref of a row of this file, or of an earlier load into the same service, in place of an id.',
  });
}
