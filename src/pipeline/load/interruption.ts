/** What becomes of the requests in flight when a load is interrupted. */
import type { ServiceClient } from '../../service/client.ts';

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
