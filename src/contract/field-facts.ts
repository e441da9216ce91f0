/** Facts about a field beyond its zod type. They are registered on the schemas, so that there is no second list of fields. */
import * as z from 'zod';

const fieldFormats = [
  ...['text', 'identifier', 'money', 'number', 'percent', 'date', 'phone', 'email', 'emails', 'ein', 'ssn', 'zip'],
  ...['state', 'website', 'file', 'choice', 'choices', 'list', 'text-or-number'],
] as const;
export type FieldFormat = (typeof fieldFormats)[number];

export interface FieldFacts {
  readonly type: 'field';
  /** The words for this part of the path; empty for a part that goes by the name of its parent (a phone's number). */
  readonly label: string;
  readonly aliases?: readonly string[];
  /** Headers that name the whole path (`DBA` for `company.dba`). */
  readonly headers?: readonly string[];
  readonly format: FieldFormat;
  readonly example: string;
  /** `documented`: the service interface names the field. `assumed`: it does not. */
  readonly source: 'documented' | 'assumed';
  readonly sensitive?: true;
  /** The interface lists it without the optional marker (2.2, 2.3), so a blank is a warning unless a profile says otherwise. */
  readonly listed?: true;
  /** A row must fill one of the fields that share this need; otherwise it is an error unless a profile relaxes it. An assumption. */
  readonly need?: string;
  /** A rule that the zod type does not express, as a sentence. */
  readonly rule?: string;
  readonly blankMeans?: string;
  /** The choices as offered to people, where the service spells one differently. `spellings` holds what is sent. */
  readonly offers?: readonly string[];
  readonly spellings?: Readonly<Record<string, string>>;
  /** The list of a profile that has its choices: deal statuses are checked, assignees are only offered. */
  readonly listedBy?: 'dealStatuses' | 'assignees';
  /** The day must be in the past, such as a birth. A future one is reported. */
  readonly past?: true;
  /** Only in a template with every field. */
  readonly rare?: true;
}

export interface GroupFacts {
  readonly type: 'group';
  readonly label: string;
  readonly aliases?: readonly string[];
  readonly rare?: true;
}

export const factsRegistry = z.registry<FieldFacts | GroupFacts>();

/** Creates a field. The format determines the schema, unless `schema` is given. */
const fieldFrom =
  (source: FieldFacts['source']) =>
  (
    format: FieldFormat,
    label: string,
    example: string,
    { schema = schemaOf(format), ...facts }: Partial<FieldFacts> & { readonly schema?: z.ZodType } = {},
  ): z.ZodType => {
    factsRegistry.add(schema, { type: 'field', label, format, example, source, ...facts });
    return schema;
  };

export const documented = fieldFrom('documented');
export const assumed = fieldFrom('assumed');

function schemaOf(format: FieldFormat): z.ZodType {
  if (format === 'list') return z.array(z.string());
  if (format === 'email') return z.string().check(z.regex(z.regexes.email));
  if (format === 'text-or-number') return z.union([z.string(), z.number()]);
  return format === 'money' || format === 'number' || format === 'percent' ? z.number() : z.string();
}

/** An object whose fields the interface does not show: none is required, and others are accepted. */
export function openObject<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.looseObject(shape).partial();
}

export function group<Schema extends z.ZodType>(schema: Schema, facts: Omit<GroupFacts, 'type'>): Schema {
  factsRegistry.add(schema, { type: 'group', ...facts });
  return schema;
}

/** A schema and the schemas inside its optional and nullable wrappers, outermost first. */
export function layersOf(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  const isWrapping = schema instanceof z.ZodOptional || schema instanceof z.ZodNullable;
  return isWrapping ? [schema, ...layersOf(schema.unwrap())] : [schema];
}

export function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  return layersOf(schema).at(-1) ?? schema;
}

export function factsOf(schema: z.core.$ZodType): FieldFacts | GroupFacts | undefined {
  return layersOf(schema).flatMap((layer) => factsRegistry.get(layer as z.ZodType) ?? [])[0];
}

export function ref(example: string) {
  return assumed('identifier', 'Ref', example, {
    aliases: ['Reference key', 'Row key'],
    rule: 'Your own key for this row, used once in its sheet: other rows name this row by it.',
  }).optional();
}

export function refTo(label: string, example: string) {
  return assumed('identifier', label, example, {
    rule: `Links this row to its ${label.replace(/ ref$/, '').toLowerCase()}: write the Ref of that row, of this file or an earlier load.`,
  }).optional();
}
