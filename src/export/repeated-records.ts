/**
 * Loans that stand in an export more than once. Its one rule: what would be counted twice is found, at 8 bytes a record; the
 * records are read once more where there is any.
 */
import { Digester } from '../checks/digester.ts';
import { valueAt } from '../contract/body-path.ts';
import { balanceNotices } from '../messages/balances.ts';
import { plainText, shortened } from '../service/plain-text.ts';
import { recordsOf } from './balance-layout.ts';
import type { KeptBalances } from './balance-pages.ts';
import type { SourceColumn } from './columns.ts';
import { ExactNumber, exactText, type JsonObject, type JsonValue } from './exact-json.ts';
import { balanceFault } from './read-fault.ts';
import type { FieldShape } from './record-shape.ts';

type Segments = SourceColumn['segments'];

const initialRoom = 1 << 12;
const mostIds = 10_000;
const mostTold = 5;
const longestId = 80;
/** The id of a loan itself: that of its deal or company stands on others, too. */
const ownId = /^(?:(?:loan|balance|advance)?(?:id|guid|uuid)|loan(?:number|no|key|ref|reference))$/i;

/** Where the records have their own id, or `null` when no name says so. */
export function placeOfOwnId({ fields }: FieldShape): Segments | null {
  const own = fields.find(({ name }) => isOwnId([name]));
  if (own !== undefined) return [own.name];
  const nested = fields.flatMap((outer) => outer.fields.map(({ name }) => [outer.name, name]));
  return nested.find(isOwnId) ?? null;
}

function isOwnId(segments: Segments): boolean {
  return ownId.test(segments.join('').replace(/[^\p{L}\p{N}]/gu, ''));
}

export class RepeatedRecords {
  readonly #place: Segments;
  #digests = new Float64Array(initialRoom);
  #count = 0;

  constructor(place: Segments) {
    this.#place = place;
  }

  add(record: JsonObject): void {
    const id = this.#idOf(record);
    if (id === null) return;
    if (this.#count === this.#digests.length) {
      const before = this.#digests;
      this.#digests = new Float64Array(before.length * 2);
      this.#digests.set(before);
    }
    this.#digests[this.#count] = digestOf(id);
    this.#count += 1;
  }

  /**
   * @param kept  the records that were added, once more
   * @param shown  a record as it was added
   * @returns what a person should know, or `null` when no id stands there twice
   * @throws DealsheetError `output-failed` when the same record stands on two pages: those overlap, and it would be counted twice
   */
  told(kept: KeptBalances, shown: (record: JsonObject) => JsonObject): string | null {
    const repeated = this.#repeated();
    if (repeated.size === 0) return null;
    const seen = new Map<string, { readonly text: string; readonly page: string; times: number }>();
    for (const page of kept.pages) {
      for (const record of recordsOf(page, kept.layout)) {
        const id = this.#idOf(shown(record));
        if (id === null || !repeated.has(digestOf(id))) continue;
        const first = seen.get(id);
        const text = exactText(record);
        if (first === undefined) {
          // Copies: they would else hold on to the piece of the answer that they were cut from.
          if (seen.size < mostIds) seen.set(copyOf(id), { text: copyOf(text), page, times: 1 });
        } else if (first.page !== page && first.text === text) {
          throw balanceFault('on-two-pages', { name: this.#name, id: shownId(id) });
        } else first.times += 1;
      }
    }
    const ids = [...seen].flatMap(([id, { times }]) => (times > 1 ? [shownId(id)] : []));
    if (ids.length === 0) return null;
    const more = ids.length > mostTold ? ` and ${ids.length - mostTold} more` : '';
    return balanceNotices['same-id'](this.#name, `${ids.slice(0, mostTold).join(', ')}${more}`);
  }

  get #name(): string {
    return this.#place.join('.');
  }

  #idOf(record: JsonObject): string | null {
    const value = valueAt<JsonValue>(record, this.#place);
    if (value instanceof ExactNumber) return value.digits;
    return typeof value === 'string' && value.trim() !== '' ? value : null;
  }

  #repeated(): ReadonlySet<number> {
    const sorted = this.#digests.subarray(0, this.#count).sort();
    const repeated = new Set<number>();
    for (let place = 1; place < sorted.length; place += 1) {
      const digest = sorted[place];
      if (digest !== undefined && digest === sorted[place - 1]) repeated.add(digest);
    }
    return repeated;
  }
}

/** A number holds 53 bits exactly. */
const lowBits = 21;

function digestOf(id: string): number {
  const { high, low } = new Digester().text(id);
  return (high >>> 0) * 2 ** lowBits + (low >>> (32 - lowBits));
}

function copyOf(text: string): string {
  return Buffer.from(text).toString();
}

function shownId(id: string): string {
  return shortened(plainText(id), longestId);
}
