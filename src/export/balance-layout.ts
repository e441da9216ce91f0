/**
 * Where an answer has its balances, and in which shape. The first page settles it for all of them, unless the profile does; a
 * record is never taken from another place than that.
 */
import type { BalanceShape } from '../contract/balances-rules.ts';
import { pathOf, type Segment, segmentsOf, valueAt } from '../contract/body-path.ts';
import type { ContractSettings } from '../contract/contract-settings.ts';
import { type Around, type AroundValue, asFault, ListFound } from './answer-outline.ts';
import { ExactNumber, isJsonObject, type JsonObject, type JsonReader, type JsonValue } from './exact-json.ts';
import { openAnswer } from './kept-answers.ts';
import { balanceFault } from './read-fault.ts';

type Path = readonly Segment[];

export interface BalanceLayout {
  readonly shape: BalanceShape;
  /** The names that lead to the balances; none when the answer is them. */
  readonly path: Path;
  /** Of `keyed` balances. */
  readonly keyColumn: string | null;
  /** Of `rows`: the names that lead to those of the columns. */
  readonly header: Path | null;
}

/** The names that are usual for lists of balances, and for the columns of rows. */
const usualNames = ['data', 'balances', 'loans', 'items', 'results', 'records'];
const usualHeaders = ['columns', 'headers', 'fields'];

type Declared = ContractSettings['balances'];

/** @throws DealsheetError `output-failed` when there are no balances, or it cannot be told where */
export function layoutOf(answer: string, root: AroundValue, declared: Declared): BalanceLayout {
  const found = placeOf(root, declared);
  const keyColumn = found.shape === 'keyed' ? (declared.keyColumn ?? freeColumn(answer, found.path)) : null;
  const header = found.shape === 'rows' ? headerBeside(root, found.path, declared.header) : null;
  return { ...found, keyColumn, header };
}

/** `data.loans, keyed by id` */
export function layoutText({ shape, path, keyColumn, header }: BalanceLayout): string {
  const place = path.length === 0 ? 'the answer itself' : pathOf(path);
  if (shape === 'keyed') return `${place}, keyed by ${keyColumn}`;
  return shape === 'rows' ? `${place}, rows below ${pathOf(header ?? [])}` : `${place}, a list`;
}

/** What stands around the balances, with what stands nearer to them in its place: `{ "data": { "items": […], "page": 1 } }`. */
export function aroundBalances(root: AroundValue, { path, shape }: BalanceLayout): Around {
  const members = new Map<string, AroundValue>();
  const objects = shape === 'keyed' ? path.length + 1 : path.length;
  for (let depth = 0; depth < Math.max(objects, 1); depth += 1) {
    const held = valueAt<AroundValue>(root, path.slice(0, depth));
    if (held instanceof Map) for (const [name, value] of held as Around) members.set(name, value);
  }
  return members;
}

/** Reads the balances of a kept answer, in its order. */
export function* recordsOf(answer: string, layout: BalanceLayout): Generator<JsonObject> {
  const columns = layout.header === null ? [] : headerOf(answer, layout.header);
  const { reader, close } = openAnswer(answer);
  try {
    if (!enter(reader, layout.path)) throw noRecords('holds no balances where the first page has them');
    const isObject = layout.shape === 'keyed';
    // An object without members is written as a list by some.
    if (isObject && reader.peek() === '[' && reader.items().next().done === true) return;
    if (reader.peek() !== (isObject ? '{' : '[')) throw noRecords('has its balances in another shape');
    if (isObject) {
      for (const key of reader.members()) yield keyedRecord(key, reader.value(), layout.keyColumn ?? '');
    } else {
      for (const index of reader.items()) {
        const item = reader.value();
        if (layout.shape === 'rows') yield rowRecord(item, columns, index + 1);
        else if (isJsonObject(item)) yield item;
        else throw balanceFault('broken-record', { place: `place ${index + 1} of the list` });
      }
    }
  } catch (error) {
    throw asFault(error);
  } finally {
    close();
  }
}

function placeOf(root: AroundValue, { records, shape, header }: Declared): Pick<BalanceLayout, 'shape' | 'path'> {
  const shapeAt = (path: Path) => shapeOf(valueAt<AroundValue>(root, path), shape);
  const among = (paths: readonly Path[]) => {
    const path = paths.find((each) => shapeAt(each) !== null);
    return path === undefined ? null : { path, shape: shapeAt(path) as BalanceShape };
  };
  if (records.length > 0) {
    const declared = among(records.map(segmentsOf));
    if (declared === null) throw noRecords(`holds no balances at ${records.join(', ')}`);
    return declared;
  }
  if (!(root instanceof Map)) {
    const whole = among([[]]);
    if (whole === null)
      throw noRecords(root instanceof ListFound ? 'is a list, but not of records' : 'is a single value');
    return whole;
  }
  const objects = [...(root as Around)].flatMap(([name, value]) => (value instanceof Map ? [name] : []));
  const nested = usualNames.flatMap((usual) => objects.map((name) => [name, usual]));
  const lists = listsIn(root as Around, []);
  // Rows are clear where the names of their columns stand beside them.
  const hasHeader = (path: Path) => header !== null || headerNames(root, path).length > 0;
  const usual = among(
    [...usualNames.map((name) => [name]), ...nested].filter((path) => shapeAt(path) !== 'rows' || hasHeader(path)),
  );
  if (usual !== null) return usual;
  const rows = lists.filter(([path, list]) => (list.holds === 'lists' || list.length === 0) && hasHeader(path));
  const others = rows.length > 0 ? rows : lists.filter(([path, list]) => shapeAt(path) === 'list' && list.length > 0);
  const [only] = others;
  if (others.length > 1) throw balanceFault('several-lists', { lists: others.map(([path]) => pathOf(path)) });
  const alone = only === undefined ? among([[]]) : among([only[0]]);
  if (alone === null) throw noRecords('holds no list of records');
  return alone;
}

