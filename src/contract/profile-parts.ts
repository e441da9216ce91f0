/** Parts of the schemas of profiles and mappings, among them how to read cells that are ambiguous by themselves. */
import * as z from 'zod';
import { dateOrders } from './date-order.ts';
import { type RecordKindName, recordKindNames } from './record-kind.ts';

/** A dotted path into a body: `[]` goes through a list, `[0]` takes one part of it, and `.` is the value itself. */
export const path = z.string().min(1).max(512);

export const scalar = z.union([z.string(), z.number(), z.boolean()]);
/** @param such  what to write in place of a text that does not match */
export const matching = (pattern: RegExp, such: string) => z.string().regex(pattern, `Write ${such}.`);

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

type Fault = Pick<z.core.$ZodIssue, 'path' | 'message'>;

/** What is wrong, and where. Of several forms it is the one that was begun, else what each of them expects. */
export function faultsIn(issues: readonly z.core.$ZodIssue[], above: readonly PropertyKey[] = []): readonly Fault[] {
  return issues.flatMap((issue) => {
    const path = [...above, ...issue.path];
    const within = 'errors' in issue ? issue.errors : 'issues' in issue ? [issue.issues] : [];
    const forms = within.map((form) => faultsIn(form, path));
    const begun = forms.find((form) => form.every((fault) => fault.path.length > path.length));
    const expected = forms.flat().map(({ message }) => message.replace(/^Invalid input: |, received \w+$/g, ''));
    const isEmpty = issue.code === 'too_small' && issue.origin === 'string' && issue.minimum === 1;
    const said = isEmpty ? 'It is empty.' : issue.message;
    return begun ?? [{ path, message: [...new Set(expected)].join(' or ') || said }];
  });
}

export function perKind<Schema extends z.ZodType>(schema: Schema) {
  const entries = recordKindNames.map((name) => [name, schema]);
  return z.strictObject(Object.fromEntries(entries) as Record<RecordKindName, Schema>);
}

/** Set in a mapping for one file, or in a profile for every file. */
export const formatShape = {
  blanks: z
    .array(z.string().regex(/\S/, 'a blank cell always counts as blank: leave "" out'))
    .optional()
    .describe('Texts of cells that count as blank, exactly as in the file, such as "N/A"'),
  dateOrder: z.enum(dateOrders).optional().describe('How to read dates like 03/04/2026'),
  decimals: z
    .enum([',', '.'])
    .optional()
    .describe('The decimal mark of amounts written as text, whatever the other cells of the column show'),
};

export const defaultsSchema = z
  .record(z.string(), z.string())
  .describe('The value of a field whose cell is blank, or that has no column');

/** The formats of a profile. Those of fields are grouped by record kind. */
export const formatsSchema = z.strictObject({
  ...formatShape,
  ignoreColumns: z
    .array(z.string().min(1))
    .optional()
    .describe('Headers of columns to leave out of every file, as --ignore-columns does for one file'),
  defaults: z.partialRecord(z.enum(recordKindNames), defaultsSchema).default({}),
  values: z
    .partialRecord(z.enum(recordKindNames), z.record(z.string(), z.record(z.string(), z.string())))
    .default({})
    .describe('By field, the text of a cell and the value to use for it; "" leaves the field blank'),
});

export type Formats = z.output<typeof formatsSchema>;
