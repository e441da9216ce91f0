/**
 * What the rows sent under one name, held against what the items of an answer say. Its one rule: a text is of a row only where
 * no other row sent it.
 */
import { namesOfItemIds } from '../../contract/lists-of-rows.ts';
import { plainName } from '../answers/words-of-answer.ts';
import type { OutgoingRecord } from '../records/outgoing-record.ts';
import type { SaidUnder } from './said-under-names.ts';
import { isMovedDay, placesOf, textOf } from './texts-of-rows.ts';

const onlyDigits = /^\d+$/;
const numberLike = /^-?\d+(?:\.\d+)?$/;
const digit = /\d/;
const betweenNames = /[^\p{L}\p{N}_-]+/u;

export class SentUnder {
  readonly #plain: string;
  readonly #under: readonly SaidUnder[];
  readonly #sent: readonly (string | null)[];
  readonly #rowsOf: ReadonlyMap<string, readonly number[]>;
  readonly #saysOwn = new Map<number, boolean>();

  /**
   * @param field  the name under which they sent it
   * @param under  all that the items say
   */
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
