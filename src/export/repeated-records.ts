/** The ids of the records in an export. Its one rule: a record that would be counted twice is refused. */
import { Digester } from '../checks/first-rows.ts';
import { valueAt } from '../contract/body-path.ts';
import { plainText, shortened } from '../messages/plain-text.ts';
import type { SourceColumn } from './columns.ts';
import { type JsonObject, textOf } from './exact-json.ts';
import { balanceFault } from './read-fault.ts';

const longestId = 80;
/** The id of a loan itself: that of its deal or company stands on others, too. */
const ownId = /^(?:(?:loan|balance|advance)?(?:id|guid|uuid)|loan(?:number|no|key|ref|reference))$/i;

/** The column of the records' own id, or `undefined` when no name says so. */
export function ownIdOf(columns: readonly SourceColumn[]): SourceColumn | undefined {
  const isOwn = ({ segments }: SourceColumn) => ownId.test(segments.join('').replace(/[^\p{L}\p{N}]/gu, ''));
  return columns.filter(isOwn).sort((one, other) => one.segments.length - other.segments.length)[0];
}

/**
 * Refuses the second record with an id: the list changed while it was read, or a loan stands there twice.
 *
 * @returns told of each record; throws DealsheetError `output-failed`
 */
export function refuseRepeated({ segments }: SourceColumn): (record: JsonObject) => void {
  // By its digest: a number takes a fraction of the room of a text.
  const seen = new Set<number>();
  return (record) => {
    const id = textOf(valueAt(record, segments) as never);
    if (id === null || id.trim() === '') return;
    const digest = digestOf(id);
    if (seen.has(digest))
      throw balanceFault('there-twice', { name: segments.join('.'), id: shortened(plainText(id), longestId) });
    seen.add(digest);
  };
}

/** A number holds 53 bits exactly. */
const lowBits = 21;

function digestOf(id: string): number {
  const { high, low } = new Digester().text(id);
  return (high >>> 0) * 2 ** lowBits + (low >>> (32 - lowBits));
}
