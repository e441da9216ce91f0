/** Decides what an answer means for each row, by the declared rules alone: only the declared yes is a yes. Pure. */
import type { AnswerRules } from '../contract/answer-rules.ts';
import { firstAt, isObject, valuesAt } from '../contract/body-path.ts';
import type { ContractSettings } from '../contract/contract-settings.ts';
import type { RecordKind } from '../contract/record-kind.ts';
import { renamer, wirePathOf } from '../contract/rename.ts';
import { withoutLongNumbers } from '../contract/value-types.ts';
import type { Doubt } from '../messages/service.ts';
import {
  type Answer,
  type AnswerBody,
  countIn,
  hasUnusableId,
  hintsYes,
  holdsSomething,
  identifier,
  isJob,
  numberOf,
  plainTextOf,
  referenceIn,
  stanceOf,
  tellsMore,
  tellsOfSome,
  valueIn,
} from './answer.ts';
import type { OutgoingRecord } from './outcome.ts';

export type RowMeaning =
  | ({ readonly is: 'yes' } & ReturnType<typeof referenceIn>)
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

/** A documented or declared id that equals the parent's is valid, because a service may number each kind from 1. */
export function sentRow(
  { kind, rules }: { readonly kind: RecordKind; readonly rules: AnswerRules },
  { body, pathId }: OutgoingRecord,
  { requests }: Pick<ContractSettings, 'requests'>,
): SentRow {
  const ownIds = (rules.needsId ? [] : kind.references).flatMap(({ fills }) =>
    valuesAt(body, fills).flatMap((id) => identifier(id) ?? []),
  );
  const row = rules.items?.row ?? null;
  if (row === null) return { matched: null, pathId, ownIds };
  // Items repeat the value as it was sent, such as a reformatted date.
  const { rename } = requests[kind.name];
  const written = withoutLongNumbers(renamer(rename, {})(body));
  return { matched: valuesAt(written, wirePathOf(row, rename) ?? '')[0], pathId, ownIds };
}

export interface AnswerToRows extends Pick<Answer, 'status' | 'body'> {
  readonly means: 'success' | 'rejected' | 'in-doubt' | 'under-way';
  /** The id in the `Location` header; `null` when absent or not applicable. */
  readonly located: string | null;
}

export function classify(
  { means, status, body, located: given }: AnswerToRows,
  rows: readonly SentRow[],
  isBatch: boolean,
  declared: AnswerRules,
): readonly RowMeaning[] {
  // Where the body of a 500 decides, its status is no yes.
  const onlySaid = (yes: AnswerRules['yes']) => (yes === '2xx' ? {} : yes);
  const { yes: ofWhole, itemYes } = declared;
  const isSaid = means === 'success' && status >= 300;
  const rules = isSaid ? { ...declared, yes: onlySaid(ofWhole), itemYes: onlySaid(itemYes) } : declared;
  const all = (meaning: RowMeaning): readonly RowMeaning[] => rows.map(() => meaning);
  const value = valueIn(body, rules);
  const located = rules.idIf === null || hintsYes(value, rules.idIf) ? given : null;
  if (means === 'rejected' && !saysMade(value, status, rules)) {
    const byRow = isBatch ? byRowIn(itemsAt(value, rules), rows, rules) : null;
    return rows.map((_, place) => ({ is: 'no', at: byRow?.[place]?.[0]?.value ?? value }));
  }
  const isBegun = isJob(value, status, rules) || (status === 202 && rules.job !== null);
  if (means === 'under-way' || (means === 'success' && isBegun)) return all(doubt('job', value));
  if (means !== 'success') return all(doubt('status', value, referenceIn(value, rules).id));
  if (value === undefined) {
    const isShort = isBatch && (rules.needsItems || rules.count.length > 0);
    return all(isShort ? doubt('no-record', value) : withoutJson(body, located, rules));
  }
  if (isBatch) return ofBatch(value, rows, rules);
  const found = ofOne(value, rows[0] as SentRow, rules);
  return all(found.is === 'doubt' && found.why === 'without-id' && located !== null ? yes(located) : found);
}

