/** The columns of an export: those that the records have, or those that the person has chosen. A header is the path of its values. */
import { segmentsOf } from '../contract/body-path.ts';
import { type PathSegment, pathOf } from '../contract/fields.ts';
import { usageError } from '../errors.ts';
import { folded } from '../mapping/headers.ts';
import { plainText } from '../messages/plain-text.ts';
import { filterButton } from '../sheets/excel-limits.ts';
import { type ColumnLook, columnLooks, type ExportColumn } from '../workbooks/export-sheet.ts';
import { type FieldShape, type RecordShape, ValueFacts } from './record-shape.ts';

export interface SourceColumn extends ExportColumn {
  /** Where the value stands in a record: names, and places in lists from 0. */
  readonly segments: readonly PathSegment[];
  /** `count`: the length of the list that stands there. */
  readonly takes: 'value' | 'count';
}

/**
 * @param choice  `path`, `path=Label`, `path:look` or `path=Label:look`, in the order of the columns; `*` stands for all others
 * @param areListsShown  whether the items of short lists stand side by side, in place of their number
 * @returns the columns, and the names of those chosen that no record has
 * @throws DealsheetError `usage` for a choice that cannot be understood
 */
export function chooseColumns(
  shape: RecordShape,
  choice: readonly string[],
  areListsShown = false,
): { readonly columns: readonly SourceColumn[]; readonly missing: readonly string[] } {
  const { records } = shape;
  const places = placesIn(shape, areListsShown);
  const found = places.map((place) => columnOf(place, records));
  if (choice.length === 0) return { columns: found, missing: [] };
  const missing: string[] = [];
  const taken = new Set<number>();
  const chosen = choice.map((text) => {
    if (text === everyOther) return null;
    const wanted = wantedColumn(text);
    const index = found.findIndex((column) => isNamed(column, wanted.path));
    const place = places[index] ?? placeAt(shape, wanted.path);
    if (place === null) missing.push(wanted.path);
    taken.add(index);
    // A column that no record has this month keeps its place.
    const shown = place ?? { segments: wanted.path.split('.'), facts: new ValueFacts(), takes: 'value' };
    return columnOf(shown, records, wanted);
  });
  const others = found.filter((_, index) => !taken.has(index));
  return { columns: chosen.flatMap((column) => column ?? others), missing };
}

/** Whether a person means this column: by its label or its path, whatever the case and punctuation. */
export function isNamed(column: Pick<SourceColumn, 'label' | 'segments'>, name: string): boolean {
  return [column.label, pathOf(column.segments)].some((each) => folded(each) === folded(name));
}

/** The id of a loan itself: that of its deal or company stands on others, too. */
const ownId = /^(?:(?:loan|balance|advance)?(?:id|guid|uuid)|loan(?:number|no|key|ref|reference))$/i;

/** The column of the records' own id, or `undefined` when no name says so. */
export function ownIdOf(columns: readonly SourceColumn[]): SourceColumn | undefined {
  const isOwn = ({ segments }: SourceColumn) => ownId.test(segments.join('').replace(/[^\p{L}\p{N}]/gu, ''));
  return columns.filter(isOwn).sort((one, other) => one.segments.length - other.segments.length)[0];
}

const everyOther = '*';
const mostFew = 3;

/** Where the values of a column stand in the records, and what they look like. */
interface Place extends Pick<SourceColumn, 'segments' | 'takes'> {
  readonly facts: ValueFacts;
}

function placesIn({ root }: RecordShape, areListsShown: boolean): readonly Place[] {
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
    if (!areListsShown || facts.longestList > mostFew) return [count];
    return items.flatMap((item) => below(item, [...segments, item.name]));
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

/** In characters: digits are wider than letters. */
const [narrowest, widest, widthOfDigit] = [10, 42, 4 / 3];

function columnOf({ segments, facts, takes }: Place, records: number, wanted?: WantedColumn): SourceColumn {
  const isCount = takes === 'count';
  const look = wanted?.look ?? (isCount ? 'integer' : lookOf(segments, facts));
  const isZoned = look === 'date-time' && facts.kinds.has('zoned');
  const label = wanted?.label ?? plainText(pathOf(segments)) + (isCount ? ' (count)' : isZoned ? ' (UTC)' : '');
  // Below a column of amounts stands their total.
  const longest = facts.longest + (look === 'money' ? String(records).length : 0);
  const content = Math.min(widest, Math.ceil(longest * widthOfDigit) + 2);
  return { segments, takes, label, look, width: Math.max(narrowest, content, label.length + filterButton) };
}

/** A number of such a name is an amount, and is summed. */
const amount = /(?:balance|amount|amount_?due|principal|interest|payback|paid|fees?)(?:\.value)?$/i;

/** By the kind of all values: dates, numbers, or text. */
function lookOf(segments: readonly PathSegment[], { kinds, areAll }: ValueFacts): ColumnLook {
  if (areAll('day')) return 'date';
  if (areAll('day', 'moment', 'zoned')) return 'date-time';
  const isAmount = amount.test(pathOf(segments)) && !kinds.has('list') && !kinds.has('records');
  if (isAmount && (kinds.has('number') || areAll('decimal'))) return 'money';
  return areAll('number') ? 'number' : 'text';
}

interface WantedColumn {
  readonly path: string;
  readonly label: string | null;
  readonly look: ColumnLook | null;
}

function wantedColumn(text: string): WantedColumn {
  const [, path, label = null, look = null] = /^\s*([^=:]+?)\s*(?:=\s*([^:]+?)\s*)?(?::\s*(.*?)\s*)?$/.exec(text) ?? [];
  if (path === undefined) {
    throw usageError(
      `The column "${text}" cannot be understood.`,
      'Write it as path, path=Label or path=Label:look, such as --columns "loanId,company.name=Merchant,balance:money".',
    );
  }
  const known = columnLooks.find((name) => name === look);
  if (look === null || known !== undefined) return { path, label, look: known ?? null };
  throw usageError(`"${look}" in "${text}" is no way to show a column.`, `It is one of: ${columnLooks.join(', ')}.`);
}
