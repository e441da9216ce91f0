/**
 * Where an answer has its balances. The first page decides it for all, and a record is never taken from another place. A plain list
 * is found; an object keyed by id, or rows with a header, must be declared in the profile.
 */

import { isNamed, pathOf, type Segment, segmentsOf, valueAt } from '../contract/body-path.ts';
import type { BalanceShape, ContractSettings } from '../contract/contract-settings.ts';
import { errorOf } from '../messages/text.ts';
import { ExactNumber, isJsonObject, type JsonObject, type JsonReader, type JsonValue, textOf } from './exact-json.ts';
import { openAnswer } from './kept-answers.ts';

type Path = readonly Segment[];

export interface BalanceLayout {
  readonly shape: BalanceShape;
  /** The path to the balances; empty when the answer itself is the list. */
  readonly path: Path;
  readonly keyColumn: string;
  /** For `rows`: the path of the column names. */
  readonly header: Path | null;
  readonly paging: readonly string[];
  /** Whether a page without the list is an empty one. */
  readonly mayBeAbsent: boolean;
}

/** Parts of each list and object that an outline keeps. */
const mostParts = 1000;
const mostNamed = 5;
const usualNames: readonly Segment[] = ['data', 'balances', 'loans', 'items', 'results', 'records'];
const fits: Readonly<Record<BalanceShape, (value: JsonValue | undefined) => boolean>> = {
  list: (value) => isList(value) && value.every(isJsonObject),
  rows: (value) => isList(value) && value.every(isList),
  // Some services write an empty object as an empty list.
  keyed: (value) => isJsonObject(value) || (isList(value) && value.length === 0),
};

/** The answer with only the beginning of its long lists, so that its size does not depend on the number of records. */
export function outlineOf(answer: string): JsonValue {
  return reading(answer, (reader) => {
    const outline = reader.value(mostParts);
    reader.end();
    return outline;
  });
}

/** @throws DealsheetError `output-failed` when there are no balances, or their place is ambiguous */
export function layoutOf(outline: JsonValue, declared: ContractSettings['balances']): BalanceLayout {
  const shape = declared.shape ?? 'list';
  const header = declared.header === null ? null : segmentsOf(declared.header);
  if (shape === 'rows' && header === null) throw errorOf('balance-headers-unusable', { at: null });
  const fitsAt = (path: Path) => fits[shape](valueAt<JsonValue>(outline, path));
  const path =
    declared.records.length > 0
      ? declared.records.map(segmentsOf).find(fitsAt)
      : foundAmong(pathsIn(outline).filter(fitsAt), outline);
  if (path === undefined) throw errorOf('balances-not-found', { paths: declared.records });
  const { keyColumn, paging, pages } = declared;
  const mayBeAbsent = pages !== null && 'absent' in pages && pages.absent;
  return { shape, path, keyColumn: keyColumn ?? 'id', header, paging, mayBeAbsent };
}

/** `data.loans, keyed by id` */
export function layoutText({ shape, path, keyColumn, header }: BalanceLayout): string {
  const place = path.length === 0 ? 'the answer itself' : pathOf(path);
  if (shape === 'keyed') return `${place}, keyed by ${keyColumn}`;
  return shape === 'rows' ? `${place}, rows below ${pathOf(header ?? [])}` : `${place}, a list`;
}

/** The members around the balances, the innermost last: `{ "data": { "items": […], "page": 1 } }`. */
export function membersAround(outline: JsonValue, { path }: BalanceLayout): readonly [string, JsonValue][] {
  const objects = path.map((_, depth) => valueAt<JsonValue>(outline, path.slice(0, depth))).filter(isJsonObject);
  return objects.flatMap((object) => [...object]);
}

