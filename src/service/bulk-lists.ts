/**
 * Finds, in a bulk answer without a list of the rows where the contract says, one that gives ids to more or fewer of them
 * all the same. Its one rule: only new ids tell of rows; lists of warnings, tags or of the deals of the rows do not.
 */
import type { ContractSettings } from '../contract/contract-settings.ts';
import { markOfId, namesOfOtherThings, namesOfRowIds, namesOfRows } from '../contract/lists-of-rows.ts';
import { identifier, isObject, valueAt } from './answer.ts';
import type { OutgoingRecord } from './outgoing-record.ts';
import type { SignReader } from './signs.ts';

export interface NamedList {
  readonly name: string;
  readonly length: number;
  /** How many of its items give a new id. */
  readonly ids: number;
}

/** @returns the first list that tells of rows and does not give an id to each, or `null` when there is none */
export function unevenList(
  value: unknown,
  records: readonly OutgoingRecord[],
  contract: ContractSettings,
  signs: SignReader,
): NamedList | null {
  const { rowNames, id: idPaths } = contract.answers;
  const sent = new Set(records.flatMap(({ body }) => valuesBeside(rowNames, body)));

  const isNewId = (held: unknown): boolean => {
    const id = identifier(held);
    return id !== null && markOfId.test(id) && !/\s/.test(id) && !sent.has(id);
  };
  // Where no ids are given, nothing was made; no keys or references may be those of anything.
  const areIds = (name: string, list: readonly unknown[]): boolean =>
    list.length === 0 ? name.endsWith('ids') : list.every((item) => typeof item === 'string' && isNewId(item));
  const givesId = (item: unknown): boolean => isNewId(isObject(item) ? valueAt(item, idPaths) : item);
  const tellsOfRows = (name: string, list: readonly unknown[]): boolean =>
    list.some((item) => (isObject(item) || namesOfRows.test(name)) && givesId(item)) ||
    (namesOfRowIds.test(name) && areIds(name, list));

  const listIn = (holder: unknown, depth: number): NamedList | null => {
    if (!isObject(holder) || Array.isArray(holder) || depth > deepestEnvelope) return null;
    for (const [name, held] of Object.entries(holder)) {
      const plain = name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
      if (signs.isOfTrouble(name) || namesOfOtherThings.test(plain)) continue;
      if (Array.isArray(held) && tellsOfRows(plain, held)) {
        const ids = held.filter(givesId).length;
        if (held.length !== records.length || ids !== records.length) return { name, length: held.length, ids };
      }
      // An object with an id is a record of its own, and what it holds is its.
      const isRecord = identifier(valueAt(held, idPaths)) !== null;
      const found = isRecord ? null : listIn(held, depth + 1);
      if (found !== null) return found;
    }
    return null;
  };
  return listIn(value, 0);
}

/** Envelopes in envelopes in envelopes are nobody's answer. */
export const deepestEnvelope = 3;

/** What a row sent, other than what it is named by: the id of its deal, which an answer may repeat. */
function valuesBeside(rowNames: readonly string[], body: OutgoingRecord['body']): readonly string[] {
  return Object.entries(body).flatMap(([name, held]) =>
    rowNames.includes(name) || isObject(held) ? [] : [String(held)],
  );
}
