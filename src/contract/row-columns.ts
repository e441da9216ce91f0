/** The columns that steer a row without being sent: the person's own key, and keys of other rows. */
import { fieldsIn } from './field-facts.ts';

const assumed = fieldsIn('assumed', '2.7');

export function ref(example: string) {
  return assumed('identifier', 'Ref', example, {
    aliases: ['Reference key', 'Row key'],
    rule: 'Your own key for this row, by which other rows point at it. Once in a kind.',
  }).optional();
}

export function refTo(label: string, example: string) {
  return assumed('identifier', label, example, {
    rule: 'The Ref of a row of this file, or of an earlier load into the same service, in place of an id.',
  }).optional();
}
