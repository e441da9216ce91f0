/** The flat list of a kind's fields, derived from its schemas: the columns that a spreadsheet can have. */
import * as z from 'zod';
import { oncePer, oncePerText } from '../once.ts';
import { pathOf, type Segment, segmentsOf } from './body-path.ts';
import { type FieldFacts, type FieldFormat, factsOf, type GroupFacts, layersOf, unwrapped } from './field-facts.ts';
import type { RecordKind } from './record-kind.ts';
import { recordKinds } from './record-kinds.ts';

/** Lists unfold to this many numbered parts (`Company phone 10`). */
const maximumParts = 10;

export interface Field extends Omit<Position, 'words'> {
  readonly path: string;
  /** `Company phone 2 type` */
  readonly label: string;
  readonly headers: readonly string[];
  readonly format: FieldFormat;
  readonly facts: FieldFacts;
  readonly schema: z.core.$ZodType;
  /** The allowed values as offered to people; `null` when the field is not an enumeration. */
  readonly choices: readonly string[] | null;
  readonly clearable: boolean;
}

/** Every field of a kind, row fields first, lists unfolded to {@link maximumParts} parts. */
export const fieldsOf = oncePer((kind: RecordKind): readonly Field[] => [
  ...walkObject(kind.row, rootOf('row')),
  ...walkObject(kind.body, rootOf('body')),
]);

export const templateExtents = ['minimal', 'common', 'every'] as const;
export type TemplateExtent = (typeof templateExtents)[number];

const isShown: Readonly<Record<TemplateExtent, (field: Field) => boolean>> = {
  minimal: ({ required, facts }) => required || facts.listed === true || facts.need !== undefined,
  common: ({ common }) => common,
  every: () => true,
};

/** The fields of a template: one part of each list, and beside each id the Ref that can replace it. */
export function templateFieldsOf(kind: RecordKind, extent: TemplateExtent): readonly Field[] {
  const fields = fieldsOf(kind).filter(isFirstPart);
  const shown = fields.filter(isShown[extent]);
  const refs = kind.references.filter(({ fills }) => shown.some(({ path }) => path === fills));
  return fields.filter((field) => shown.includes(field) || refs.some(({ column }) => column === field.path));
}

/** Whether its cells link rows by the person's own keys. They are not sent. */
export function isLink({ place, facts }: Field): boolean {
  return place === 'row' && facts.source === 'assumed';
}

export function ruleSentences(field: Field): readonly string[] {
  const { maxLength, minimum } = limitsOf(field);
  return [
    field.choices && `One of: ${field.choices.join(', ')}.`,
    maxLength && `At most ${maxLength} characters.`,
    minimum !== undefined && `At least ${minimum}.`,
    field.facts.rule,
  ].filter((sentence) => typeof sentence === 'string');
}

type FieldLimits = Readonly<Record<'minimum' | 'maxLength', number | undefined>>;

export function limitsOf(field: Field): FieldLimits {
  return z.toJSONSchema(field.schema, { unrepresentable: 'any' }) as FieldLimits;
}

/** Whether a path in braces is allowed here: only inside an object whose fields the interface does not show. */
export function isOpenPath(kind: RecordKind, segments: readonly Segment[]): boolean {
  let schema: z.core.$ZodType = kind.body;
  for (const segment of segments.slice(0, -1)) {
    if (schema instanceof z.ZodObject && !Object.hasOwn(schema.shape, segment)) break;
    if (schema instanceof z.ZodObject) schema = unwrapped(schema.shape[segment]);
    else if (schema instanceof z.ZodArray && typeof segment === 'number') schema = unwrapped(schema.element);
    else return false;
  }
  return schema instanceof z.ZodObject && schema.def.catchall instanceof z.ZodUnknown;
}

/** Whether a body of this kind can have a value at a path of a profile, or within it: that of a field, or of a column in braces. */
export function mayHold(kind: RecordKind, path: string): boolean {
  // Every part of a list has the same fields.
  const segments = segmentsOf(path).map((segment) => (segment === '[]' || typeof segment === 'number' ? 0 : segment));
  const isField = fieldsOf(kind).some(({ place, segments: own }) => {
    const both = Math.min(own.length, segments.length);
    return place === 'body' && own.slice(0, both).every((segment, at) => segment === segments[at]);
  });
  return isField || (kind.sending.isUpdate && path === 'id') || isOpenPath(kind, segments);
}

interface Position {
  readonly segments: readonly Segment[];
  readonly words: readonly string[];
  readonly required: boolean;
  readonly common: boolean;
  /** `body` fields are sent; `row` fields control the row. */
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
  const words = joined(position.words, wordsOf(facts));
  return walkObject(inner as z.ZodObject, { ...position, words, required, common });
}

