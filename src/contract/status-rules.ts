/** What the status of an answer means. The interface documents none (7.1): each is an assumption that a profile replaces. */
import * as z from 'zod';
import { matching } from './profile-parts.ts';

/**
 * - `success`: the body decides (an id, `success: false`, nothing readable)
 * - `rejected`: the service refused it for good
 * - `retry`: nothing was done, and a later try may succeed
 * - `retry-if-told`: the same, but only when the answer carries `Retry-After`; otherwise the rule of its class applies
 * - `in-doubt`: the record may or may not have been created
 * - `token`: the token was refused
 * - `closed`: rejected, and five in a row from the start of a run mean that the whole address is wrong
 * - `stop`: in doubt, and nothing more may be sent
 */
const meanings = ['success', 'rejected', 'retry', 'retry-if-told', 'in-doubt', 'token', 'closed', 'stop'] as const;
export type AnswerMeaning = (typeof meanings)[number];

/** A create (also bulk and upload) must not be repeated; an update may be repeated; a read is always safe. */
export type RequestNature = 'create' | 'update' | 'read';

export const outcomeRulesSchema = z.record(matching(/^[1-5](\d\d|xx)$/), z.enum(meanings));
export type OutcomeRules = Readonly<Record<string, AnswerMeaning>>;

const common: OutcomeRules = {
  '2xx': 'success',
  '3xx': 'stop',
  '4xx': 'rejected',
  '401': 'token',
  '403': 'closed',
  '405': 'closed',
  '408': 'retry',
  '425': 'retry',
  '429': 'retry',
  '503': 'retry-if-told',
};

export const assumedOutcomeRules: Readonly<Record<RequestNature, OutcomeRules>> = {
  create: { ...common, '404': 'closed', '1xx': 'in-doubt', '5xx': 'in-doubt' },
  update: { ...common, '1xx': 'retry', '5xx': 'retry' },
  read: { ...common, '1xx': 'retry', '5xx': 'retry' },
};

export function meaningOf(rules: OutcomeRules, status: number, hasRetryAfter: boolean): AnswerMeaning {
  const ofClass = rules[`${Math.floor(status / 100)}xx`] ?? 'in-doubt';
  const exact = rules[String(status)];
  if (exact === 'retry-if-told') return hasRetryAfter ? 'retry' : ofClass;
  return exact ?? ofClass;
}
