/** What becomes of the requests in flight when a load is interrupted. */
import type { ServiceClient } from '../service/client.ts';

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
