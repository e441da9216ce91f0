/** Which item of a bulk answer is about which row. Its one rule: where items contradict one another, none is believed. */
import type { ContractSettings } from '../contract/contract-settings.ts';
import { valueAt } from './answer.ts';
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
  const items = first ?? byName(records, list, answers.rowNames) ?? (list.length === records.length ? list : []);
  return answers.rowNames.some((name) => namesAnotherRow(records, items, name)) ? [] : items;
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

/** Whether an item has what another row sent under this name, and not what its own row did. */
function namesAnotherRow(records: readonly OutgoingRecord[], items: readonly unknown[], name: string): boolean {
  const sent = records.map(({ body }) => textOf(valueAt(body, [name])));
  const all = new Set(sent);
  return items.some((item, row) => {
    const said = textOf(valueAt(item, [name]));
    return said !== null && said !== sent[row] && all.has(said);
  });
}

function wholeNumber(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : null;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}
