/** Fetches the balances page by page, as the profile declares. Each page is kept whole before the next request. */

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { readRulesOf } from '../contract/answer-rules.ts';
import { isNamed } from '../contract/body-path.ts';
import type { ContractSettings } from '../contract/contract-settings.ts';
import { firstLineOf } from '../disk/file-pieces.ts';
import { DealsheetError } from '../errors.ts';
import { asBefore } from '../messages/export-errors.ts';
import { plainText, shortened } from '../messages/plain-text.ts';
import { errorOf, textOf } from '../messages/text.ts';
import { stanceOf } from '../service/answer.ts';
import type { KeptRequest, KeptResult, ServiceClient } from '../service/client.ts';
import { reasonIn } from '../service/reason.ts';
import { type BalanceLayout, layoutOf, layoutText, membersAround, outlineOf, recordsOf } from './balance-layout.ts';
import { exactText, isJsonObject, type JsonObject, type JsonValue, plainValue } from './exact-json.ts';
import {
  flagOf,
  isAbout,
  isPlaceThere,
  nextPage,
  numberAt,
  pagesText,
  type Query,
  refuseHintsOfMore,
  saysSomething,
  totalAmong,
  valuesBeside,
  wordOf,
} from './further-pages.ts';
import { FileKeeper } from './kept-answers.ts';

export interface PagesOptions {
  readonly client: ServiceClient;
  readonly contract: ContractSettings;
  readonly folder: string;
  readonly query: Query;
  readonly signal: AbortSignal;
  readonly onRecord: (record: JsonObject) => void;
  readonly onPage: (pages: number, records: number) => void;
}

const mostPages = 100_000;
/** Consecutive pages without a record. */
const mostEmpty = 100;
const recordsAtATime = 5000;
const longestShown = 200;

/**
 * @returns the paths of the pages, and how the balances were found, in the form in which a person may declare it
 * @throws DealsheetError when a page is missing, is not a list, or repeats: all balances, or none
 */
