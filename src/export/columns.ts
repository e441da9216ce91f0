/** The columns of an export: those of the records, or those that the person chose. A header is the path of its values. */
import { pathOf, type Segment, segmentsOf } from '../contract/body-path.ts';
import { folded } from '../mapping/headers.ts';
import { plainText } from '../messages/plain-text.ts';
import { errorOf } from '../messages/text.ts';
import { filterButton } from '../tables/excel-limits.ts';
import { type ColumnLook, columnLooks, type ExportColumn } from '../workbooks/export-sheet.ts';
import { copyOf, ExactNumber, isJsonObject, type JsonObject, type JsonValue, textOf } from './exact-json.ts';

export interface SourceColumn extends ExportColumn {
  /** The path of the value in a record: names, and list indices from 0. */
  readonly segments: readonly Segment[];
  /** `count`: the length of the list at that path. */
  readonly takes: 'value' | 'count';
}

/** How a list of records is shown: its length, or its items side by side; `few`: side by side when it is short. */
export const listColumns = ['count', 'columns', 'few'] as const;
export type ListColumns = (typeof listColumns)[number];

export interface ColumnChoice {
  /** `path`, `path=Label`, `path:look` or `path=Label:look`, in column order; `*` means all others; empty for those of the records. */
  readonly columns: readonly string[];
  readonly lists: ListColumns;
}

/**
 * @returns the columns, and the chosen names that no record has
 * @throws DealsheetError `usage` for a choice that cannot be parsed
 */
export function chooseColumns(
  shape: RecordShape,
  choice: ColumnChoice,
): { readonly columns: readonly SourceColumn[]; readonly missing: readonly string[] } {
  const { records } = shape;
  const places = placesIn(shape, choice.lists);
  const found = places.map((place) => columnOf(place, records));
  if (choice.columns.length === 0) return { columns: found, missing: [] };
  const missing: string[] = [];
  const taken = new Set<number>();
  const chosen = choice.columns.map((text) => {
    if (text === everyOther) return null;
    const wanted = wantedColumn(text);
    const index = found.findIndex((column) => hasName(column, wanted.path));
    const place = places[index] ?? placeAt(shape, wanted.path);
    if (place === null) missing.push(wanted.path);
    taken.add(index);
    // A chosen column keeps its place when no record has it this month.
    const shown = place ?? { segments: wanted.path.split('.'), field: new FieldShape(''), takes: 'value' };
    return columnOf(shown, records, wanted);
  });
  const others = found.filter((_, index) => !taken.has(index));
  return { columns: chosen.flatMap((column) => column ?? others), missing };
}

/** The shape of last month's records, for a month without any. */
export function shapeBefore(labels: readonly string[], rows: readonly (readonly string[])[]): RecordShape {
  const shape = new RecordShape();
  // A column without values counts too.
  for (const values of [[], ...rows]) shape.look(new Map(labels.map((label, index) => [label, values[index] ?? ''])));
  return shape;
}

/** Whether a name means this column: its label or path, in any case and punctuation. */
export function hasName(column: Pick<SourceColumn, 'label' | 'segments'>, name: string): boolean {
  return [column.label, pathOf(column.segments)].some((each) => folded(each) === folded(name));
}

/** The id of the loan itself. The id of its deal or company may repeat. */
const ownId = /^(?:(?:loan|balance|advance)?(?:id|guid|uuid)|loan(?:number|no|key|ref|reference))$/i;

export function ownIdOf<Column extends Pick<SourceColumn, 'segments'>>(columns: readonly Column[]): Column | undefined {
  const isOwn = ({ segments }: Column) => ownId.test(segments.join('').replace(/[^\p{L}\p{N}]/gu, ''));
  return columns.filter(isOwn).sort((one, other) => one.segments.length - other.segments.length)[0];
}

const usualGroups = ['status', 'funder'];

