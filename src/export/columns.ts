/** The columns of an export: those that the records have, or those that the person has chosen. */
import { type PathSegment, pathOf } from '../contract/fields.ts';
import { DealsheetError } from '../errors.ts';
import { plainText } from '../service/plain-text.ts';
import type { ColumnLook, ExportColumn } from '../workbooks/export-column.ts';
import { lookOf, meaningOf } from './column-look.ts';
import { labelOf } from './column-words.ts';
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
  /** Labels of last month's file in their order: known columns stand where they stood. */
  readonly labelsBefore: readonly string[];
}

export interface ChosenColumns {
  readonly columns: readonly SourceColumn[];
  /** Chosen columns that no record has. */
  readonly missing: readonly string[];
}

/** @throws DealsheetError `usage` for a choice that cannot be understood */
export function chooseColumns(shape: RecordShape, choice: ColumnChoice): ChosenColumns {
  const found = uniqueLabels(columnsBelow(shape.root, [], choice.lists, shape.records));
  if (choice.columns.length === 0) return { columns: inOrderOf(found, choice.labelsBefore), missing: [] };
  const missing: string[] = [];
  const taken = new Set<SourceColumn>();
  const chosen = choice.columns.flatMap((text): (SourceColumn | 'others')[] => {
    if (text === everyOther) return ['others'];
    const wanted = wantedColumn(text);
    const known = found.find((column) => isNamed(column, wanted.path)) ?? columnAt(shape, wanted.path);
    if (known === null) missing.push(wanted.path);
    const column = known ?? blankColumn(wanted.path);
    taken.add(column);
    return [dressed(column, wanted.label, wanted.look, shape.records)];
  });
  const others = found.filter((column) => !taken.has(column));
  return { columns: uniqueLabels(chosen.flatMap((column) => (column === 'others' ? others : [column]))), missing };
}

/** The columns of last month's file, for a month without records: what they hold is told by the values of then. */
export function columnsBefore(labels: readonly string[], rows: readonly { readonly values: readonly string[] }[]) {
  const facts = labels.map(() => new ValueFacts());
  for (const { values } of rows) for (const [index, each] of facts.entries()) each.add(values[index] ?? '');
  return labels.map((label, index): SourceColumn => {
    const column = columnOf([label], facts[index] ?? new ValueFacts(), 'value', rows.length);
    return { ...column, label };
  });
}

/** Whether a person means this column: by its label or its path, whatever the case and punctuation. */
export function isNamed(column: Pick<SourceColumn, 'label' | 'segments'>, name: string): boolean {
  const wanted = folded(name);
  return folded(column.label) === wanted || pathOf(column.segments) === name.trim();
}

