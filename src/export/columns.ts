/** The columns of an export: those that the records have, or those that the person has chosen. */
import { segmentsOf } from '../contract/body-path.ts';
import { type PathSegment, pathOf } from '../contract/fields.ts';
import { DealsheetError } from '../errors.ts';
import { folded } from '../mapping/headers.ts';
import { plainText } from '../service/plain-text.ts';
import type { ColumnLook, ExportColumn } from '../workbooks/export-sheet.ts';
import { labelOf, lookOf, meaningOf } from './column-look.ts';
import { type FieldShape, mostItems, type RecordShape, ValueFacts } from './record-shape.ts';

export interface SourceColumn extends ExportColumn {
  /** Where the value stands in a record: names, and places in lists from 0. */
  readonly segments: readonly PathSegment[];
  /** `count`: the length of the list that stands there. */
  readonly takes: 'value' | 'count';
}

/** What becomes of a list of records: its length, or its items side by side; `few`: side by side where there are few. */
export const listColumns = ['count', 'columns', 'few'] as const;
export type ListColumns = (typeof listColumns)[number];

export interface ColumnChoice {
  /** `path`, `path=Label`, `path:look` or `path=Label:look`, in the order of the columns; `*` stands for all others. */
  readonly columns: readonly string[];
  readonly lists: ListColumns;
}

/**
 * @returns the columns, and the names of those chosen that no record has
 * @throws DealsheetError `usage` for a choice that cannot be understood
 */
export function chooseColumns(
  shape: RecordShape,
  choice: ColumnChoice,
): { readonly columns: readonly SourceColumn[]; readonly missing: readonly string[] } {
  const { records } = shape;
  const places = placesIn(shape, choice.lists);
  const found = uniqueLabels(places.map((place) => columnOf(place, records)));
  if (choice.columns.length === 0) return { columns: found, missing: [] };
  const missing: string[] = [];
  const taken = new Set<number>();
  const chosen = choice.columns.map((text) => {
    if (text === everyOther) return null;
    const wanted = wantedColumn(text);
    const index = found.findIndex((column) => isNamed(column, wanted.path));
    const place = places[index] ?? placeAt(shape, wanted.path);
    if (place === null) missing.push(wanted.path);
    taken.add(index);
    // A column that no record has this month keeps its place.
    const shown = place ?? { segments: wanted.path.split('.'), facts: new ValueFacts(), takes: 'value' };
    return columnOf(shown, records, { ...wanted, label: wanted.label ?? found[index]?.label ?? null });
  });
  const others = found.filter((_, index) => !taken.has(index));
  return { columns: uniqueLabels(chosen.flatMap((column) => column ?? others)), missing };
}

/** The columns of last month's file, for a month without records: what they hold is told by the values of then. */
export function columnsBefore(previous: {
  readonly labels: readonly string[];
  readonly rows: readonly { readonly values: readonly string[] }[];
}): readonly SourceColumn[] {
  const { labels, rows } = previous;
  return labels.map((label, index) => {
    const facts = new ValueFacts();
    for (const { values } of rows) facts.add(values[index] ?? '');
    return columnOf({ segments: [label], facts, takes: 'value' }, rows.length, { label, look: null });
  });
}

/** Whether a person means this column: by its label or its path, whatever the case and punctuation. */
function isNamed(column: Pick<SourceColumn, 'label' | 'segments'>, name: string): boolean {
  const wanted = folded(name);
  return folded(column.label) === wanted || pathOf(column.segments) === name.trim();
}

/**
 * The places of the columns by whose values a summary counts.
 *
 * @param named  labels or paths; empty for the status and whoever stands behind the money
 * @throws DealsheetError `usage` when there is no such column; it names those that there are
 */
export function groupColumns(columns: readonly SourceColumn[], named: readonly string[]): readonly number[] {
  if (named.length === 0) {
    const usual = ['status', 'funder'].map((about) => columns.findIndex(({ meaning }) => meaning === about));
    return usual.filter((index) => index !== -1);
  }
  return named.map((name) => {
    const index = columns.findIndex((column) => isNamed(column, name));
    if (index !== -1) return index;
    throw new DealsheetError(
      'usage',
      `There is no column "${name}" to group by.`,
      `The columns are: ${columns.map(({ label }) => label).join(', ')}.`,
    );
  });
}

const everyOther = '*';
const looks: readonly ColumnLook[] = ['money', 'percent', 'integer', 'number', 'date', 'date-time', 'yes-no', 'text'];
const mostFew = 3;
const moneyDecimals = 2;
const widestText = 42;
const narrowest = 8;
/** Beside a header stands the button of its filter. */
const filterButton = 4;
const widthOfLook: Readonly<Partial<Record<ColumnLook, number>>> = { date: 12, 'date-time': 20, 'yes-no': 8 };

