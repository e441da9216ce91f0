/**
 * The answer rules that would make an answer clear, proposed to a person who has seen in the service what became of the rows. They
 * are read off the shape of the answer, and nothing is decided by them.
 */
import { answerRulesOf, type DeclaredAnswers } from '../contract/answer-rules.ts';
import { isObject, plainName, segmentsOf, valuesAt } from '../contract/body-path.ts';
import type { ContractSettings } from '../contract/contract-settings.ts';
import type { RecordKind } from '../contract/record-kind.ts';
import { placesIn } from '../contract/rename.ts';
import { sendingOf } from '../contract/request-rules.ts';
import { classifyBatch, classifyRecord, identifier, type SentRow } from './classify.ts';
import { reasonIn } from './reason.ts';

interface Leaf {
  readonly path: string;
  readonly name: string;
  readonly value: unknown;
  /** `deal_id`, `dealId` and the `id` of `deal` are `dealid`; `null` for what is called no id. */
  readonly idOf: string | null;
}

interface Answered {
  readonly kind: RecordKind;
  readonly body: unknown;
  readonly status: number;
  readonly rows: readonly SentRow[];
}

/** @returns what to declare for the kind, or `null` where nothing would make the answer clear, or it is clear already */
export function proposedAnswers(answered: Answered, { answers, requests }: ContractSettings): DeclaredAnswers | null {
  const { kind, body, status, rows } = answered;
  const { isBatch } = sendingOf(kind, requests);
  const own = answers[kind.name];
  const isClear = (declared: DeclaredAnswers | undefined): boolean => {
    const rules = answerRulesOf(kind, { ...answers, [kind.name]: declared });
    const verdicts = isBatch
      ? classifyBatch(body, status, rows, rules)
      : rows.map((row) => classifyRecord(body, status, row, rules));
    return verdicts.every(({ is }) => is !== 'doubt');
  };
  const proposed = isClear(own) ? null : isBatch ? ofBatch(kind, body, rows) : ofRecord(kind, body, rows[0]);
  if (proposed === null) return null;
  const isElsewhere = !answerRulesOf(kind, answers).record.includes('.');
  const declared = { ...own, ...(isElsewhere && { record: ['.'] }), ...proposed };
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

export function isIdName(name: string): boolean {
  return /(?:^|[_-])id$|Id$|ID$|^[gu]?uid$/.test(name);
}

/** A word of programs: `ok`, `CREATED`. */
export function isWord(text: string): boolean {
  return /^(?:[a-z_-]{1,20}|[A-Z_-]{1,20})$/.test(text);
}

function ofRecord(kind: RecordKind, body: unknown, row: SentRow | undefined): DeclaredAnswers | null {
  const leaves = leavesOf(body);
  const id = idIn(kind, leaves, row, body);
  const yes = flagIn(leaves);
  if (id === undefined) return yes === undefined ? null : { id: [], yes, ...noIn(leaves) };
  const hasCompany = kind.references.some(({ to, fills }) => to === 'companies' && fills.includes('.'));
  const company = leaves.find(({ idOf, value }) => hasCompany && idOf === 'companyid' && identifier(value) !== null);
  const url = leaves.find(
    ({ value }) =>
      typeof value === 'string' && /^(?:https?:\/\/|\/)\S+$/.test(value) && value.includes(String(id.value)),
  );
  return {
    id: [id.path],
    ...(company && { companyId: [company.path] }),
    ...(url && { url: [url.path] }),
    ...(yes && { yes }),
    ...noIn(leaves),
  };
}

/** The list that has an item for each row; else a count of them, else a yes to all. */
function ofBatch(kind: RecordKind, body: unknown, rows: readonly SentRow[]): DeclaredAnswers | null {
  const list = listsIn(body, '').find(({ items }) => items.length === rows.length && items.every(isObject));
  if (list === undefined) {
    const leaves = leavesOf(body);
    const count = leaves.find(({ value, idOf }) => value === rows.length && idOf === null);
    const yes = flagIn(leaves);
    if (count !== undefined) return { items: null, yes: '2xx', count: [count.path], ...noIn(leaves) };
    return yes === undefined ? null : { items: null, yes, ...noIn(leaves) };
  }
  const { path: at, items } = list;
  const first = leavesOf(items[0]);
  const id = idIn(kind, first, rows[0], items[0]);
  const valuesOf = (path: string) => items.map((item) => valuesAt(item, path)[0]);
  const match = matchIn(first, valuesOf, rows);
  const index = match === null ? first.find(({ path }) => firstOfCount(valuesOf(path)) !== null)?.path : undefined;
  return {
    record: ['.'],
    id: id === undefined ? [] : [id.path],
    items: {
      at: [at],
      match,
      index: index ?? null,
      first: index === undefined ? 0 : (firstOfCount(valuesOf(index)) ?? 0),
    },
    itemYes: flagIn(first) ?? { success: true },
  };
}

/**
 * What is called the id of the kind, else `id`, else the only thing that is called an id; no value of the row itself. Where a reason
 * stands beside it, that one may be the id of a request that came to nothing.
 */
function idIn(kind: RecordKind, leaves: readonly Leaf[], row: SentRow | undefined, body: unknown): Leaf | undefined {
  const ids = leaves.filter(({ idOf, value }) => {
    const id = idOf === null ? null : identifier(value);
    return id !== null && (row?.pathId === null || row?.pathId === id) && !row?.ownIds.includes(id);
  });
  const named = (wanted: string) => ids.find(({ idOf, name }) => idOf === wanted || plainName(name) === wanted);
  const only = ids.length === 1 && reasonIn(body, []) === null ? ids[0] : undefined;
  return named(`${plainName(kind.singular)}id`) ?? named('id') ?? only;
}

/** What says yes or no: a truth at first, for its other value is a no. */
function flagIn(leaves: readonly Leaf[]): Record<string, string | boolean> | undefined {
  const truth = leaves.find(({ value }) => typeof value === 'boolean');
  if (truth !== undefined) return { [truth.path]: true };
  const word = leaves.find(({ value, idOf }) => typeof value === 'string' && isWord(value) && idOf === null);
  return word === undefined ? undefined : { [word.path]: word.value as string };
}

/** The assumed names of a no, as this service writes them. */
function noIn(leaves: readonly Leaf[]): Pick<DeclaredAnswers, 'no' | 'reason'> {
  const no = leaves.find(({ name }) => ['errormessage', 'error', 'errors'].includes(plainName(name)));
  return no === undefined ? {} : { no: [no.path], reason: [no.path] };
}

/** A text of each item that its row alone has. */
function matchIn(first: readonly Leaf[], valuesOf: (path: string) => readonly unknown[], rows: readonly SentRow[]) {
  for (const { path: item } of first) {
    const said = valuesOf(item);
    for (const row of Object.keys(isObject(rows[0]?.body) ? rows[0].body : {})) {
      const sent = new Set(rows.map(({ body }) => valuesAt(body, row)[0]));
      const isOwn = said.every(
        (value) => typeof value === 'string' && sent.has(value) && !rows.some(({ ownIds }) => ownIds.includes(value)),
      );
      if (isOwn && sent.size === rows.length && new Set(said).size === rows.length) return { item, row };
    }
  }
  return null;
}

/** Where numbers count up, in any order: 0 of 0, 1, 2, and 1 of 1, 2, 3; else `null`. */
function firstOfCount(values: readonly unknown[]): 0 | 1 | null {
  const first = values.includes(0) ? 0 : 1;
  return values.every((_, at) => values.includes(first + at)) ? first : null;
}

function leavesOf(body: unknown): readonly Leaf[] {
  return [...placesIn(body)].map(([path, value]) => {
    const [name = '', parent = ''] = segmentsOf(path)
      .filter((segment) => typeof segment === 'string')
      .reverse();
    const plain = plainName(name);
    return { path, name, value, idOf: !isIdName(name) ? null : plain === 'id' ? `${plainName(parent)}id` : plain };
  });
}

function listsIn(value: unknown, path: string): { readonly path: string; readonly items: readonly unknown[] }[] {
  if (Array.isArray(value)) return [{ path: path === '' ? '.' : path, items: value }];
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, held]) => listsIn(held, path === '' ? name : `${path}.${name}`));
}
