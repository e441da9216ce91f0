/** Parts of the schemas of a profile. */
import * as z from 'zod';
import { type RecordKindName, recordKindNames } from './record-kind.ts';

/** A dotted path into a body: `[]` goes through a list, `[0]` takes one part of it, and `.` is the value itself. */
export const path = z.string().min(1).max(512);

export const scalar = z.union([z.string(), z.number(), z.boolean()]);
export const matching = (pattern: RegExp) => z.string().regex(pattern);

/** One value or a list, parsed to a list. */
export function oneOrMore<Schema extends z.ZodType>(schema: Schema) {
  return z
    .union([schema, z.array(schema).min(1)])
    .transform((given): z.output<Schema>[] => (Array.isArray(given) ? given : [given as z.output<Schema>]));
}

/** None, one or several, parsed to a list. */
export function anyOf<Schema extends z.ZodType>(schema: Schema) {
  return z
    .union([schema, z.array(schema)])
    .nullable()
    .default(null)
    .transform((given): z.output<Schema>[] => (given === null ? [] : ([given].flat() as z.output<Schema>[])));
}

export function perKind<Schema extends z.ZodType>(schema: Schema) {
  const entries = recordKindNames.map((name) => [name, schema]);
  return z.strictObject(Object.fromEntries(entries) as Record<RecordKindName, Schema>);
}
