/** Asks the service for a record by its id, where records of the kind can be read. */

import type { RecordKindName } from '../contract/record-kind.ts';
import { textOf } from '../messages/text.ts';
import type { RecordEndpoint, ServiceClient } from '../service/client.ts';

export type Finding =
  | { readonly kind: 'found'; readonly record: object | null }
  /** `unread`: the service gave no answer that tells anything, and may give one later. */
  | { readonly kind: 'missing' | 'unsure' | 'unread'; readonly message: string };

/** Forbidden, not allowed, not implemented: asking once more changes nothing. */
const neverReadable: readonly (number | null)[] = [403, 405, 501];

const readable: Readonly<Partial<Record<RecordKindName, RecordEndpoint>>> = {
  deals: 'getDeal',
  companies: 'getCompany',
};

/** @param client  makes the client, when one is needed */
export async function findRecord(
  kind: RecordKindName,
  id: string,
  client: () => Promise<ServiceClient>,
): Promise<Finding> {
  const endpoint = readable[kind];
  if (endpoint === undefined) {
    const message = `Records of this kind cannot be read from the service: ${id} is taken as it is.`;
    return { kind: 'unsure', message };
  }
  const found = await (await client()).read(endpoint, id);
  if (found.state === 'found' && found.noRecord === null) return { kind: 'found', record: found.record };
  if (found.state === 'failed') {
    return neverReadable.includes(found.httpStatus)
      ? { kind: 'unsure', message: `The record ${id} may not be read, and is taken as it is: ${textOf(found.message)}` }
      : { kind: 'unread', message: `${id} could not be looked up: ${textOf(found.message)}` };
  }
  const instead = found.state === 'found' ? ` ${found.noRecord === null ? '' : textOf(found.noRecord)}` : '';
  return { kind: 'missing', message: `The service has no record ${id}.${instead}` };
}
