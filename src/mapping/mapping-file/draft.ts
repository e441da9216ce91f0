/** Drafts the rules of a foreign sheet: takes each header that names a field, and leaves the rest open for a person. */
import { type Field, fieldsOf, isSensitiveName, templateFieldsOf } from '../../contract/fields.ts';
import type { RecordKind } from '../../contract/record-kind.ts';
import { oncePer } from '../../once.ts';
import { cellAt, type SheetRow } from '../../tables/row.ts';
import { fieldOfHeader, folded } from '../headers.ts';
import { masked, mayHoldSsnOrDate, standsForNothing } from '../marks.ts';
import { trimmedText } from '../reading.ts';
import { refAndId, type Suggestion, suggestionsFor } from '../suggestions.ts';
import { choicesOf } from '../values/texts.ts';
import { valueName } from './made-cells.ts';
import { headerName } from './mapped-sheet.ts';
import type { ColumnRule, SheetMappingRules } from './mapping.ts';

const mostSamples = 3;
const longestSample = 40;
const mostValues = 40;

type Rule = SheetMappingRules['columns'][string];

/** @param known  the rules of an earlier month, which stay */
export function draftColumns(
  kind: RecordKind,
  headers: readonly (string | null)[],
  rows: readonly SheetRow[],
  known: SheetMappingRules | null = null,
): SheetMappingRules['columns'] {
  const rules = new Map(Object.entries(known?.columns ?? {}).map(([header, rule]) => [headerName(header), rule]));
  const joined = new Set(known?.joins?.flatMap((join) => join.columns.map(headerName)));
  const fields = headers.map((header) => (header === null ? null : fieldOfHeader(kind, header)));
  /** Of several columns, the one with the label of the field, else the first. */
  const columnOf = (field: Field) => {
    const named = headers.findIndex((header) => header !== null && folded(header) === folded(field.label));
    return named === -1 ? fields.indexOf(field) : named;
  };
  const columns = headers.flatMap((header, index): (readonly [string, Rule])[] => {
    if (header === null) return [];
    const own = rules.get(headerName(header));
    if (own !== undefined) return [[header, withNewValues(kind, own, textsIn(rows, index), known?.blanks)]];
    if (joined.has(headerName(header))) return [];
    const field = fields[index] ?? null;
    if (field !== null && columnOf(field) === index && !mayBeOwnKey(kind, field, header))
      return [[header, ruleFor(kind, field, rows, index, header)]];
    const isFree = (near: Field) => !fields.some((one, at) => one === near && at !== index);
    const texts = textsIn(rows, index);
    return [[header, splitOf(kind, header, fields, texts) ?? openRule(kind, header, texts, isFree)]];
  });
  return Object.fromEntries(columns);
}

/** In a foreign file, an id by another name than its label is more often the key of another sheet than that of the service. */
function mayBeOwnKey(kind: RecordKind, field: Field, header: string): boolean {
  return refAndId(kind, field).length > 0 && folded(header) !== folded(field.label);
}

/** Fields that people write into one column: `parts` are the ends of their labels, `said` the words of its header. */
interface Whole {
  readonly parts: readonly string[];
  readonly said: readonly string[];
}

const name: Whole = { parts: ['first name', 'last name'], said: ['', 'name', 'full name'] };
const endsOfAddress: readonly Whole[] = [
  { parts: ['city', 'state', 'ZIP'], said: ['city state ZIP', 'city state ZIP code', 'city ST ZIP'] },
  { parts: ['city', 'state'], said: ['city state', 'city ST'] },
];

/** Splits `Owner name` or `Owner city, state ZIP`, unless another column has one of the parts. */
function splitOf(kind: RecordKind, header: string, taken: readonly (Field | null)[], texts: readonly string[]) {
  const said = folded(header.replace(/\baddress /i, ''));
  const of = wholesOf(kind).find(
    ({ names, fields }) => names.has(said) && !fields.some((part) => taken.includes(part)),
  );
  return of === undefined ? null : split(of.whole, of.fields, texts);
}

