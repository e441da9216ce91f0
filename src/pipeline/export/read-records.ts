/** Reads records by their ids, many at a time and in their order. Each GET is paced and tried again by the client. */
import type { ContractSettings } from '../../contract/contract-settings.ts';
import { recordKind } from '../../contract/record-kinds.ts';
import { SignReader } from '../../service/answers/sign-reader.ts';
import type { KeptResult, ServiceClient } from '../../service/client.ts';
import { noRecordIn, type RecordEndpoint } from '../../service/record-read.ts';
import { plainText, shortened } from '../../service/text/plain-text.ts';
import { MemoryKeeper } from '../../service/wire/body-keeper.ts';
import { unpacked } from '../../service/wire/content-encoding.ts';
import { stopped } from './balance-pages.ts';
import { BrokenJson, noWholeJson, parseExactly, plainValue } from './exact-json.ts';
import { readFault } from './read-fault.ts';
import { type ReadRecord, recordOf, valueAtPath } from './record-spool.ts';
import { noSaidBy } from './said-no.ts';

export interface ReadRecordsOptions {
  readonly client: ServiceClient;
  readonly contract: ContractSettings;
  readonly endpoint: RecordEndpoint;
  readonly ids: readonly string[];
  readonly signal: AbortSignal;
  readonly onRecord: (record: ReadRecord) => void;
}

/**
 * Asked for ahead of the one that is next; how many of them are in flight is for the pace of the client. So many go on while one
 * answer takes four times as long as the others.
 */
const ahead = 128;

/** @throws DealsheetError when the service cannot be used any more; a record that is not there is a value */
export async function readRecords(options: ReadRecordsOptions): Promise<void> {
  const { ids, signal, contract, onRecord } = options;
  const signs = new SignReader(contract);
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
    underWay.push(readOne(options, signs, id));
  }
  while (underWay.length > 0) await takeNext();
}

async function readOne(
  { client, contract, endpoint }: ReadRecordsOptions,
  signs: SignReader,
  id: string,
): Promise<ReadRecord | KeptResult> {
  const keeper = new MemoryKeeper(mostRecordBytes);
  const result = await client.keep({ endpoint, id, query: [] }, keeper);
  if (result.state === 'not-found') return { id, state: 'not-found', message: result.message, record: null };
  if (result.state === 'failed') {
    return result.stopReason === null ? failed(id, keeper.failure?.message ?? result.message) : result;
  }
  const bytes = unpacked(keeper.bytes, result.encoding, mostRecordBytes);
  if (!Buffer.isBuffer(bytes)) return failed(id, 'The answer of the service could not be unpacked.');
  try {
    const answer = parseExactly(bytes.toString('utf8').replace(/^\uFEFF/, ''));
    const no = noSaidBy(
      (path) => valueAtPath(answer, path.split('.')),
      contract,
      (text) => client.shown(text),
    );
    if (no !== null) return failed(id, no);
    const plain = plainValue(answer);
    const reasons = spellingsOf(id).map((spelling) => noRecordIn(plain, endpoint, spelling, contract, signs));
    const record = reasons.includes(null)
      ? recordOf(answer, recordKind(endpoint === 'getDeal' ? 'deals' : 'companies'))
      : null;
    if (record !== null) return { id, state: 'found', message: '', record };
    return failed(id, shortened(plainText(client.shown(reasons[0] ?? '')), longestReason));
  } catch (error) {
    if (!(error instanceof BrokenJson)) throw error;
    return failed(id, noWholeJson(error));
  }
}

/** A service may know an id in capitals and give it in small letters, as is usual for GUIDs. */
function spellingsOf(id: string): readonly string[] {
  return [...new Set([id, id.toLowerCase(), id.toUpperCase()])];
}

function failed(id: string, message: string): ReadRecord {
  return { id, state: 'failed', message, record: null };
}

const longestReason = 300;
/** What a record may have at most, also once it is unpacked: an answer without an end would fill the memory. */
const mostRecordBytes = 16 * 1024 * 1024;
