/**
 * Drafts the rules for a sheet that somebody else has made: what is sure is taken, what is near is suggested, and the rest is
 * left open for a person to decide. Nothing near is taken without a person.
 */
import { distance } from 'fastest-levenshtein';
import { type Field, fieldsOf } from '../../contract/fields.ts';
import type { RecordKind } from '../../contract/record-kind.ts';
import { isSensitiveName } from '../../contract/sensitive-names.ts';
import type { SheetRow } from '../../sheets/cell.ts';
import { isAmount } from '../column.ts';
import { fieldOfHeader, folded } from '../headers.ts';
import { masked, mayHoldSsnOrDate } from '../masking.ts';
import { type FilledCell, shownText } from '../reading.ts';
import { suggestionsFor } from '../suggestions.ts';
import { type DecimalMark, decimalMarkShownBy, isCommaOfThousands } from '../values/decimal-marks.ts';
import { isDash, standsForNothing } from '../words-for-nothing.ts';
import { canHold } from './column-fit.ts';
import type { ColumnRule, SheetMappingRules } from './mapping.ts';
import { valueName } from './value-map.ts';

/** Of a value of an enumeration. */
const leastScore = 0.45;
const mostSamples = 3;
/** Values of an enumeration that are looked at; a column with more of them is none. */
const mostValues = 40;

/**
 * @param headers  the names of the columns
 * @param rows  some rows below the headers
 */
export function draftRules(
  kind: RecordKind,
  headers: readonly (string | null)[],
  rows: readonly SheetRow[],
): Pick<SheetMappingRules, 'columns' | 'decimals' | 'blanks'> {
  const columns = new Map<string, null | string | ColumnRule>();
  const taken = new Set<string>();
  const marks = new Set<DecimalMark | 'doubtful'>();
  const blanks = new Set<string>();
  const open: { header: string; index: number }[] = [];
  headers.forEach((header, index) => {
    if (header === null) return;
    const texts = textsOf(rows, index);
    const field = fieldOfHeader(kind, header);
    for (const text of wordsForNothing(rows, index)) blanks.add(text);
    if (field === null || taken.has(field.path)) {
      open.push({ header, index });
      columns.set(header, null);
      return;
    }
    taken.add(field.path);
    columns.set(header, sureRule(field, texts));
    if (isAmount(field)) for (const text of texts) addMark(marks, text);
  });
  for (const { header, index } of open) {
    columns.set(header, namesPerson(header, kind) ?? openRule(kind, header, cellsOf(rows, index), taken));
  }
  // Where both marks are shown, each column tells by itself; and a comma may be one of thousands.
  const hasCommas = marks.has('comma') && marks.size === 1;
  return {
    columns: Object.fromEntries(columns),
    ...(blanks.size > 0 ? { blanks: [...blanks] } : {}),
    ...(hasCommas ? { decimals: ',' as const } : {}),
  };
}

/** What programs write for nothing. A dash is not among them: in another column it may be a zero. */
function wordsForNothing(rows: readonly SheetRow[], index: number): readonly string[] {
  return filledCellsOf(rows, index)
    .map((cell) => shownText(cell).trim())
    .filter((text) => standsForNothing(text) && !isDash(text));
}

function addMark(marks: Set<DecimalMark | 'doubtful'>, text: string): void {
  const mark = decimalMarkShownBy(text);
  if (mark !== null) marks.add(mark);
  else if (isCommaOfThousands(text)) marks.add('doubtful');
}

/** What the mapping says of a column once it is this field. */
export function ruleFor(field: Field, rows: readonly SheetRow[], index: number): string | ColumnRule {
  return sureRule(field, textsOf(rows, index));
}

/** The field that an open column is as good as sure to be, or `null`: only such a one is taken without being named. */
export function sureSuggestion(kind: RecordKind, header: string, { suggestions = [] }: ColumnRule): string | null {
  const sure = suggestionsFor(kind, header).find(({ isSure }) => isSure);
  return suggestions.find(({ field }) => field === sure?.field.label)?.field ?? null;
}

/** How many of these headers a draft would be sure of. */
export function sureHeaders(kind: RecordKind, headers: readonly (string | null)[]): number {
  return headers.filter((header) => header !== null && fieldOfHeader(kind, header) !== null).length;
}