/** Where the values of a column stand in the records, and what they look like. */
interface Place extends Pick<SourceColumn, 'segments' | 'takes'> {
  readonly facts: ValueFacts;
}

function placesIn({ root }: RecordShape, lists: ListColumns): readonly Place[] {
  const below = ({ fields }: FieldShape, before: readonly PathSegment[]): readonly Place[] =>
    fields.flatMap((field) => {
      const { facts } = field;
      const segments = [...before, field.name];
      const inside = [...below(field, segments), ...(facts.kinds.has('records') ? ofList(field, segments) : [])];
      const hasOwn = (facts.kinds.size > 0 && !facts.areAll('records')) || inside.length === 0;
      return hasOwn ? [{ segments, facts, takes: 'value' }, ...inside] : inside;
    });
  const ofList = ({ facts, items }: FieldShape, segments: readonly PathSegment[]): readonly Place[] => {
    const count: Place = { segments, facts, takes: 'count' };
    if (lists === 'count' || (lists === 'few' && facts.longestList > mostFew)) return [count];
    const inside = items.flatMap((item) => below(item, [...segments, item.name]));
    return facts.longestList > mostItems ? [count, ...inside] : inside;
  };
  return below(root, []);
}

/** A place that was asked for by its path, down to the item of a list. */
function placeAt(shape: RecordShape, path: string): Place | null {
  const segments = segmentsOf(path);
  let field: FieldShape | undefined = shape.root;
  for (const segment of segments) {
    field = typeof segment === 'number' ? field?.items[segment] : field?.fields.find(({ name }) => name === segment);
  }
  return field === undefined ? null : { segments, facts: field.facts, takes: 'value' };
}

function columnOf(
  { segments, facts, takes }: Place,
  records: number,
  wanted: Omit<WantedColumn, 'path'> = { label: null, look: null },
): SourceColumn {
  const isCount = takes === 'count';
  const look = wanted.look ?? (isCount ? 'integer' : lookOf(segments, facts));
  const isZoned = look === 'date-time' && facts.kinds.has('zoned');
  const label = wanted.label ?? labelOf(segments) + (isCount ? ' (count)' : isZoned ? ' (UTC)' : '');
  const meaning = isCount ? null : meaningOf(segments, look);
  return { segments, takes, label, look, meaning, width: widthOf(label, look, facts, records) };
}

/** In a column of amounts there is room for their total, too, with its sign and its marks of thousands. */
function widthOf(label: string, look: ColumnLook, facts: ValueFacts, records: number): number {
  const digits = facts.mostDigits + (look === 'money' ? String(records).length + moneyDecimals : 0);
  const list = facts.kinds.has('list') ? widestText / 2 : 0;
  const isText = look === 'text';
  const content = isText ? Math.max(facts.longestText, facts.mostDigits, list) : Math.ceil((digits * 4) / 3) + 2;
  const shown = widthOfLook[look] ?? Math.min(widestText, content) + 1;
  return Math.max(narrowest, shown, Math.min(widestText, label.length) + filterButton);
}

interface WantedColumn {
  readonly path: string;
  readonly label: string | null;
  readonly look: ColumnLook | null;
}

function wantedColumn(text: string): WantedColumn {
  const [, path, label = null, look = null] = /^\s*([^=:]+?)\s*(?:=\s*([^:]+?)\s*)?(?::\s*(.*?)\s*)?$/.exec(text) ?? [];
  if (path === undefined) {
    throw new DealsheetError(
      'usage',
      `The column "${text}" cannot be understood.`,
      'Write it as path, path=Label or path=Label:look, such as --columns "loanId,company.name=Merchant,balance:money".',
    );
  }
  const known = looks.find((name) => name === look);
  if (look === null || known !== undefined) return { path, label, look: known ?? null };
  throw new DealsheetError(
    'usage',
    `"${look}" in "${text}" is no way to show a column.`,
    `It is one of: ${looks.join(', ')}.`,
  );
}

/** Two columns of one name are told apart by their paths. */
function uniqueLabels(columns: readonly SourceColumn[]): SourceColumn[] {
  const taken = new Set<string>();
  return columns.map((column) => {
    let { label } = column;
    if (taken.has(folded(label))) label = `${label} (${plainText(pathOf(column.segments))})`;
    for (let number = 2; taken.has(folded(label)); number += 1) label = `${column.label} ${number}`;
    taken.add(folded(label));
    return label === column.label ? column : { ...column, label };
  });
}
