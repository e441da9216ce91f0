/** Reads records by their ids, many at a time and in their order. Each GET is paced and tried again by the client. */

import { firstAt } from '../contract/body-path.ts';
import type { ContractSettings } from '../contract/contract-settings.ts';
import type { RecordKind } from '../contract/record-kind.ts';
import { documentedBy, type Names } from '../contract/rename.ts';
import { shortened } from '../messages/plain-text.ts';
import { textOf } from '../messages/text.ts';
import type { ReadResult, ServiceClient } from '../service/client.ts';
import { stopped } from './balance-pages.ts';
import { BrokenJson, decodedBy, isJsonObject, type JsonObject, type JsonValue, parseExactly } from './exact-json.ts';
import { readFault } from './read-fault.ts';

export interface ReadRecord {
  readonly id: string;
  readonly state: 'found' | 'not-found' | 'failed';
  /** Why there is no record; empty when there is one. */
  readonly message: string;
  readonly record: JsonObject | null;
}

type UnusableService = Extract<ReadResult, { state: 'failed' }>;

interface ReadRecordsOptions {
  readonly client: ServiceClient;
  readonly contract: ContractSettings;
  readonly kind: RecordKind;
  readonly ids: readonly string[];
  readonly signal: AbortSignal;
  readonly onRecord: (record: ReadRecord) => Promise<void>;
}

/**
 * Asked for ahead of the one that is next; how many of them are in flight is for the pace of the client. So many go on while one
 * answer takes four times as long as the others.
 */
const ahead = 128;

/** @throws DealsheetError when the service cannot be used any more; a record that is not there is a value */
export async function readRecords(options: ReadRecordsOptions): Promise<void> {
  const { ids, signal, onRecord } = options;
  const underWay: Promise<ReadRecord | UnusableService>[] = [];
  const takeNext = async (): Promise<void> => {
    const result = await underWay.shift();
    if (signal.aborted) throw stopped();
    if (result === undefined) return;
    if ('id' in result) await onRecord(result);
    else throw readFault(result);
  };
  for (const id of ids) {
    if (underWay.length >= ahead) await takeNext();
    underWay.push(readOne(options, id));
  }
  while (underWay.length > 0) await takeNext();
}

async function readOne(
  { client, contract, kind }: ReadRecordsOptions,
  id: string,
): Promise<ReadRecord | UnusableService> {
  const result = await client.read(kind, id);
  if (result.state !== 'found') {
    if (result.state === 'failed' && result.stopReason !== null) return result;
    return { id, state: result.state, message: textOf(result.message), record: null };
  }
  if (result.noRecord !== null) return failed(id, shortened(textOf(result.noRecord), longestReason));
  if (result.httpStatus === 206) return failed(id, 'The service gave a part of the record (206).');
  try {
    const text = decodedBy(new TextDecoder('utf-8', { fatal: true }), result.bytes);
    const record = exactRecordIn(parseExactly(text), result.path, contract.requests[kind.name].rename);
    return record === null
      ? failed(id, 'The answer of the service holds no record.')
      : { id, state: 'found', message: '', record };
  } catch (error) {
    if (!(error instanceof BrokenJson)) throw error;
    return failed(id, `The answer of the service is not complete JSON: ${error.message}.`);
  }
}

/** The record of an answer, its numbers in their digits, under its documented names. */
function exactRecordIn(answer: JsonValue, path: string | null, names: Names): JsonObject | null {
  const held = path === null ? undefined : (firstAt(answer, [path]) as JsonValue | undefined);
  if (!isJsonObject(held)) return null;
  return jsonObjectOf(documentedBy(names)(Object.fromEntries(held)));
}

function jsonObjectOf(value: Readonly<Record<string, unknown>>): JsonObject {
  return new Map(Object.entries(value).map(([name, held]) => [name, jsonValueOf(held)]));
}

/** Lists and objects that renaming has made are plain; what it left alone is as it was read. */
function jsonValueOf(value: unknown): JsonValue {
  if (Array.isArray(value)) return value.map(jsonValueOf);
  const isPlain = typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
  return isPlain ? jsonObjectOf(value as Record<string, unknown>) : (value as JsonValue);
}

function failed(id: string, message: string): ReadRecord {
  return { id, state: 'failed', message, record: null };
}

const longestReason = 300;