/** The indices of the columns that a summary groups by: the named ones, or the usual ones that exist. */
export function groupColumns(columns: readonly SourceColumn[], named: readonly string[]): readonly number[] {
  const placeOf = (name: string) => columns.findIndex((column) => hasName(column, name));
  const missing = named.find((name) => placeOf(name) === -1);
  if (missing !== undefined)
    throw errorOf('no-group-column', { column: missing, columns: columns.map(({ label }) => label) });
  return [...new Set((named.length === 0 ? usualGroups : named).map(placeOf).filter((place) => place !== -1))];
}

const everyOther = '*';
const mostFew = 3;

/** A column's place in the records, and the shape of its values. */
interface Place extends Pick<SourceColumn, 'segments' | 'takes'> {
  readonly field: FieldShape;
}

function placesIn({ root }: RecordShape, lists: ListColumns): readonly Place[] {
  const below = ({ fields }: FieldShape, before: readonly Segment[]): readonly Place[] =>
    fields.flatMap((field) => {
      const segments = [...before, field.name];
      const inside = [...below(field, segments), ...(field.kinds.has('records') ? ofList(field, segments) : [])];
      const hasOwn = (field.kinds.size > 0 && !field.areAll('records')) || inside.length === 0;
      return hasOwn ? [{ segments, field, takes: 'value' }, ...inside] : inside;
    });
  const ofList = (field: FieldShape, segments: readonly Segment[]): readonly Place[] => {
    const count: Place = { segments, field, takes: 'count' };
    if (lists === 'count' || (lists === 'few' && field.longestList > mostFew)) return [count];
    const inside = field.items.flatMap((item) => below(item, [...segments, item.name]));
    return field.longestList > mostItems ? [count, ...inside] : inside;
  };
  return below(root, []);
}

/** The place at a chosen path, which may lead to an item of a list. */
function placeAt(shape: RecordShape, path: string): Place | null {
  const segments = segmentsOf(path);
  let field: FieldShape | undefined = shape.root;
  for (const segment of segments) {
    field = typeof segment === 'number' ? field?.items[segment] : field?.fields.find(({ name }) => name === segment);
  }
  return field === undefined ? null : { segments, field, takes: 'value' };
}

/** In characters; digits are wider than letters. */
const [narrowest, widest, widthOfDigit] = [10, 42, 4 / 3];

function columnOf({ segments, field, takes }: Place, records: number, wanted?: WantedColumn): SourceColumn {
  const isCount = takes === 'count';
  const look = wanted?.look ?? (isCount ? 'integer' : lookOf(segments, field));
  const isZoned = look === 'date-time' && field.kinds.has('zoned');
  const label = wanted?.label ?? plainText(pathOf(segments)) + (isCount ? ' (count)' : isZoned ? ' (UTC)' : '');
  // The total below a column of amounts needs room too.
  const longest = field.longest + (look === 'money' ? String(records).length : 0);
  const content = Math.min(widest, Math.ceil(longest * widthOfDigit) + 2);
  return { segments, takes, label, look, width: Math.max(narrowest, content, label.length + filterButton) };
}

/** A number with such a name is an amount, and is summed. */
const amount = /(?:balance|amount|amount_?due|principal|interest|payback|paid|fees?)(?:\.value)?$/i;

function lookOf(segments: readonly Segment[], field: FieldShape): ColumnLook {
  const { kinds } = field;
  if (field.areAll('day')) return 'date';
  if (field.areAll('day', 'moment', 'zoned')) return 'date-time';
  const isAmount = amount.test(pathOf(segments)) && !kinds.has('list') && !kinds.has('records');
  if (isAmount && (kinds.has('number') || field.areAll('decimal'))) return 'money';
  return field.areAll('number') ? 'number' : 'text';
}

interface WantedColumn {
  readonly path: string;
  readonly label: string | null;
  readonly look: ColumnLook | null;
}