/** The shape that a value may have; of an object that nobody has declared, each key must look like the id of a loan. */
function shapeOf(value: AroundValue | undefined, declared: BalanceShape | null): BalanceShape | null {
  if (value instanceof ListFound) {
    const shape = value.holds === 'lists' ? 'rows' : value.holds === 'other' ? null : 'list';
    return shape === null || declared === null || declared === shape || value.length === 0 ? (declared ?? shape) : null;
  }
  if (!(value instanceof Map) || (declared ?? 'keyed') !== 'keyed') return null;
  if (declared === 'keyed') return 'keyed';
  const members = [...(value as Around)];
  const isKeyed = members.every(([key, member]) => member instanceof Map && /\d/.test(key));
  return isKeyed && members.length > 0 ? 'keyed' : null;
}

function headerNames(root: AroundValue, path: Path): readonly string[] {
  const parent = path.slice(0, -1);
  return usualHeaders.filter(
    (name) => name !== path.at(-1) && valueAt<AroundValue>(root, [...parent, name]) instanceof ListFound,
  );
}

function headerBeside(root: AroundValue, path: Path, declared: string | null): Path {
  const [usual] = headerNames(root, path);
  if (declared !== null) return segmentsOf(declared);
  if (usual === undefined) throw balanceFault('unusable-header', { at: 'not declared' });
  return [...path.slice(0, -1), usual];
}

function listsIn(root: Around, before: Path): readonly (readonly [Path, ListFound])[] {
  return [...root].flatMap(([name, value]) => {
    const path = [...before, name];
    if (value instanceof ListFound) return [[path, value] as const];
    return value instanceof Map ? listsIn(value as Around, path) : [];
  });
}

/** A column for the keys: the one that has them already, else one that the records do not have. */
function freeColumn(answer: string, path: Path): string {
  const { reader, close } = openAnswer(answer);
  try {
    enter(reader, path);
    for (const key of reader.members()) {
      const record = reader.value();
      if (!isJsonObject(record)) return 'id';
      const same = [...record].find(([name, value]) => /id$/i.test(name) && textOf(value) === key);
      return same?.[0] ?? (record.has('id') ? 'key' : 'id');
    }
    return 'id';
  } finally {
    close();
  }
}

function keyedRecord(key: string, value: JsonValue, column: string): JsonObject {
  if (value instanceof ExactNumber)
    return new Map<string, JsonValue>([
      [column, key],
      ['balance', value],
    ]);
  if (!isJsonObject(value)) throw balanceFault('broken-record', { place: `the key ${key}` });
  const own = value.get(column);
  if (own === undefined) return new Map([[column, key], ...value]);
  if (textOf(own) !== key) throw balanceFault('other-key', { key, column });
  return value;
}

function rowRecord(row: JsonValue, columns: readonly string[], number: number): JsonObject {
  if (!Array.isArray(row)) throw balanceFault('broken-record', { place: `row ${number}` });
  const values = row as readonly JsonValue[];
  if (values.length !== columns.length) {
    throw balanceFault('other-row', { row: number, values: values.length, columns: columns.length });
  }
  return new Map(columns.map((name, index) => [name, values[index] ?? null]));
}

function headerOf(answer: string, path: Path): readonly string[] {
  const { reader, close } = openAnswer(answer);
  try {
    const listed = enter(reader, path) ? reader.value() : [];
    const names = (Array.isArray(listed) ? (listed as readonly JsonValue[]) : []).map((each) => {
      const name = isJsonObject(each) ? each.get('name') : each;
      return typeof name === 'string' ? name.trim() : '';
    });
    if (names.length > 0 && !names.includes('') && new Set(names).size === names.length) return names;
    throw balanceFault('unusable-header', { at: pathOf(path) });
  } finally {
    close();
  }
}

function textOf(value: JsonValue): string | null {
  if (value instanceof ExactNumber) return value.digits;
  return typeof value === 'string' ? value : null;
}

function enter(reader: JsonReader, path: Path): boolean {
  return path.every((wanted) => {
    if (reader.peek() !== '{') return false;
    for (const name of reader.members()) {
      if (name === wanted) return true;
      reader.skip();
    }
    return false;
  });
}

function noRecords(what: string) {
  return balanceFault('no-records', { what });
}