export async function fetchBalances(options: PagesOptions) {
  const { client, contract, folder, query, signal } = options;
  const { total: totalAt, pages: asked, errors, incomplete, further, unrelated } = contract.balances;
  const mayFollow = asked !== null && asked.by !== 'none';
  const stated = totalAt ?? 'X-Total-Count or Content-Range';
  const rules = readRulesOf(null, contract.answers);
  const shown = (text: string) => plainText(client.shown(text));
  const pages: string[] = [];
  /** The path and digest of each page so far. */
  const seen = new Set<string>();
  /** Totals of records or pages, by their place. Each must stay the same; otherwise the list has changed. */
  const counts = new Map<string, number>();
  /** The place of a total that was found but not declared. */
  let foundTotal: string | null = null;
  let layout: BalanceLayout | null = null;
  let recordsSoFar = 0;
  let emptyInARow = 0;

  function count(at: string, now: number | null): void {
    const before = counts.get(at) ?? now;
    if (before !== null && now !== null && before !== now) throw errorOf('balances-changed', { at, before, now });
    if (now !== null) counts.set(at, now);
  }

  /** 202 is a list that is still being made, 206 a part: the last one if a total counts all records. */
  function needFinished(status: string, name: string | null = null, said = status): void {
    const isUnfinished = status === '202' || (status === '206' && !counts.has(stated));
    if (isUnfinished && asked?.by !== 'none') throw errorOf('balances-unfinished', { name, status: said });
  }

  /** @param isLast  whether no page follows; every other page may be partial */
  function needWhole(members: readonly [string, JsonValue][], isLast: boolean): void {
    const about = members.flatMap(([name, held]) => (isAbout(name, contract) && isJsonObject(held) ? [...held] : []));
    for (const [name, held] of [...members, ...about]) {
      if (!saysSomething(held)) continue;
      const value = typeof plainValue(held) === 'object' ? null : shortened(shown(exactText(held)), longestShown);
      const said = { name: shortened(shown(name), longestShown), value };
      if (isNamed(name, errors)) throw errorOf('balances-with-errors', said);
      // A status may say it, such as "partial".
      const isStatus = isNamed(name, unrelated);
      if (isLast && isStatus) needFinished(wordOf(held), said.name, value ?? '');
      const isPart = isNamed(isStatus ? wordOf(held) : name, incomplete);
      const isMore = mayFollow && isNamed(name, further) && flagOf(wordOf(held)) === true;
      if (isLast && (isPart || isMore)) throw errorOf('balances-not-whole', said);
    }
  }

  /** @returns the next request; `null` after the last page */
  async function take(answer: string, result: Extract<KeptResult, { state: 'kept' }>): Promise<KeptRequest | null> {
    const { path, httpStatus: status } = result;
    const outline = outlineOf(answer);
    const plain = plainValue(outline);
    if (stanceOf(plain, rules) === 'no')
      throw errorOf('balances-refused', { reason: shown(reasonIn(plain, []) ?? '') });
    const isFirst = layout === null;
    layout ??= layoutOf(outline, contract.balances);
    const members = membersAround(outline, layout);
    // A declared path begins at the root. What is blank there may stand nearer the records.
    const root = isJsonObject(outline) ? [...outline].filter(([, held]) => saysSomething(held)) : [];
    const around: JsonObject = new Map([...members, ...root, ['@headers', result.headers]]);
    const beside = isFirst ? valuesBeside(outline, layout, contract) : [];
    const { look, records, last } = await learn(answer, layout, options);
    const marks = [path, ...(look === null ? [] : [look])];
    if (marks.some((mark) => seen.has(mark)) || pages.length >= mostPages)
      throw errorOf('page-twice', { path: shown(path) });
    for (const mark of marks) seen.add(mark);
    pages.push(answer);
    recordsSoFar += records;
    options.onPage(pages.length, recordsSoFar);
    emptyInARow = records === 0 ? emptyInARow + 1 : 0;
    if (emptyInARow > mostEmpty) throw errorOf('pages-empty', { pages: emptyInARow });

    if (isFirst && mayFollow && totalAt === undefined) foundTotal = totalAmong(beside, records);
    count(stated, totalAt === undefined ? result.total : numberAt(around, totalAt));
    count(foundTotal ?? '', numberAt(around, foundTotal));
    if (asked?.by === 'page') count(asked.count ?? '', numberAt(around, asked.count));
    const total = counts.get(stated) ?? null;
    const page = { ...result, query, number: pages.length, around, records, recordsSoFar, last, total, beside };
    const next = asked === null ? null : nextPage(page, asked);
    needWhole(members, next === null);
    for (const at of next === null ? [stated, foundTotal ?? ''] : []) {
      const total = counts.get(at) ?? (at === totalAt ? null : recordsSoFar);
      const said = { records: recordsSoFar, hasTotal: total !== null, total: total ?? '', at: shown(at) };
      if (total !== recordsSoFar) throw errorOf('balances-of-other-total', said);
    }
    if (asked === null || (next === null && isFirst && !isPlaceThere(around, asked)))
      refuseHintsOfMore(page, contract, shown);
    if (next === null) needFinished(String(status));
    return next;
  }

  for (let request: KeptRequest | null = { query }; request !== null; ) {
    if (signal.aborted) throw errorOf('export-interrupted');
    const keeper = new FileKeeper(join(folder, `${pages.length + 1}.json`));
    const result: KeptResult = await client.keep(request, keeper);
    if (signal.aborted) throw errorOf('export-interrupted');
    keeper.settle();
    if (result.state !== 'kept') throw await readFault(result, keeper.path);
    request = await take(keeper.path, result);
  }
  if (layout === null) throw errorOf('export-interrupted');
  const total = foundTotal === null ? '' : `; total: ${foundTotal}`;
  return { pages, layout, found: shown(`balances: ${layoutText(layout)}; pages: ${pagesText(asked)}${total}`) };
}

/** @returns a digest that identifies the page, `null` without records; the number of its records, and the last one */
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
    // Yields to other tasks, such as an interruption.
    await setImmediate();
    if (signal.aborted) throw errorOf('export-interrupted');
  }
  if (first === null || last === null) return { look: null, records, last };
  const look = `${records} ${exactText(first)} ${exactText(last)}`;
  return { look: createHash('sha256').update(look).digest('base64'), records, last };
}

/** @param kept  the file with what arrived; `null` when nothing was kept */
export async function readFault(
  result: Exclude<KeptResult, { state: 'kept' }>,
  kept: string | null = null,
): Promise<DealsheetError> {
  if (result.state === 'failed' && result.stopReason !== null) {
    const { code, message, remedy } = result.stopReason;
    return new DealsheetError(code, message.code, textOf(message), `${textOf(remedy)} ${asBefore}`);
  }
  const { message: said } = result;
  const status = result.httpStatus ?? 0;
  if (result.state === 'not-found') return errorOf('nothing-at-address', { status, said });
  if (kept !== null && status >= 200 && status < 300 && /^\s*[^\s[{]/.test(await firstLineOf(kept)))
    return errorOf('answer-without-json', { status });
  const isRefusal = status >= 400 && status < 500;
  return errorOf('answer-unusable', { status: status < 400 ? null : status, said, isRefusal });
}
