/** The four ways to send rows: one per request, update, form with a file, batch. A sender only builds calls. */
import { createHash, randomUUID } from 'node:crypto';
import { extname } from 'node:path';
import { Readable } from 'node:stream';
import { type AnswerRules, answerRulesOf } from '../contract/answer-rules.ts';
import { isObject, valuesAt } from '../contract/body-path.ts';
import { type ContractSettings, isLines, type RequestRules, sendingOf } from '../contract/contract-settings.ts';
import type { RecordKind } from '../contract/record-kind.ts';
import { divided, renamer } from '../contract/rename.ts';
import { allDigitsOf, jsonOf, withoutLongNumbers } from '../contract/value-types.ts';
import type { Answer } from './answer.ts';
import { sentRow } from './classify.ts';
import {
  acceptHeaders,
  answerLimit,
  bodyOf,
  type CallSettings,
  type RowsCall,
  type SendingRight,
  wholeTimeouts,
} from './conversation.ts';
import type { OutgoingFile, OutgoingRecord } from './outcome.ts';

/** Completes a create call with the body of its rows. */
type Sender = (call: Omit<RowsCall, 'body'>, written: RequestRules, contract: ContractSettings) => RowsCall;

const senderBy: Readonly<Record<RecordKind['sending']['by'], Sender>> = {
  each: (call, written) => Object.assign(call, bodyOf(recordJson(firstOf(call), written), call)),
  batch: (call, written) => Object.assign(call, bodyOf(batchJson(call, written), call)),
  update: updateCall,
  form: formCall,
};

export function callsOf(
  kind: RecordKind,
  records: readonly OutgoingRecord[],
  settings: CallSettings,
): readonly RowsCall[] {
  const { contract, address, timeoutMs, idempotencyKeys } = settings;
  const { by, isBatch, isUpdate } = sendingOf(kind, contract.requests);
  const rules = answerRulesOf(kind, contract.answers);
  const { headers: ownHeaders, mediaType = contract.wire.mediaType } = contract.requests[kind.name];
  const requests = isBatch ? batchesOf(kind, rules, records, settings) : [...records.keys()].map((place) => [place]);
  return requests.map((places) => {
    const rows = places.map((place) => records[place] as OutgoingRecord);
    const { pathId, body } = firstOf({ rows });
    const path = isUpdate ? address.pathOf(kind.endpoint, pathId) : address.pathWith(kind.endpoint, body);
    const isRepeatable = idempotencyKeys && !isUpdate && rows.every(({ idempotencyKey }) => idempotencyKey !== null);
    const key = isRepeatable ? { [contract.idempotencyHeader]: keyOf(rows) } : {};
    const create = {
      method: address.methodOf(kind.endpoint),
      path: path ?? address.pathOf(kind.endpoint, null),
      outcomes: contract.outcomes.create,
      headers: { 'content-type': mediaType, ...acceptHeaders, ...key },
      bodyLimit: answerLimit,
      wholeTimeoutMs: timeoutMs * wholeTimeouts,
      silenceMs: timeoutMs,
      isClear: (answer: Answer) => answer.body.kind !== 'unreadable',
      ...{ kind, rules, rows, places, isRepeatable, ownHeaders },
    };
    const call = senderBy[by](create, contract.requests[kind.name], contract);
    return path === null ? { ...call, body: unfilledPath } : call;
  });
}

function firstOf({ rows }: Pick<RowsCall, 'rows'>): OutgoingRecord {
  return rows[0] as OutgoingRecord;
}

/** A slower upload than 64 KB in a second times out. */
const uploadMs = (bytes: number): number => (bytes / (64 * 1024)) * 1000;
/** Bytes that the OS may still be uploading after the socket has accepted them. Linux buffers the most (`tcp_wmem`). */
const largestSendBuffer = 4 * 1024 * 1024;

function updateCall(...[call, written, contract]: Parameters<Sender>): RowsCall {
  const first = firstOf(call);
  const body = { id: first.pathId, ...first.body };
  const named = Object.hasOwn(written.rename, 'id') ? { ...first, body } : first;
  return {
    ...call,
    ...bodyOf(recordJson(named, written), call),
    outcomes: contract.outcomes.update,
    isRepeatable: true,
    isClear: () => true,
  };
}

