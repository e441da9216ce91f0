/**
 * Loans that stand in an export more than once. Its one rule: what would be counted twice is found; the records are read once
 * more where there is any.
 */
import { Digester } from '../checks/digester.ts';
import { valueAt } from '../contract/body-path.ts';
import { balanceNotices } from '../messages/balances.ts';
import { plainText, shortened } from '../service/plain-text.ts';
import { recordsOf } from './balance-layout.ts';
import type { KeptBalances } from './balance-pages.ts';
import type { SourceColumn } from './columns.ts';
import { copyOf, exactText, type JsonObject, textOf } from './exact-json.ts';
import { balanceFault } from './read-fault.ts';

const mostIds = 10_000;
const mostTold = 5;
const longestId = 80;
/** The id of a loan itself: that of its deal or company stands on others, too. */
const ownId = /^(?:(?:loan|balance|advance)?(?:id|guid|uuid)|loan(?:number|no|key|ref|reference))$/i;

/** Where the records have their own id, or `null` when no name says so. */
export function placeOfOwnId(columns: readonly SourceColumn[]): SourceColumn['segments'] | null {
  const isOwn = ({ segments }: SourceColumn) => ownId.test(segments.join('').replace(/[^\p{L}\p{N}]/gu, ''));
  const own = columns.filter(isOwn).sort((one, other) => one.segments.length - other.segments.length);
  return own[0]?.segments ?? null;
}

export class RepeatedRecords {
  readonly #place: SourceColumn['segments'];
  /** Of the ids: a number takes a fraction of the room of a text. */
  readonly #digests = new Set<number>();
  readonly #repeated = new Set<number>();

  constructor(place: SourceColumn['segments']) {
    this.#place = place;
  }

  add(record: JsonObject): void {
    const id = this.#idOf(record);
    if (id === null) return;
    const digest = digestOf(id);
    if (this.#digests.has(digest)) this.#repeated.add(digest);
    else this.#digests.add(digest);
  }

  /**
   * @param kept  the records that were added, once more
   * @param shown  a record as it was added
   * @returns what a person should know, or `null` when no id stands there twice
   * @throws DealsheetError `output-failed` when the same record stands on two pages: those overlap, and it would be counted twice
   */
  told(kept: KeptBalances, shown: (record: JsonObject) => JsonObject): string | null {
    if (this.#repeated.size === 0) return null;
    const name = this.#place.join('.');
    const seen = new Map<string, { readonly text: string; readonly page: string; times: number }>();
    for (const page of kept.pages) {
      for (const record of recordsOf(page, kept.layout)) {
        const id = this.#idOf(shown(record));
        if (id === null || !this.#repeated.has(digestOf(id))) continue;
        const first = seen.get(id);
        const text = exactText(record);
        if (first !== undefined && first.page !== page && first.text === text)
          throw balanceFault('on-two-pages', { name, id: shownId(id) });
        if (first !== undefined) first.times += 1;
        else if (seen.size < mostIds) seen.set(copyOf(id), { text: copyOf(text), page, times: 1 });
      }
    }
    const ids = [...seen].flatMap(([id, { times }]) => (times > 1 ? [shownId(id)] : []));
    if (ids.length === 0) return null;
    const more = ids.length > mostTold ? ` and ${ids.length - mostTold} more` : '';
    return balanceNotices['same-id'](name, `${ids.slice(0, mostTold).join(', ')}${more}`);
  }

  #idOf(record: JsonObject): string | null {
    const id = textOf(valueAt(record, this.#place) as never);
    return id === null || id.trim() === '' ? null : id;
  }
}

/** A number holds 53 bits exactly. */
const lowBits = 21;

function digestOf(id: string): number {
  const { high, low } = new Digester().text(id);
  return (high >>> 0) * 2 ** lowBits + (low >>> (32 - lowBits));
}

function shownId(id: string): string {
  return shortened(plainText(id), longestId);
}
