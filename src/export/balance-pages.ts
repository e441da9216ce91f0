/** Fetches the balances, page after page as the profile declares it, each kept whole before the next is asked for. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { readRulesOf } from '../contract/answer-rules.ts';
import { plainName } from '../contract/body-path.ts';
import type { ContractSettings } from '../contract/contract-settings.ts';
import { plainText, shortened } from '../messages/plain-text.ts';
import { holdsSomething, stanceOf } from '../service/answer.ts';
import type { KeptRequest, KeptResult, ServiceClient } from '../service/client.ts';
import { reasonIn } from '../service/reason.ts';
import { aroundBalances, type BalanceLayout, layoutOf, layoutText, outlineOf, recordsOf } from './balance-layout.ts';
import { exactText, isJsonObject, type JsonObject, plainValue } from './exact-json.ts';
import {
  isPlaceThere,
  nextPage,
  numberAt,
  type PageRead,
  pagesText,
  type Query,
  refuseSignsOfMore,
  totalAmong,
  valuesBeside,
} from './further-pages.ts';
import { FileKeeper } from './kept-answers.ts';
import { balanceFault, readFault, stopped } from './read-fault.ts';

export interface KeptBalances {
  readonly pages: readonly string[];
  readonly layout: BalanceLayout;
  /** How the balances were found, as a person may declare it. */
  readonly found: string;
}

export interface PagesOptions {
  readonly client: ServiceClient;
  readonly contract: ContractSettings;
  /** Where the answers are kept. */
  readonly folder: string;
  readonly query: Query;
  readonly signal: AbortSignal;
  readonly onRecord: (record: JsonObject) => void;
  readonly onPage: (pages: number, records: number) => void;
}

const mostPages = 100_000;
/** Pages without a record, one behind the other. */
const mostEmpty = 100;
const recordsAtATime = 5000;
const longestTold = 200;
const totalHeaders = 'X-Total-Count or Content-Range';

type Kept = Extract<KeptResult, { state: 'kept' }>;

/** @throws DealsheetError when a page cannot be had, is no list, or leads in a circle: all of the balances, or none */
export async function fetchBalances(options: PagesOptions): Promise<KeptBalances> {
  const reading = new PagedReading(options);
  let request: KeptRequest | null = { query: options.query };
  for (let number = 1; request !== null; number += 1) {
    if (options.signal.aborted) throw stopped();
    const keeper = new FileKeeper(join(options.folder, `${number}.json`));
    const result: KeptResult = await options.client.keep(request, keeper).finally(() => keeper.close());
    if (options.signal.aborted) throw stopped();
    if (result.state === 'kept' || keeper.failure !== null) keeper.settle();
    if (result.state !== 'kept') throw readFault(result);
    request = await reading.take(keeper.path, result);
  }
  return reading.kept();
}

class PagedReading {
  readonly #options: PagesOptions;
  readonly #pages: string[] = [];
  /** The addresses of the pages, and what tells each from any other. */
  readonly #seen = new Set<string>();
  /** Numbers that count all pages or records, by where they stand. */
  readonly #counts = new Map<string, number>();
  #layout: BalanceLayout | null = null;
  /** Where a total was found that nobody declared. */
  #foundTotal: string | null = null;
  #records = 0;
  #emptyInARow = 0;

  constructor(options: PagesOptions) {
    this.#options = options;
  }