function wantedColumn(text: string): WantedColumn {
  const [, path, label = null, look = null] = /^\s*([^=:]+?)\s*(?:=\s*([^:]+?)\s*)?(?::\s*(.*?)\s*)?$/.exec(text) ?? [];
  if (path === undefined) throw errorOf('column-unclear', { column: text });
  const known = columnLooks.find((name) => name === look);
  if (look === null || known !== undefined) return { path, label, look: known ?? null };
  throw errorOf('column-look', { look, column: text, looks: columnLooks });
}

/** The kind of a value; `zoned` is a time with a time zone. */
type ValueKind = 'number' | 'flag' | 'list' | 'records' | TextKind;
type TextKind = 'text' | 'decimal' | 'day' | 'moment' | 'zoned';

/** What the values of a field have in common. Memory grows with the fields, not with the records. */
class FieldShape {
  readonly name: string | number;
  /** Blank values have no kind. */
  readonly kinds = new Set<ValueKind>();
  /** In display order. */
  readonly fields: FieldShape[] = [];
  /** The items of a list of records, one shape per index, up to the unfolding limit. */
  readonly items: FieldShape[] = [];
  longest = 0;
  longestList = 0;

  constructor(name: string | number) {
    this.name = name;
  }

  add(value: JsonValue): void {
    const text = textOf(value);
    if (text !== null) {
      this.longest = Math.max(this.longest, text.length);
      if (text.trim() !== '') this.kinds.add(value instanceof ExactNumber ? 'number' : kindOfText(text));
    } else if (typeof value === 'boolean') this.kinds.add('flag');
    else if (Array.isArray(value)) {
      if (value.length > 0) this.kinds.add(value.some(isJsonObject) ? 'records' : 'list');
      this.longestList = Math.max(this.longestList, value.length);
    }
  }

  /** Whether there are values, and all are of these kinds. */
  areAll(...kinds: readonly ValueKind[]): boolean {
    return this.kinds.size > 0 && [...this.kinds].every((kind) => kinds.includes(kind));
  }
}

function kindOfText(text: string): TextKind {
  if (plainDecimal.test(text)) return 'decimal';
  if (isoDate.test(text)) return 'day';
  const moment = isoMoment.exec(text);
  if (moment === null) return 'text';
  return moment[3] === undefined ? 'moment' : 'zoned';
}

export const plainDecimal = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
export const isoDate = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;
export const isoMoment = /^(\d{4}-\d\d-\d\d)[T ]((?:[01]\d|2[0-3]):\d\d(?::\d\d)?)(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?$/;

const mostItems = 10;
const deepestFields = 6;
export const mostFields = 2000;

export class RecordShape {
  readonly root = new FieldShape('');
  records = 0;
  fields = 0;

  look(record: JsonObject): void {
    this.records += 1;
    this.#lookInto(this.root, record, 0);
  }

  #lookInto({ fields }: FieldShape, record: JsonObject, depth: number): void {
    const placeOf = (name: string) => fields.findIndex((each) => each.name === name);
    let next = 0;
    for (const [name, value] of record) {
      let place = fields[next]?.name === name ? next : placeOf(name);
      if (place === -1) {
        this.fields += 1;
        if (this.fields > mostFields) continue;
        // Placed beside its neighbors, so that a record without some field does not change the order.
        const behind = next > 0 ? next : [...record.keys()].map(placeOf).find((each) => each !== -1);
        place = behind ?? fields.length;
        fields.splice(place, 0, new FieldShape(copyOf(name)));
      }
      next = place + 1;
      const field = fields[place] as FieldShape;
      if (isJsonObject(value) && depth < deepestFields) this.#lookInto(field, value, depth + 1);
      else field.add(value);
      if (Array.isArray(value) && depth < deepestFields) this.#lookIntoItems(field, value, depth);
    }
  }

  #lookIntoItems({ items }: FieldShape, list: readonly JsonValue[], depth: number): void {
    for (const [index, item] of list.slice(0, mostItems).entries()) {
      if (!isJsonObject(item)) continue;
      while (items.length <= index) items.push(new FieldShape(items.length));
      this.#lookInto(items[index] as FieldShape, item, depth + 1);
    }
  }
}
