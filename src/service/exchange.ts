/**
 * A request and its answer as a person may see them, and the rules that would make that answer clear. Values of the row are
 * replaced by their column names. Of the answer only ids, addresses, program words and reasons are shown.
 */
import { answerRulesOf, answerRulesSchema, type DeclaredAnswers } from '../contract/answer-rules.ts';
import { isObject, plainName, segmentsOf } from '../contract/body-path.ts';
import { type ContractSettings, sendingOf } from '../contract/contract-settings.ts';
import { isSensitiveName } from '../contract/fields.ts';
import type { RecordKind } from '../contract/record-kind.ts';
import { recordKind } from '../contract/record-kinds.ts';
import { placesIn, renamer } from '../contract/rename.ts';
import { idInAddress } from './address.ts';
import { type Answer, headerOf, identifier, jsonIn } from './answer.ts';
import { classify, sentRow } from './classify.ts';
import type { Call } from './conversation.ts';
import type { Exchange, OutgoingRecord, Secret } from './outcome.ts';
import { isReasonName, reasonIn, redacted } from './reason.ts';

export function exchangeOf(
  { method, path, shown = () => null, rows }: Call,
  answer: Answer,
  secrets: readonly Secret[],
  proposal: DeclaredAnswers | null,
): Exchange {
  return {
    method,
    path,
    request: mapped(shown(), (value) => hiddenWhole(value, secrets) ?? withoutSecrets(value, secrets)),
    status: answer.status,
    // A record that was read holds data, not reasons.
    answer: shownAnswer(answer, secrets, rows !== undefined || answer.status >= 400),
    proposal,
  };
}

function shownAnswer({ body }: Answer, secrets: readonly Secret[], givesReasons: boolean): unknown {
  if (body.kind !== 'json') return 'text' in body && givesReasons ? redacted(body.text, secrets) : null;
  return mapped(body.value, (value, name) => {
    if (typeof value !== 'string' && typeof value !== 'number') return value;
    const shown = withoutSecrets(value, secrets);
    const isShown = isIdName(name) || (givesReasons && isReasonName(name)) || tellsNothing.test(String(value));
    const isHidden = shown !== value && /^\[[^[\]]*\]$/.test(String(shown));
    if (isHidden || (isShown && !isSensitiveName(name))) return shown;
    return `[${typeof value === 'number' ? 'number' : 'text'}]`;
  });
}

/** A word that programs write: `ok`, `CREATED`. */
const programWord = /^(?:[a-z_-]{1,20}|[A-Z_-]{1,20})$/;
/** A program word, an address, or a number too short to be an SSN, phone or account. */
const tellsNothing = new RegExp(`^$|${programWord.source}|^(?:https?://|/)[\\w./:#?=-]+$|^-?\\d{1,3}(?:\\.\\d+)?$`);

function withoutSecrets(value: unknown, secrets: readonly Secret[]): unknown {
  if (typeof value !== 'string' && typeof value !== 'number') return value;
  const text = redacted(String(value), secrets);
  return text === String(value) ? value : text;
}

/** For requests only: in an answer, a short value of the row may be an ordinary word. */
function hiddenWhole(value: unknown, secrets: readonly Secret[]): string | null {
  const own = secrets.find((secret) => secret.value === String(value));
  return own === undefined ? null : `[${own.label}]`;
}

function mapped(value: unknown, show: (value: unknown, name: string) => unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((part) => mapped(part, show, name));
  if (!isObject(value)) return show(value, name);
  return Object.fromEntries(
    Object.entries(value).map(([inner, held]) => [String(show(inner, 'id')), mapped(held, show, inner)]),
  );
}

/**
 * Proposes rules from the shape of the answer to one record, for a person who has looked up in the service what became of it. JSON
 * answers to a batch get no proposal, because they do not show which row is which.
 *
 * @returns `null` when no rules would make the answer clear, or it is clear already
 */
