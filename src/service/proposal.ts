/**
 * The answer rules that would make an answer clear, proposed to a person who has seen in the service what became of the rows. They
 * are read off the shape of the answer, and nothing is decided by them.
 */
import { answerRulesOf, type DeclaredAnswers } from '../contract/answer-rules.ts';
import { isObject, segmentsOf, valuesAt } from '../contract/body-path.ts';
import type { ContractSettings } from '../contract/contract-settings.ts';
import type { RecordKind } from '../contract/record-kind.ts';
import { placesIn } from '../contract/rename.ts';
import { sendingOf } from '../contract/request-rules.ts';
import { classifyBatch, classifyRecord, identifier, type SentRow } from './classify.ts';
import { plainName, reasonIn } from './reason.ts';

interface Leaf {
  readonly path: string;
  readonly name: string;
  /** The name of the object that it stands in. */
  readonly parent: string;
  readonly value: unknown;
}

interface Answered {
  readonly kind: RecordKind;
  readonly body: unknown;
  readonly status: number;
  readonly rows: readonly SentRow[];
}

/** @returns what to declare for the kind, or `null` where nothing would make the answer clear, or it is clear already */
export function proposedAnswers(answered: Answered, { answers, requests }: ContractSettings): DeclaredAnswers | null {
  const { kind, body, rows } = answered;
  const isBatch = sendingOf(kind, requests).isBatch;
  const own = answers[kind.name];
  const isClear = (declared: DeclaredAnswers | undefined) =>
    isJudged(answered, isBatch, { ...answers, [kind.name]: declared });
  if (isClear(own)) return null;
  const proposed = isBatch ? ofBatch(kind, body, rows) : ofRecord(kind, body, rows[0]);
  if (proposed === null) return null;
  const isElsewhere = !answerRulesOf(kind, answers).record.includes('.');
  const declared = { ...own, ...(isElsewhere ? { record: ['.'] } : {}), ...proposed };
  return isClear(declared) ? declared : null;
}

/** Whether rules go by what only a record that was made has. A mere flag may as well say no: that is seen in the service alone. */
export function goByRecords({ id = [], count = [] }: DeclaredAnswers): boolean {
  return id.length > 0 || count.length > 0;
}

/** The same as a line of the profile; without a proposal, with places to fill in, for a good status alone is no yes. */
export function proposedLine({ name, sending }: RecordKind, declared: DeclaredAnswers | null): string {
  const toFillIn = sending.isBatch
    ? { items: null, yes: '2xx', count: ['path.to.their.number'] }
    : { id: ['path.to.the.id'] };
  return `"contract": { "answers": { "${name}": ${JSON.stringify(declared ?? toFillIn)} } }`;
}

function isJudged(
  { kind, body, status, rows }: Answered,
  isBatch: boolean,
  answers: ContractSettings['answers'],
): boolean {
  const rules = answerRulesOf(kind, answers);
  const verdicts = isBatch
    ? classifyBatch(body, status, rows, rules)
    : rows.map((row) => classifyRecord(body, status, row, rules));
  return verdicts.every(({ is }) => is !== 'doubt');
}

function ofRecord(kind: RecordKind, body: unknown, row: SentRow | undefined): DeclaredAnswers | null {
  const leaves = leavesOf(body);
  const id = idIn(kind, leaves, row, body);
  const flag = flagIn(leaves);
  if (id === undefined) return flag === undefined ? null : { id: [], yes: flag, ...noIn(leaves) };
  const company = kind.references.some(({ to, fills }) => to === 'companies' && fills.includes('.'))
    ? leaves.find((leaf) => idOf(leaf) === 'companyid' && identifier(leaf.value) !== null)
    : undefined;
  const url = leaves.find(
    ({ value }) =>
      typeof value === 'string' && /^(?:https?:\/\/|\/)\S+$/.test(value) && value.includes(String(id.value)),
  );
  return {
    id: [id.path],
    ...(company === undefined ? {} : { companyId: [company.path] }),
    ...(url === undefined ? {} : { url: [url.path] }),
    ...(flag === undefined ? {} : { yes: flag }),
    ...noIn(leaves),
  };
}

/** The list that has an item for each row; else a count of them, else a yes to all. */
function ofBatch(kind: RecordKind, body: unknown, rows: readonly SentRow[]): DeclaredAnswers | null {
  const list = listsIn(body, '').find(({ items }) => items.length === rows.length && items.every(isObject));
  const leaves = leavesOf(body);
  if (list === undefined) {
    const count = leaves.find((leaf) => leaf.value === rows.length && idOf(leaf) === null);
    const flag = flagIn(leaves);
    if (count === undefined) return flag === undefined ? null : { items: null, yes: flag, ...noIn(leaves) };
    return { items: null, yes: '2xx', count: [count.path], ...noIn(leaves) };
  }
  const items = list.items.map((item) => leavesOf(item));
  const [first = []] = items;
  const id = idIn(kind, first, rows[0], list.items[0]);
  const match = matchIn(first, list.items, rows);
  const places = (path: string) => list.items.map((item) => valuesAt(item, path)[0]);
  const index = match === null ? first.find(({ path }) => countsUp(places(path))) : undefined;
  const flag = flagIn(first);
  return {
    record: ['.'],
    id: id === undefined ? [] : [id.path],
    items: {
      at: [list.path],
      match,
      index: index?.path ?? null,
      first: index === undefined || places(index.path).includes(0) ? 0 : 1,
    },
    itemYes: flag ?? { success: true },
  };
}