/** The label of a split, such as `Owner 1 first name + Owner 1 last name`. */
export function splitLabel(fields: readonly string[]): string {
  return fields.join(' + ');
}

/** The splits that a person can choose for a column. */
export function splitsOf(kind: RecordKind): readonly { readonly label: string; readonly fields: readonly Field[] }[] {
  return wholesOf(kind);
}

const wholesOf = oncePer((kind: RecordKind) =>
  [name, ...endsOfAddress].flatMap((whole) => {
    const [first = ''] = whole.parts;
    const end = new RegExp(`(?:address )?${first}$`, 'i');
    return fieldsOf(kind).flatMap((field) => {
      const stem = field.label.slice(0, -first.length);
      const fields = whole.parts.flatMap((part) => fieldsOf(kind).find(({ label }) => label === stem + part) ?? []);
      if (fields[0] !== field || fields.length < whole.parts.length) return [];
      const stems = field.headers.flatMap((words) => (end.test(words) ? [words.replace(end, '')] : []));
      const own = stems.filter((one) => one !== '' || whole !== name);
      const names = new Set(own.flatMap((one) => whole.said.map((words) => folded(one + words))));
      return [{ whole, fields, names, label: splitLabel(fields.map(({ label }) => label)) }];
    });
  }),
);

function split(whole: Whole, fields: readonly Field[], texts: readonly string[]): ColumnRule {
  const hasComma = whole !== name && texts.some((text) => text.includes(','));
  const at = !hasComma ? ' ' : fields.length === 2 ? ',' : [',', ' '];
  return { split: { fields: fields.map(({ label }) => label), at }, samples: samplesOf(texts, false) };
}

/** The mapping rule for a column mapped to this field, split, or path. */
export function ruleNamed(kind: RecordKind, text: string, rows: readonly SheetRow[], index: number, header: string) {
  const of = wholesOf(kind).find(({ label }) => label === text);
  if (of !== undefined) return split(of.whole, of.fields, textsIn(rows, index));
  const field = fieldOfHeader(kind, text);
  return field === null ? text : ruleFor(kind, field, rows, index, header);
}

/** Leaves unknown values open, and splits `City, State ZIP`. */
function ruleFor(kind: RecordKind, field: Field, rows: readonly SheetRow[], index: number, header: string) {
  const texts = textsIn(rows, index);
  const values = unknownValues(field, texts);
  if (Object.keys(values).length > 0) return { field: field.label, values };
  const whole = endOfAddressSaid(header);
  const of = wholesOf(kind).find((one) => one.whole === whole && one.fields[0] === field);
  return of === undefined ? field.label : split(of.whole, of.fields, texts);
}

function endOfAddressSaid(header: string): Whole | undefined {
  return endsOfAddress.find(({ said }) => said.some((words) => folded(header).endsWith(folded(words))));
}

function nearTo(kind: RecordKind, header: string): readonly Suggestion[] {
  const keys = refAndId(kind, fieldOfHeader(kind, header));
  return keys.length > 0 ? keys.map((field) => ({ field, score: 1 })) : suggestionsFor(kind, header);
}

/** Leaves the values open that neither the rule nor its field knows. */
function withNewValues(kind: RecordKind, rule: Rule, texts: readonly string[], blanks: readonly string[] = []): Rule {
  const whole: ColumnRule = typeof rule === 'string' ? { field: rule } : (rule ?? {});
  const of = wholesOf(kind).find(({ label }) => label === whole.field);
  if (of !== undefined) return split(of.whole, of.fields, texts);
  const field = whole.field == null ? null : fieldOfHeader(kind, whole.field);
  const open = field === null ? {} : unknownValues(field, texts, [...Object.keys(whole.values ?? {}), ...blanks]);
  return Object.keys(open).length === 0 ? rule : { ...whole, values: { ...whole.values, ...open } };
}

