/** The rules of a field as sentences, taken from its schema: for templates, guide and the docs. */
import * as z from 'zod';
import type { Field } from './fields.ts';

/** Every rule that a person should know, each a sentence. */
export function ruleSentences(field: Field): readonly string[] {
  const limits = limitsOf(field);
  const sentences: string[] = [];
  if (field.choices !== null) sentences.push(`One of: ${field.choices.join(', ')}.`);
  if (limits.maxLength !== undefined) sentences.push(`At most ${limits.maxLength} characters.`);
  if (limits.minimum !== undefined) sentences.push(`At least ${limits.minimum}.`);
  if (limits.maximum !== undefined) sentences.push(`At most ${limits.maximum}.`);
  if (field.facts.rule !== undefined) sentences.push(field.facts.rule);
  return sentences;
}

export type FieldLimits = Readonly<Record<'minimum' | 'maximum' | 'maxLength', number | undefined>>;

/** The limits that the schema of a value sets, in the words of JSON Schema. */
export function limitsOf(field: Field): FieldLimits {
  return z.toJSONSchema(field.schema, { unrepresentable: 'any' }) as FieldLimits;
}
