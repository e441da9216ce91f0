/** Fetches the balances, page after page, each kept whole before the next is asked for. */
import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { readRulesOf } from '../contract/answer-rules.ts';
import type { ContractSettings } from '../contract/contract-settings.ts';
import { DealsheetError } from '../errors.ts';
import type { KeptRequest, KeptResult, ServiceClient } from '../service/client.ts';
import { plainText, shortened } from '../service/plain-text.ts';
import { type Around, outlineOf } from './answer-outline.ts';
import { aroundBalances, type BalanceLayout, layoutOf, layoutText, recordsOf } from './balance-layout.ts';
import { exactText, type JsonObject } from './exact-json.ts';
import type { AnswerFolder } from './kept-answers.ts';
import { nextPage, numberAt, type PageRead, pagesText, type Query } from './next-page.ts';
import { balanceFault, readFault } from './read-fault.ts';
import { needWhole, noSaidBy } from './said-beside.ts';
import { type Sign, signsOfMore } from './signs-of-more.ts';

export interface KeptBalances {
  /** The kept answers, page by page. */
  readonly pages: readonly string[];
  readonly layout: BalanceLayout;
  /** How the balances were found, as a person may declare it. */
  readonly found: string;
  /** What stands around the records of the first page. */
  readonly around: Around;
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
const mostTold = 3;
const longestPath = 80;

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
  let first: { readonly layout: BalanceLayout; readonly around: Around } | null = null;
  let total: number | null = null;
  let request: KeptRequest | null = { endpoint: 'getLoanBalances', id: null, query };
  while (request !== null) {
    if (options.signal.aborted) throw stopped();
    const keeper = folder.keeper();
    const result: KeptResult = await client.keep(request, keeper).finally(() => keeper.close());
    if (options.signal.aborted) throw stopped();
    if (keeper.failure !== null) keeper.settle();
    if (result.state !== 'kept') throw readFault(result);
    if (asked.has(result.path) || pages.length >= mostPages)
      throw balanceFault('page-twice', { path: shown(result.path) });
    asked.add(result.path);
    keeper.settle();
    const root = outlineOf(keeper.path);
    const reason = noSaidBy(root, readRulesOf(null, contract.answers), shown);
    if (reason !== null) throw balanceFault('says-no', { reason });
    const layout: BalanceLayout = first?.layout ?? layoutOf(keeper.path, root, declared);
    const around = aroundBalances(root, layout);
    const learnt = await learn(keeper.path, layout, options);
    const { look, records } = learnt;
    if (look !== null && seen.has(look)) throw balanceFault('page-twice', { path: shown(result.path) });
    if (look !== null) seen.add(look);
    pages.push(keeper.path);
    recordsSoFar += records;
    options.onPage(pages.length, recordsSoFar);
    emptyInARow = records === 0 ? emptyInARow + 1 : 0;
    if (emptyInARow > mostEmpty) throw balanceFault('empty-pages', { pages: emptyInARow });
    first ??= { layout, around };
    const totalAt = declared.total;
    const said = totalAt === undefined ? result.total : totalAt === null ? null : numberAt(around, totalAt);
    total = said ?? total;
    const page: PageRead = { query, number: pages.length, around, records, recordsSoFar, link: result.nextPage, total };
    request = declared.pages === null ? null : nextPage(page, declared.pages);
    needWhole(around, request === null, contract, shown);
    if (request === null && total !== null && total !== recordsSoFar)
      throw balanceFault('other-total', { records: recordsSoFar, total, at: totalAt ?? 'X-Total-Count' });
    if (declared.pages === null) {
      const signs = signsOfMore({ ...page, ...learnt, answer: keeper.path, layout, path: result.path }, contract);
      if (signs.length > 0) throw mayBeMore(records, signs, shown);
    }
  }
  if (first === null) throw stopped();
  const found = `balances: ${layoutText(first.layout)}; pages: ${pagesText(declared.pages)}`;
  return { pages, ...first, found: plainText(shown(found)) };
}

function mayBeMore(records: number, signs: readonly Sign[], shown: (text: string) => string): DealsheetError {
  const seen = signs
    .slice(0, mostTold)
    .map(({ kind, path }) => ({ kind, path: shortened(plainText(shown(path)), longestPath) }));
  const pages = Object.entries(signs[0]?.pages ?? {}).map(
    ([name, value]) => `"${name}": ${plainText(shown(JSON.stringify(value)))}`,
  );
  const others = signs.length - seen.length;
  return balanceFault('may-be-more', { records, seen, others, pages: `{ ${pages.join(', ')} }` });
}

/** Every record of the pages, in the answers' order. */
export function* everyRecord({ pages, layout }: KeptBalances): Generator<JsonObject> {
  for (const answer of pages) yield* recordsOf(answer, layout);
}

/** @returns what tells this page from any other, or `null` for one without records; how many it has, the first and the last */
async function learn(
  answer: string,
  layout: BalanceLayout,
  { onRecord, signal }: PagesOptions,
): Promise<{ look: string | null; records: number; first: JsonObject | null; last: JsonObject | null }> {
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
  if (first === null || last === null) return { look: null, records, first, last };
  const look = `${records} ${exactText(first)} ${exactText(last)}`;
  return { look: createHash('sha256').update(look).digest('base64'), records, first, last };
}

/** An interruption before the file was whole. */
export function stopped(): DealsheetError {
  return new DealsheetError(
    'interrupted',
    'The export was interrupted.',
    'Nothing was written: a file that was there before is as it was. Run the command again.',
  );
}
