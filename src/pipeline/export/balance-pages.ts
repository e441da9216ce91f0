/** Fetches the balances, page after page, each kept whole before the next is asked for. */
import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { ContractSettings } from '../../contract/contract-settings.ts';
import { DealsheetError } from '../../errors.ts';
import type { KeptRequest, ServiceClient } from '../../service/client.ts';
import { exactText, type JsonObject } from './exact-json.ts';
import type { AnswerFolder } from './kept-answers.ts';
import { newsBeside } from './news-beside.ts';
import { fullPage, howToAskForAll, nextPage, type Query } from './next-page.ts';
import { asBefore, askForAll, readFault } from './read-fault.ts';
import { type Around, findRecords, recordsOf } from './record-list.ts';

export interface KeptPage {
  readonly answer: string;
  readonly path: readonly string[];
}

export interface KeptBalances {
  readonly pages: readonly KeptPage[];
  /** What stands around the records of the first page. */
  readonly around: Around;
  /** What the service says beside the records that a person should know, as whole sentences. */
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
const mostNotices = 5;

/** @throws DealsheetError when a page cannot be had, is no list, or leads in a circle: all of the balances, or none */
export async function fetchBalances(options: PagesOptions): Promise<KeptBalances> {
  const { client, contract, folder, query } = options;
  const shown = (text: string) => client.shown(text);
  const pages: KeptPage[] = [];
  const asked = new Set<string>();
  const seen = new Set<string>();
  let recordsSoFar = 0;
  let emptyInARow = 0;
  const notices = new Set<string>();
  let firstAround: Around = new Map();
  let request: KeptRequest | null = { endpoint: 'getLoanBalances', id: null, query };
  while (request !== null) {
    if (options.signal.aborted) throw stopped();
    const keeper = folder.keeper();
    const result = await client.keep(request, keeper).finally(() => keeper.close());
    if (options.signal.aborted) throw stopped();
    if (keeper.failure !== null) await keeper.settle('');
    if (result.state !== 'kept') throw readFault(result);
    if (asked.has(result.path) || pages.length >= mostPages) throw circle(shown(result.path));
    asked.add(result.path);
    await keeper.settle(result.encoding);
    const list = findRecords(keeper.path, contract, shown);
    const look = await learn(keeper.path, list.path, options);
    if (look !== null && seen.has(look)) throw circle(shown(result.path));
    if (look !== null) seen.add(look);
    if (pages.length === 0) firstAround = list.around;
    pages.push({ answer: keeper.path, path: list.path });
    recordsSoFar += list.length;
    options.onPage(pages.length, recordsSoFar);
    const { length: records, beside: around } = list;
    const { nextPage: link, total } = result;
    emptyInARow = records === 0 ? emptyInARow + 1 : 0;
    if (emptyInARow > mostEmpty) throw nothingFor(emptyInARow);
    const page = { query, number: pages.length, around, records, recordsSoFar, link, total };
    request = nextPage(page, contract);
    const isLast = request === null;
    const news = newsBeside({ around, query, isLast, recordsSoFar, contract, shown });
    const full = isLast ? fullPage(page, contract) : null;
    for (const notice of full === null ? news : [...news, mayBeFirstOf(full)])
      if (notices.size < mostNotices) notices.add(notice);
  }
  return { pages, around: firstAround, notices: [...notices] };
}

/** Every record of the pages, in the answers' order. */
export function* everyRecord(pages: readonly KeptPage[]): Generator<JsonObject> {
  for (const { answer, path } of pages) yield* recordsOf(answer, path);
}

/** @returns what tells this page from any other, or `null` for one without records */
async function learn(
  answer: string,
  path: readonly string[],
  { onRecord, signal }: PagesOptions,
): Promise<string | null> {
  let count = 0;
  let first: JsonObject | null = null;
  let last: JsonObject | null = null;
  for (const record of recordsOf(answer, path)) {
    count += 1;
    first ??= record;
    last = record;
    onRecord(record);
    if (count % recordsAtATime !== 0) continue;
    // Others have their turn, an interruption among them.
    await setImmediate();
    if (signal.aborted) throw stopped();
  }
  if (first === null || last === null) return null;
  return createHash('sha256')
    .update(`${count} ${exactText(first)} ${exactText(last)}`)
    .digest('base64');
}

function mayBeFirstOf(size: number): string {
  return `The service gave ${size} balances, which is the most that it gives at once, and says nothing of others: look whether some are missing, or ${askForAll}.`;
}

function circle(path: string): DealsheetError {
  return new DealsheetError(
    'output-failed',
    `The service gave the same page twice (${path}): following its pages would never end, or the records would be doubled.`,
    `Say in the profile how pages are asked for: "contract": { "balances": { "pageParameter": … } }. ${asBefore}`,
  );
}

function nothingFor(pages: number): DealsheetError {
  return new DealsheetError(
    'output-failed',
    `The service gave ${pages} pages without a record, one after the other, and each says that there are more.`,
    howToAskForAll,
  );
}

/** An interruption before the file was whole. */
export function stopped(): DealsheetError {
  return new DealsheetError(
    'interrupted',
    'The export was interrupted.',
    'Nothing was written: a file that was there before is as it was. Run the command again.',
  );
}
