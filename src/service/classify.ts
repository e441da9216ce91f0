/**
 * What an answer with a good status means for the rows that were sent, by the declared rules alone. Its one rule: anything but
 * the declared yes is no yes. Pure: no clock, no state, no text that a person reads.
 */
import type { AnswerRules, Said } from '../contract/answer-rules.ts';
import { firstAt, isObject, valuesAt } from '../contract/body-path.ts';
import { idInAddress } from './address.ts';
import type { RecordReference } from './outcome.ts';
import { visibleText } from './plain-text.ts';

/** Why it is not known whether a record was made. */
export type Doubt =
  | 'no-declared-yes'
  | 'without-id'
  | 'unusable-id'
  | 'no-with-id'
  | 'no-with-yes'
  | 'other-id'
  | 'other-number-of-items'
  | 'other-count'
  | 'undeclared-beside-yes'
  | 'job'
  // Of answers that are no JSON, or have no good status.
  | 'status'
  | 'page'
  | 'text'
  | 'empty'
  | 'unreadable';

export type Verdict =
  | ({ readonly is: 'yes' } & RecordReference)
  /** `at` is what the reason of the no is read from: the body, or an item of it. */
  | { readonly is: 'no'; readonly at: unknown }
  | { readonly is: 'doubt'; readonly why: Doubt; readonly at: unknown; readonly id: string | null };

/** What the rules need to know of a row that was sent. */
export interface SentRow {
  /** The body as it went out, for items that repeat a value of their row. */
  readonly body: unknown;
  /** The id in the path of an update, else `null`. */
  readonly pathId: string | null;
  /** Ids that the row names itself, such as that of its deal: an answer that repeats one gives no id of a new record. */
  readonly ownIds: readonly string[];
}

/** The verdict on a row that was sent alone. */
export function classifyRecord(body: unknown, status: number, row: SentRow, rules: AnswerRules): Verdict {
  if (isJob(body, status, rules)) return doubt('job', body);
  return judge(body, row, rules, rules.yes);
}

/** One verdict for each row of a batch, in their order. */
export function classifyBatch(
  body: unknown,
  status: number,
  rows: readonly SentRow[],
  rules: AnswerRules,
): readonly Verdict[] {
  const all = (verdict: Verdict): readonly Verdict[] => rows.map(() => verdict);
  if (isJob(body, status, rules)) return all(doubt('job', body));
  const found = rules.items === null ? null : itemsAt(body, rules.items.at);
  if (rules.items === null || (found === null && !rules.needsItems)) return all(together(body, rows, rules));
  const ordered = found === null ? null : inOrder(found, rows, rules.items);
  const stance = stanceOf(body, rules, rules.yes);
  const count = countIn(body, rules);
  if (ordered === null) {
    const isPlainNo = stance === 'no' && !tellsOfAny(found?.items ?? [], rules) && !((count ?? 0) > 0);
    return all(isPlainNo ? noOf(body, null, rules.yes) : doubt('other-number-of-items', body));
  }
  const verdicts = ordered.map((item, place) => judge(item, rows[place] as SentRow, rules, rules.itemYes));
  const isClear = (stance === 'yes' || stance === 'nothing') && (count ?? rows.length) === rows.length;
  const isMoreTaken = (count ?? 0) > verdicts.filter(({ is }) => is !== 'no').length;
  return verdicts.map((verdict) => {
    if (verdict.is === 'no' && isMoreTaken) return doubt('other-count', body);
    return verdict.is === 'yes' && !isClear ? doubt('undeclared-beside-yes', body, verdict.id) : verdict;
  });
}

/** Whether a body, whatever its status, says of a row of a batch that it is in: by its item, or by a count. */
export function tellsOfRow(body: unknown, rules: AnswerRules): boolean {
  if ((countIn(body, rules) ?? 0) > 0) return true;
  const { items = [] } = (rules.items === null ? null : itemsAt(body, rules.items.at)) ?? {};
  const anyRow: SentRow = { body: null, pathId: null, ownIds: [] };
  return items.some(({ value }) => judge(value, anyRow, rules, rules.itemYes).is === 'yes');
}