/**
 * What is called the id of the kind, else `id`, else the only thing that is called an id; no value of the row itself. Where a reason
 * stands beside it, that one may be the id of a request that came to nothing.
 */
function idIn(kind: RecordKind, leaves: readonly Leaf[], row: SentRow | undefined, body: unknown): Leaf | undefined {
  const ids = leaves.filter((leaf) => {
    const id = idOf(leaf) === null ? null : identifier(leaf.value);
    return id !== null && (row?.pathId === null || row?.pathId === id) && !row?.ownIds.includes(id);
  });
  const named = (name: string) => ids.find((leaf) => idOf(leaf) === name || plainName(leaf.name) === name);
  return (
    named(`${plainName(kind.singular)}id`) ??
    named('id') ??
    (ids.length === 1 && reasonIn(body, []) === null ? ids[0] : undefined)
  );
}

/** `deal_id`, `dealId` and the `id` of `deal` are `dealid`; `null` for what is called no id. */
function idOf({ name, parent }: Leaf): string | null {
  if (!isIdName(name)) return null;
  return plainName(name) === 'id' ? `${plainName(parent)}id` : plainName(name);
}

export function isIdName(name: string): boolean {
  return /(?:^|[_-])id$|Id$|ID$|^[gu]?uid$/.test(name);
}

/** What says yes or no: a truth at first, for its other value is a no. */
function flagIn(leaves: readonly Leaf[]): Record<string, string | boolean> | undefined {
  const truth = leaves.find(({ value }) => typeof value === 'boolean');
  if (truth !== undefined) return { [truth.path]: true };
  const word = leaves.find((leaf) => typeof leaf.value === 'string' && isWord(leaf.value) && idOf(leaf) === null);
  return word === undefined ? undefined : { [word.path]: word.value as string };
}

/** A word of programs: `ok`, `CREATED`. */
export function isWord(text: string): boolean {
  return /^(?:[a-z_-]{1,20}|[A-Z_-]{1,20})$/.test(text);
}

/** The assumed names of a no, as this service writes them. */
function noIn(leaves: readonly Leaf[]): Pick<DeclaredAnswers, 'no' | 'reason'> {
  const no = leaves.find(({ name }) => ['errormessage', 'error', 'errors'].includes(plainName(name)));
  return no === undefined ? {} : { no: [no.path], reason: [no.path] };
}

/** A text of each item that its row alone has. */
function matchIn(first: readonly Leaf[], items: readonly unknown[], rows: readonly SentRow[]) {
  for (const { path: item } of first) {
    const said = items.map((each) => valuesAt(each, item)[0]);
    for (const row of Object.keys(isObject(rows[0]?.body) ? rows[0].body : {})) {
      const sent = new Set(rows.map(({ body }) => valuesAt(body, row)[0]));
      const isOwn = said.every((value) => typeof value === 'string' && sent.has(value) && !isReference(value, rows));
      if (isOwn && sent.size === rows.length && new Set(said).size === rows.length) return { item, row };
    }
  }
  return null;
}

function isReference(value: string, rows: readonly SentRow[]): boolean {
  return rows.some(({ ownIds }) => ownIds.includes(value));
}

/** 0, 1, 2 or 1, 2, 3, in any order. */
function countsUp(values: readonly unknown[]): boolean {
  const numbers = values.filter((value) => typeof value === 'number').sort((one, other) => one - other);
  const [first] = numbers;
  const isFromStart = first === 0 || first === 1;
  return isFromStart && numbers.length === values.length && numbers.every((value, at) => value === first + at);
}

function leavesOf(body: unknown): readonly Leaf[] {
  return [...placesIn(body)].map(([path, value]) => {
    const names = segmentsOf(path).filter((segment) => typeof segment === 'string');
    return { path, name: names.at(-1) ?? '', parent: names.at(-2) ?? '', value };
  });
}

function listsIn(
  value: unknown,
  path: string,
): readonly { readonly path: string; readonly items: readonly unknown[] }[] {
  if (Array.isArray(value)) return [{ path: path === '' ? '.' : path, items: value }];
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, held]) => listsIn(held, path === '' ? name : `${path}.${name}`));
}
