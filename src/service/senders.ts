/**
 * The four ways in which rows are sent: each in a request of its own, an update, a form with a file, many in a batch. A sender
 * makes the calls; what may be done about their answers is the same for all.
 */
import { createHash } from 'node:crypto';
import { valuesAt } from '../contract/body-path.ts';
import type { RecordKind } from '../contract/record-kind.ts';
import { divided, renamer } from '../contract/rename.ts';
import type { RequestRules } from '../contract/request-rules.ts';
import { acceptHeaders, answerLimit, type Call, type CallSettings, wholeTimeouts } from './call.ts';
import { isClear, saysMade } from './judgement.ts';
import { formOf } from './multipart.ts';
import type { OutgoingRecord } from './outgoing-record.ts';

/** A call, and the rows that it carries by their places among those that were handed over. */
export interface RowsCall {
  readonly call: Call;
  readonly places: readonly number[];
}

type Sender = (kind: RecordKind, records: readonly OutgoingRecord[], settings: CallSettings) => readonly RowsCall[];

const senders: Readonly<Record<RecordKind['sending'], Sender>> = {
  each: (kind, records, settings) => oneByOne(records, (record) => eachCall(kind, record, settings)),
  update: (kind, records, settings) => oneByOne(records, (record) => updateCall(kind, record, settings)),
  form: (kind, records, settings) => oneByOne(records, (record) => formCall(kind, record, settings)),
  batch: batchCalls,
};

/** The calls that carry rows of one kind. */
export function callsOf(
  kind: RecordKind,
  records: readonly OutgoingRecord[],
  settings: CallSettings,
): readonly RowsCall[] {
  return senders[kind.sending](kind, records, settings);
}

/** An upload that is slower than this, in bytes a second, will not be waited for. */
const slowestUpload = 64 * 1024;
/** What a system takes of a connection's bytes before they are under way: to us they are out. Linux takes the most (`tcp_wmem`). */
const largestSendBuffer = 4 * 1024 * 1024;

const jsonHeaders = ['content-type', 'application/json', ...acceptHeaders] as const;

function oneByOne(records: readonly OutgoingRecord[], callOf: (record: OutgoingRecord) => Call): readonly RowsCall[] {
  return records.map((record, place) => ({ call: callOf(record), places: [place] }));
}

function eachCall(kind: RecordKind, record: OutgoingRecord, settings: CallSettings): Call {
  const json = jsonOf(kind, record, settings);
  return { ...createCall(kind, [record], settings), body: () => json };
}

function updateCall(kind: RecordKind, record: OutgoingRecord, settings: CallSettings): Call {
  const json = jsonOf(kind, record, settings);
  return {
    ...createCall(kind, [record], settings),
    method: 'PATCH',
    path: settings.address.pathOf(kind.endpoint, record.pathId),
    rules: settings.contract.outcomes.update,
    isRepeatable: true,
    isPathFixed: false,
    headers: jsonHeaders,
    body: () => json,
    isClear: () => true,
    saysMade: () => false,
  };
}

function formCall(kind: RecordKind, record: OutgoingRecord, settings: CallSettings): Call {
  const call = createCall(kind, [record], settings);
  const { file } = record;
  if (file === null) throw new Error(`A row of ${kind.name} has no file.`);
  const { filePart, rename, constants } = settings.contract.requests[kind.name];
  const { file: _name, ...fields } = record.body;
  const parts = Object.entries(renamer(rename, constants)(fields)).map(
    ([name, value]) => [name, String(value)] as const,
  );
  const form = formOf(parts, filePart, file);
  const formHeaders = ['content-type', form.contentType, 'content-length', String(form.length), ...acceptHeaders];
  return {
    ...call,
    headers: [...formHeaders, ...keyHeader(call.isRepeatable, [record])],
    body: form.open,
    wholeTimeoutMs: call.wholeTimeoutMs + uploadMs(form.length),
    silenceMs: call.silenceMs + uploadMs(Math.min(form.length, largestSendBuffer)),
  };
}

