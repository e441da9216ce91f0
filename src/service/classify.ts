/** Decides what an answer means for each row, by the declared rules alone: only the declared yes is a yes. Pure. */
import type { AnswerRules } from '../contract/answer-rules.ts';
import { firstAt, isObject, valuesAt } from '../contract/body-path.ts';
import type { Doubt } from '../messages/service.ts';
import {
  type Answer,
  type AnswerBody,
  countIn,
  hasUnusableId,
  hintsYes,
  holdsSomething,
  isJob,
  isMarkup,
  referenceIn,
  stanceOf,
  tellsMore,
  tellsOfSome,
  valueIn,
} from './answer.ts';
import type { AnswerEnd } from './conversation.ts';
import type { RecordReference } from './outcome.ts';

export type RowMeaning =
  | ({ readonly is: 'yes' } & RecordReference)
  /** `at` is where the reason is read from: the body, or the row's item. */
  | { readonly is: 'no'; readonly at: unknown }
  | { readonly is: 'doubt'; readonly why: Doubt; readonly at: unknown; readonly id: string | null };

export interface SentRow {
  /** The row's value that items repeat (`items.row`), to match items to rows. */
  readonly matched: unknown;
  readonly pathId: string | null;
  /** Ids that the row itself names, such as its deal's. An answer that repeats one gives no id of a new record. */
  readonly ownIds: readonly string[];
}

export interface AnswerToRows extends Pick<AnswerEnd, 'means'>, Pick<Answer, 'status' | 'body'> {
  /** The id in the `Location` header; `null` when absent or not applicable. */
  readonly located: string | null;
}

export function classify(
  { means, status, body, located }: AnswerToRows,
  rows: readonly SentRow[],
  isBatch: boolean,
  rules: AnswerRules,
): readonly RowMeaning[] {
  const all = (meaning: RowMeaning): readonly RowMeaning[] => rows.map(() => meaning);
  const value = valueIn(body, rules);
  if (means === 'rejected' && !saysMade(value, status, rules)) {
    const found = isBatch ? itemsAt(value, rules) : null;
    const ordered = found === null || rules.items === null ? null : inOrder(found, rows, rules.items);
    return rows.map((_, place) => ({ is: 'no', at: ordered?.[place]?.[0]?.value ?? value }));
  }
  if (means !== 'success') return all(doubt('status', value, referenceIn(value, rules).id));
  if (isJob(value, status, rules)) return all(doubt('job', value));
  const isShort = isBatch && (rules.needsItems || rules.count.length > 0);
  if (value === undefined) return all(isShort ? doubt('no-record', value) : withoutJson(body, located, rules));
  if (isBatch) return ofBatch(value, rows, rules);
  const found = meaningFor(value, rows[0] as SentRow, rules, rules.yes);
  return all(found.is === 'doubt' && found.why === 'without-id' && located !== null ? yes(located) : found);
}

/** Whether a body reports a yes as declared, whatever its status, to at least one row. Such a record may have been created. */
export function saysMade(value: unknown, status: number, rules: AnswerRules): boolean {
  if (value === undefined) return false;
  const isYes = rules.yes === '2xx' ? status < 300 && rules.needsId : stanceOf(value, rules, rules.yes) === 'yes';
  return (isYes && (!rules.needsId || referenceIn(value, rules).id !== null)) || tellsOfRow(value, rules);
}

/** A good status alone is a yes beside an empty body or plain text, but not beside markup. */
function withoutJson(body: AnswerBody, located: string | null, rules: AnswerRules): RowMeaning {
  if (body.kind === 'html') return doubt('page', undefined);
  if (located !== null) return yes(located);
  const isPlain = body.kind === 'empty' || body.kind === 'text';
  if (isPlain && !(body.kind === 'text' && isMarkup(body.text)) && rules.yes === '2xx' && !rules.needsId)
    return yes(null);
  return doubt('no-record', undefined);
}

function yes(id: string | null): RowMeaning {
  return { is: 'yes', id, companyId: null, url: null };
}

