/**
 * Drafts the rules for a sheet that somebody else has made: a header that names a field is taken, and the rest is left open for a
 * person to decide. Nothing near is taken without a person.
 */
import { type Field, fieldsOf } from '../../contract/fields.ts';
import type { RecordKind } from '../../contract/record-kind.ts';
import { isSensitiveName } from '../../contract/sensitive-names.ts';
import { cellAt, type SheetRow } from '../../sheets/row.ts';
import { fieldOfHeader, folded } from '../headers.ts';
import { standsForNothing } from '../marks.ts';
import { masked, mayHoldSsnOrDate } from '../masking.ts';
import { trimmedText } from '../reading.ts';
import { suggestionsFor } from '../suggestions.ts';
import { choicesOf } from '../values/choices.ts';
import { valueName } from './made-cells.ts';
import type { ColumnRule, SheetMappingRules } from './mapping.ts';

const mostSamples = 3;
const longestSample = 40;
/** Values of an enumeration that are looked at; a column with more of them is none. */
const mostValues = 40;

/**
 * @param headers  the names of the columns
 * @param rows  some rows below the headers
 */
export function draftColumns(
  kind: RecordKind,
  headers: readonly (string | null)[],
  rows: readonly SheetRow[],
): SheetMappingRules['columns'] {
  const fields = headers.map((header) => (header === null ? null : fieldOfHeader(kind, header)));
  const columns = headers.flatMap((header, index) => {
    if (header === null) return [];
    const field = fields[index] ?? null;
    const isTaken = field === null || fields.indexOf(field) < index;
    if (!isTaken) return [[header, ruleFor(field, rows, index)] as const];
    return [[header, wholeName(kind, header, fields) ?? openRule(kind, header, rows, index)] as const];
  });
  return Object.fromEntries(columns);
}

const firstName = /first name$/i;

/** `Owner name`, where the fields are `Owner first name` and `Owner last name`, and no other column is one of them. */
function wholeName(kind: RecordKind, header: string, taken: readonly (Field | null)[]): ColumnRule | null {
  const all = fieldsOf(kind);
  for (const first of all.filter(({ label }) => firstName.test(label))) {
    const last = all.find(({ label }) => label === first.label.replace(firstName, 'last name'));
    const stems = first.headers
      .filter((name) => firstName.test(name))
      .map((name) => name.replace(firstName, '').trim());
    const names = stems.flatMap((stem) => (stem === '' ? [] : [stem, `${stem} name`, `${stem} full name`]));
    if (last === undefined || taken.includes(first) || taken.includes(last)) continue;
    if (names.some((name) => folded(name) === folded(header)))
      return { split: { fields: [first.label, last.label], at: ' ' } };
  }
  return null;
}

/** What the mapping says of a column once it is this field: values that the field does not allow are open. */
export function ruleFor(field: Field, rows: readonly SheetRow[], index: number): string | ColumnRule {
  const values = field.choices === null ? {} : unknownValues(field, field.choices, textsIn(rows, index));
  return Object.keys(values).length === 0 ? field.label : { field: field.label, values };
}

function unknownValues(field: Field, allowed: readonly string[], texts: readonly string[]): Record<string, null> {
  const choices = choicesOf(allowed, field.facts.spellings ?? {});
  const parts = field.format === 'choices' ? texts.flatMap((text) => text.split(/[;|,]/)) : texts;
  const written = new Map(parts.map((text) => [valueName(text), text.trim()]));
  const unknown = [...written.values()].filter((text) => choices.find(text) === null && !mayHoldSsnOrDate(text));
  return unknown.length > mostValues ? {} : Object.fromEntries(unknown.map((text) => [text, null]));
}

function openRule(kind: RecordKind, header: string, rows: readonly SheetRow[], index: number): ColumnRule {
  const near = suggestionsFor(kind, header);
  const suggestions = near.map(({ field, score }) => ({ field: field.label, score: Math.round(score * 100) / 100 }));
  const isSensitive = isSensitiveName(header) || near.some(({ field }) => field.facts.sensitive === true);
  const samples = textsIn(rows, index).slice(0, mostSamples);
  return {
    field: null,
    ...(suggestions.length > 0 ? { suggestions } : {}),
    samples: samples.map((text) => sampleOf(text, isSensitive)),
  };
}

/** What the cells of a column say that say something. */
function textsIn(rows: readonly SheetRow[], index: number): readonly string[] {
  return rows.map((row) => trimmedText(cellAt(row, index))).filter((text) => text !== '' && !standsForNothing(text));
}

/** A mapping is passed on to others: no SSN and no date of birth stands in it. */
function sampleOf(text: string, isSensitive: boolean): string {
  return (isSensitive || mayHoldSsnOrDate(text) ? masked(text) : text).slice(0, longestSample);
}
