/**
 * Objects in a bulk answer whose members are called as rows are named: `{ "R-1": "created", "R-2": "rejected" }`. Their one
 * rule: what stands at the name of a row is said of that row.
 */
import type { ContractSettings } from '../../contract/contract-settings.ts';
import { namesOfItemIds, namesOfOtherThings, namesOfRowIds, namesOfRows } from '../../contract/lists-of-rows.ts';
import { idUnderAnyName, isObject } from '../answers/answer.ts';
import type { SignReader } from '../answers/sign-reader.ts';
import { isNothing, listOf } from '../answers/values-of-answer.ts';
import { isNo, plainName } from '../answers/words-of-answer.ts';
import type { OutgoingRecord } from '../records/outgoing-record.ts';
import { aboutRows } from '../records/question.ts';
import { placesOf, textOf } from './texts-of-rows.ts';

/** Deeper than this, what stands at a name is about something in its row. */
const deepest = 4;

export class RowsByName {
  readonly #rows: number;
  readonly #rowOf: ReadonlyMap<string, number>;
  readonly #signs: SignReader;

  constructor(records: readonly OutgoingRecord[], { answers }: ContractSettings, signs: SignReader) {
    const rowNames = new Set(answers.rowNames.map(plainName));
    const fields = [...new Set(records.flatMap(({ body }) => Object.keys(body)))];
    const rowOf = new Map<string, number>();
    for (const field of fields.filter((name) => rowNames.has(plainName(name)))) {
      const places = placesOf(records.map(({ body }) => textOf(body[field])));
      for (const [text, [row, ...others]] of places) if (row !== undefined && others.length === 0) rowOf.set(text, row);
    }
    this.#rows = records.length;
    this.#rowOf = rowOf;
    this.#signs = signs;
  }

  /** A list, or an object that stands for one by the numbers or by the names of the rows; `null` for anything else. */
  listOf(held: unknown): readonly unknown[] | null {
    const list = listOf(held);
    const named = this.#listByNames(held);
    if (list === null || named === null) return list ?? named;
    // The names may be numbers, and in another order.
    return list.length === this.#rows && list.every((item, row) => item === named[row]) ? list : [];
  }

  /** What an object says of each row, where all its members are called by rows; `null` for any other. */
  #listByNames(held: unknown): readonly unknown[] | null {
    if (!isObject(held) || Array.isArray(held)) return null;
    const members = Object.entries(held);
    if (members.length === 0) return null;
    const list: unknown[] = new Array(this.#rows).fill(undefined);
    for (const [name, value] of members) {
      const row = this.#rowCalled(name);
      if (row === undefined) return null;
      list[row] = value;
    }
    return list;
  }

  /** The name of an object that says no to a row at its name, or leaves one out; `null` when there is none. */
  doubtfulIn(value: unknown, name = '', depth = 0): string | null {
    if (!isObject(value) || depth > deepest || this.#rowOf.size === 0) return null;
    if (namesOfOtherThings.test(plainName(name))) return null;
    const ofRows = Object.entries(value).filter(([own]) => nameOfRow.test(own) && this.#rowCalled(own) !== undefined);
    if (!Array.isArray(value) && ofRows.length > 0 && this.#isDoubtful(ofRows, name)) return name;
    for (const [own, held] of Object.entries(value)) {
      const found = this.doubtfulIn(held, Array.isArray(value) ? name : own, depth + 1);
      if (found !== null) return found;
    }
    return null;
  }

  #isDoubtful(ofRows: readonly (readonly [string, unknown])[], name: string): boolean {
    const isForAll = ofRows.length === this.#rows;
    const plain = plainName(name);
    if (!isForAll && (namesOfRows.test(plain) || namesOfRowIds.test(plain))) return true;
    // What is told there is read as any trouble is; but who is named there is one of those in trouble.
    if (this.#signs.isOfTrouble(name)) return !this.#signs.isOfMessages(name) && !isForAll;
    const words = ofRows.map(([, held]) => this.#wordOf(held));
    if (words.some(isNo)) return true;
    const yes = words.filter((word) => word === 'yes').length;
    return yes > 0 && yes < this.#rows;
  }

  #wordOf(held: unknown): ReturnType<SignReader['wordOf']> {
    if (typeof held === 'string' && held !== '') return this.#signs.wordOf(held);
    if (held === true) return 'yes';
    if (isObject(held) && !Array.isArray(held)) return this.#wordOfItem(held);
    return isNothing(held) && typeof held !== 'number' ? 'no' : null;
  }

  #wordOfItem(item: object): ReturnType<SignReader['wordOf']> {
    const { saysYes, saysUnknown, against } = this.#signs.of(item, { ...aboutRows(1, null), beside: 'nothing' });
    if (against.length > 0) return 'no';
    if (saysYes || idUnderAnyName(item) !== null) return 'yes';
    return saysUnknown || isNothing(item) ? 'unclear' : null;
  }

  #rowCalled(name: string): number | undefined {
    const row = this.#rowOf.get(name.toLowerCase());
    // A row may be called `Id` or `Status`, too.
    const isOfAnswers =
      row !== undefined &&
      (this.#signs.isKnown(name) || this.#signs.isAround(name) || namesOfItemIds.test(plainName(name)));
    return isOfAnswers ? undefined : row;
  }
}

/** A number may be that of anything. */
const nameOfRow = /\D/;