function ofBatch(body: unknown, rows: readonly SentRow[], rules: AnswerRules): readonly RowMeaning[] {
  const all = (meaning: RowMeaning): readonly RowMeaning[] => rows.map(() => meaning);
  const { items } = rules;
  const found = itemsAt(body, rules);
  if (items === null || (found === null && !rules.needsItems)) return all(together(body, rows, rules));
  const ordered = found === null ? null : inOrder(found, rows, items);
  // A `no` path that is the list of items says nothing about the batch as a whole, unless it holds a text in place of the list.
  const ofItems = (each: AnswerRules['no'][number]) =>
    typeof each === 'string' &&
    ['.', ...items.at].includes(each) &&
    valuesAt(body, each).every((held) => isObject(held) || !holdsSomething(held));
  const stance = stanceOf(body, { no: rules.no.filter((each) => !ofItems(each)) }, rules.yes);
  const count = countIn(body, rules);
  if (ordered === null) {
    const isPlainNo = stance === 'no' && !tellsOfAny(found?.items ?? [], rules) && !((count ?? 0) > 0);
    return all(isPlainNo ? noOf(body, null, rules.yes) : doubt('other-count', body));
  }
  const meanings = ordered.map((own, place) => meaningOfItems(own, rows[place] as SentRow, rules));
  const isClear = stance === 'yes' || (stance === 'nothing' && items.others === null);
  const taken = items.others === null ? rows.length : meanings.filter(({ is }) => is === 'yes').length;
  const isCounted = count === null ? items.others === null || rules.count.length === 0 : count === taken;
  const isMoreTaken = (count ?? 0) > meanings.filter(({ is }) => is !== 'no').length;
  return meanings.map((meaning) => {
    if (meaning.is === 'no' && isMoreTaken) return doubt('other-count', body);
    return meaning.is === 'yes' && !(isClear && isCounted) ? doubt('undeclared-beside-yes', body, meaning.id) : meaning;
  });
}

/** A row that has no item is in, as `items.others` declares. Items that disagree about their row decide nothing. */
function meaningOfItems(items: readonly Item[], row: SentRow, rules: AnswerRules): RowMeaning {
  const [first = yes(null), ...more] = items.map(({ value, isOfNo }) => {
    const meaning = meaningFor(value, row, rules, rules.itemYes);
    // The id of a failure is not the id of a record. Where the other rows are in, a listed row needs a yes of its own.
    const needsYes = isOfNo || (rules.items?.others === 'in' && stanceOf(value, rules, rules.itemYes) !== 'yes');
    return needsYes && meaning.is === 'yes' ? doubt('contradiction', value, meaning.id) : meaning;
  });
  return more.every(({ is }) => is === first.is) ? first : doubt('contradiction', items[0]?.value);
}

export function tellsOfRow(body: unknown, rules: AnswerRules): boolean {
  if ((countIn(body, rules) ?? 0) > 0) return true;
  const { items = [] } = itemsAt(body, rules) ?? {};
  const anyRow: SentRow = { matched: null, pathId: null, ownIds: [] };
  return items.some(({ value }) => meaningFor(value, anyRow, rules, rules.itemYes).is === 'yes');
}

function meaningFor(body: unknown, row: SentRow, rules: AnswerRules, yes: AnswerRules['yes']): RowMeaning {
  const given = referenceIn(body, rules);
  const id = given.id !== null && row.ownIds.includes(given.id) ? null : given.id;
  const stance = stanceOf(body, rules, yes);
  if (stance === 'no') return noOf(body, id, yes);
  if (stance === 'unclear') return doubt('no-declared-yes', body, id);
  if (row.pathId !== null) {
    if (rules.needsId && given.id !== row.pathId)
      return doubt(given.id === null ? 'without-id' : 'other-id', body, given.id);
    return given.id === row.pathId || stance === 'yes' ? { ...given, is: 'yes' } : doubt('no-declared-yes', body);
  }
  // An assumed id path may hit the id of the request: `{"id":"req-7","status":"error"}`.
  if (id !== null && !rules.isDeclared && stance !== 'yes' && tellsMore(body, rules, true))
    return doubt('undeclared-beside-yes', body, id);
  if (id !== null) return { ...given, is: 'yes', id };
  if (given.id === null && hasUnusableId(body, rules)) return doubt('unusable-id', body);
  if (rules.needsId) return doubt('without-id', body);
  if (stance !== 'yes') return doubt('no-declared-yes', body);
  const isUnclearBeside = !rules.isDeclared && tellsMore(body, rules, false);
  return isUnclearBeside ? doubt('undeclared-beside-yes', body) : { ...given, is: 'yes', id: null };
}