function formCall(...[call, written]: Parameters<Sender>): RowsCall {
  const { file, body } = firstOf(call);
  if (file === null) throw new Error(`A row of ${call.kind.name} has no file.`);
  const { file: _path, ...others } = body;
  // A profile may rename the file field; it then gets the file name.
  const named = Object.hasOwn(written.rename, 'file') ? { ...others, file: file.name } : others;
  const parts = withoutLongNumbers({ ...renamer(written.rename, {})(named), ...written.constants });
  const upload = formOf(parts, written.filePart, file);
  return {
    ...call,
    body: upload.open,
    headers: { ...call.headers, ...upload.headers },
    shown: () => ({ ...parts, [written.filePart]: file.name }),
    wholeTimeoutMs: call.wholeTimeoutMs + uploadMs(upload.length),
    silenceMs: call.silenceMs + uploadMs(Math.min(upload.length, largestSendBuffer)),
  };
}

function batchesOf(
  kind: RecordKind,
  rules: AnswerRules,
  records: readonly OutgoingRecord[],
  { contract, address }: CallSettings,
): readonly (readonly number[])[] {
  const { groupBy, alone } = contract.requests[kind.name];
  const byPath = groupsOf([...records.keys()], (place) => address.pathWith(kind.endpoint, records[place]?.body));
  return byPath.flatMap(apart).flatMap((places) => {
    if (groupBy === null) return [places];
    const groups = groupsOf(places, (place) => sharedIn(records[place]?.body, groupBy.field));
    // Answers are matched to rows by order, so places follow the rows as sent, group by group.
    return alone ? groups : [groups.flat()];
  });

  /** Rows that the value of their items cannot tell apart never share a request: all of it would be in doubt. */
  function apart(places: readonly number[]): readonly (readonly number[])[] {
    if ((rules.items?.row ?? null) === null) return [places];
    const met = new Map<string, number>();
    return groupsOf(places, (place) => {
      const said = String(sentRow({ kind, rules }, records[place] as OutgoingRecord, contract).matched ?? '');
      met.set(said, (met.get(said) ?? 0) + 1);
      return said === '' ? [place] : met.get(said);
    });
  }
}

function unfilledPath(): never {
  throw new Error('The path of its request needs a value that the row leaves blank.');
}

/** One key for all rows of a request, the same for the same rows. Many services take only a UUID, or 36 characters. */
function keyOf(records: readonly OutgoingRecord[]): string {
  const keys = records.map(({ idempotencyKey }) => idempotencyKey).join('\n');
  const digits = createHash('sha256').update(keys).digest('hex');
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-a$4-$5');
}

function recordJson(record: OutgoingRecord, rules: RequestRules): string {
  return inEnvelope(rowJson(record, rules), rules.envelope ?? null, rules);
}

function rowJson({ body, json }: OutgoingRecord, { rename, constants }: RequestRules): string {
  const renamed = renamer(rename, constants)(body);
  return renamed === body ? json : jsonOf(renamed);
}

/** Without a profile, the rows are in a list with the name of their kind. An assumption: service interface 4.11 shows no shape. */
function batchJson({ kind, rows: records, headers }: Omit<RowsCall, 'body'>, rules: RequestRules): string {
  const { groupBy, alone, envelope = alone ? null : kind.name } = rules;
  const listOf = (rows: readonly string[]): string =>
    isLines(headers['content-type'])
      ? rows.map((row) => `${row}\n`).join('')
      : inEnvelope(`[${rows.join(',')}]`, envelope, rules);
  if (groupBy === null) return listOf(records.map((record) => rowJson(record, rules)));
  const whole = renamer(rules.rename, rules.constants);
  const groups = groupsOf(records, ({ body }) => sharedIn(body, groupBy.field)).map((rows) => {
    const parts = rows.map(({ body }) => divided(body, groupBy.field));
    const list = parts.map(({ rest }) => whole(rest));
    return renamer({}, { [groupBy.list]: list })(renamer(rules.rename, {})(parts[0]?.at ?? {}));
  });
  return alone ? inEnvelope(jsonOf(groups[0]), envelope, rules) : listOf(groups.map(jsonOf));
}

