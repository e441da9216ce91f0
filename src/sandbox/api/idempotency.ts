/**
 * The Idempotency-Key header: the same key with the same request gives the same answer again and makes nothing; with
 * another request it is refused. Only accepted requests are kept, so a refused one may be corrected under its key.
 */
import type { EndpointName } from '../../contract/endpoints.ts';
import { digestOf } from '../access.ts';
import { type Answer, Problem } from '../problem.ts';
import type { Tables } from '../store.ts';
import type { Prepared } from './operations.ts';

const longestKey = 255;

/** Runs a write under its key, or plainly without one. Everything happens in the same commit. */
export function runOnce(
  endpoint: EndpointName,
  key: string | undefined,
  write: Prepared,
  tables: Tables,
  at: number,
): Answer {
  if (key === undefined) return write.run(tables, at);
  const digest = digestOf(write.content);
  const kept = tables.answer(endpoint, key);
  if (kept === undefined) {
    const answer = write.run(tables, at);
    tables.keepAnswer(endpoint, key, digest, JSON.stringify(answer));
    return answer;
  }
  if (kept.digest !== digest) {
    throw new Problem('key-reused', { detail: 'This Idempotency-Key came earlier with another request.' });
  }
  const answer = JSON.parse(kept.answer) as Answer;
  return { ...answer, headers: { ...answer.headers, 'idempotency-replayed': 'true' } };
}

export function refuseUnusableKey(key: string | undefined): void {
  if (key === undefined || (key !== '' && key.length <= longestKey)) return;
  throw new Problem('unusable-key', { detail: `An Idempotency-Key has 1 to ${longestKey} characters.` });
}
