/**
 * Finds, in a bulk answer without a list of the rows where the contract says, one that gives ids to more or fewer of them
 * all the same. Its one rule: new ids tell of rows, and names of rows that stand around them; lists of warnings, tags or of
 * the deals of the rows do not.
 */
import type { ContractSettings } from '../../contract/contract-settings.ts';
import {
  markOfId,
  namesOfEnvelopes,
  namesOfOtherThings,
  namesOfRowIds,
  namesOfRows,
} from '../../contract/lists-of-rows.ts';
import { hasAt, identifier, idUnderAnyName, isObject, valueAt } from '../answers/answer.ts';
import { reasonGivenIn } from '../answers/error-message.ts';
import type { SignReader } from '../answers/sign-reader.ts';
import { hasRowNumber, listOf } from '../answers/values-of-answer.ts';
import { plainName } from '../answers/words-of-answer.ts';
import type { OutgoingRecord } from '../records/outgoing-record.ts';
import { aboutRows } from '../records/question.ts';
import { textOf } from './texts-of-rows.ts';

export interface NamedList {
  readonly name: string;
  /** Of how many rows it tells, behind "the list": `tells of 2`. */
  readonly said: string;
}

/** @returns the first list that tells of rows, and not of each alike, or `null` when there is none */
export function unevenList(
  value: unknown,
  records: readonly OutgoingRecord[],
  contract: ContractSettings,
  signs: SignReader,
): NamedList | null {
  return new ListSearch(records, contract, signs).in(value, 0, false, true);
}

/** Whether a list under a name of rows gives new ids: an error may have one, too, but it gives a reason. */
export function givesIdsOfRows(
  value: unknown,
  records: readonly OutgoingRecord[],
  contract: ContractSettings,
  signs: SignReader,
): boolean {
  return new ListSearch(records, contract, signs).givesIdsIn(value, 0);
}

class ListSearch {
  readonly #contract: ContractSettings;
  readonly #records: readonly OutgoingRecord[];
  readonly #sent: ReadonlySet<string>;
  readonly #idPaths: readonly string[];
  readonly #rowNames: readonly string[];
  readonly #names: ReadonlySet<string>;
  readonly #signs: SignReader;

