/** Reads records by their ids, many at a time and in their order. Each GET is paced and tried again by the client. */
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { MemoryKeeper } from '../../service/body-keeper.ts';
import type { KeptResult, ReadEndpoint, ServiceClient } from '../../service/client.ts';
import { stopped } from './balance-pages.ts';
import { BrokenJson } from './exact-json.ts';
import { readFault } from './read-fault.ts';
import { type ReadRecord, recordOf } from './record-spool.ts';

export interface ReadRecordsOptions {
  readonly client: ServiceClient;
  readonly endpoint: ReadEndpoint;
  readonly ids: readonly string[];
  readonly signal: AbortSignal;
  readonly onRecord: (record: ReadRecord) => void;
}

/** Asked for ahead of the one that is next; how many of them are in flight is for the pace of the client. */
const ahead = 64;

/** @throws DealsheetError when the service cannot be used any more; a record that is not there is a value */
export async function readRecords(options: ReadRecordsOptions): Promise<void> {
  const { client, endpoint, ids, signal, onRecord } = options;
  const underWay: Promise<ReadRecord | KeptResult>[] = [];
  const takeNext = async (): Promise<void> => {
    const result = await underWay.shift();
    if (signal.aborted) throw stopped();
    if (result === undefined) return;
    if ('id' in result) onRecord(result);
    else if (result.state !== 'kept') throw readFault(result);
  };
  for (const id of ids) {
    if (underWay.length >= ahead) await takeNext();
    underWay.push(readOne(client, endpoint, id));
  }
  while (underWay.length > 0) await takeNext();
}

async function readOne(client: ServiceClient, endpoint: ReadEndpoint, id: string): Promise<ReadRecord | KeptResult> {
  const keeper = new MemoryKeeper();
  const result = await client.keep({ endpoint, id, query: [] }, keeper);
  if (result.state === 'not-found') return { id, state: 'not-found', message: result.message, record: null };
  if (result.state === 'failed') {
    return result.stopReason === null ? { id, state: 'failed', message: result.message, record: null } : result;
  }
  try {
    const record = recordOf(textOf(keeper.bytes, result.encoding));
    if (record !== null) return { id, state: 'found', message: '', record };
    return { id, state: 'failed', message: 'The service answered with something that is no record.', record: null };
  } catch (error) {
    const why = error instanceof BrokenJson ? `is no whole JSON: ${error.message}` : 'could not be unpacked';
    const message = `The answer of the service ${why}.`;
    return { id, state: 'failed', message, record: null };
  }
}

/** Identity is asked for, but a server may encode all the same. */
function textOf(bytes: Buffer, encoding: string): string {
  const decode = encoding === '' || encoding === 'identity' ? null : decoders[encoding];
  if (decode === undefined) throw new Error(`The encoding ${encoding} is not known.`);
  const plain = decode === null ? bytes : decode(bytes, { maxOutputLength: mostBytes });
  return plain.toString('utf8').replace(/^\uFEFF/, '');
}

const mostBytes = 64 * 1024 * 1024;
const decoders: Readonly<Record<string, (bytes: Buffer, options: { maxOutputLength: number }) => Buffer>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};