function sureRule(field: Field, texts: readonly string[]): string | ColumnRule {
  const values = field.choices === null ? {} : unknownValues(field, field.choices, texts);
  return Object.keys(values).length === 0 ? field.label : { field: field.label, values };
}

/** Values that the field does not allow, each with the nearest that it does; open where none is near. */
function unknownValues(
  field: Field,
  choices: readonly string[],
  texts: readonly string[],
): Record<string, string | null> {
  const allowed = new Set([...choices, ...Object.keys(field.facts.spellings ?? {})].map(folded));
  const parts = field.format === 'choices' ? texts.flatMap((text) => text.split(/[;|,]/)) : texts;
  const written = new Map(parts.map((text) => [valueName(text), text.trim()]));
  const unknown = [...written.values()].filter((text) => !allowed.has(folded(text)) && !mayHoldSsnOrDate(text));
  if (unknown.length > mostValues) return {};
  return Object.fromEntries(unknown.map((text) => [text, nearestChoice(text, choices)]));
}

function nearestChoice(text: string, choices: readonly string[]): string | null {
  const [best] = choices
    .map((choice) => ({ choice, score: scoreOf(folded(text), folded(choice)) }))
    .sort((one, other) => other.score - one.score);
  return best !== undefined && best.score >= leastScore ? best.choice : null;
}

/** A whole name in one column becomes a first and a last name. */
function namesPerson(header: string, kind: RecordKind): ColumnRule | null {
  const first = fieldsOf(kind).find(({ path }) => path === 'owner1.firstName');
  const last = fieldsOf(kind).find(({ path }) => path === 'owner1.lastName');
  if (first === undefined || last === undefined) return null;
  const isName =
    /^(owner|owner1|primaryowner|principal|guarantor|contact|signer)(full)?name$|^(owner|principal|guarantor)$/;
  return isName.test(folded(header)) ? { split: { fields: [first.label, last.label], at: ' ' } } : null;
}

/** @param taken  the paths of fields that other columns surely are */
function openRule(
  kind: RecordKind,
  header: string,
  cells: readonly FilledCell[],
  taken: ReadonlySet<string>,
): ColumnRule {
  const near = suggestionsFor(kind, header);
  const suggestions = near
    .filter(({ field }) => !taken.has(field.path) && canHold(field, cells))
    .map(({ field, score }) => ({ field: field.label, score: Math.round(score * 100) / 100 }));
  const mayBeSensitive = isSensitiveName(header) || near.some(({ field }) => field.facts.sensitive === true);
  const samples = cells.slice(0, mostSamples).map((cell) => sampleOf(shownText(cell).trim(), mayBeSensitive));
  return { field: null, ...(suggestions.length > 0 ? { suggestions } : {}), samples };
}

/** 1 for the same words, 0 for nothing in common: what of the longer need not be changed, or what of it the shorter is. */
function scoreOf(one: string, other: string): number {
  const longest = Math.max(one.length, other.length);
  if (longest === 0) return 0;
  const shortest = Math.min(one.length, other.length);
  const contains = shortest > 3 && (one.includes(other) || other.includes(one));
  const alike = 1 - distance(one, other) / longest;
  return contains ? Math.max(alike, 0.5 + shortest / longest / 2) : alike;
}

function textsOf(rows: readonly SheetRow[], index: number): readonly string[] {
  return cellsOf(rows, index).map((cell) => shownText(cell).trim());
}

/** The cells that say something. */
function cellsOf(rows: readonly SheetRow[], index: number): readonly FilledCell[] {
  return filledCellsOf(rows, index).filter((cell) => !standsForNothing(shownText(cell)));
}

function filledCellsOf(rows: readonly SheetRow[], index: number): readonly FilledCell[] {
  return rows.flatMap((row) => {
    const cell = row.cells[index] ?? null;
    return cell === null || shownText(cell).trim() === '' ? [] : [cell];
  });
}

const longestSample = 40;

/** A mapping is passed on to others: no SSN and no date of birth stands in it. */
function sampleOf(text: string, mayBeSensitive: boolean): string {
  return (mayBeSensitive || mayHoldSsnOrDate(text) ? masked(text) : text).slice(0, longestSample);
}
