/**
 * The answer rules that would make the answer to one record clear, proposed to a person who has seen in the service what became of
 * it. They are read off the shape of the answer, and nothing is decided by them. Of a batch nothing is: which row is whose is not seen.
 */
import { answerRulesOf, type DeclaredAnswers } from '../contract/answer-rules.ts';
import { plainName, segmentsOf } from '../contract/body-path.ts';
import type { ContractSettings } from '../contract/contract-settings.ts';
import type { RecordKind } from '../contract/record-kind.ts';
import { placesIn } from '../contract/rename.ts';
import { sendingOf } from '../contract/request-rules.ts';
import { jsonIn } from './answer.ts';
import { identifier } from './answer-words.ts';
import { classify, type Judged, type SentRow } from './classify.ts';
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
  readonly answer: Judged;
  readonly row: SentRow;
}

/** @returns what to declare for the kind, or `null` where nothing would make the answer clear, or it is clear already */
export function proposedAnswers(answered: Answered, { answers, requests }: ContractSettings): DeclaredAnswers | null {
  const { kind, answer, row } = answered;
  const body = jsonIn(answer);
  const own = answers[kind.name];
  const isClear = (declared: DeclaredAnswers | undefined): boolean => {
    const rules = answerRulesOf(kind, { ...answers, [kind.name]: declared });
    return classify(answer, [row], false, rules).every(({ is }) => is !== 'doubt');
  };
  const proposed = sendingOf(kind, requests).isBatch || isClear(own) ? null : readOff(kind, body, row);
  if (proposed === null) return null;
  const isElsewhere = !answerRulesOf(kind, answers).record.includes('.');
  const declared = { ...own, ...(isElsewhere && { record: ['.'] }), ...proposed };
  return isClear(declared) ? declared : null;
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
function isWord(text: string): boolean {
  return /^(?:[a-z_-]{1,20}|[A-Z_-]{1,20})$/.test(text);
}

function readOff(kind: RecordKind, body: unknown, row: SentRow): DeclaredAnswers | null {
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

/**
 * What is called the id of the kind, else `id`, else the only thing that is called an id; no value of the row itself. Where a reason
 * stands beside it, that one may be the id of a request that came to nothing.
 */
function idIn(kind: RecordKind, leaves: readonly Leaf[], row: SentRow, body: unknown): Leaf | undefined {
  const ids = leaves.filter(({ idOf, value }) => {
    const id = idOf === null ? null : identifier(value);
    return id !== null && (row.pathId === null || row.pathId === id) && !row.ownIds.includes(id);
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

function leavesOf(body: unknown): readonly Leaf[] {
  return [...placesIn(body)].map(([path, value]) => {
    const [name = '', parent = ''] = segmentsOf(path)
      .filter((segment) => typeof segment === 'string')
      .reverse();
    const plain = plainName(name);
    return { path, name, value, idOf: !isIdName(name) ? null : plain === 'id' ? `${plainName(parent)}id` : plain };
  });
}