/** Whether a body reports a yes as declared, whatever its status, to at least one row. Such a record may have been created. */
export function saysMade(value: unknown, status: number, rules: AnswerRules): boolean {
  if (value === undefined) return false;
  const isYes = rules.yes === '2xx' ? status < 300 && rules.needsId : stanceOf(value, rules) === 'yes';
  if (isYes && (!rules.needsId || referenceIn(value, rules).id !== null)) return true;
  const items = itemsAt(value, rules)?.items ?? [];
  return (
    (countIn(value, rules) ?? 0) > 0 || items.some((item) => ofOne(item.value, anyRow, forItems(rules)).is === 'yes')
  );
}

const anyRow: SentRow = { matched: null, pathId: null, ownIds: [] };

/** A good status alone is a yes beside an empty body or plain text, but not beside markup. */
function withoutJson(body: AnswerBody, located: string | null, rules: AnswerRules): RowMeaning {
  if (body.kind === 'html') return doubt('page', undefined);
  if (located !== null) return yes(located);
  const isPlain = body.kind === 'empty' || plainTextOf(body) !== undefined;
  return isPlain && rules.yes === '2xx' && !rules.needsId ? yes(null) : doubt('no-record', undefined);
}

/** What an answer says about its record, or an item of a batch about its row. */
function ofOne(body: unknown, row: SentRow, rules: AnswerRules): RowMeaning {
  const given = referenceIn(body, rules);
  const id = given.id !== null && row.ownIds.includes(given.id) ? null : given.id;
  const stance = stanceOf(body, rules);
  if (stance === 'no') return noOf(body, id, rules);
  if (stance === 'unclear') return doubt('no-declared-yes', body, id);
  if (row.pathId !== null) {
    if (rules.needsId && given.id !== row.pathId)
      return doubt(given.id === null ? 'without-id' : 'other-id', body, given.id);
    return given.id === row.pathId || stance === 'yes' ? { ...given, is: 'yes' } : doubt('no-declared-yes', body);
  }
  if (id === null) {
    if (given.id === null && hasUnusableId(body, rules)) return doubt('unusable-id', body);
    if (rules.needsId) return doubt('without-id', body);
    if (stance !== 'yes') return doubt('no-declared-yes', body);
  }
  // An assumed id path may hit the id of the request: `{"id":"req-7","status":"error"}`.
  const isAllSaid = rules.isDeclared || (id !== null && stance === 'yes') || !tellsMore(body, rules, id !== null);
  return isAllSaid ? yes(id, given.companyId, given.url) : doubt('undeclared-beside-yes', body, id);
}

/**
 * Any row of a batch that neither column lets through is in doubt.
 *
 * | the declared list | a row is in, if | a row is refused, if |
 * |---|---|---|
 * | none | the whole says yes and nothing else, or counts all rows | the whole says no, and nothing in it may be about single rows |
 * | of other rows than were sent | never | the same |
 * | an item for each row | its item says yes, the whole is not unclear or a no, and a count is that of all rows | its item says no, and the count tells of no more rows than the items |
 * | of some rows, the others are in | the same, or it has no item, and nothing may be about it; the whole says yes, and the declared count is that of these rows | the same |
 */
