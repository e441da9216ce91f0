/** The flat list of fields of a record kind, derived from its schemas: what a spreadsheet's columns can be. */
import * as z from 'zod';
import { oncePer } from '../once.ts';
import { type Segment as PathSegment, pathOf } from './body-path.ts';
import { type FieldFacts, type FieldFormat, factsOf, type GroupFacts, layersOf, unwrapped } from './field-facts.ts';
import type { RecordKind } from './record-kind.ts';

export { type PathSegment, pathOf };

/** Lists in a record are matched up to this many numbered parts (`Company phone 10`). */
const maximumParts = 10;

export interface Field {
  /** `company.phones[0].number` */
  readonly path: string;
  readonly segments: readonly PathSegment[];
  /** `Company phone 2 type` */
  readonly label: string;
  readonly headers: readonly string[];
  readonly format: FieldFormat;
  readonly facts: FieldFacts;
  readonly schema: z.core.$ZodType;
  /** The allowed values as a person is offered them, or `null` when the field is not an enumeration. */
  readonly choices: readonly string[] | null;
  readonly required: boolean;
  readonly clearable: boolean;
  /** `body` fields are sent; `row` fields steer the row. */
  readonly place: 'body' | 'row';
  /** Whether a template shows it without being asked for every field. */
  readonly common: boolean;
}

/** Every field of a kind, row columns first, lists unfolded to {@link maximumParts} parts. */
export const fieldsOf = oncePer((kind: RecordKind): readonly Field[] => [
  ...walkObject(kind.row, rootOf('row')),
  ...walkObject(kind.body, rootOf('body')),
]);

/**
 * Which columns a template shows: `minimal` those that are required or that the service lists among the fields that are not
 * optional, `common` also those that most people use.
 */
export const templateExtents = ['minimal', 'common', 'every'] as const;
export type TemplateExtent = (typeof templateExtents)[number];

const isShown: Readonly<Record<TemplateExtent, (field: Field) => boolean>> = {
  minimal: ({ required, facts }) => required || facts.listed === true || facts.need !== undefined,
  common: ({ common }) => common,
  every: () => true,
};

/** The fields that a template shows: of each list one part, and beside each id the Ref that may stand in its place. */
export function templateFieldsOf(kind: RecordKind, extent: TemplateExtent): readonly Field[] {
  const fields = fieldsOf(kind).filter(isFirstPart);
  const shown = fields.filter(isShown[extent]);
  const refs = kind.references.filter(({ fills }) => shown.some(({ path }) => path === fills));
  return fields.filter((field) => shown.includes(field) || refs.some(({ column }) => column === field.path));
}

/** Whether its cells link rows by the person's own keys: they are not sent. */
export function isLink({ place, facts }: Field): boolean {
  return place === 'row' && facts.source === 'assumed';
}

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

/** Whether a path in braces may stand here: it must lie in an object whose fields the interface does not show. */
export function isOpenPath(kind: RecordKind, segments: readonly PathSegment[]): boolean {
  let schema: z.core.$ZodType | undefined = kind.body;
  for (const segment of segments.slice(0, -1)) {
    const inner = unwrapped(schema);
    if (inner instanceof z.ZodObject) {
      if (!Object.hasOwn(inner.shape, segment)) return isLoose(inner);
      const next: z.core.$ZodType = inner.shape[segment];
      schema = next;
    } else if (inner instanceof z.ZodArray && typeof segment === 'number') {
      schema = inner.element;
    } else {
      return false;
    }
  }
  const parent = unwrapped(schema);
  return parent instanceof z.ZodObject && isLoose(parent);
}

interface Position {
  readonly segments: readonly PathSegment[];
  /** Ways to say the path so far, the label first. */
  readonly words: readonly string[];
  readonly required: boolean;
  readonly common: boolean;
  readonly place: 'body' | 'row';
}

function rootOf(place: 'body' | 'row'): Position {
  return { segments: [], words: [''], required: true, common: true, place };
}

function walkObject(object: z.ZodObject, position: Position): Field[] {
  return Object.entries(object.shape).flatMap(([name, schema]) =>
    walk(schema as z.core.$ZodType, { ...position, segments: [...position.segments, name] }),
  );
}

function walk(schema: z.core.$ZodType, position: Position): Field[] {
  const facts = factsOf(schema);
  if (facts === undefined) throw new Error(`The field ${pathOf(position.segments)} has no facts.`);
  const required = position.required && !(schema instanceof z.ZodOptional);
  const common = position.common && facts.rare !== true;
  const inner = unwrapped(schema);
  if (facts.type === 'field') return [fieldAt(schema, inner, facts, { ...position, required, common })];
  if (inner instanceof z.ZodArray) return walkList(inner, facts, { ...position, required: false, common });
  if (inner instanceof z.ZodObject) {
    return walkObject(inner, { ...position, words: joined(position.words, wordsOf(facts)), required, common });
  }
  throw new Error(`The group ${pathOf(position.segments)} is neither an object nor a list.`);
}

function walkList(list: z.ZodArray, facts: GroupFacts, position: Position): Field[] {
  const element = unwrapped(list.element);
  if (!(element instanceof z.ZodObject)) throw new Error(`The list ${pathOf(position.segments)} holds no objects.`);
  return Array.from({ length: maximumParts }, (_, index) => {
    const plain = wordsOf(facts);
    const numbered = plain.map((word) => `${word} ${index + 1}`);
    const words = index === 0 ? [...plain, ...numbered] : numbered;
    return walkObject(element, {
      ...position,
      segments: [...position.segments, index],
      words: joined(position.words, words),
    });
  }).flat();
}

function fieldAt(schema: z.core.$ZodType, inner: z.core.$ZodType, facts: FieldFacts, position: Position): Field {
  const headers = [...joined(position.words, wordsOf(facts)), ...(isFirstPart(position) ? (facts.headers ?? []) : [])];
  return {
    path: pathOf(position.segments),
    segments: position.segments,
    label: headers[0] ?? '',
    headers,
    format: facts.format,
    facts,
    schema: inner,
    choices: facts.offers ?? choicesOf(inner),
    required: position.required,
    clearable: layersOf(schema).some((layer) => layer instanceof z.ZodNullable),
    place: position.place,
    common: position.common,
  };
}

function isFirstPart({ segments }: { readonly segments: readonly PathSegment[] }): boolean {
  return segments.every((segment) => typeof segment === 'string' || segment === 0);
}

function wordsOf(facts: FieldFacts | GroupFacts): readonly string[] {
  return [facts.label, ...(facts.aliases ?? [])];
}

function joined(before: readonly string[], words: readonly string[]): readonly string[] {
  return before.flatMap((start) => words.map((word) => joinWords(start, word)));
}

/** `Company` and `Phone` to `Company phone`; `EIN` keeps its capitals. */
function joinWords(start: string, word: string): string {
  if (start === '') return word.charAt(0).toUpperCase() + word.slice(1);
  if (word === '') return start;
  const isAcronym = /^[A-Z]{2}/.test(word);
  return `${start} ${isAcronym ? word : word.charAt(0).toLowerCase() + word.slice(1)}`;
}

function choicesOf(schema: z.core.$ZodType): readonly string[] | null {
  if (schema instanceof z.ZodEnum) return schema.options.map(String);
  if (schema instanceof z.ZodArray && schema.element instanceof z.ZodEnum) return schema.element.options.map(String);
  return null;
}

function isLoose(object: z.ZodObject): boolean {
  return object.def.catchall instanceof z.ZodUnknown;
}