/** The id of a record in a value of an answer, or `null` when it is none. */
export function identifier(value: unknown): string | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value > 0 ? String(value) : null;
  const isId = typeof value === 'string' && letterOrDigit.test(value) && !idOfNothing.test(value.trim());
  // What a terminal would obey is part of no id.
  return isId && visibleText(value) === value ? value : null;
}

/** The id and the addresses that a body gives for its record. */
export function referenceIn(
  body: unknown,
  rules: Pick<AnswerRules, 'record' | 'id' | 'companyId' | 'url' | 'idInUrl'>,
): RecordReference {
  const record = recordIn(body, rules);
  const given = firstAt(record, rules.url);
  const url = typeof given === 'string' && given.trim() !== '' ? given.trim() : null;
  const id =
    firstAt(record, rules.id) ?? (url === null || rules.idInUrl === null ? null : idInAddress(url, rules.idInUrl));
  return { id: identifier(id), companyId: identifier(firstAt(record, rules.companyId)), url };
}

/**
 * What a body says by its declared words. A no is what is declared as one, or another value of the same type where the yes is
 * declared; where the no is declared by values of the same path, any other word there, such as "queued", is `unclear`, and so is a
 * value of another type.
 */
export function stanceOf(
  body: unknown,
  { no }: Pick<AnswerRules, 'no'>,
  yes: AnswerRules['yes'],
): 'no' | 'unclear' | 'yes' | 'nothing' {
  const isSaid = no.some((each) =>
    typeof each === 'string' ? valuesAt(body, each).some(holdsSomething) : placesOf(body, each).some(holdsWanted),
  );
  const told = (yes === '2xx' ? [] : placesOf(body, yes)).flatMap(({ path, wanted, held }) =>
    held.map((value) => {
      if (wanted.includes(value as never)) return 'yes';
      const isOfItsType = wanted.some((each) => typeof each === typeof value);
      const hasOwnNo = no.some((each) => typeof each !== 'string' && Object.hasOwn(each, path));
      return isOfItsType && !hasOwnNo ? 'no' : 'unclear';
    }),
  );
  if (isSaid || told.includes('no')) return 'no';
  if (told.includes('unclear')) return 'unclear';
  return hintsYes(body, yes) ? 'yes' : 'nothing';
}

/** Whether a body says yes at each path, whatever else it says there. */
function hintsYes(body: unknown, yes: AnswerRules['yes']): boolean {
  if (yes === '2xx') return true;
  const places = placesOf(body, yes);
  return places.length > 0 && places.every(holdsWanted);
}

function placesOf(body: unknown, said: Said) {
  return Object.entries(said).map(([path, values]) => ({
    path,
    wanted: [values].flat(),
    held: valuesAt(body, path).filter((held) => held !== undefined && held !== null),
  }));
}

function holdsWanted({ wanted, held }: ReturnType<typeof placesOf>[number]): boolean {
  return held.some((value) => wanted.includes(value as never));
}