function ofBatch(body: unknown, rows: readonly SentRow[], rules: AnswerRules): readonly RowMeaning[] {
  const all = (meaning: RowMeaning): readonly RowMeaning[] => rows.map(() => meaning);
  const list = itemsAt(body, rules);
  if (list === null && !rules.needsItems) return all(asOne(body, rows.length, rules));
  const whole = { ...rules, no: rules.no.filter((each) => !isListOfItems(body, each, rules)) };
  const stance = stanceOf(body, whole);
  const byRow = byRowIn(list, rows, rules);
  if (byRow === null || (stance === 'no' && rules.items?.others !== 'in' && byRow.every(({ length }) => length === 0)))
    return all(stance === 'no' ? noToAll(body, rows.length, rules) : doubt(list ? 'other-count' : 'no-list', body));
  const meanings = byRow.map((items, place) => ofItems(items, rows[place] as SentRow, rules));
  const count = countIn(body, rules);
  const numberOf = (is: RowMeaning['is']) => meanings.filter((meaning) => meaning.is === is).length;
  const others = rules.items?.others ?? null;
  const isUncounted = others === null || rules.count.length === 0;
  const isCounted = count === null ? isUncounted : count === (others === null ? rows.length : numberOf('yes'));
  const isYes = isCounted && (stance === 'yes' || (others === null && stance === 'nothing'));
  const lists = (rules.items?.at ?? []).filter((path) => valuesAt(body, path).some(isObject));
  const isAlone = !tellsMore(body, { ...rules, reason: [...rules.reason, ...lists] }, false);
  const isMoreTaken = (count ?? 0) > rows.length - numberOf('no');
  return meanings.map((meaning, place) => {
    if (meaning.is === 'no' && isMoreTaken) return doubt('other-count', body);
    const isListed = byRow[place]?.length !== 0;
    if ((meaning.is !== 'yes' && isListed) || (isYes && (isListed || isAlone))) return meaning;
    const id = meaning.is === 'yes' ? meaning.id : null;
    if (stance === 'no') return doubt(isListed ? 'contradiction' : 'no-declared-yes', body, id);
    if (!isCounted) return doubt('other-count', body, id);
    return doubt(isListed || stance === 'yes' ? 'undeclared-beside-yes' : 'no-declared-yes', body, id);
  });
}

/** A batch without a list of its rows. */
function asOne(body: unknown, rows: number, rules: AnswerRules): RowMeaning {
  const stance = stanceOf(body, rules);
  const count = countIn(body, rules);
  const isSeveral = rows > 1;
  if (stance === 'no') return noToAll(body, rows, rules);
  if (stance === 'unclear') return doubt('no-declared-yes', body);
  if (count !== null) return count === rows ? yes(null) : doubt('other-count', body);
  // A good status is no yes without the declared id. A text or number that should be an id may be anything else.
  const isId = isObject(body) && referenceIn(body, rules).id !== null;
  const isUnsaid = rules.needsId && rules.yes === '2xx' && !isId;
  if (rules.count.length > 0 || stance !== 'yes' || isUnsaid) return doubt('no-declared-yes', body);
  const isPlain = (rules.yes === '2xx' && rules.items === null) || (!isSeveral && rules.isDeclared);
  return isPlain || !tellsMore(body, rules, isSeveral) ? yes(null) : doubt('undeclared-beside-yes', body);
}

/** A row that has no item is what `items.others` declares. Items that disagree about their row decide nothing. */
function ofItems(items: readonly Item[], row: SentRow, rules: AnswerRules): RowMeaning {
  const others = rules.items?.others;
  // The answer lists other rows, whose values must not show here.
  const unlisted: RowMeaning = others === 'refused' ? { is: 'no', at: undefined } : doubt('other-count', undefined);
  const [first = others === 'in' ? yes(null) : unlisted, ...more] = items.map(({ value, isOfNo }) => {
    const meaning = ofOne(value, row, forItems(rules));
    // The id of a failure is not the id of a record. Where the other rows are in, a listed row needs a yes of its own.
    const needsYes = isOfNo || (others === 'in' && stanceOf(value, forItems(rules)) !== 'yes');
    return needsYes && meaning.is === 'yes' ? doubt('contradiction', value, meaning.id) : meaning;
  });
  return more.every(({ is }) => is === first.is) ? first : doubt('contradiction', items[0]?.value);
}

function forItems(rules: AnswerRules): AnswerRules {
  return { ...rules, yes: rules.itemYes };
}

interface Item {
  readonly value: unknown;
  readonly key: string | null;
  /** Whether its list is a declared no. */
  readonly isOfNo: boolean;
}

interface ItemList {
  readonly items: readonly Item[];
  readonly isOrdered: boolean;
}