function walkList(list: z.ZodArray, facts: GroupFacts, position: Position): Field[] {
  const element = unwrapped(list.element) as z.ZodObject;
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
  const isFirst = isFirstPart(position);
  // `Address` is line 1, but `Address 2` could be line 2 or a second address, so it is no header of a later part.
  const words = wordsOf(facts).filter((word) => word !== '' || facts.label === '' || isFirst);
  const headers = [...joined(position.words, words), ...(isFirst ? (facts.headers ?? []) : [])];
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

function isFirstPart({ segments }: { readonly segments: readonly Segment[] }): boolean {
  return segments.every((segment) => typeof segment === 'string' || segment === 0);
}

function wordsOf(facts: FieldFacts | GroupFacts): readonly string[] {
  return [facts.label, ...(facts.aliases ?? [])];
}

function joined(before: readonly string[], words: readonly string[]): readonly string[] {
  return before.flatMap((start) => words.map((word) => joinWords(start, word)));
}

/** Turns `Company` and `Phone` into `Company phone`; `EIN` keeps its capitals. */
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

export const blankLevels = ['error', 'warning', 'none'] as const;
export type BlankLevel = (typeof blankLevels)[number];

/** Fields of which a row should fill one, although the schema does not require it. */
export interface Expected {
  /** Its name in a profile: `transactions.date`, `deals.company.dba`. */
  readonly name: string;
  readonly fields: readonly [Field, ...Field[]];
  /** `listed`: in the interface without the optional marker. `assumed`: our assumption, because the interface is silent. */
  readonly source: 'listed' | 'assumed';
}

export function expectedOf(kind: RecordKind): readonly Expected[] {
  const expected = new Map<string, Expected>();
  const [first, ...others] = (kind.namedBy ?? []).flatMap((path) => fieldsOf(kind).filter((one) => one.path === path));
  const ofNames = `${kind.name}.name`;
  if (first !== undefined) expected.set(ofNames, { name: ofNames, source: 'assumed', fields: [first, ...others] });
  for (const field of fieldsOf(kind)) {
    const { need, listed } = field.facts;
    if (need === undefined && listed !== true) continue;
    const name = `${kind.name}.${need ?? field.path}`;
    const source = need === undefined ? 'listed' : 'assumed';
    expected.set(name, { name, source, fields: [...(expected.get(name)?.fields ?? []), field] as [Field, ...Field[]] });
  }
  return [...expected.values()];
}

export const expectedNames: readonly string[] = recordKinds.flatMap(expectedOf).map(({ name }) => name);

/** Groups, such as an owner, of which every record needs at least one field. */
export function neededGroups(kind: RecordKind): readonly Pick<Field, 'path' | 'label'>[] {
  return Object.entries(kind.body.shape).flatMap(([path, schema]) => {
    const isNeeded = !(schema instanceof z.ZodOptional) && unwrapped(schema) instanceof z.ZodObject;
    return isNeeded ? [{ path, label: factsOf(schema)?.label ?? path }] : [];
  });
}

/** By the schema, or by an assumed need, whose blank is an error unless a profile relaxes it. */
export function isNeeded({ required, facts }: Field): boolean {
  return required || facts.need !== undefined;
}

export function mustBeFilled(field: Field, kind: RecordKind): boolean {
  return isNeeded(field) && twinOf(field, kind) === null;
}

/** The field with those that can replace it: its Ref or id, and those of the same need. */
export function insteadOf(field: Field, kind: RecordKind): readonly Field[] {
  const withTwin = (one: Field) => [one, twinOf(one, kind) ?? one];
  const own = withTwin(field);
  const needs = new Set(own.flatMap(({ facts }) => facts.need ?? []));
  const alike = fieldsOf(kind).filter(({ facts }) => needs.has(facts.need ?? ''));
  return [...new Set([...own, ...alike.flatMap(withTwin)])];
}

/** For a Ref the id that it can replace, for such an id the Ref; `null` for any other field. */
function twinOf({ path }: Field, kind: RecordKind): Field | null {
  const reference = kind.references.find(({ column, fills }) => column === path || fills === path);
  const twin = reference?.column === path ? reference.fills : reference?.column;
  return fieldsOf(kind).find((field) => field.path === twin) ?? null;
}

/** The label of the Ref that can replace an id, or `null`. */
export function refInPlaceOf(path: string, kind: RecordKind): string | null {
  const reference = kind.references.find(({ fills }) => fills === path || fills.startsWith(`${path}.`));
  return fieldsOf(kind).find((field) => field.path === reference?.column)?.label ?? null;
}

/** Names whose values are masked in results, messages, drafts, exports and pages. */
const sensitiveNames: ReadonlySet<Segment> = new Set(
  recordKinds.flatMap(fieldsOf).flatMap((field) => (field.facts.sensitive === true ? field.segments.slice(-1) : [])),
);

const sensitiveWords =
  /\b(?:ssn|sin|itin|tin|social|dob|born|birth ?(?:date|day)?|date of birth|bday|tax ?(?:payer )?(?:id|number|no|nr)|national id)\b/;

const holdsSensitiveWord = oncePerText((name) => sensitiveWords.test(spacedWords(name)), 10_000);

/** Whether a name contains a sensitive word, in any spelling: `taxId`, `date_of_birth`, `Owner SSN`. */
export function isSensitiveName(name: Segment): boolean {
  return sensitiveNames.has(name) || (typeof name === 'string' && holdsSensitiveWord(name));
}

const longestName = 200;

/** Turns `pastDueAmount` and `past_due_amount` into `past due amount`. */
export function spacedWords(name: string): string {
  return name
    .slice(0, longestName)
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .replace(/[^\p{L}]+/gu, ' ')
    .trim();
}

/** Whether a text holds an SSN with its separators: digits alone may be any number. */
export function holdsWrittenSsn(text: string): boolean {
  return /(?<!\d)\d{3}([- ])\d{2}\1\d{4}(?!\d)/.test(text);
}

export function isWrittenSsn(value: unknown): boolean {
  return typeof value === 'string' && value.length < longestName && /^\s*\d{3}([- ])\d{2}\1\d{4}\s*$/.test(value);
}