  constructor(records: readonly OutgoingRecord[], contract: ContractSettings, signs: SignReader) {
    const { answers } = contract;
    this.#contract = contract;
    this.#records = records;
    this.#sent = new Set(records.flatMap(({ body }) => valuesBeside(answers.rowNames, body)));
    this.#idPaths = answers.id;
    this.#rowNames = answers.rowNames.filter((name) => !answers.id.includes(name));
    const names = records.map(({ body }) => textOf(valueAt(body, this.#rowNames)));
    this.#names = new Set(names.filter((name) => name !== null));
    this.#signs = signs;
  }

  /**
   * @param isRecord  whether the holder is a record of its own, and what it holds is its
   * @param isOfRequest  whether the holder is the answer or one around the rows, and not one of something else
   */
  in(holder: unknown, depth: number, isRecord: boolean, isOfRequest: boolean): NamedList | null {
    if (!isObject(holder) || Array.isArray(holder) || depth > deepestEnvelope) return null;
    for (const [name, held] of Object.entries(holder)) {
      const areDetails = this.#areDetails(name, held);
      const plain = areDetails ? namedAsRows : plainName(name);
      if ((!areDetails && this.#signs.isOfTrouble(name)) || namesOfOtherThings.test(plain)) continue;
      const uneven = !isRecord || isNameOfRows(plain) ? this.#unevenAt(name, plain, held, isOfRequest) : null;
      const isAround = isOfRequest && this.#isAround(name, plain);
      const found = uneven ?? this.#within(plain, held, depth, isAround);
      if (found !== null) return found;
    }
    return null;
  }

  givesIdsIn(holder: unknown, depth: number): boolean {
    if (!isObject(holder) || Array.isArray(holder) || depth > deepestEnvelope) return false;
    return Object.entries(holder).some(([name, held]) => {
      const plain = plainName(name);
      if (this.#signs.isOfTrouble(name) || namesOfOtherThings.test(plain)) return false;
      const list = isNameOfRows(plain) ? listOf(held) : null;
      return list?.some((item) => this.#isMade(plain, item)) === true || this.givesIdsIn(held, depth + 1);
    });
  }

  #isMade(plain: string, item: unknown): boolean {
    const id = this.#idIn(plain, item);
    return (
      this.#isNew(id) && !this.#names.has(textOf(id) ?? '') && (!isObject(item) || reasonGivenIn(item, []) === null)
    );
  }

  #unevenAt(name: string, plain: string, held: unknown, isOfRequest: boolean): NamedList | null {
    const list = listOf(held);
    if (list === null) return null;
    const rows = this.#records.length;
    const tellsByIds = this.#tellsOfRows(plain, list);
    const isTheirs = namesOfRows.test(plain) && (isOfRequest || this.#areNamed(list));
    if (list.length !== rows) return tellsByIds || isTheirs ? { name, said: `tells of ${list.length}` } : null;
    // A service that counts its records comes by numbers that rows sent, as amounts or as the ids of their deals.
    const ids = list.filter((item) => this.#idIn(plain, item) !== null).length;
    if (tellsByIds) return ids === rows ? null : { name, said: `gives ids for ${ids}` };
    const told = isTheirs && ids === 0 ? list.filter((item) => !isEmpty(item)).length : 0;
    if (told > 0 && told < rows) return { name, said: `tells of ${told}` };
    if (!isTheirs || ids > 0) return null;
    const yes = list.filter((item) => this.#saysYes(item)).length;
    if (yes > 0 && yes < rows) return { name, said: `says yes to ${yes}` };
    const unclear = yes > 0 ? 0 : list.filter((item) => this.#saysUnknown(item)).length;
    return unclear > 0 ? { name, said: `says neither yes nor no to ${unclear}` } : null;
  }

  /** Details may be words on the whole, or an item for each row, with its place or its name. */
  #areDetails(name: string, held: unknown): boolean {
    const list = plainName(name) === 'details' ? listOf(held) : null;
    return (
      list !== null &&
      list.length > 0 &&
      (list.every((item) => hasRowNumber(item, this.#contract)) || this.#areNamed(list))
    );
  }

  /** Whether each item has the name of a row. */
  #areNamed(list: readonly unknown[]): boolean {
    return list.length > 0 && list.every((item) => this.#names.has(textOf(valueAt(item, this.#rowNames)) ?? ''));
  }

  #saysYes(item: unknown): boolean {
    if (typeof item === 'string') return this.#signs.wordOf(item) === 'yes';
    const { saysYes, isUnderWay } = this.#signs.of(item, { ...aboutRows(1, null), beside: 'nothing' });
    return saysYes || isUnderWay || item === true;
  }

  #saysUnknown(item: unknown): boolean {
    if (typeof item === 'string') return betweenWords.test(item) && this.#signs.wordOf(item) !== 'yes';
    const hasNoId = this.#idPaths.some((path) => hasAt(item, path) && identifier(valueAt(item, [path])) === null);
    return hasNoId || this.#signs.of(item, { ...aboutRows(1, null), beside: 'nothing' }).saysUnknown;
  }

  /** Around the rows, or those that are in: `created`. */
  #isAround(name: string, plain: string): boolean {
    return (
      this.#signs.isAround(name) || namesOfEnvelopes.test(plain) || namesOfRows.test(plain) || this.#signs.isKnown(name)
    );
  }

  /** An object with an id is a record of its own; that of the request holds rows, too. */
  #within(plain: string, held: unknown, depth: number, isOfRequest: boolean): NamedList | null {
    const isRecord = identifier(valueAt(held, this.#idPaths)) !== null;
    return isRecord && !namesOfEnvelopes.test(plain) ? null : this.in(held, depth + 1, isRecord, isOfRequest);
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

/** What a list of rows is called that has another name. */
const namedAsRows = 'rows';
const betweenWords = /\S\s+\S/;

function isEmpty(item: unknown): boolean {
  return item === null || item === '' || (isObject(item) && Object.keys(item).length === 0);
}

/** Envelopes in envelopes in envelopes are nobody's answer. */
export const deepestEnvelope = 3;

/** What a row sent, other than what it is named by: the id of its deal, which an answer may repeat. */
function valuesBeside(rowNames: readonly string[], body: OutgoingRecord['body']): readonly string[] {
  return Object.entries(body).flatMap(([name, held]) =>
    rowNames.includes(name) || isObject(held) ? [] : [String(held)],
  );
}