export function proposedAnswers(
  kind: RecordKind,
  record: OutgoingRecord,
  answer: Pick<Answer, 'status' | 'body'> & Partial<Pick<Answer, 'headers'>>,
  { answers, requests }: ContractSettings,
): DeclaredAnswers | null {
  const own = answers[kind.name];
  const { headers = {} } = answer;
  const isClear = (declared: DeclaredAnswers | undefined): boolean => {
    const parsed = answerRulesSchema.optional().safeParse(declared);
    // A member name of the answer may not be a valid path.
    if (!parsed.success) return false;
    const rules = answerRulesOf(kind, { ...answers, [kind.name]: parsed.data });
    const { header, idInUrl } = rules;
    const located = idInUrl === null ? null : identifier(idInAddress(headerOf(headers, header), idInUrl));
    const row = sentRow({ kind, rules }, record, { requests });
    const meanings = classify({ ...answer, means: 'success', located }, [row], false, rules);
    return meanings.every(({ is }) => is !== 'doubt');
  };
  if (isClear(own)) return null;
  const { rename, constants, beside } = requests[kind.name];
  const sent = [record.body, renamer(rename, constants)(record.body), renamer({}, beside)({})].flatMap(leavesOf);
  const { isBatch, isUpdate } = sendingOf(kind, requests);
  const read = isBatch ? null : readOff(kind, jsonIn(answer), record.pathId, sent);
  // Without an address, only the status of an empty answer can be a yes.
  const ofEmpty = [...(isBatch || isUpdate ? [] : addressesIn(headers)), ...(kind.answersWithId ? [] : [{ id: [] }])];
  const isEmpty = answer.body.kind === 'empty';
  const ways = isEmpty ? ofEmpty.map((way) => ({ ...way, yes: '2xx' as const })) : read === null ? [] : [read];
  const isElsewhere = !isEmpty && !answerRulesOf(kind, answers).record.includes('.');
  return ways.map((way) => ({ ...own, ...(isElsewhere && { record: ['.'] }), ...way })).find(isClear) ?? null;
}

/** Headers with an address that may end with the id of the record: `/deals/31`, `/deals(31)`. */
function addressesIn(headers: Answer['headers']): readonly DeclaredAnswers[] {
  return Object.entries(headers).flatMap(([header, value = '']) => {
    const [, before, after] =
      /(\/[^/?()]+[/(])[^/?()]+(\)?)\/?$/.exec(isAddress.test(String(value)) ? String(value) : '') ?? [];
    return before === undefined ? [] : [{ ...(header !== 'location' && { header }), idInUrl: `${before}{id}${after}` }];
  });
}

/** The proposal as a line of the profile. Without one it has placeholders to fill in, because a good status alone is no yes. */
export function proposedLine(
  kind: RecordKind,
  declared: DeclaredAnswers | null,
  status: number,
  { requests }: ContractSettings,
): string {
  const answers = declared ?? toFillIn(sendingOf(kind, requests), status);
  return `"contract": { "answers": { "${kind.name}": ${JSON.stringify(answers)} } }`;
}

function toFillIn({ isBatch }: RecordKind['sending'], status: number): DeclaredAnswers {
  const job = { id: ['path.to.its.id'], path: '/jobs/{id}', state: 'path.to.its.state', done: ['DONE'] };
  if (status === 202) return { id: ['path.to.the.id'], job: { ...job, result: 'path.to.the.record' } };
  return { ...(isBatch && { items: { at: ['path.to.their.list'] } }), id: ['path.to.the.id'] };
}

const isAddress = /^(?:https?:\/\/|\/)\S+$/;

interface Leaf {
  readonly path: string;
  readonly name: string;
  readonly value: unknown;
  /** `deal_id`, `dealId` and the `id` of `deal` all become `dealid`; `null` when the name is not that of an id. */
  readonly idOf: string | null;
}