export function* recordsOf(answer: string, layout: BalanceLayout): Generator<JsonObject> {
  const { reader, close } = openAnswer(answer);
  try {
    const isThere = enter(reader, layout.path);
    if (!isThere && layout.mayBeAbsent) return;
    if (!isThere) throw errorOf('balances-not-found', { paths: pathOf(layout.path) });
    const columns = layout.header === null ? [] : columnNames(answer, layout.header);
    const isKeyed = layout.shape === 'keyed';
    if (isKeyed && reader.peek() === '[' && reader.items().next().done === true) return;
    if (reader.peek() !== (isKeyed ? '{' : '[')) throw errorOf('balances-not-found', { paths: pathOf(layout.path) });
    let amountAt: string | null = null;
    let hasRecord = false;
    for (const place of isKeyed ? reader.members() : reader.items()) {
      const value = reader.value();
      if (typeof place === 'string' && value instanceof ExactNumber) {
        if (isNamed(place, layout.paging)) throw errorOf('balance-may-be-total', { key: place });
        amountAt ??= place;
      } else hasRecord ||= isJsonObject(value);
      // A number among keyed records may be their total.
      if (amountAt !== null && hasRecord) throw errorOf('no-balance-at', { key: amountAt, place: '' });
      if (typeof place === 'string') yield keyedRecord(place, value, layout.keyColumn);
      else if (layout.shape === 'rows') yield rowRecord(value, columns, place + 1);
      else if (isJsonObject(value)) yield value;
      else throw errorOf('no-balance-at', { key: null, place: place + 1 });
    }
  } finally {
    close();
  }
}

/** The nearest place with a usual name, else the only non-empty one. */
function foundAmong(places: readonly Path[], outline: JsonValue): Path {
  const nearest = [...places].sort((one, other) => one.length - other.length);
  const filled = nearest.filter((path) => (valueAt<JsonValue>(outline, path) as { length?: number }).length !== 0);
  const isUsual = (path: Path) => path.length === 0 || usualNames.includes(path.at(-1) ?? '');
  const usual = nearest.find(isUsual);
  const found = usual ?? filled[0];
  if (found === undefined) throw errorOf('balances-not-found', { paths: null });
  const rivals = filled.filter((path) => usual === undefined || (isUsual(path) && path.length === usual.length));
  const isClear = filled.length === 0 || (rivals.length === 1 && rivals[0] === found);
  if (!isClear) throw errorOf('balances-in-several-lists', { lists: filled.slice(0, mostNamed).map(pathOf) });
  return found;
}

function pathsIn(value: JsonValue, before: Path = []): readonly Path[] {
  if (isList(value)) return [before];
  if (!isJsonObject(value)) return [];
  const below = [...value].flatMap(([name, member]) => pathsIn(member, [...before, name]));
  return before.length === 0 ? below : [before, ...below];
}

function keyedRecord(key: string, value: JsonValue, column: string): JsonObject {
  if (value instanceof ExactNumber) return new Map(Object.entries({ [column]: key, balance: value }));
  if (!isJsonObject(value)) throw errorOf('no-balance-at', { key, place: '' });
  const own = value.get(column);
  if (own === undefined) return new Map([[column, key], ...value]);
  if (textOf(own) !== key) throw errorOf('balance-of-other-key', { key, column });
  return value;
}

function rowRecord(row: JsonValue, columns: readonly string[], number: number): JsonObject {
  if (!isList(row)) throw errorOf('no-balance-at', { key: null, place: number });
  if (row.length !== columns.length)
    throw errorOf('balance-of-other-length', { row: number, values: row.length, columns: columns.length });
  return new Map(columns.map((name, index) => [name, row[index] ?? null]));
}

function columnNames(answer: string, path: Path): readonly string[] {
  const listed = reading(answer, (reader) => (enter(reader, path) ? reader.value() : null));
  const names = (isList(listed) ? listed : []).map((each) => {
    const name = isJsonObject(each) ? each.get('name') : each;
    return typeof name === 'string' ? name.trim() : '';
  });
  if (names.length > 0 && !names.includes('') && new Set(names).size === names.length) return names;
  throw errorOf('balance-headers-unusable', { at: pathOf(path) });
}

function enter(reader: JsonReader, path: Path): boolean {
  return path.every((wanted) => {
    const isPlace = typeof wanted === 'number';
    if (reader.peek() !== (isPlace ? '[' : '{')) return false;
    for (const each of isPlace ? reader.items() : reader.members()) {
      if (each === wanted) return true;
      reader.skip();
    }
    return false;
  });
}

function reading<Result>(answer: string, read: (reader: JsonReader) => Result): Result {
  const { reader, close } = openAnswer(answer);
  try {
    return read(reader);
  } finally {
    close();
  }
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}
