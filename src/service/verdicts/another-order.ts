/**
 * Whether a list shows that its items are about other rows than those in whose places they stand, under names that the
 * contract does not know. Its one rule: what one other row sent, and the item's own did not, is said of that row.
 */
import { namesOfAmounts, namesOfItemIds, namesOfPlaces } from '../../contract/lists-of-rows.ts';
import { isObject } from '../answers/answer.ts';
import { longestText, plainName } from '../answers/words-of-answer.ts';
import type { OutgoingRecord } from '../records/outgoing-record.ts';
import type { BulkSettings } from './bulk-items.ts';
import { isMovedDay, placesOf, textOf, wholeNumber } from './texts-of-rows.ts';

/** What the items say under one name. */
interface SaidUnder {
  /** Empty for an item that is a text itself. */
  readonly name: string;
  readonly plain: string;
  /** By the rows of the items that say it. */
  readonly texts: ReadonlyMap<number, readonly string[]>;
}

const onlyDigits = /^\d+$/;
const numberLike = /^-?\d+(?:\.\d+)?$/;
/** A list in an object in an item in a list: `{ "errors": [{ "reference": "R-1" }] }`. */
const deepest = 3;

/**
 * Whether an item has a value of another row, and not that of its own, or a number of another place.
 * @param items  those of the rows, in their order
 * @param isInPlace  whether each was taken to be its row's by its place alone
 */
export function isOfAnotherOrder(
  records: readonly OutgoingRecord[],
  items: readonly unknown[],
  settings: BulkSettings,
  isInPlace: boolean,
): boolean {
  const under = saidUnderNames(items);
  if (namesOtherRows(records, items, under, settings, isInPlace)) return true;
  const numbering = under.filter(
    (said) => numbersOtherPlaces(said, records, items) && !settings.signs.isKnown(said.name),
  );
  if (!isInPlace || numbering.length === 0) return false;
  // Where all else tells of the places, numbers that are not called so are those of anything: the terms of two rows.
  return numbering.some(({ plain }) => namesOfPlaces.test(plain)) || !areInPlace(records, under);
}

/** Whether each item has the number of its place, or something that its row alone sent. */
function areInPlace(records: readonly OutgoingRecord[], under: readonly SaidUnder[]): boolean {
  const isInOrder = (said: SaidUnder) =>
    namesOfPlaces.test(said.plain) &&
    said.texts.size === records.length &&
    areNumbersOfPlaces(said, records.length) &&
    !isOutOfOrder(said);
  const inPlace = () => fieldsOf(records).flatMap((field) => new SentUnder(field, records, under).rowsInPlace);
  return under.some(isInOrder) || new Set(inPlace()).size === records.length;
}

function namesOtherRows(
  records: readonly OutgoingRecord[],
  items: readonly unknown[],
  under: readonly SaidUnder[],
  { contract, signs }: BulkSettings,
  isInPlace: boolean,
): boolean {
  const rowNames = new Set(contract.answers.rowNames.map(plainName));
  return fieldsOf(records).some((field) => {
    const namesRows = rowNames.has(plainName(field));
    if (!namesRows && !isInPlace) return false;
    const sent = new SentUnder(field, records, under);
    if (namesRows && (sent.namesOthers(under) || sent.namesOthers(calledByNames(items)))) return true;
    if (namesRows && isInPlace && sent.isTurnedInTexts()) return true;
    return isInPlace && under.some((said) => sent.isTurnedUnder(said) && !signs.isKnown(said.name));
  });
}

/** Whether under one name are the numbers of the rows, from 0 or from 1, in another order than their own. */
function numbersOtherPlaces(said: SaidUnder, records: readonly OutgoingRecord[], items: readonly unknown[]): boolean {
  if (!areNumbersOfPlaces(said, records.length) || !isOutOfOrder(said)) return false;
  const fields = fieldsOf(records);
  const isSent = fields.some((field) => plainName(field) === said.plain);
  const isRepeated = fields.some((field) =>
    [...said.texts].every(([row, own]) => own.every((text) => text === textOf(records[row]?.body[field]))),
  );
  // Nothing but an id is that of a record: those of a new service begin with 1.
  const isBareId =
    namesOfItemIds.test(said.plain) && items.every((item) => isObject(item) && Object.keys(item).length === 1);
  return !isSent && !isRepeated && !isBareId;
}

/** What the rows sent under one name, held against what the items say. */
class SentUnder {
  readonly #plain: string;
  readonly #under: readonly SaidUnder[];
  readonly #sent: readonly (string | null)[];
  readonly #rowsOf: ReadonlyMap<string, readonly number[]>;
  readonly #saysOwn = new Map<number, boolean>();

  constructor(field: string, records: readonly OutgoingRecord[], under: readonly SaidUnder[]) {
    this.#plain = plainName(field);
    this.#under = under;
    this.#sent = records.map(({ body }) => textOf(body[field]));
    this.#rowsOf = placesOf(this.#sent);
  }

