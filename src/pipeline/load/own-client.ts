/** The client of one load, which closes it: what another load still sends by it would be in doubt, and what comes after never leaves. */
import { DealsheetError } from '../../errors.ts';
import type { ServiceClient } from '../../service/client.ts';

/** Makes the client once the number of rows is known: the budget of retries hangs on it. */
export type Connect = (rows: number) => ServiceClient;

const givenBefore = new WeakSet<ServiceClient>();

/** @throws DealsheetError `usage` when what a script gives is the client of another load, or none */
export function ownClient(connect: Connect, rows: number): ServiceClient {
  const client = connect(rows);
  if (!isClient(client))
    throw wrongClient('What connect gives is no client.', 'Let it give what createServiceClient gives, at once');
  if (givenBefore.has(client))
    throw wrongClient('The client that connect gives is that of another load.', 'Let it make a new one each time');
  givenBefore.add(client);
  return client;
}

function isClient(given: unknown): boolean {
  return typeof given === 'object' && given !== null && 'room' in given && 'close' in given;
}

function wrongClient(message: string, remedy: string): DealsheetError {
  return new DealsheetError('usage', message, `${remedy}: () => createServiceClient(…). Nothing was sent.`);
}
