/** Fetches the balances, page after page as the profile declares it, each kept whole before the next is asked for. */
import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { readRulesOf } from '../contract/answer-rules.ts';
import { plainName } from '../contract/body-path.ts';
import type { ContractSettings } from '../contract/contract-settings.ts';
import { DealsheetError } from '../errors.ts';
import type { KeptRequest, KeptResult, ServiceClient } from '../service/client.ts';
import { plainText, shortened } from '../service/plain-text.ts';
import { aroundBalances, type BalanceLayout, layoutOf, layoutText, outlineOf, recordsOf } from './balance-layout.ts';
import { ExactNumber, exactText, isJsonObject, type JsonObject, type JsonValue, plainValue } from './exact-json.ts';
import type { AnswerFolder } from './kept-answers.ts';
import { isPlaceThere, nextPage, numberAt, type PageRead, pagesText, type Query } from './next-page.ts';
import { balanceFault, noSaidBy, readFault } from './read-fault.ts';
import { refuseSignsOfMore } from './signs-of-more.ts';

export interface KeptBalances {
  /** The kept answers, page by page. */
  readonly pages: readonly string[];
  readonly layout: BalanceLayout;
  /** How the balances were found, as a person may declare it. */
  readonly found: string;
  /** What stands around the records of the first page. */
  readonly around: JsonObject;
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
const longestTold = 200;

/** @throws DealsheetError when a page cannot be had, is no list, or leads in a circle: all of the balances, or none */
export async function fetchBalances(options: PagesOptions): Promise<KeptBalances> {
  const { client, contract, folder, query } = options;
  const declared = contract.balances;
  const shown = (text: string) => plainText(client.shown(text));
  const pages: string[] = [];
  const asked = new Set<string>();
  const seen = new Set<string>();
  let recordsSoFar = 0;
  let emptyInARow = 0;
  let first: { readonly layout: BalanceLayout; readonly around: JsonObject } | null = null;
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
    const outline = outlineOf(keeper.path);
    const reason = noSaidBy(plainValue(outline), readRulesOf(null, contract.answers));
    if (reason !== null) throw balanceFault('says-no', { reason: shown(reason) });
    const layout: BalanceLayout = first?.layout ?? layoutOf(outline, declared);
    const around = aroundBalances(outline, layout);
    const { look, records, last } = await learn(keeper.path, layout, options);
    if (look !== null && seen.has(look)) throw balanceFault('page-twice', { path: shown(result.path) });
    if (look !== null) seen.add(look);
    pages.push(keeper.path);
    recordsSoFar += records;
    options.onPage(pages.length, recordsSoFar);
    emptyInARow = records === 0 ? emptyInARow + 1 : 0;
    if (emptyInARow > mostEmpty) throw balanceFault('empty-pages', { pages: emptyInARow });
    first ??= { layout, around };
    const totalAt = declared.total;
    total = (totalAt === undefined ? result.total : totalAt === null ? null : numberAt(around, totalAt)) ?? total;
    const page: PageRead = { query, number: pages.length, around, records, recordsSoFar, link: result.nextPage, total };
    request = declared.pages === null ? null : nextPage(page, declared.pages);
    needWhole(around, request === null, contract, shown);
    if (request === null && total !== null && total !== recordsSoFar)
      throw balanceFault('other-total', { records: recordsSoFar, total, at: totalAt ?? 'X-Total-Count' });
    const isOnly = request === null && pages.length === 1;
    if (declared.pages === null || (isOnly && !isPlaceThere(around, declared.pages)))
      refuseSignsOfMore({ ...page, outline, layout, last, path: result.path, about: result.about }, contract, shown);
    if (result.isPart && request === null) throw balanceFault('not-whole', { told: 'the status is 206' });
  }
  if (first === null) throw stopped();
  const found = `balances: ${layoutText(first.layout)}; pages: ${pagesText(declared.pages)}`;
  return { pages, ...first, found: shown(found) };
}

/** An interruption before the file was whole. */
export function stopped(): DealsheetError {
  return new DealsheetError(
    'interrupted',
    'The export was interrupted.',
    'Nothing was written: a file that was there before is as it was. Run the command again.',
  );
}

/** @returns what tells this page from any other, or `null` for one without records; how many it has, and the last of them */
async function learn(
  answer: string,
  layout: BalanceLayout,
  { onRecord, signal }: PagesOptions,
): Promise<{ look: string | null; records: number; last: JsonObject | null }> {
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
  if (first === null || last === null) return { look: null, records, last };
  const look = `${records} ${exactText(first)} ${exactText(last)}`;
  return { look: createHash('sha256').update(look).digest('base64'), records, last };
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
  for (const [name, value] of [...around, ...(isJsonObject(about) ? about : [])]) {
    const isAmong = (names: readonly string[]) => names.some((each) => plainName(each) === plainName(name));
    const text = value instanceof ExactNumber || typeof value !== 'object' ? exactText(value) : 'not empty';
    const tell = () => ({ told: shortened(shown(`"${name}" is ${text}`), longestTold) });
    if (isAmong(balances.errors) && holdsSomething(value)) throw balanceFault('went-wrong', tell());
    const isPart = isAmong(balances.incomplete) && (value === true || value === 'true');
    if (isPart && isLast) throw balanceFault('not-whole', tell());
  }
}

function holdsSomething(value: JsonValue): boolean {
  if (value instanceof ExactNumber) return Number(value.digits) !== 0;
  if (isJsonObject(value)) return value.size > 0;
  return Array.isArray(value) ? value.length > 0 : value !== null && value !== false && value !== '';
}