function inEnvelope(json: string, envelope: string | null, { beside }: RequestRules): string {
  if (envelope === null) return json;
  const whole = renamer({}, { [envelope]: inside, ...beside })({});
  return jsonOf(whole).replace(JSON.stringify(inside), () => json);
}

const inside = '\u0000';

function sharedIn(body: unknown, fields: readonly string[]): readonly unknown[] {
  return fields.map((field) => valuesAt(body, field)[0] ?? null);
}

function groupsOf<Each>(all: readonly Each[], by: (each: Each) => unknown): readonly (readonly Each[])[] {
  const groups = new Map<string, Each[]>();
  for (const each of all) {
    const value = JSON.stringify(by(each) ?? null);
    const group = groups.get(value);
    if (group === undefined) groups.set(value, [each]);
    else group.push(each);
  }
  return [...groups.values()];
}

/**
 * A multipart form with one streamed file (service interface 4.5).
 * @param fields  the parts before the file: a list becomes one part per value, an object a part of JSON
 */
function formOf(fields: Readonly<Record<string, unknown>>, fileField: string, file: OutgoingFile) {
  const boundary = `dealsheet-${randomUUID()}`;
  const begun = (name: string, more: string): string =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${quoted(name)}"${more}\r\n\r\n`;
  const parts = Object.entries(fields).flatMap(([name, value]) => {
    const part = Array.isArray(value) ? `${name}[]` : name;
    return [value].flat().map((each) => {
      const isJson = isObject(each);
      return `${begun(part, isJson ? '\r\ncontent-type: application/json' : '')}${isJson ? JSON.stringify(each) : allDigitsOf(each)}\r\n`;
    });
  });
  const type = typeByEnding[extname(file.name).toLowerCase().slice(1)] ?? 'application/octet-stream';
  const fileHead = begun(fileField, `; filename="${quoted(file.name)}"\r\ncontent-type: ${type}`);
  const [head, tail] = [Buffer.from(parts.join('') + fileHead), Buffer.from(`\r\n--${boundary}--\r\n`)];
  const length = head.length + file.size + tail.length;
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}`, 'content-length': String(length) },
    length,
    /** Opens the stream of one request. Rejects with a complete sentence when the file cannot be read. */
    async open(right: SendingRight | null): Promise<Readable> {
      const content = await opened(file);
      const upload = Readable.from(whileHeld(right, concatenated(head, content, tail)), { objectMode: false });
      // A generator that never started does not run its `finally`.
      upload.once('close', () => content.destroy());
      return upload;
    },
  };
}

/** Waits for the first bytes, so that an unreadable file never starts a request. */
async function opened(file: OutgoingFile): Promise<Readable> {
  const content = file.open();
  try {
    await new Promise<void>((resolve, reject) => {
      content.once('readable', resolve).once('end', resolve).once('error', reject);
    });
  } catch (cause) {
    throw new Error(`The file ${file.name} could not be read.`, { cause });
  }
  return content;
}

async function* concatenated(head: Buffer, content: Readable, tail: Buffer): AsyncGenerator<Buffer> {
  try {
    yield head;
    yield* content;
    yield tail;
  } finally {
    content.destroy();
  }
}

/** Another load may send the row once the right to send is lost. Without its end, this request makes no record. */
async function* whileHeld(right: SendingRight | null, parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const part of parts) {
    if ((await right?.confirm()) === false) throw new Error('The right to send was lost while the file was sent.');
    yield part;
  }
}

/** Percent-encodes the three characters that would end the name, as browsers do. */
function quoted(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

const office = 'application/vnd.openxmlformats-officedocument';
const typeByEnding: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  zip: 'application/zip',
  txt: 'text/plain',
  csv: 'text/csv',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  doc: 'application/msword',
  docx: `${office}.wordprocessingml.document`,
  xls: 'application/vnd.ms-excel',
  xlsx: `${office}.spreadsheetml.sheet`,
};
