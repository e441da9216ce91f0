/** From a row, some rows or a question to the call that carries it. */
import { createHash } from 'node:crypto';
import type { ContractSettings } from '../../contract/contract-settings.ts';
import type { OutcomeRules } from '../../contract/outcome-rules.ts';
import type { RecordKind } from '../../contract/record-kind.ts';
import { type Answer, identifier, referenceIn, valueAt } from '../answers/answer.ts';
import type { SignReader } from '../answers/sign-reader.ts';
import type { OutgoingRecord } from '../records/outgoing-record.ts';
import { aboutRow } from '../records/question.ts';
import type { WireRequest } from '../wire/attempt.ts';
import type { BodyKeeper } from '../wire/body-keeper.ts';
import type { ServiceAddress } from './address.ts';
import { formOf } from './multipart.ts';

export interface Call {
  readonly method: WireRequest['method'];
  readonly path: string;
  readonly rules: OutcomeRules;
  /** Whether the request may be sent again although it may have been applied. */
  readonly isRepeatable: boolean;
  /** A path without an id that is not found is no matter of one row: the whole address may be wrong. */
  readonly isPathFixed: boolean;
  /** Headers besides the token, names and values in turn. */
  readonly headers: readonly string[];
  /** Makes the body anew for each request. Rejects with a sentence when that cannot be done. */
  readonly body: () => WireRequest['body'] | Promise<WireRequest['body']>;
  readonly bodyLimit: number;
  /** Takes the body of a good answer in place of memory. */
  readonly keeper?: BodyKeeper;
  readonly wholeTimeoutMs: number;
  /** The longest silence of the service, from the moment at which the last of the request is out of our hands. */
  readonly silenceMs: number;
  /** Whether a good status comes with all that it should say. If not, and repeating is safe, the call is repeated. */
  readonly isClear: (answer: Answer) => boolean;
  /** Whether any answer will do, so that none is asked for again. */
  readonly isAskedOnce?: boolean;
  /** Whether an answer that asks for another try says all the same that the record of a create was made. */
  readonly saysMade: (answer: Answer) => boolean;
}

export interface CallSettings {
  readonly address: ServiceAddress;
  readonly contract: ContractSettings;
  /** Reads in answers what says yes and no, by that contract. */
  readonly signs: SignReader;
  readonly timeoutMs: number;
  readonly idempotencyKeys: boolean;
}

/** The most that is read of an answer to a row, a record or a health check. */
const answerLimit = 5 * 1024 * 1024;
/** The balances of all loans may come in one answer. */
const balancesLimit = 64 * 1024 * 1024;
/** An answer that goes to a file: more than this is no answer, but a fault without an end. */
const keptLimit = 4 * 1024 ** 3;
/** A whole exchange may take this many silences. */
const wholeTimeouts = 2;
const wholeTimeoutsOfKept = 60;
/** An upload that is slower than this, in bytes a second, will not be waited for. */
const slowestUpload = 64 * 1024;
/** What a system takes of a connection's bytes before they are under way: to us they are out. Linux takes the most (`tcp_wmem`). */
const largestSendBuffer = 4 * 1024 * 1024;

/** An encoded answer could be a bomb; the answers are small anyway. */
const acceptHeaders = ['accept', 'application/json', 'accept-encoding', 'identity', 'user-agent', 'dealsheet'] as const;
const jsonHeaders = ['content-type', 'application/json', ...acceptHeaders] as const;

export function recordCall(kind: RecordKind, record: OutgoingRecord, settings: CallSettings): Call {
  const isUpdate = kind.sending === 'update';
  const { contract, address } = settings;
  const path = address.pathOf(kind.endpoint, isUpdate ? record.pathId : null);
  const key = settings.idempotencyKeys && !isUpdate ? record.idempotencyKey : null;
  const call = {
    method: isUpdate ? 'PATCH' : 'POST',
    path,
    rules: isUpdate ? contract.outcomes.update : contract.outcomes.create,
    isRepeatable: isUpdate || key !== null,
    isPathFixed: !isUpdate,
    bodyLimit: answerLimit,
    wholeTimeoutMs: settings.timeoutMs * wholeTimeouts,
    silenceMs: settings.timeoutMs,
    isClear: isUpdate ? always : (answer: Answer) => isClearCreate(answer, kind, record, path, settings),
    saysMade: isUpdate ? never : (answer: Answer) => saysMade(answer, kind, settings),
  } as const;
  if (record.file === null) return { ...call, headers: withKey(jsonHeaders, key), body: () => record.json };
  const { attachmentParts } = contract;
  const form = formOf([[attachmentParts.dealId, String(record.body.dealId)]], attachmentParts.file, record.file);
  const formHeaders = ['content-type', form.contentType, 'content-length', String(form.length), ...acceptHeaders];
  return {
    ...call,
    headers: withKey(formHeaders, key),
    body: form.open,
    wholeTimeoutMs: call.wholeTimeoutMs + uploadMs(form.length),
    silenceMs: call.silenceMs + uploadMs(Math.min(form.length, largestSendBuffer)),
  };
}

