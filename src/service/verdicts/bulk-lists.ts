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
  return new ListSearch(records, contract, signs).in(value, 0, false);
}

class ListSearch {
  readonly #records: readonly OutgoingRecord[];
  readonly #sent: ReadonlySet<string>;
  readonly #idPaths: readonly string[];
  readonly #signs: SignReader;

  constructor(records: readonly OutgoingRecord[], { answers }: ContractSettings, signs: SignReader) {
    this.#records = records;
    this.#sent = new Set(records.flatMap(({ body }) => valuesBeside(answers.rowNames, body)));
    this.#idPaths = answers.id;
    this.#signs = signs;
  }

  /** @param isRecord  whether the holder is a record of its own, and what it holds is its */
  in(holder: unknown, depth: number, isRecord: boolean): NamedList | null {
    if (!isObject(holder) || Array.isArray(holder) || depth > deepestEnvelope) return null;
    for (const [name, held] of Object.entries(holder)) {
      const plain = plainName(name);
      if (this.#signs.isOfTrouble(name) || namesOfOtherThings.test(plain)) continue;
      const uneven = !isRecord || isNameOfRows(plain) ? this.#unevenAt(name, plain, held) : null;
      const found = uneven ?? this.#within(plain, held, depth);
      if (found !== null) return found;
    }
    return null;
  }

  #unevenAt(name: string, plain: string, held: unknown): NamedList | null {
    const list = listOf(held);
    if (list === null || !this.#tellsOfRows(plain, list)) return null;
    // A service that counts its records comes by numbers that rows sent, as amounts or as the ids of their deals.
    const ids = list.filter((item) => this.#idIn(plain, item) !== null).length;
    const isEven = list.length === this.#records.length && ids === this.#records.length;
    return isEven ? null : { name, length: list.length, ids };
  }

  /** An object with an id is a record of its own; that of the request holds rows, too. */
  #within(plain: string, held: unknown, depth: number): NamedList | null {
    const isRecord = identifier(valueAt(held, this.#idPaths)) !== null;
    return isRecord && !namesOfEnvelopes.test(plain) ? null : this.in(held, depth + 1, isRecord);
  }

  #tellsOfRows(plain: string, list: readonly unknown[]): boolean {
    return (
      list.some((item) => (isObject(item) || namesOfRows.test(plain)) && this.#isNew(this.#idIn(plain, item))) ||
      (namesOfRowIds.test(plain) && this.#areIds(plain, list))
    );
  }

  /** Where no ids are given, nothing was made; no keys or references may be those of anything. */
  #areIds(plain: string, list: readonly unknown[]): boolean {
    if (list.length === 0) return plain.endsWith('ids');
    return list.every((item) => typeof item === 'string' && this.#isNew(markedId(item)));
  }

  #idIn(plain: string, item: unknown): string | null {
    if (!isObject(item)) return markedId(item);
    return markedId(valueAt(item, this.#idPaths)) ?? (namesOfRows.test(plain) ? idUnderAnyName(item) : null);
  }

  #isNew(id: string | null): boolean {
    return id !== null && !this.#sent.has(id);
  }
}

function isNameOfRows(plain: string): boolean {
  return namesOfRows.test(plain) || namesOfRowIds.test(plain);
}

function markedId(held: unknown): string | null {
  const id = identifier(held);
  return id !== null && markOfId.test(id) && !/\s/.test(id) ? id : null;
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