function batchCalls(kind: RecordKind, records: readonly OutgoingRecord[], settings: CallSettings): readonly RowsCall[] {
  const rules = settings.contract.requests[kind.name];
  const { groupBy } = rules;
  const all = [...records.keys()];
  const groups = groupBy === null ? [all] : groupsOf(records, all, groupBy.field);
  // An answer in order follows the rows as they were sent, group by group.
  const requests = groupBy?.alone === true ? groups : [groups.flat()];
  return requests.map((places) => {
    const rows = places.map((place) => records[place] as OutgoingRecord);
    const json = batchJson(kind, rows, rules, settings);
    return { call: { ...createCall(kind, rows, settings), body: () => json }, places };
  });
}

/** What all creates have in common. */
function createCall(kind: RecordKind, records: readonly OutgoingRecord[], settings: CallSettings): Call {
  const { contract, address, timeoutMs, idempotencyKeys } = settings;
  const path = address.pathOf(kind.endpoint, null);
  const isRepeatable = idempotencyKeys && records.every(({ idempotencyKey }) => idempotencyKey !== null);
  const judging = { kind, records, path, contract, address, secretsOf: () => () => [] };
  return {
    method: 'POST',
    path,
    rules: contract.outcomes.create,
    isRepeatable,
    isPathFixed: true,
    headers: [...jsonHeaders, ...keyHeader(isRepeatable, records)],
    body: () => null,
    bodyLimit: answerLimit,
    wholeTimeoutMs: timeoutMs * wholeTimeouts,
    silenceMs: timeoutMs,
    isClear: (answer) => isClear(answer, judging),
    saysMade: (answer) => saysMade(answer, kind, contract),
  };
}

/** The same rows, the same key: rows of one request share one. */
function keyHeader(isRepeatable: boolean, records: readonly OutgoingRecord[]): readonly string[] {
  if (!isRepeatable) return [];
  const [only] = records;
  if (records.length === 1 && only !== undefined) return ['idempotency-key', only.idempotencyKey ?? ''];
  const hash = createHash('sha256');
  for (const { idempotencyKey } of records) hash.update(`${idempotencyKey}\n`);
  return ['idempotency-key', hash.digest('hex')];
}

function jsonOf(kind: RecordKind, { body, json }: OutgoingRecord, { contract }: CallSettings): string {
  const { rename, constants, envelope = null } = contract.requests[kind.name];
  const renamed = renamer(rename, constants)(body);
  const own = renamed === body ? json : JSON.stringify(renamed);
  return inEnvelope(own, envelope);
}

/** Assumed of Add transactions (4.11: not shown). */
const assumedEnvelope = 'transactions';

function batchJson(
  _kind: RecordKind,
  records: readonly OutgoingRecord[],
  rules: RequestRules,
  _settings: CallSettings,
): string {
  const { groupBy, envelope = groupBy?.alone === true ? null : assumedEnvelope } = rules;
  if (groupBy === null) {
    const rows = records.map(({ body, json }) => {
      const renamed = renamer(rules.rename, rules.constants)(body);
      return renamed === body ? json : JSON.stringify(renamed);
    });
    return inEnvelope(`[${rows.join(',')}]`, envelope);
  }
  const whole = renamer(rules.rename, rules.constants);
  const groups = groupsOf(records, [...records.keys()], groupBy.field).map((places) => {
    const parts = places.map((place) => divided(records[place]?.body ?? {}, groupBy.field));
    const rows = parts.map(({ rest }) => whole(rest));
    return renamer({}, { [groupBy.list]: rows })(renamer(rules.rename, {})(parts[0]?.at ?? {}));
  });
  return inEnvelope(JSON.stringify(groupBy.alone ? groups[0] : groups), envelope);
}

function inEnvelope(json: string, envelope: string | null): string {
  if (envelope === null) return json;
  return envelope.split('.').reduceRight((inner, name) => `{${JSON.stringify(name)}:${inner}}`, json);
}

/** The places of rows that share their values, in the order in which they stand first. */
function groupsOf(
  records: readonly OutgoingRecord[],
  places: readonly number[],
  fields: readonly string[],
): readonly (readonly number[])[] {
  const groups = new Map<string, number[]>();
  for (const place of places) {
    const value = JSON.stringify(fields.map((field) => valuesAt(records[place]?.body, field)[0] ?? null));
    const group = groups.get(value);
    if (group === undefined) groups.set(value, [place]);
    else group.push(place);
  }
  return [...groups.values()];
}

function uploadMs(bytes: number): number {
  return (bytes / slowestUpload) * 1000;
}