/** @param sent  the values of the row, which prove nothing where an answer repeats them */
function readOff(
  kind: RecordKind,
  body: unknown,
  pathId: string | null,
  sent: readonly Leaf[],
): DeclaredAnswers | null {
  // A boolean is a repeated one only under its own name.
  const keyOf = ({ name, value }: Leaf) => (typeof value === 'boolean' ? `${plainName(name)} ${value}` : String(value));
  const said = new Set(sent.filter(({ value }) => value !== null && value !== pathId).map(keyOf));
  const leaves = leavesOf(body).filter((leaf) => !said.has(keyOf(leaf)));
  const id = idIn(kind, leaves, pathId, body);
  // The answer has the id under another name, so no word can replace it.
  const yes = flagIn(leaves, id ?? null, id === undefined && !kind.answersWithId);
  // The assumed names of a no, as this service spells them.
  const no = leaves.find(({ name }) => ['errormessage', 'error', 'errors'].includes(plainName(name)));
  const words = { ...(yes && { yes }), ...(no && { no: [no.path], reason: [no.path] }) };
  if (id === undefined) return yes === undefined ? null : { id: [], ...words };
  const hasCompany = kind.references.some(({ to, fills }) => to === 'companies' && fills.includes('.'));
  const company = leaves.find(({ idOf, value }) => hasCompany && idOf === 'companyid' && identifier(value) !== null);
  const url = leaves.find(
    ({ value }) => typeof value === 'string' && isAddress.test(value) && value.includes(String(id.value)),
  );
  return { id: [id.path], ...(company && { companyId: [company.path] }), ...(url && { url: [url.path] }), ...words };
}

/**
 * Picks the id of the kind, else the outermost `id`, else the only member named like an id. Parent ids are excluded. A lone id beside
 * a reason does not count, because it may belong to a request that failed.
 */
function idIn(kind: RecordKind, leaves: readonly Leaf[], pathId: string | null, body: unknown): Leaf | undefined {
  const ofParents = pathId !== null ? [] : kind.references.map(({ to }) => `${plainName(recordKind(to).singular)}id`);
  const depthOf = ({ path }: Leaf) => segmentsOf(path).length;
  const fromOutside = leaves.toSorted((one, other) => depthOf(one) - depthOf(other));
  const ids = fromOutside.filter(({ idOf, value }) => {
    const id = idOf === null || ofParents.includes(idOf) ? null : identifier(value);
    return id !== null && (pathId === null || pathId === id);
  });
  const own = ids.find(({ path }) => isIdOf(kind, path));
  const [outer, other] = ids.filter(({ idOf, name }) => idOf === 'id' || plainName(name) === 'id');
  if (own !== undefined || (outer !== undefined && (other === undefined || depthOf(other) > depthOf(outer))))
    return own ?? outer;
  return ids.length === 1 && reasonIn(body, []) === null ? ids[0] : undefined;
}

/**
 * The member that says yes. A boolean comes first, because its other value is a clear no. Beside an id a word may say anything, and
 * so does a boolean of the record that has the id.
 */
function flagIn(
  leaves: readonly Leaf[],
  id: Leaf | null,
  mayBeWord: boolean,
): Record<string, string | boolean> | undefined {
  const [record = ''] = /^.*[.\]](?=[^.\]]+$)/.exec(id?.path ?? '') ?? [];
  const isFlag = ({ name, value }: Leaf) => typeof value === 'boolean' || (name === 'success' && value === 'true');
  const truth = leaves.find((leaf) => isFlag(leaf) && !(record && leaf.path.startsWith(record)));
  if (truth !== undefined) return { [truth.path]: truth.value === 'true' ? 'true' : true };
  const isWord = ({ value, idOf }: Leaf) => typeof value === 'string' && programWord.test(value) && idOf === null;
  const word = mayBeWord ? leaves.find(isWord) : undefined;
  return word === undefined ? undefined : { [word.path]: word.value as string };
}

function leavesOf(body: unknown): readonly Leaf[] {
  return [...placesIn(body)].map(([path, value]) => ({ path, value, ...namesAt(path) }));
}

function namesAt(path: string): Pick<Leaf, 'name' | 'idOf'> {
  const [name = '', parent = ''] = segmentsOf(path)
    .filter((segment) => typeof segment === 'string')
    .reverse();
  const plain = plainName(name);
  return { name, idOf: !isIdName(name) ? null : plain === 'id' ? `${plainName(parent)}id` : plain };
}

/** Whether a path names the id of the kind: `dealId`, `deal.id`, `deals[0].id`. */
export function isIdOf(kind: RecordKind, path: string): boolean {
  const { idOf } = namesAt(path);
  return [kind.singular, kind.name].some((name) => idOf === `${plainName(name)}id`);
}

function isIdName(name: string): boolean {
  return /(?:^|[_-])id$|Id$|ID$|^[gu]?uid$/.test(name);
}
