/** Which item of a bulk answer is about which row. Its one rule: where items contradict one another, none is believed. */
import type { ContractSettings } from '../../contract/contract-settings.ts';
import { isObject, valueAt } from '../answers/answer.ts';
import { plainName } from '../answers/words-of-answer.ts';
import type { OutgoingRecord } from '../records/outgoing-record.ts';
import { isOfAnotherOrder } from './another-order.ts';
import type { BulkSettings } from './bulk-items.ts';
import { deepestEcho, isMovedDay, placesOf, textOf, wholeNumber } from './texts-of-rows.ts';

/**
 * The item of each row: by its number, by something that both have, or by its place in a list of the same length.
 * `undefined` for a row that the list does not tell of beyond doubt.
 * @param mayBeInPlace  whether the list may have an item for each row: one of refusals may tell of any rows, several times of one
 */
export function itemsOfRows(
  records: readonly OutgoingRecord[],
  list: readonly unknown[],
  settings: BulkSettings,
  mayBeInPlace = true,
): readonly unknown[] {
  const { answers } = settings.contract;
  const numbered = spellingsIn(list, answers.rowNumbers)
    .filter((name) => records.every(({ body }) => !Object.hasOwn(body, name)))
    .map((name) => byNumber(records.length, list, name));
  if (numbered.includes('contradictory')) return [];
  const ways = numbered.filter((way) => way !== 'contradictory' && way !== null);
  const [first] = ways;
  if (ways.some((way) => way.some((item, row) => item !== first?.[row]))) return [];
  const names = [...sameNames(list, answers.rowNames), ...otherNames(records, list, answers)];
  const named = first ?? byName(records, list, names);
  const items = named ?? (mayBeInPlace && list.length === records.length ? list : null);
  const sent = records.flatMap(({ body }) => Object.keys(body));
  const echoes = [...sameNames(list, sent), ...names];
  // In its place, an item may have a value that the service changed to that of another row; with a name, to that of several.
  const isAmiss = (there: readonly unknown[]) =>
    names.some((echo) => repeatsAnotherRow(records, there, echo, records.length)) ||
    (named !== null && echoes.some((echo) => repeatsAnotherRow(records, there, echo, 1))) ||
    repeatsMoreOfAnother(records, there, echoes);
  const isOfOthers = (there: readonly unknown[], isInPlace: boolean) =>
    isOfAnotherOrder(records, there, settings, isInPlace);
  if (items !== null && !isAmiss(items)) return isOfOthers(items, named === null) ? [] : items;
  const echoed = named === null ? byEcho(records, list, echoes) : null;
  return echoed === null || isOfOthers(echoed, false) ? [] : echoed;
}

/** Names, and as the items spell them: `row_number` for `rowNumber`. */
function spellingsIn(list: readonly unknown[], names: readonly string[]): readonly string[] {
  const plain = new Set(names.map(plainName));
  const said = new Set(list.flatMap((item) => namesIn(item)));
  return [...new Set([...names, ...[...said].filter((name) => plain.has(plainName(name)))])];
}

/** The names in an item, and in what it holds as far as a repetition is looked for there. */
function namesIn(item: unknown, depth = 0): readonly string[] {
  if (!isObject(item) || Array.isArray(item)) return [];
  const names = Object.keys(item);
  if (depth === deepestEcho) return names;
  return [...names, ...Object.values(item).flatMap((held) => namesIn(held, depth + 1))];
}

/** `null` when the items do not say their numbers, or it does not show whether they count from 0 or from 1. */
function byNumber(rows: number, list: readonly unknown[], name: string): readonly unknown[] | 'contradictory' | null {
  const said = list.map((item) => wholeNumber(valueAt(item, [name])));
  const numbers = said.filter((number) => number !== null);
  if (numbers.length === 0) return null;
  if (numbers.length < list.length || new Set(numbers).size < numbers.length) return 'contradictory';
  if (list.length === rows && numbers.every((number, place) => number === (numbers[0] ?? 0) + place)) return list;
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
  names: readonly Echo[],
): readonly unknown[] | null {
  for (const { sentAs, saidAs } of names) {
    const sent = records.map(({ body }) => textOf(valueAt(body, [sentAs])));
    const allSent = new Set(sent);
    if (allSent.has(null) || allSent.size !== sent.length) continue;
    const itemByText = new Map(list.map((item) => [textOf(valueAt(item, [saidAs])), item]));
    if (itemByText.has(null) || itemByText.size !== list.length) continue;
    if (![...itemByText.keys()].every((text) => allSent.has(text))) continue;
    return sent.map((text) => itemByText.get(text));
  }
  return null;
}

/** What a row sent under one name, and an answer may repeat under the same or another. */
interface Echo {
  readonly sentAs: string;
  readonly saidAs: string;
}

function sameNames(list: readonly unknown[], names: readonly string[]): readonly Echo[] {
  const spellings = spellingsIn(list, names).map((saidAs) => ({ saidAs, plain: plainName(saidAs) }));
  return [...new Set(names)].flatMap((sentAs) => {
    const plain = plainName(sentAs);
    return spellings.filter((said) => said.plain === plain).map(({ saidAs }) => ({ sentAs, saidAs }));
  });
}

