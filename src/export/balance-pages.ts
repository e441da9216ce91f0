/** Fetches the balances, page after page, each kept whole before the next is asked for. */
import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { readRulesOf } from '../contract/answer-rules.ts';
import type { Pages } from '../contract/balances-rules.ts';
import type { ContractSettings } from '../contract/contract-settings.ts';
import { DealsheetError } from '../errors.ts';
import { balanceNotices } from '../messages/balances.ts';
import type { KeptRequest, ServiceClient } from '../service/client.ts';
import { plainText } from '../service/plain-text.ts';
import { type Around, aroundAt, outlineOf } from './answer-outline.ts';
import { aroundBalances, type BalanceLayout, layoutOf, layoutText, recordsOf } from './balance-layout.ts';
import { exactText, type JsonObject } from './exact-json.ts';
import type { AnswerFolder } from './kept-answers.ts';
import { nextPage, numberAt, pagesShownBy, pagesText, type Query, sizeAskedFor, totalShownBy } from './next-page.ts';
import { balanceFault, readFault } from './read-fault.ts';
import { needWhole, noSaidBy } from './said-beside.ts';

export interface KeptBalances {
  /** The kept answers, page by page. */
  readonly pages: readonly string[];
  readonly layout: BalanceLayout;
  /** How the balances were found, as a person may declare it. */
  readonly found: string;
  /** What stands around the records of the first page. */
  readonly around: Around;
  /** What a person should know, as whole sentences. */
  readonly notices: readonly string[];
}

export interface PagesOptions {
  readonly client: ServiceClient;
  readonly contract: ContractSettings;
  readonly folder: AnswerFolder;
  readonly query: Query;
  readonly signal: AbortSignal;
  /** Told of every record as its page comes. */
  readonly onRecord: (record: JsonObject) => void;
  readonly onPage: (pages: number, records: number) => void;
}

const mostPages = 100_000;
/** Pages without a record, one behind the other. */
const mostEmpty = 100;
const recordsAtATime = 5000;

/** @throws DealsheetError when a page cannot be had, is no list, or leads in a circle: all of the balances, or none */
export async function fetchBalances(options: PagesOptions): Promise<KeptBalances> {
  const { client, contract, folder, query } = options;
  const declared = contract.balances;
  const shown = (text: string) => client.shown(text);
  const pages: string[] = [];
  const asked = new Set<string>();
  const seen = new Set<string>();
  let recordsSoFar = 0;
  let emptyInARow = 0;
  let first: { readonly layout: BalanceLayout; readonly around: Around; readonly totalAt: string | null } | null = null;
  let by: Pages | null = declared.pages;
  let total: number | null = null;
  let notices: readonly string[] = [];
  let request: KeptRequest | null = { endpoint: 'getLoanBalances', id: null, query };
  while (request !== null) {
    if (options.signal.aborted) throw stopped();
    const keeper = folder.keeper();
    const result = await client.keep(request, keeper).finally(() => keeper.close());
    if (options.signal.aborted) throw stopped();
    if (keeper.failure !== null) await keeper.settle('');
    if (result.state !== 'kept') throw readFault(result);
    if (asked.has(result.path) || pages.length >= mostPages)
      throw balanceFault('page-twice', { path: shown(result.path) });
    asked.add(result.path);
    await keeper.settle(result.encoding);
    const root = outlineOf(keeper.path);
    const reason = noSaidBy((path) => aroundAt(root, path), readRulesOf(null, contract.answers), shown);
    if (reason !== null) throw balanceFault('says-no', { reason });
    const layout: BalanceLayout = first?.layout ?? layoutOf(keeper.path, root, declared);
    const around = aroundBalances(root, layout);
    const { look, records } = await learn(keeper.path, layout, options);
    if (look !== null && seen.has(look)) throw balanceFault('page-twice', { path: shown(result.path) });
    if (look !== null) seen.add(look);
    pages.push(keeper.path);
    recordsSoFar += records;
    options.onPage(pages.length, recordsSoFar);
    emptyInARow = records === 0 ? emptyInARow + 1 : 0;
    if (emptyInARow > mostEmpty) throw balanceFault('empty-pages', { pages: emptyInARow });
    const isFound = declared.total === undefined;
    first ??= { layout, around, totalAt: isFound ? totalShownBy(around, records) : (declared.total ?? null) };
    const { totalAt } = first;
    total = (isFound ? result.total : null) ?? (totalAt === null ? null : numberAt(around, [totalAt])) ?? total;
    const page = { query, number: pages.length, around, records, recordsSoFar, link: result.nextPage, total };
    by ??= pagesShownBy(page);
    request = nextPage(page, by);
    needWhole(around, request === null, contract, shown);
    if (request === null && total !== null && total !== recordsSoFar)
      throw balanceFault('other-total', { records: recordsSoFar, total, at: totalAt ?? 'X-Total-Count' });
    const size = sizeAskedFor(page, by);
    if (size !== null) notices = [balanceNotices['as-many-as-asked'](size)];
  }
  if (first === null || by === null) throw stopped();
  const how = pages.length > 1 ? pagesText(by) : null;
  const found = [`balances: ${layoutText(first.layout)}`, ...(how === null ? [] : [`pages: ${how}`])];
  return { pages, ...first, found: plainText(shown(found.join('; '))), notices };
}

/** Every record of the pages, in the answers' order. */
export function* everyRecord({ pages, layout }: KeptBalances): Generator<JsonObject> {
  for (const answer of pages) yield* recordsOf(answer, layout);
}

/** @returns what tells this page from any other, or `null` for one without records; and how many it has */
async function learn(
  answer: string,
  layout: BalanceLayout,
  { onRecord, signal }: PagesOptions,
): Promise<{ look: string | null; records: number }> {
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

/** An interruption before the file was whole. */
export function stopped(): DealsheetError {
  return new DealsheetError(
    'interrupted',
    'The export was interrupted.',
    'Nothing was written: a file that was there before is as it was. Run the command again.',
  );
}