function judge(body: unknown, row: SentRow, rules: AnswerRules, yes: AnswerRules['yes']): Verdict {
  const given = referenceIn(body, rules);
  const id = given.id !== null && row.ownIds.includes(given.id) ? null : given.id;
  const stance = stanceOf(body, rules, yes);
  if (stance === 'no') return noOf(body, id, yes);
  if (stance === 'unclear') return doubt('no-declared-yes', body, id);
  if (row.pathId !== null) {
    if (rules.needsId && given.id !== row.pathId)
      return doubt(given.id === null ? 'without-id' : 'other-id', body, given.id);
    return given.id === row.pathId || stance === 'yes'
      ? { ...given, is: 'yes', id: row.pathId }
      : doubt('no-declared-yes', body);
  }
  if (id !== null) {
    // Where the id is an assumption, it may be that of the request: `{"id":"req-7","status":"error"}`.
    const isClear = rules.isDeclared || stance === 'yes' || !tellsMore(body, rules, true);
    return isClear ? { ...given, is: 'yes', id } : doubt('undeclared-beside-yes', body, id);
  }
  if (given.id === null && hasUnusableId(body, rules)) return doubt('unusable-id', body);
  if (rules.needsId) return doubt('without-id', body);
  if (stance !== 'yes') return doubt('no-declared-yes', body);
  const isUnclearBeside = !rules.isDeclared && tellsMore(body, rules, false);
  return isUnclearBeside ? doubt('undeclared-beside-yes', body) : { ...given, is: 'yes', id: null };
}

/** A batch that is answered as one: by its count, or by a yes beside which nothing stands that could tell of single rows. */
function together(body: unknown, rows: readonly SentRow[], rules: AnswerRules): Verdict {
  const stance = stanceOf(body, rules, rules.yes);
  const count = countIn(body, rules);
  if (stance === 'no') return (count ?? 0) > 0 ? doubt('other-count', body) : noOf(body, null, rules.yes);
  if (stance === 'unclear') return doubt('no-declared-yes', body);
  if (count !== null && count !== rows.length) return doubt('other-count', body);
  const yes: Verdict = { is: 'yes', id: null, companyId: null, url: null };
  if (count !== null) return yes;
  if (rules.count.length > 0 || stance !== 'yes') return doubt('no-declared-yes', body);
  const isPlain = rules.yes === '2xx' && rules.items === null;
  const isSeveral = rows.length > 1;
  const isUnclearBeside = (isSeveral || !rules.isDeclared) && !isPlain && tellsMore(body, rules, isSeveral);
  return isUnclearBeside ? doubt('undeclared-beside-yes', body) : yes;
}

/** How many rows were taken, by the declared count; `null` when none is declared or there, and no number for what is none. */
function countIn(body: unknown, rules: AnswerRules): number | null {
  const counts = rules.count.map((path) => valuesAt(body, path)).find((values) => values.length > 0);
  if (counts === undefined || counts[0] === null) return null;
  const numbers = counts.map((count) => (typeof count === 'string' && /^\d{1,9}$/.test(count) ? Number(count) : count));
  return numbers.reduce<number>((sum, count) => sum + (typeof count === 'number' ? count : Number.NaN), 0);
}

/**
 * Whether something undeclared stands beside the declared yes: `posted: 2`, `committed: false`, a list of statuses.
 * @param withTexts  whether a text counts too: of several rows, it may speak of some
 */
