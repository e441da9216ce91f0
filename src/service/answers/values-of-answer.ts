/** How a value in an answer is read: as nothing, as a number, as an HTTP status, as so many rows. */
import type { ContractSettings } from '../../contract/contract-settings.ts';
import { namesOfPlaces } from '../../contract/lists-of-rows.ts';
import { meaningOf } from '../../contract/outcome-rules.ts';
import { isObject, valueAt } from './answer.ts';
import { plainName } from './words-of-answer.ts';

/** Deeper than this there is something, whatever it is. */
const deepest = 5;
const goodStatuses = { from: 200, to: 299 };
const noStatuses = { from: 400, to: 599 };
/** Texts that stand for nothing where an error would be told. */
const nothingTold = /^(?:|0+|no|none|null|nil|na|false|undefined|ok|okay|success|successful|no ?errors?)$/i;
/** More of a text is never shown; see {@link shown}. */
const longestText = 4_000;

export function isGoodStatus(number: number): boolean {
  return number >= goodStatuses.from && number <= goodStatuses.to;
}

/** Some services number their errors below zero. */
export function isNoStatus(number: number): boolean {
  return number < 0 || (number >= noStatuses.from && number <= noStatuses.to);
}

/** A status after which the record of a create may be in all the same, by the table of the contract. */
export function isOpenStatus(number: number | null, { outcomes }: ContractSettings): boolean {
  if (number === null || number < noStatuses.from || number > noStatuses.to) return false;
  const meaning = meaningOf(outcomes.create, number, false);
  return meaning === 'in-doubt' || meaning === 'stop';
}

/** A list, or an object that stands for one: its names are the numbers of its items, from 0 or from 1. */
export function listOf(held: unknown): readonly unknown[] | null {
  if (Array.isArray(held)) return held;
  if (!isObject(held)) return null;
  const names = Object.keys(held);
  const first = names[0] === '0' ? 0 : 1;
  return names.length > 0 && names.every((name, place) => name === String(place + first)) ? Object.values(held) : null;
}

/** Whether it holds nothing that could be an error. */
export function isNothing(value: unknown, depth = 0): boolean {
  if (value === undefined || value === null || value === false || value === 0) return true;
  if (typeof value === 'string') return nothingTold.test(value.replace(/[^\p{L}\p{N} ]/gu, '').trim());
  if (!isObject(value) || depth > deepest) return false;
  return Object.values(value).every((held) => isNothing(held, depth + 1));
}

/**
 * Whether what stands where troubles are told tells of none. In a list, a bare 0 is the number of the first row, and
 * what has the number of a row tells of it: a count of 0 is neither. What says that something was not made tells of that.
 */
export function tellsNothing(held: unknown, contract: ContractSettings, depth = 0): boolean {
  if (!isObject(held)) return isNothing(held);
  if (depth > deepest) return false;
  if (!Array.isArray(held))
    return !saysNotMade(held, contract) && Object.values(held).every((part) => tellsNothing(part, contract, depth + 1));
  return held.every(
    (item) => numberIn(item) === null && !hasRowNumber(item, contract) && tellsNothing(item, contract, depth + 1),
  );
}

/** `{ "ok": false }`, or `{ "id": null }` */
function saysNotMade(held: Readonly<Record<string, unknown>>, { answers }: ContractSettings): boolean {
  const { flags, taken } = answers.signs;
  const names = new Set([...flags, ...taken].map(plainName));
  return Object.entries(held).some(
    ([name, value]) => (value === false && names.has(plainName(name))) || (value === null && answers.id.includes(name)),
  );
}

/** Whether an item has the number of a row, or of its place. */
export function hasRowNumber(item: unknown, { answers }: ContractSettings): boolean {
  if (!isObject(item)) return false;
  const names = new Set(answers.rowNumbers.map(plainName));
  return Object.entries(item).some(([name, held]) => {
    const plain = plainName(name);
    return numberIn(held) !== null && (names.has(plain) || namesOfPlaces.test(plain));
  });
}

export function somethingIn(list: readonly unknown[]): readonly unknown[] {
  return list.filter((item) => item !== null && item !== false && item !== '');
}

/** How many rows a list tells of: several errors may be about one of them. */
export function rowsToldIn(list: readonly unknown[], contract: ContractSettings): number {
  const items = list.filter((item) => !tellsNothing([item], contract));
  const rows = items.map((item) => textOf(valueAt(item, contract.answers.rowNumbers)) ?? rowInPathOf(item));
  return rows.includes(null) ? items.length : new Set(rows).size;
}

/** `transactions[3].amount`, `/transactions/3/amount`, `3.amount`: the row, and the field in it. */
export const rowInPath = /^(?:[^\d]*?[[./])?(\d+)(?:\]|(?=[./])|$)[./]?(.*)$/;

function rowInPathOf(item: unknown): string | null {
  const path = valueAt(item, ['path', 'field', 'pointer']);
  return typeof path === 'string' ? (rowInPath.exec(path)?.[1] ?? null) : null;
}

export function numberIn(value: unknown): number | null {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^\s*-?\d{1,15}\s*$/.test(value) ? Number(value) : null;
}

export function textOf(value: unknown): string | null {
  if (value === undefined) return null;
  if (typeof value === 'string') return value.trim().toLowerCase();
  return isObject(value) ? JSON.stringify(value) : String(value);
}

/** A text between quotes, which it has nowhere else. It is cut once its message is masked: half a secret is none that is found. */
export function shown(value: unknown): string {
  if (isObject(value)) return Array.isArray(value) ? `a list of ${value.length}` : 'an object';
  return typeof value === 'string' ? `"${value.slice(0, longestText).replaceAll('"', "'")}"` : String(value);
}
