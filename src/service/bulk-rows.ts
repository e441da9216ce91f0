/** Which item of a bulk answer is about which row. Its one rule: where items contradict one another, none is believed. */
import type { ContractSettings } from '../contract/contract-settings.ts';
import { isObject, valueAt } from './answer.ts';
import type { OutgoingRecord } from './outgoing-record.ts';

/**
 * The item of each row: by its number, by something that both have, or by its place in a list of the same length.
 * `undefined` for a row that the list does not tell of beyond doubt.
 */
export function itemsOfRows(
  records: readonly OutgoingRecord[],
  list: readonly unknown[],
  { answers }: Pick<ContractSettings, 'answers'>,
): readonly unknown[] {
  const numbered = answers.rowNumbers
    .filter((name) => records.every(({ body }) => !Object.hasOwn(body, name)))
    .map((name) => byNumber(records.length, list, name));
  if (numbered.includes('contradictory')) return [];
  const ways = numbered.filter((way) => way !== 'contradictory' && way !== null);
  const [first] = ways;
  if (ways.some((way) => way.some((item, row) => item !== first?.[row]))) return [];
  const named = first ?? byName(records, list, answers.rowNames);
  const items = named ?? (list.length === records.length ? list : null);
  const names = sentNames(records, answers.rowNames);
  if (items !== null && !names.some((name) => tellsOfAnotherRow(records, items, name))) return items;
  return named === null ? (byEcho(records, list, names) ?? []) : [];
}

/** `null` when the items do not say their numbers, or it does not show whether they count from 0 or from 1. */
function byNumber(rows: number, list: readonly unknown[], name: string): readonly unknown[] | 'contradictory' | null {
  const said = list.map((item) => wholeNumber(valueAt(item, [name])));
  const numbers = said.filter((number) => number !== null);
  if (numbers.length === 0) return null;
  if (numbers.length < list.length || new Set(numbers).size < numbers.length) return 'contradictory';
  if (numbers.some((number) => number > rows)) return 'contradictory';
  const base = numbers.includes(0) ? 0 : numbers.includes(rows) ? 1 : null;
  if (base === null) return null;
  if (numbers.some((number) => number - base >= rows)) return 'contradictory';
  const items: unknown[] = new Array(rows).fill(undefined);
  numbers.forEach((number, place) => {
    items[number - base] = list[place];
  });
  return items;
}

function byName(
  records: readonly OutgoingRecord[],
  list: readonly unknown[],
  names: readonly string[],
): readonly unknown[] | null {
  for (const name of names) {
    const sent = records.map(({ body }) => textOf(valueAt(body, [name])));
    if (sent.includes(null) || new Set(sent).size !== sent.length) continue;
    const itemByText = new Map(list.map((item) => [textOf(valueAt(item, [name])), item]));
    if (itemByText.has(null) || itemByText.size !== list.length) continue;
    if (![...itemByText.keys()].every((text) => sent.includes(text))) continue;
    return sent.map((text) => itemByText.get(text));
  }
  return null;
}

/** What the rows sent: an answer may repeat any of it. */
function sentNames(records: readonly OutgoingRecord[], rowNames: readonly string[]): readonly string[] {
  return [...new Set([...rowNames, ...records.flatMap(({ body }) => Object.keys(body))])];
}

/** Whether an item has what another row sent under this name, and not what its own row did. */
function tellsOfAnotherRow(records: readonly OutgoingRecord[], items: readonly unknown[], name: string): boolean {
  const sent = records.map(({ body }) => textOf(valueAt(body, [name])));
  const all = new Set(sent);
  return items.some((item, row) => {
    const said = echoIn(item, name);
    return said !== null && said !== sent[row] && all.has(said);
  });
}

/** By what items repeat of what was sent: each must be told from all others by it. */
function byEcho(
  records: readonly OutgoingRecord[],
  list: readonly unknown[],
  names: readonly string[],
): readonly unknown[] | null {
  const isSent = (name: string) => records.every(({ body }) => textOf(valueAt(body, [name])) !== null);
  const repeated = names.filter((name) => isSent(name) && list.every((item) => echoIn(item, name) !== null));
  if (repeated.length === 0 || list.length === 0) return null;
  const keyOf = (texts: readonly (string | null)[]) => JSON.stringify(texts);
  const sent = records.map(({ body }) => keyOf(repeated.map((name) => textOf(valueAt(body, [name])))));
  const itemByKey = new Map(list.map((item) => [keyOf(repeated.map((name) => echoIn(item, name))), item]));
  if (new Set(sent).size < sent.length || itemByKey.size < list.length) return null;
  if (![...itemByKey.keys()].every((key) => sent.includes(key))) return null;
  return sent.map((key) => itemByKey.get(key));
}

/** What an item repeats under a name, by itself or in an object that it holds. */
function echoIn(item: unknown, name: string): string | null {
  const own = textOf(valueAt(item, [name]));
  if (own !== null || !isObject(item)) return own;
  for (const held of Object.values(item)) {
    const inside = Array.isArray(held) ? null : textOf(valueAt(held, [name]));
    if (inside !== null) return inside;
  }
  return null;
}

const decimal = /^-?\d{1,15}\.\d{1,6}$/;

function wholeNumber(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : null;
}

function textOf(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return null;
  // An amount may come back as a text, or with other zeros.
  return decimal.test(value) ? String(Number(value)) : value;
}
