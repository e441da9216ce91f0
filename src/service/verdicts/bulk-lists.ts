/**
 * Finds, in a bulk answer without a list of the rows where the contract says, one that gives ids to more or fewer of them
 * all the same. Its one rule: only new ids tell of rows; lists of warnings, tags or of the deals of the rows do not.
 */
import type { ContractSettings } from '../../contract/contract-settings.ts';
import {
  markOfId,
  namesOfEnvelopes,
  namesOfOtherThings,
  namesOfRowIds,
  namesOfRows,
} from '../../contract/lists-of-rows.ts';
import { identifier, idUnderAnyName, isObject, valueAt } from '../answers/answer.ts';
import type { SignReader } from '../answers/sign-reader.ts';
import { plainName } from '../answers/words-of-answer.ts';
import type { OutgoingRecord } from '../records/outgoing-record.ts';

export interface NamedList {
  readonly name: string;
  readonly length: number;
  /** How many of its items give an id. */
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

  const marked = (held: unknown): string | null => {
    const id = identifier(held);
    return id !== null && markOfId.test(id) && !/\s/.test(id) ? id : null;
  };
  const idIn = (name: string, item: unknown): string | null => {
    if (!isObject(item)) return marked(item);
    return marked(valueAt(item, idPaths)) ?? (namesOfRows.test(name) ? idUnderAnyName(item) : null);
  };
  const isNew = (id: string | null): boolean => id !== null && !sent.has(id);
  // Where no ids are given, nothing was made; no keys or references may be those of anything.
  const areIds = (name: string, list: readonly unknown[]): boolean =>
    list.length === 0 ? name.endsWith('ids') : list.every((item) => typeof item === 'string' && isNew(marked(item)));
  const tellsOfRows = (name: string, list: readonly unknown[]): boolean =>
    list.some((item) => (isObject(item) || namesOfRows.test(name)) && isNew(idIn(name, item))) ||
    (namesOfRowIds.test(name) && areIds(name, list));

  const isOfRows = (name: string): boolean => namesOfRows.test(name) || namesOfRowIds.test(name);

  const listIn = (holder: unknown, depth: number, isRecord: boolean): NamedList | null => {
    if (!isObject(holder) || Array.isArray(holder) || depth > deepestEnvelope) return null;
    for (const [name, held] of Object.entries(holder)) {
      const plain = plainName(name);
      if (signs.isOfTrouble(name) || namesOfOtherThings.test(plain)) continue;
      const list = listOf(held);
      if (list !== null && tellsOfRows(plain, list) && (!isRecord || isOfRows(plain))) {
        // A service that counts its records comes by numbers that rows sent, as amounts or as the ids of their deals.
        const ids = list.filter((item) => idIn(plain, item) !== null).length;
        if (list.length !== records.length || ids !== records.length) return { name, length: list.length, ids };
      }
      // An object with an id is a record of its own, and what it holds is its; that of the request holds rows, too.
      const hasId = identifier(valueAt(held, idPaths)) !== null;
      const found = hasId && !namesOfEnvelopes.test(plain) ? null : listIn(held, depth + 1, hasId);
      if (found !== null) return found;
    }
    return null;
  };
  return listIn(value, 0, false);
}

/** A list, or an object that stands for one: its names are the numbers of its items. */
export function listOf(held: unknown): readonly unknown[] | null {
  if (Array.isArray(held)) return held;
  return isObject(held) && countsFromZero(held) ? Object.values(held) : null;
}

function countsFromZero(held: object): boolean {
  const names = Object.keys(held);
  return names.length > 0 && names.every((name, place) => name === String(place));
}

/** Envelopes in envelopes in envelopes are nobody's answer. */
export const deepestEnvelope = 3;

/** What a row sent, other than what it is named by: the id of its deal, which an answer may repeat. */
function valuesBeside(rowNames: readonly string[], body: OutgoingRecord['body']): readonly string[] {
  return Object.entries(body).flatMap(([name, held]) =>
    rowNames.includes(name) || isObject(held) ? [] : [String(held)],
  );
}
