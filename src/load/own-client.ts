/** The client of one load, which closes it: what another load still sends by it would be in doubt, and what comes after never leaves. */
import { DealsheetError } from '../errors.ts';
import { isSandbox } from '../ledger/sandbox-identity.ts';
import { identityOf } from '../service/address.ts';
import type { ServiceClient } from '../service/client.ts';

/** Makes the client once the number of rows is known: the budget of retries hangs on it. */
export type Connect = (rows: number) => ServiceClient;

const givenBefore = new WeakSet<ServiceClient>();

/** What the ledger is told of the service. */
interface NamedService {
  readonly service: string;
  readonly serviceUrl: string;
}

/** @throws DealsheetError `usage` when what a script gives is the client of another load or service, or none */
export function ownClient(connect: Connect, rows: number, named: NamedService): ServiceClient {
  const client = connect(rows);
  if (!isClient(client))
    throw wrongClient('What connect gives is no client.', 'Let it give what createServiceClient gives, at once');
  if (givenBefore.has(client))
    throw wrongClient('The client that connect gives is that of another load.', 'Let it make a new one each time');
  if (!isOf(client, named))
    throw new DealsheetError(
      'usage',
      `The client that connect gives sends to ${client.identity}, and the options service and serviceUrl do not name it so: the ledger would know these rows as those of another service.`,
      'Give identityOf(url) as service and url.href as serviceUrl, of the very url that the client has. Nothing was sent.',
    );
  givenBefore.add(client);
  return client;
}

/** The sandbox of a command is known by its records, wherever it listens. */
function isOf({ identity }: ServiceClient, { service, serviceUrl }: NamedService): boolean {
  if (!URL.canParse(serviceUrl) || identityOf(new URL(serviceUrl)) !== identity) return false;
  return service === identity || isSandbox(service);
}

function isClient(given: unknown): boolean {
  return typeof given === 'object' && given !== null && 'room' in given && 'close' in given;
}

function wrongClient(message: string, remedy: string): DealsheetError {
  return new DealsheetError('usage', message, `${remedy}: () => createServiceClient(…). Nothing was sent.`);
}

/** What is in flight when a person interrupts a load may finish within this time; then it is in doubt. */
const graceMs = 30_000;

/** @returns ends the waiting: to be called when nothing is in flight any more */
export function drainWhenAborted(client: Pick<ServiceClient, 'drain' | 'close'>, signal: AbortSignal): () => void {
  let timer: NodeJS.Timeout | null = null;
  // Each row in flight learns its end by itself: a connection that does not close well changes nothing of it.
  const ignored = () => {};
  const drain = () => {
    client.drain().catch(ignored);
    timer = setTimeout(() => client.close().catch(ignored), graceMs);
  };
  if (signal.aborted) drain();
  else signal.addEventListener('abort', drain, { once: true });
  return () => {
    signal.removeEventListener('abort', drain);
    if (timer !== null) clearTimeout(timer);
  };
}

/**
 * Before the first row there are only questions in flight, and nobody waits for their answers any more.
 *
 * @returns ends the waiting for an abort
 */
export function closeWhenAborted(client: Pick<ServiceClient, 'close'>, signal: AbortSignal): () => void {
  const close = () => void client.close().catch(() => {});
  signal.addEventListener('abort', close, { once: true });
  return () => signal.removeEventListener('abort', close);
}