function unknownValues(field: Field, texts: readonly string[], known: readonly string[] = []): Record<string, null> {
  if (field.choices === null) return {};
  const choices = choicesOf(field.choices, field.facts.spellings ?? {});
  const isKnown = new Set(known.map(valueName));
  const others = texts.filter((text) => !isKnown.has(valueName(text)));
  const parts = field.format === 'choices' ? others.flatMap((text) => text.split(/[;|,]/)) : others;
  const written = new Map(parts.map((text) => [valueName(text), text.trim()]));
  const isNew = (text: string) => !isKnown.has(valueName(text)) && choices.find(text) === null;
  const unknown = [...written.values()].filter((text) => isNew(text) && !mayHoldSsnOrDate(text));
  return unknown.length > mostValues ? {} : Object.fromEntries(unknown.map((text) => [text, null]));
}

/** The fields that allow most values of a column, whatever its header. */
function takingMost(kind: RecordKind, texts: readonly string[]): readonly Suggestion[] {
  const takes = ({ choices, facts }: Field) => {
    const known = choicesOf(choices ?? [], facts.spellings ?? {});
    return texts.filter((text) => known.find(text) !== null).length * 2 > texts.length;
  };
  const fields = templateFieldsOf(kind, 'every').filter((field) => field.choices !== null && takes(field));
  return fields.map((field) => ({ field, score: 1 }));
}

/** @param isFree  whether no other column names the field: a name that is only similar probably means something else */
function openRule(
  kind: RecordKind,
  header: string,
  texts: readonly string[],
  isFree: (field: Field) => boolean,
): ColumnRule {
  const parts = endOfAddressSaid(header);
  const all = templateFieldsOf(kind, 'every');
  const isMeant = (fields: readonly Field[]) => fields.every(isFree) && all.includes(fields[0] as Field);
  const splits = wholesOf(kind).filter(({ whole, fields }) => whole === parts && isMeant(fields));
  if (splits.length > 0) {
    const suggestions = splits.map(({ label }) => ({ field: label, score: 1 }));
    return { field: null, suggestions, samples: samplesOf(texts, false) };
  }
  const taking = takingMost(kind, texts);
  const near = taking.length > 0 ? taking : nearTo(kind, header);
  const free = near.filter(({ field }) => isFree(field));
  const [only, second] = free;
  const values = only === undefined || second !== undefined ? {} : unknownValues(only.field, texts);
  const isWhole = texts.filter((text) => /\S\s+\S/.test(text)).length * 2 > texts.length;
  /** `Guarantor 1 Name` is near the first name. Where most cells have more than one word, the last name is in them, too. */
  const labelOf = (field: Field) =>
    wholesOf(kind).find(({ whole, fields }) => isWhole && whole === name && fields[0] === field && fields.every(isFree))
      ?.label ?? field.label;
  const suggestions = free.map(({ field, score }) => ({ field: labelOf(field), score: Math.round(score * 100) / 100 }));
  const isSensitive = isSensitiveName(header) || near.some(({ field }) => field.facts.sensitive === true);
  return {
    field: null,
    ...(suggestions.length > 0 ? { suggestions } : {}),
    samples: samplesOf(texts, isSensitive),
    ...(Object.keys(values).length > 0 ? { values } : {}),
  };
}

function textsIn(rows: readonly SheetRow[], index: number): readonly string[] {
  return rows.map((row) => trimmedText(cellAt(row, index))).filter((text) => text !== '' && !standsForNothing(text));
}

/** A mapping is passed on to others, so it must hold no SSN and no date of birth. */
function samplesOf(texts: readonly string[], isSensitive: boolean): string[] {
  const shown = (text: string) => (isSensitive || mayHoldSsnOrDate(text) ? masked(text) : text).slice(0, longestSample);
  return [...new Set(texts.map(shown))].slice(0, mostSamples);
}