  /** Whether one item alone has the name of another row: a number may be anything. */
  namesOthers(under: readonly SaidUnder[]): boolean {
    return under.some((said) => this.#othersIn(said).some(({ text }) => !onlyDigits.test(text)));
  }

  /** Whether all that is said under another name was sent, and no more often, and stands at another row. */
  isTurnedUnder(said: SaidUnder): boolean {
    const others = this.#othersIn(said);
    if (others.length === 0) return false;
    const timesSaid = placesOf([...said.texts.values()].flat());
    const allSaid = new Set(timesSaid.keys());
    const isId = namesOfItemIds.test(said.plain);
    return (
      [...timesSaid].every(([text, times]) => times.length <= (this.#rowsOf.get(text)?.length ?? 0)) &&
      others.some(
        ({ text, row }) => !(isId && numberLike.test(text)) && !isMovedDay(this.#sent[row] ?? null, text, allSaid),
      )
    );
  }

  /** The rows whose items say what they alone sent, a number under the same name. */
  get rowsInPlace(): readonly number[] {
    return this.#under.flatMap(({ plain, texts }) =>
      [...texts].flatMap(([row, own]) => {
        const isTheirs = (text: string) => plain === this.#plain || !numberLike.test(text);
        return own.some((text) => isTheirs(text) && this.#onlyRowOf(text).includes(row)) ? [row] : [];
      }),
    );
  }

  /** Whether texts tell of just the rows in whose places they stand, each of another: `R-2 saved`. */
  isTurnedInTexts(): boolean {
    return this.#under.some(({ texts }) => {
      const telling = [...texts]
        .map(([place, own]) => ({ place, rows: new Set(own.flatMap((text) => this.#toldIn(text))) }))
        .filter(({ rows }) => rows.size > 0);
      if (telling.every(({ place, rows }) => rows.has(place))) return false;
      const places = new Set(telling.map(({ place }) => place));
      const rows = telling.flatMap(({ rows }) => [...rows]);
      const areTheirs = rows.length === places.size && new Set(rows).size === places.size;
      return areTheirs && rows.every((row) => places.has(row));
    });
  }

  #toldIn(text: string): readonly number[] {
    if (!betweenNames.test(text) || !digit.test(text)) return [];
    return text
      .split(betweenNames)
      .flatMap((word) => (digit.test(word) && !onlyDigits.test(word) ? this.#onlyRowOf(word) : []));
  }

  /**
   * What is of one other row each. Under the name itself, a service may have changed what was sent; one value for all rows is
   * none of theirs.
   */
  #othersIn({ plain, texts }: SaidUnder): readonly { readonly text: string; readonly row: number }[] {
    if (plain === this.#plain) return [];
    const others: { text: string; row: number }[] = [];
    for (const [row, own] of texts)
      for (const text of own) if (this.#isOfAnother(text, row)) others.push({ text, row });
    const isOneForAll = texts.size > 1 && others.length > 0 && new Set([...texts.values()].flat()).size === 1;
    return isOneForAll ? [] : others;
  }

  #isOfAnother(text: string, row: number): boolean {
    const [only] = this.#onlyRowOf(text);
    return only !== undefined && only !== row && !this.#isOwnSaid(row);
  }

  #onlyRowOf(text: string): readonly number[] {
    const rows = this.#rowsOf.get(text);
    return rows?.length === 1 ? rows : [];
  }

  #isOwnSaid(row: number): boolean {
    const known = this.#saysOwn.get(row);
    if (known !== undefined) return known;
    const own = this.#sent[row] ?? null;
    const isSaid = own !== null && this.#under.some(({ texts }) => texts.get(row)?.includes(own));
    this.#saysOwn.set(row, isSaid);
    return isSaid;
  }
}

const digit = /\d/;
const betweenNames = /[^\p{L}\p{N}_-]+/u;

function areNumbersOfPlaces({ plain, texts }: SaidUnder, rows: number): boolean {
  const said = [...texts.values()].flat();
  const numbers = said.map(wholeNumber).filter((number) => number !== null);
  const isOneEach = said.length === texts.size && new Set(numbers).size === said.length;
  if (!isOneEach || rows === 1) return false;
  const most = numbers.reduce((most, number) => Math.max(most, number), 0);
  if (namesOfPlaces.test(plain)) return most <= rows;
  const least = most - (rows - 1);
  return numbers.length === rows && numbers.includes(least) && least >= 0 && least <= 1 && !namesOfAmounts.test(plain);
}

/** A number of each place and the same one more is in order: lines of a file may begin anywhere. */
function isOutOfOrder({ texts }: SaidUnder): boolean {
  const lags = [...texts].flatMap(([place, own]) => own.map((text) => Number(text) - place));
  return lags.some((lag) => lag < 0 || lag !== lags[0]);
}

function fieldsOf(records: readonly OutgoingRecord[]): readonly string[] {
  return [...new Set(records.flatMap(({ body }) => Object.keys(body)))];
}

function saidUnderNames(items: readonly unknown[]): readonly SaidUnder[] {
  const found = new Map<string, { name: string; plain: string; texts: Map<number, string[]> }>();
  items.forEach((item, row) => {
    goThrough(item, '', 0, (name, value) => {
      const text = textOf(typeof value === 'string' ? value.slice(0, longestText) : value);
      if (text === null) return;
      const plain = plainName(name);
      const known = found.get(plain) ?? { name, plain, texts: new Map<number, string[]>() };
      found.set(plain, known);
      const own = known.texts.get(row);
      if (own === undefined) known.texts.set(row, [text]);
      else own.push(text);
    });
  });
  return [...found.values()];
}

/** `{ "R-2": "created" }`: an item may be called by what names its row. */
function calledByNames(items: readonly unknown[]): readonly SaidUnder[] {
  const found = new Map<string, Map<number, readonly string[]>>();
  items.forEach((item, row) => {
    for (const name of isObject(item) && !Array.isArray(item) ? Object.keys(item) : [])
      found.set(name, (found.get(name) ?? new Map()).set(row, [name.toLowerCase()]));
  });
  return [...found].map(([name, texts]) => ({ name, plain: '', texts }));
}

function goThrough(held: unknown, name: string, depth: number, note: (name: string, value: unknown) => void): void {
  if (!isObject(held)) note(name, held);
  else if (depth <= deepest)
    for (const [own, value] of Object.entries(held))
      goThrough(value, Array.isArray(held) ? name : own, depth + 1, note);
}