/** What rows are named by may come back under another of the names for that, but for those of ids and of what was sent. */
function otherNames(
  records: readonly OutgoingRecord[],
  list: readonly unknown[],
  { rowNames, id }: ContractSettings['answers'],
): readonly Echo[] {
  const free = rowNames.filter((name) => !id.includes(name) && !records.some(({ body }) => Object.hasOwn(body, name)));
  const said = spellingsIn(list, free);
  return rowNames.flatMap((sentAs) => said.map((saidAs) => ({ sentAs, saidAs }))).filter(isOther);
}

function isOther({ sentAs, saidAs }: Echo): boolean {
  return plainName(sentAs) !== plainName(saidAs);
}

/** Whether an item has what another row sent, so many at most, and not what its own row did. */
function repeatsAnotherRow(
  records: readonly OutgoingRecord[],
  items: readonly unknown[],
  { sentAs, saidAs }: Echo,
  mostRows: number,
): boolean {
  const sent = records.map(({ body }) => textOf(valueAt(body, [sentAs])));
  const said = items.map((item) => echoIn(item, saidAs));
  const rowsOf = placesOf(sent);
  const allSaid = new Set(said);
  return said.some((text, row) => {
    const own = sent[row] ?? null;
    const rows = text === null || text === own ? 0 : (rowsOf.get(text)?.length ?? 0);
    return text !== null && rows > 0 && rows <= mostRows && !isMovedDay(own, text, allSaid);
  });
}

/** Whether an item repeats more of another row than of its own: a service may change a value to that of another row. */
function repeatsMoreOfAnother(
  records: readonly OutgoingRecord[],
  items: readonly unknown[],
  echoes: readonly Echo[],
): boolean {
  const sent = records.map(({ body }) => echoes.map(({ sentAs }) => textOf(valueAt(body, [sentAs]))));
  const rowsOf = echoes.map((_, echo) => placesOf(sent.map((texts) => texts[echo] ?? null)));
  const said = items.map((item) => echoes.map(({ saidAs }) => echoIn(item, saidAs)));
  const allSaid = echoes.map((_, echo) => new Set(said.map((texts) => texts[echo] ?? null)));
  return said.some((texts, row) => {
    const told = texts.flatMap((text, echo) => {
      const rows = text === null ? undefined : rowsOf[echo]?.get(text);
      const own = sent[row]?.[echo] ?? null;
      if (text === null || rows === undefined || isMovedDay(own, text, allSaid[echo] ?? new Set())) return [];
      return [{ text, echo, rows, isOwn: own === text }];
    });
    const others = told.filter(({ isOwn }) => !isOwn).length;
    // Who repeats more than the row does repeats one, at least, of as many as the row does not: the rarest tell the fewest rows.
    const rarest = told.toSorted((one, other) => one.rows.length - other.rows.length).slice(0, others);
    const repeatedBy = (other: number) => told.filter(({ text, echo }) => sent[other]?.[echo] === text).length;
    return rarest.some(({ rows }) => rows.some((other) => repeatedBy(other) > told.length - others));
  });
}

/** By what items repeat of what was sent: each must be told from all others by it. */
function byEcho(
  records: readonly OutgoingRecord[],
  list: readonly unknown[],
  echoes: readonly Echo[],
): readonly unknown[] | null {
  const repeated = echoes.filter((echo) => isRepeated(records, list, echo));
  if (repeated.length === 0) return null;
  const keyOf = (texts: readonly (string | null)[]) => JSON.stringify(texts);
  const sent = records.map(({ body }) => keyOf(repeated.map(({ sentAs }) => textOf(valueAt(body, [sentAs])))));
  const itemByKey = new Map(list.map((item) => [keyOf(repeated.map(({ saidAs }) => echoIn(item, saidAs))), item]));
  const allSent = new Set(sent);
  if (allSent.size < sent.length || itemByKey.size < list.length) return null;
  if (![...itemByKey.keys()].every((key) => allSent.has(key))) return null;
  return sent.map((key) => itemByKey.get(key));
}

/** Whether every row sent it and every item says it; under another name, only what was sent is a repetition. */
function isRepeated(records: readonly OutgoingRecord[], list: readonly unknown[], echo: Echo): boolean {
  const sent = new Set(records.map(({ body }) => textOf(valueAt(body, [echo.sentAs]))));
  const said = list.map((item) => echoIn(item, echo.saidAs));
  if (sent.has(null) || said.includes(null)) return false;
  return !isOther(echo) || said.every((text) => sent.has(text));
}

/** What an item repeats under a name, by itself or in an object that it holds. */
function echoIn(item: unknown, name: string, depth = 0): string | null {
  const own = textOf(valueAt(item, [name]));
  if (own !== null || !isObject(item) || depth === deepestEcho) return own;
  for (const held of Object.values(item)) {
    const inside = Array.isArray(held) ? null : echoIn(held, name, depth + 1);
    if (inside !== null) return inside;
  }
  return null;
}