export function folded(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

const everyOther = '*';
const looks: readonly ColumnLook[] = ['money', 'percent', 'integer', 'number', 'date', 'date-time', 'yes-no', 'text'];
const mostFew = 3;
const widestText = 42;
const narrowest = 8;
/** Beside a header stands the button of its filter. */
export const filterButton = 4;
const widthOfLook: Readonly<Partial<Record<ColumnLook, number>>> = { date: 11, 'date-time': 19, 'yes-no': 7 };

function columnsBelow(
  shape: FieldShape,
  before: readonly PathSegment[],
  lists: ListColumns,
  records: number,
): SourceColumn[] {
  return shape.fields.flatMap((field) => {
    const segments = [...before, field.name];
    const { facts } = field;
    const isValue = facts.numbers + facts.texts + facts.booleans + facts.plainLists > 0;
    const columns = field.fields.length === 0 ? [] : columnsBelow(field, segments, lists, records);
    if (facts.recordLists > 0) columns.push(...columnsOfList(field, segments, lists, records));
    const isBare = columns.length === 0;
    return isValue || isBare ? [columnOf(segments, facts, 'value', records), ...columns] : columns;
  });
}

function columnsOfList(
  field: FieldShape,
  segments: readonly PathSegment[],
  lists: ListColumns,
  records: number,
): SourceColumn[] {
  const count = columnOf(segments, field.facts, 'count', records);
  if (lists === 'count' || (lists === 'few' && field.facts.longestList > mostFew)) return [count];
  const items = field.items.flatMap((item) => columnsBelow(item, [...segments, item.name], lists, records));
  return field.facts.longestList > mostItems ? [count, ...items] : items;
}

function columnOf(
  segments: readonly PathSegment[],
  facts: ValueFacts,
  takes: 'value' | 'count',
  records: number,
): SourceColumn {
  const look = takes === 'count' ? 'integer' : lookOf(segments, facts);
  const isZoned = look === 'date-time' && (facts.zonedMoments > 0 || facts.numbers > 0);
  const label = labelOf(segments) + (takes === 'count' ? ' (count)' : isZoned ? ' (UTC)' : '');
  return {
    segments,
    takes,
    label,
    look,
    meaning: takes === 'count' ? null : meaningOf(segments, look),
    width: widthOf(label, look, facts, records),
    isSummed: look === 'money',
    holdsTexts: facts.texts > facts.emptyTexts + facts.numericTexts + facts.formattedAmounts + facts.percentTexts,
  };
}

function widthOf(label: string, look: ColumnLook, facts: ValueFacts, records: number): number {
  const fixed = widthOfLook[look];
  const content = fixed ?? (look === 'text' ? textWidth(facts) : numberWidth(look, facts, records));
  return Math.max(narrowest, content + 1, Math.min(widestText, label.length) + filterButton);
}

function textWidth(facts: ValueFacts): number {
  const list = facts.plainLists > 0 ? widestText / 2 : 0;
  return Math.min(widestText, Math.max(facts.longestText, facts.mostDigits + 1, list));
}

/** Room for the total below as well, with its sign and its marks of thousands. */
function numberWidth(look: ColumnLook, facts: ValueFacts, records: number): number {
  const whole = facts.mostWholeDigits + (look === 'money' ? String(records).length : 0);
  const decimals = look === 'money' ? 3 : look === 'integer' ? 0 : facts.mostDecimals + 1;
  return Math.min(widestText, whole + Math.floor(whole / 3) + decimals + 2);
}

interface WantedColumn {
  readonly path: string;
  readonly label: string | null;
  readonly look: ColumnLook | null;
}

function wantedColumn(text: string): WantedColumn {
  const parts = /^\s*([^=]+?)\s*(?:=\s*(.+?)\s*)?$/.exec(text);
  if (parts === null) throw unclear(text);
  const whole = text.lastIndexOf(':');
  const look = whole === -1 ? null : text.slice(whole + 1).trim();
  if (look === null) return { path: parts[1] ?? '', label: parts[2] ?? null, look: null };
  const known = looks.find((name) => name === look);
  if (known === undefined) {
    throw new DealsheetError(
      'usage',
      `"${look}" in "${text}" is no way to show a column.`,
      `It is one of: ${looks.join(', ')}.`,
    );
  }
  return { ...wantedColumn(text.slice(0, whole)), look: known };
}

function unclear(text: string): DealsheetError {
  return new DealsheetError(
    'usage',
    `The column "${text}" cannot be understood.`,
    'Write it as path, path=Label or path=Label:look, such as --columns "loanId,company.name=Merchant,balance:money".',
  );
}

/** A column that was asked for by its path, down to the item of a list. */
function columnAt(shape: RecordShape, path: string): SourceColumn | null {
  const segments = path.split(/\.|(?=\[)/).map((part) => (/^\[\d+\]$/.test(part) ? Number(part.slice(1, -1)) : part));
  let field: FieldShape | undefined = shape.root;
  for (const segment of segments) {
    field = typeof segment === 'number' ? field?.items[segment] : field?.field(segment);
  }
  return field === undefined ? null : columnOf(segments, field.facts, 'value', shape.records);
}

/** A column that no record has this month keeps its place. */
function blankColumn(path: string): SourceColumn {
  return columnOf(path.split('.'), new ValueFacts(), 'value', 0);
}

function dressed(column: SourceColumn, label: string | null, look: ColumnLook | null, records: number): SourceColumn {
  const shown = look ?? column.look;
  const name = label ?? column.label;
  if (name === column.label && shown === column.look) return column;
  const width = Math.max(column.width, widthOf(name, shown, new ValueFacts(), records));
  const meaning = look === null ? column.meaning : meaningOf(column.segments, shown);
  return { ...column, label: name, look: shown, meaning, width, isSummed: shown === 'money' };
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

/** Columns that last month's file had come in its order; a new one comes behind the one that it follows in the records. */
function inOrderOf(columns: readonly SourceColumn[], labels: readonly string[]): readonly SourceColumn[] {
  if (labels.length === 0) return columns;
  const places = new Map(labels.map((label, index) => [folded(label), index]));
  let before = -1;
  const ranked = columns.map((column, index) => {
    before = places.get(folded(column.label)) ?? before;
    return { column, rank: before, isNew: !places.has(folded(column.label)), index };
  });
  ranked.sort((a, b) => a.rank - b.rank || Number(a.isNew) - Number(b.isNew) || a.index - b.index);
  return ranked.map(({ column }) => column);
}