function itemsAt(body: unknown, { items: rules, no }: AnswerRules): ItemList | null {
  if (rules === null) return null;
  const found = rules.at.flatMap((path) => {
    const holders = valuesAt(body, path).filter(isObject);
    return holders.length > 0 ? [{ holders, isOfNo: no.includes(path) }] : [];
  });
  if (found.length === 0 && (rules.others !== 'in' || !isObject(body) || Array.isArray(body))) return null;
  // PHP writes an object with the keys 0, 1, … as a list. A list of only the failures may number anything.
  const isKeyed = rules.index?.join() === '@' && rules.others === null;
  const items = found.flatMap(({ holders, isOfNo }) =>
    holders.flatMap((holder) =>
      Object.entries(holder).map(
        ([key, value]): Item => ({ value, key: Array.isArray(holder) && !isKeyed ? null : key, isOfNo }),
      ),
    ),
  );
  return { items, isOrdered: found.length === 1 && items.every(({ key }) => key === null) };
}

/**
 * A `no` path that is the list of items says nothing about the batch as a whole, unless it holds a text in place of the list. Nor does
 * `.`, the whole of an item.
 */
function isListOfItems(body: unknown, each: AnswerRules['no'][number], { items }: AnswerRules): boolean {
  const lists = items?.at ?? [];
  if (!lists.includes(String(each))) return each === '.';
  return valuesAt(body, String(each)).every((held) => isObject(held) || !holdsSomething(held));
}

/** The items of each row; `null` without a list, or when items and rows do not match. */
function byRowIn(
  list: ItemList | null,
  rows: readonly SentRow[],
  { items: rules }: AnswerRules,
): readonly (readonly Item[])[] | null {
  if (list === null || rules === null) return null;
  const { items, isOrdered } = list;
  const { index, first, row, others } = rules;
  if (items.length !== rows.length && others === null) return null;
  if (index === null) return isOrdered ? items.map((item) => [item]) : null;
  const ordered = rows.map((): Item[] => []);
  for (const item of items) {
    const said = saidIn(item, index);
    const ofRow = ordered[(row === null ? placeIn(said, first) : rowOf(said, rows)) ?? rows.length];
    if (ofRow === undefined || (ofRow.length > 0 && others !== 'in')) return null;
    ofRow.push(item);
  }
  return ordered;
}

function saidIn({ value, key }: Item, paths: readonly string[]): unknown {
  const said = paths.map((path) => (path === '@' ? key : firstAt(value, [path])));
  return said.find((each) => each !== undefined && each !== null);
}

function placeIn(given: unknown, first: number): number | null {
  const place = numberOf(given);
  return place !== null && Number.isInteger(place) && place >= first ? place - first : null;
}

function rowOf(value: unknown, rows: readonly SentRow[]): number | null {
  const said = String(value ?? '');
  const [only, other] = rows.flatMap(({ matched }, place) => (String(matched ?? '') === said ? [place] : []));
  return (said === '' && rows.length > 1) || only === undefined || other !== undefined ? null : only;
}

/** A no to all rows, unless the answer tells of rows that may be in. */
function noToAll(body: unknown, rows: number, rules: AnswerRules): RowMeaning {
  const no = noOf(body, rules.needsId ? referenceIn(body, rules).id : null, rules);
  return no.is === 'no' && mayHoldRows(body, rows, rules) ? doubt('other-count', body) : no;
}

/** Whether a no leaves rows that may be in: a count or an unclear item tells of them, or what is not declared, unless items refuse every row. */
export function mayHoldRows(body: unknown, rows: number, rules: AnswerRules): boolean {
  const items = itemsAt(body, rules)?.items ?? [];
  const isNoClearNo = ({ value }: Item) => ofOne(value, anyRow, forItems(rules)).is !== 'no';
  if (items.some(isNoClearNo) || (countIn(body, rules) ?? 0) > 0) return true;
  return rows > 1 && items.length !== rows && tellsOfSome(body, rules, rows);
}

/** A no with an id or the declared yes contradicts itself. */
function noOf(at: unknown, id: string | null, { yes }: AnswerRules): RowMeaning {
  return id !== null || (yes !== '2xx' && hintsYes(at, yes)) ? doubt('contradiction', at, id) : { is: 'no', at };
}

function yes(id: string | null, companyId: string | null = null, url: string | null = null): RowMeaning {
  return { is: 'yes', id, companyId, url };
}

export function doubt(why: Doubt, at: unknown, id: string | null = null): RowMeaning {
  return { is: 'doubt', why, at, id };
}
