/**
 * Whether a list shows that its items are about other rows than those in whose places they stand, under names that the
 * contract does not know. Its one rule: what one other row sent, and the item's own did not, is said of that row.
 */
import { namesOfAmounts, namesOfItemIds, namesOfPlaces } from '../../contract/lists-of-rows.ts';
import { isObject } from '../answers/answer.ts';
import { plainName } from '../answers/words-of-answer.ts';
import type { OutgoingRecord } from '../records/outgoing-record.ts';
import type { BulkSettings } from './bulk-items.ts';
import { calledByNames, type SaidUnder, saidUnderNames } from './said-under-names.ts';
import { SentUnder } from './sent-under-name.ts';
import { textOf, wholeNumber } from './texts-of-rows.ts';

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