/** A batch that is answered as one: by its count, or by a yes with nothing beside it that could be about single rows. */
function together(body: unknown, rows: readonly SentRow[], rules: AnswerRules): RowMeaning {
  const stance = stanceOf(body, rules, rules.yes);
  const count = countIn(body, rules);
  if (stance === 'no') {
    const no = noOf(body, null, rules.yes);
    const isOfSome = (count ?? 0) > 0 || (rows.length > 1 && tellsOfSome(body, rules, rows.length));
    return no.is === 'no' && isOfSome ? doubt('other-count', body) : no;
  }
  if (stance === 'unclear') return doubt('no-declared-yes', body);
  if (count !== null && count !== rows.length) return doubt('other-count', body);
  if (count !== null) return yes(null);
  if (rules.count.length > 0 || stance !== 'yes') return doubt('no-declared-yes', body);
  const isPlain = rules.yes === '2xx' && rules.items === null;
  const isSeveral = rows.length > 1;
  const isUnclearBeside = (isSeveral || !rules.isDeclared) && !isPlain && tellsMore(body, rules, isSeveral);
  return isUnclearBeside ? doubt('undeclared-beside-yes', body) : yes(null);
}

interface Item {
  readonly value: unknown;
  readonly key: string | null;
  /** Whether its list is a declared no. */
  readonly isOfNo: boolean;
}

function itemsAt(
  body: unknown,
  { items: rules, no }: Pick<AnswerRules, 'items' | 'no'>,
): { readonly items: readonly Item[]; readonly isOrdered: boolean } | null {
  if (rules === null) return null;
  const found = rules.at.flatMap((path) => {
    const holders = valuesAt(body, path).filter(isObject);
    return holders.length > 0 ? [{ holders, isOfNo: no.includes(path) }] : [];
  });
  if (found.length === 0 && rules.others === null) return null;
  const items = found.flatMap(({ holders, isOfNo }) =>
    holders.flatMap((holder) =>
      Object.entries(holder).map(([key, value]): Item => ({ value, key: Array.isArray(holder) ? null : key, isOfNo })),
    ),
  );
  return { items, isOrdered: found.length === 1 && items.every(({ key }) => key === null) };
}

/** The items of each row; `null` when items and rows do not match. */
function inOrder(
  { items, isOrdered }: NonNullable<ReturnType<typeof itemsAt>>,
  rows: readonly SentRow[],
  { index, first, row, others }: NonNullable<AnswerRules['items']>,
): readonly (readonly Item[])[] | null {
  if (items.length !== rows.length && others === null) return null;
  if (index === null) return isOrdered ? items.map((item) => [item]) : null;
  const ordered = rows.map((): Item[] => []);
  for (const item of items) {
    const said = saidIn(item, index);
    const ofRow = ordered[(row === null ? placeIn(said, first) : rowOf(said, rows)) ?? rows.length];
    if (ofRow === undefined || (ofRow.length > 0 && others === null)) return null;
    ofRow.push(item);
  }
  return ordered;
}

function saidIn({ value, key }: Item, paths: readonly string[]): unknown {
  const said = paths.map((path) => (path === '@' ? key : firstAt(value, [path])));
  return said.find((each) => each !== undefined && each !== null);
}

function placeIn(given: unknown, first: number): number | null {
  const place = typeof given === 'string' && /^\d{1,9}$/.test(given) ? Number(given) : given;
  return typeof place === 'number' && Number.isInteger(place) && place >= first ? place - first : null;
}

function rowOf(value: unknown, rows: readonly SentRow[]): number | null {
  const said = String(value ?? '');
  const [only, other] = rows.flatMap(({ matched }, place) => (String(matched ?? '') === said ? [place] : []));
  return said === '' || only === undefined || other !== undefined ? null : only;
}

function tellsOfAny(items: readonly Item[], rules: AnswerRules): boolean {
  return items.some(
    ({ value }) => referenceIn(value, rules).id !== null || stanceOf(value, { no: [] }, rules.itemYes) === 'yes',
  );
}

/** A no with an id or the declared yes contradicts itself. */
function noOf(at: unknown, id: string | null, yes: AnswerRules['yes']): RowMeaning {
  const isYesToo = yes !== '2xx' && hintsYes(at, yes);
  return id !== null || isYesToo ? doubt('contradiction', at, id) : { is: 'no', at };
}

export function doubt(why: Doubt, at: unknown, id: string | null = null): RowMeaning {
  return { is: 'doubt', why, at, id };
}
