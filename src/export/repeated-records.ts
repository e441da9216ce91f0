/** Loans that stand in an export more than once. Its one rule: what would be counted twice is refused, or told. */
import { Digester } from '../checks/first-rows.ts';
import { valueAt } from '../contract/body-path.ts';
import { balanceNotices } from '../messages/balances.ts';
import { plainText, shortened } from '../service/plain-text.ts';
import type { SourceColumn } from './columns.ts';
import { copyOf, type JsonObject, textOf } from './exact-json.ts';
import { balanceFault } from './read-fault.ts';

const mostTold = 5;
const longestId = 80;
/** The id of a loan itself: that of its deal or company stands on others, too. */
const ownId = /^(?:(?:loan|balance|advance)?(?:id|guid|uuid)|loan(?:number|no|key|ref|reference))$/i;

/** The column of the records' own id, or `undefined` when no name says so. */
export function ownIdOf(columns: readonly SourceColumn[]): SourceColumn | undefined {
  const isOwn = ({ segments }: SourceColumn) => ownId.test(segments.join('').replace(/[^\p{L}\p{N}]/gu, ''));
  return columns.filter(isOwn).sort((one, other) => one.segments.length - other.segments.length)[0];
}

export class RepeatedRecords {
  readonly #place: SourceColumn['segments'];
  /** The page of each id, by its digest: a number takes a fraction of the room of a text. */
  readonly #pages = new Map<number, number>();
  readonly #repeated = new Set<string>();

  constructor(place: SourceColumn['segments']) {
    this.#place = place;
  }

  /** @throws DealsheetError `output-failed` when the id stands on an earlier page, too: the list changed while it was read */
  add(record: JsonObject, page: number): void {
    const id = textOf(valueAt(record, this.#place) as never);
    if (id === null || id.trim() === '') return;
    const digest = digestOf(id);
    const before = this.#pages.get(digest);
    if (before === undefined) this.#pages.set(digest, page);
    else if (before !== page) throw balanceFault('on-two-pages', { name: this.#name, id: shownId(id) });
    else if (this.#repeated.size <= mostTold) this.#repeated.add(copyOf(id));
  }

  /** What a person should know, or `null` when no id stands there twice. */
  get notice(): string | null {
    if (this.#repeated.size === 0) return null;
    const ids = [...this.#repeated].map(shownId);
    const more = ids.length > mostTold ? ', …' : '';
    return balanceNotices['same-id'](this.#name, `${ids.slice(0, mostTold).join(', ')}${more}`);
  }

  get #name(): string {
    return this.#place.join('.');
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
