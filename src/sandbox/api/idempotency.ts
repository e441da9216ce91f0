/**
 * The Idempotency-Key header: the same key with the same request gives the same answer again and makes nothing; with
 * another request it is refused. Only accepted requests are kept, so a refused one may be corrected under its key.
 */
import { createHash } from 'node:crypto';
import type { EndpointName } from '../../contract/endpoints.ts';
import { type Answer, Problem } from '../problem.ts';
import type { Tables } from '../store/tables.ts';
import type { PreparedWrite } from './endpoint.ts';

const longestKey = 255;

/** Runs a write under its key, or plainly without one. Everything happens in the same commit. */
export function runOnce(
  endpoint: EndpointName,
  key: string | null,
  write: PreparedWrite,
  tables: Tables,
  at: number,
): Answer {
  if (key === null) return write.run(tables, at);
  const digest = createHash('sha256').update(write.content).digest('hex');
  const kept = tables.keptAnswer(endpoint, key);
  if (kept !== undefined) {
    if (kept.digest !== digest) {
      throw new Problem('key-reused', { detail: 'This Idempotency-Key came earlier with another request.' });
    }
    const location = kept.location === null ? {} : { location: kept.location };
    const headers = { 'content-type': 'application/json', 'idempotency-replayed': 'true', ...location };
    return { status: kept.status, headers, text: kept.body };
  }
  const answer = write.run(tables, at);
  const { status, text: body, headers } = answer;
  tables.keepAnswer(endpoint, key, { digest, status, body, location: headers.location ?? null });
  return answer;
}

/** The key of a request, or `null` without one. */
export function idempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  const key = Array.isArray(header) ? header.join(',') : header;
  if (key !== '' && key.length <= longestKey) return key;
  throw new Problem('unusable-key', { detail: `An Idempotency-Key has 1 to ${longestKey} characters.` });
}
