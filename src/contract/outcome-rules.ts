/**
 * What an answer of the service means for the row that was sent. The interface shows no status codes (7.1), so all of
 * this is an assumption, kept as one table that a profile can change.
 */
import * as z from 'zod';

/**
 * - `success`: the body decides (an id, `success: false`, nothing readable)
 * - `rejected`: the service said no, for good
 * - `retry`: the service did nothing, and may say yes later
 * - `retry-if-told`: the same, but only when the answer carries `Retry-After`; else what stands for its class
 * - `in-doubt`: the service may or may not have made the record
 * - `token`: the token was refused
 * - `closed`: rejected, and five in a row from the start of a run mean that the whole address is wrong
 * - `stop`: in doubt, and nothing further may be sent
 */
const answerMeanings = [
  'success',
  'rejected',
  'retry',
  'retry-if-told',
  'in-doubt',
  'token',
  'closed',
  'stop',
] as const;
export type AnswerMeaning = (typeof answerMeanings)[number];

/** A create (also bulk and upload) must not be made twice; an update may be repeated; a read is always safe. */
export type RequestNature = 'create' | 'update' | 'read';

/** A status (`503`) or a class of statuses (`5xx`); the exact one is looked at first. */
const statusPattern = z.string().regex(/^[1-5](\d\d|xx)$/);
export const outcomeRulesSchema = z.record(statusPattern, z.enum(answerMeanings));
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

/** Looks a status up: the exact rule, else the rule of its class. */
export function meaningOf(rules: OutcomeRules, status: number, hasRetryAfter: boolean): AnswerMeaning {
  const ofClass = rules[`${Math.floor(status / 100)}xx`] ?? 'in-doubt';
  const exact = rules[String(status)];
  if (exact === 'retry-if-told') return hasRetryAfter ? 'retry' : ofClass;
  return exact ?? ofClass;
}