  /** @returns what to ask for next; `null` when these were all */
  async take(answer: string, result: Kept): Promise<KeptRequest | null> {
    const { contract, query } = this.#options;
    const { total: totalAt, pages } = contract.balances;
    const outline = outlineOf(answer);
    const plain = plainValue(outline);
    const rules = readRulesOf(null, contract.answers);
    if (stanceOf(plain, rules, rules.yes) === 'no')
      throw balanceFault('says-no', { reason: this.#shown(reasonIn(plain, []) ?? '') });
    const layout = this.#layout ?? layoutOf(outline, contract.balances);
    const around = aroundBalances(outline, layout);
    const beside = [...valuesBeside(outline, layout)];
    const { look, records } = await learn(answer, layout, this.#options);
    this.#add(answer, records, [result.path, ...(look === null ? [] : [look])]);
    if (this.#layout === null && totalAt === undefined && pages !== null && pages.by !== 'none')
      this.#foundTotal = totalAmong(beside, records);
    this.#layout = layout;
    const told = totalAt === undefined ? result.total : totalAt === null ? null : numberAt(around, totalAt);
    const total = this.#counted(totalAt ?? totalHeaders, told);
    if (pages?.by === 'page' && pages.count !== undefined) this.#counted(pages.count, numberAt(around, pages.count));
    const number = this.#pages.length;
    const recordsSoFar = this.#records;
    const page: PageRead = { query, number, around, records, recordsSoFar, link: result.nextPage, total };
    const next = pages === null ? null : nextPage(page, pages);
    needWhole(around, next === null, contract, (text) => this.#shown(text));
    if (total !== null) this.#needTotal(totalAt ?? totalHeaders, total, next);
    const isOnly = next === null && number === 1;
    if (pages === null || (isOnly && !isPlaceThere(around, pages))) {
      const only = { ...page, beside, path: result.path, about: result.about };
      refuseSignsOfMore(only, contract, (text) => this.#shown(text));
    } else if (this.#foundTotal !== null) {
      const found = this.#counted(this.#foundTotal, numberAt(around, this.#foundTotal));
      if (found !== null) this.#needTotal(this.#foundTotal, found, next);
    }
    if (result.isPart && next === null) throw balanceFault('not-whole', { told: 'the status is 206' });
    return next;
  }

  kept(): KeptBalances {
    if (this.#layout === null) throw stopped();
    const { pages } = this.#options.contract.balances;
    const total = this.#foundTotal === null ? '' : `; total: ${this.#foundTotal}`;
    const found = this.#shown(`balances: ${layoutText(this.#layout)}; pages: ${pagesText(pages)}${total}`);
    return { pages: this.#pages, layout: this.#layout, found };
  }

  #add(answer: string, records: number, signs: readonly string[]): void {
    const [path = ''] = signs;
    if (signs.some((sign) => this.#seen.has(sign)) || this.#pages.length >= mostPages)
      throw balanceFault('page-twice', { path: this.#shown(path) });
    for (const sign of signs) this.#seen.add(sign);
    this.#pages.push(answer);
    this.#records += records;
    this.#options.onPage(this.#pages.length, this.#records);
    this.#emptyInARow = records === 0 ? this.#emptyInARow + 1 : 0;
    if (this.#emptyInARow > mostEmpty) throw balanceFault('empty-pages', { pages: this.#emptyInARow });
  }

  /** The number at a place, of this page or the last one that had it: it stays the same, or the list has changed. */
  #counted(at: string, now: number | null): number | null {
    const before = this.#counts.get(at) ?? now;
    if (before !== null && now !== null && before !== now) throw balanceFault('changed', { at, before, now });
    if (now !== null) this.#counts.set(at, now);
    return before;
  }

  #needTotal(at: string, total: number, next: KeptRequest | null): void {
    if (next === null && total !== this.#records)
      throw balanceFault('other-total', { records: this.#records, total, at: this.#shown(at) });
  }

  #shown(text: string): string {
    return plainText(this.#options.client.shown(text));
  }
}

/** @returns what tells this page from any other, or `null` for one without records; and how many it has */
async function learn(answer: string, layout: BalanceLayout, { onRecord, signal }: PagesOptions) {
  let records = 0;
  let first: JsonObject | null = null;
  let last: JsonObject | null = null;
  for (const record of recordsOf(answer, layout)) {
    records += 1;
    first ??= record;
    last = record;
    onRecord(record);
    if (records % recordsAtATime !== 0) continue;
    // Others have their turn, an interruption among them.
    await setImmediate();
    if (signal.aborted) throw stopped();
  }
  if (first === null || last === null) return { look: null, records };
  const look = `${records} ${exactText(first)} ${exactText(last)}`;
  return { look: createHash('sha256').update(look).digest('base64'), records };
}

/**
 * @param isLast  whether no further page is asked for: each of the others is a part
 * @throws DealsheetError `output-failed` when an answer says that something went wrong, or that its list is not whole
 */
function needWhole(
  around: JsonObject,
  isLast: boolean,
  { balances }: ContractSettings,
  shown: (text: string) => string,
): void {
  const about = around.get('meta');
  for (const [name, held] of [...around, ...(isJsonObject(about) ? about : [])]) {
    const isAmong = (names: readonly string[]) => names.some((each) => plainName(each) === plainName(name));
    const value = plainValue(held);
    const text = typeof value === 'object' ? 'not empty' : exactText(held);
    const tell = () => ({ told: shortened(shown(`"${name}" is ${text}`), longestTold) });
    if (isAmong(balances.errors) && holdsSomething(value)) throw balanceFault('went-wrong', tell());
    const isPart = isAmong(balances.incomplete) && (value === true || value === 'true');
    if (isPart && isLast) throw balanceFault('not-whole', tell());
  }
}