function uploadMs(bytes: number): number {
  return (bytes / slowestUpload) * 1000;
}

export function batchCall(kind: RecordKind, records: readonly OutgoingRecord[], settings: CallSettings): Call {
  const { contract, address } = settings;
  const list = `[${records.map(({ json }) => json).join(',')}]`;
  const envelope = contract.transactionsEnvelope;
  const json = envelope === null ? list : `{${JSON.stringify(envelope)}:${list}}`;
  const key = settings.idempotencyKeys ? batchKey(records) : null;
  return {
    method: 'POST',
    path: address.pathOf(kind.endpoint, null),
    rules: contract.outcomes.create,
    isRepeatable: key !== null,
    isPathFixed: true,
    headers: withKey(jsonHeaders, key),
    body: () => json,
    bodyLimit: answerLimit,
    wholeTimeoutMs: settings.timeoutMs * wholeTimeouts,
    silenceMs: settings.timeoutMs,
    isClear: isReadable,
    saysMade: (answer) => saysMade(answer, kind, settings),
  };
}

export function readCall(path: string, isPathFixed: boolean, isBalances: boolean, settings: CallSettings): Call {
  return {
    method: 'GET',
    path,
    rules: settings.contract.outcomes.read,
    isRepeatable: true,
    isPathFixed,
    headers: acceptHeaders,
    body: () => null,
    bodyLimit: isBalances ? balancesLimit : answerLimit,
    wholeTimeoutMs: settings.timeoutMs * wholeTimeouts,
    silenceMs: settings.timeoutMs,
    isClear: (answer) => answer.body.kind === 'json',
    saysMade: never,
  };
}

/** A read whose answer may be larger than memory. */
export function keptCall(path: string, isPathFixed: boolean, keeper: BodyKeeper, settings: CallSettings): Call {
  return {
    ...readCall(path, isPathFixed, false, settings),
    keeper,
    bodyLimit: keptLimit,
    wholeTimeoutMs: settings.timeoutMs * wholeTimeoutsOfKept,
    // A place that takes nothing is no better at the next try.
    isClear: (answer) => answer.body.kind === 'kept' || keeper.failure !== null,
  };
}

/** The health check may answer anything, or nothing at all. */
export function healthCall(settings: CallSettings): Call {
  const path = settings.address.pathOf('health', null);
  return { ...readCall(path, false, false, settings), isRepeatable: false, isAskedOnce: true, isClear: always };
}

export function pathWithQuery(path: string, query: readonly (readonly [string, string])[]): string {
  if (query.length === 0) return path;
  const parameters = new URLSearchParams();
  for (const [name, value] of query) parameters.append(name, value);
  return `${path}?${parameters}`;
}

function withKey(headers: readonly string[], key: string | null): readonly string[] {
  return key === null ? headers : [...headers, 'idempotency-key', key];
}

/** One key for the rows of a request together: the same rows, the same key. `null` when a row has none. */
function batchKey(records: readonly OutgoingRecord[]): string | null {
  if (records.some(({ idempotencyKey }) => idempotencyKey === null)) return null;
  const hash = createHash('sha256');
  for (const { idempotencyKey } of records) hash.update(`${idempotencyKey}\n`);
  return hash.digest('hex');
}

function isClearCreate(
  answer: Answer,
  kind: RecordKind,
  record: OutgoingRecord,
  path: string,
  settings: CallSettings,
): boolean {
  if (idOf(answer, path, settings) !== null) return true;
  if (!isReadable(answer)) return false;
  // What says no will say so again.
  return !kind.answersWithId || settings.signs.ofBody(answer.body, aboutRow(kind, record, null)).against.length > 0;
}

/** The id of a new record: from the body, else from a `Location` below the endpoint. */
export function idOf(answer: Answer, path: string, { contract, address }: CallSettings): string | null {
  const inBody = answer.body.kind === 'json' ? referenceIn(answer.body.value, contract).id : null;
  if (inBody !== null) return inBody;
  const { location } = answer.headers;
  return location === undefined ? null : identifier(address.idFromLocation(location, path));
}

function isReadable({ body }: Answer): boolean {
  return body.kind !== 'unreadable' && body.kind !== 'html';
}

/** Whether a body says yes as it is documented (2.6), whatever its status: with an id, where the kind's answers have one. */
export function saysMade({ body }: Answer, kind: RecordKind, { contract }: CallSettings): boolean {
  if (body.kind !== 'json' || valueAt(body.value, contract.answers.success) !== true) return false;
  return !kind.answersWithId || referenceIn(body.value, contract).id !== null;
}

function always(): boolean {
  return true;
}

function never(): boolean {
  return false;
}