function tellsMore(body: unknown, rules: AnswerRules, withTexts: boolean): boolean {
  if (!isObject(body)) return false;
  const declared = [
    ...Object.keys(rules.yes === '2xx' ? {} : rules.yes),
    ...rules.no.flatMap((each) => (typeof each === 'string' ? [each] : Object.keys(each))),
    ...rules.reason,
    ...rules.url,
    ...rules.id,
    ...rules.companyId,
  ];
  const names = new Set(declared.map((path) => path.split(/[.[]/, 1)[0]));
  return Object.entries(body).some(([name, held]) => !names.has(name) && mayTell(held, withTexts));
}

function mayTell(held: unknown, withTexts: boolean): boolean {
  if (typeof held === 'boolean' || typeof held === 'number' || Array.isArray(held)) return true;
  return (withTexts || typeof held !== 'string') && holdsSomething(held);
}

interface Item {
  readonly value: unknown;
  /** By which an object holds it; `null` in a list. */
  readonly key: string | null;
}

function itemsAt(
  body: unknown,
  paths: readonly string[],
): { readonly items: readonly Item[]; readonly isOrdered: boolean } | null {
  const found = paths.map((path) => valuesAt(body, path).filter(isObject)).filter((holders) => holders.length > 0);
  if (found.length === 0) return null;
  const items = found
    .flat()
    .flatMap((holder) =>
      Object.entries(holder).map(([key, value]): Item => ({ value, key: Array.isArray(holder) ? null : key })),
    );
  return { items, isOrdered: found.length === 1 && items.every(({ key }) => key === null) };
}

/** The items in the order of the rows, each row once; `null` when they do not fit. */
function inOrder(
  { items, isOrdered }: NonNullable<ReturnType<typeof itemsAt>>,
  rows: readonly SentRow[],
  { index, first, match }: NonNullable<AnswerRules['items']>,
): readonly unknown[] | null {
  if (items.length !== rows.length) return null;
  if (index === null && match === null) return isOrdered ? items.map(({ value }) => value) : null;
  const ordered = new Map<number, unknown>();
  for (const item of items) {
    const place =
      match === null ? placeIn(saidIn(item, index ?? '.'), first) : rowOf(saidIn(item, match.item), rows, match.row);
    if (place === null || place >= rows.length || ordered.has(place)) return null;
    ordered.set(place, item.value);
  }
  return rows.map((_, place) => ordered.get(place));
}

function saidIn({ value, key }: Item, paths: string | readonly string[]): unknown {
  const said = [paths].flat().map((path) => (path === '@' ? key : firstAt(value, [path])));
  return said.find((each) => each !== undefined && each !== null);
}

function placeIn(given: unknown, first: number): number | null {
  const place = typeof given === 'string' && /^\d{1,9}$/.test(given) ? Number(given) : given;
  return typeof place === 'number' && Number.isInteger(place) && place >= first ? place - first : null;
}

function rowOf(value: unknown, rows: readonly SentRow[], path: string): number | null {
  const said = String(value ?? '');
  const places = rows.flatMap(({ body }, place) => (String(firstAt(body, [path]) ?? '') === said ? [place] : []));
  const [only] = places;
  return said === '' || places.length !== 1 || only === undefined ? null : only;
}

/** Whether an item speaks of a record that was made. */
function tellsOfAny(items: readonly Item[], rules: AnswerRules): boolean {
  return items.some(
    ({ value }) => referenceIn(value, rules).id !== null || stanceOf(value, { no: [] }, rules.itemYes) === 'yes',
  );
}

/** A 202, or what names a job: something is under way, and nothing is made yet. A profile may declare that there are none. */
export function isJob(body: unknown, status: number, { job }: AnswerRules): boolean {
  return job !== null && (status === 202 || firstAt(body, [...job.id, ...job.address]) !== undefined);
}

function hasUnusableId(body: unknown, rules: AnswerRules): boolean {
  const record = recordIn(body, rules);
  return rules.id.some((path) => valuesAt(record, path).some((held) => identifier(held) === null));
}

function recordIn(body: unknown, { record }: Pick<AnswerRules, 'record'>): unknown {
  return firstAt(body, record) ?? (record.includes('.') ? body : undefined);
}

export function holdsSomething(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === '' || value === 0) return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

/** A no with an id or with the declared yes contradicts itself. */
function noOf(at: unknown, id: string | null, yes: AnswerRules['yes']): Verdict {
  if (id !== null) return doubt('no-with-id', at, id);
  return yes !== '2xx' && hintsYes(at, yes) ? doubt('no-with-yes', at) : { is: 'no', at };
}

export function doubt(why: Doubt, at: unknown, id: string | null = null): Verdict {
  return { is: 'doubt', why, at, id };
}

/** What programs write where there is no record: zero, a negative number, a word for nothing, stars, a GUID of zeros. */
const idOfNothing = /^(?:|[-+]?0+|-\d+|null|undefined|none|nil|nan|n\/a|true|false|\[object object\]|\{?[0-]+\}?)$/i;
const letterOrDigit = /[\p{L}\p{N}]/u;
