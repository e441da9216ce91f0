/**
 * Follows a job that an answer names, as a profile declares it, until it ends. Its one rule: a job that has not said how it ended
 * leaves its rows in doubt.
 */
import type { AnswerRules } from '../contract/answer-rules.ts';
import { firstAt, valuesAt } from '../contract/body-path.ts';
import type { ServiceAddress } from './address.ts';
import { type Answer, headerOf } from './answer.ts';
import type { CallEnd } from './call-end.ts';
import { identifier, isJob, referenceIn } from './classify.ts';
import { retryAfterMs } from './rate-limit-headers.ts';

type AnswerEnd = Extract<CallEnd, { kind: 'answer' }>;
type Job = NonNullable<AnswerRules['job']>;

export interface JobWays {
  readonly address: ServiceAddress;
  /** The path of the request that began the job. */
  readonly path: string;
  /** Asks at a path of the service. */
  readonly ask: (path: string) => Promise<CallEnd>;
  /** Waits; `false` when the run has ended meanwhile. */
  readonly wait: (milliseconds: number) => Promise<boolean>;
  readonly now: () => number;
  readonly date: () => number;
}

/** The end of the call that began the job: with the job's own result, or unchanged when it is not known how it ended. */
export async function afterJob(end: CallEnd, rules: AnswerRules, ways: JobWays): Promise<CallEnd> {
  const { job } = rules;
  if (job === null || end.kind !== 'answer' || end.verdict !== 'success') return end;
  const value = end.answer.body.kind === 'json' ? end.answer.body.value : undefined;
  const place = isJob(value, end.answer.status, rules) ? placeOf(end.answer, value, job, ways) : null;
  if (place === null) return end;
  const until = ways.now() + job.longestMs;
  let { answer } = end;
  for (let leftMs = job.longestMs; leftMs > 0; leftMs = until - ways.now()) {
    const askedMs = retryAfterMs(answer.headers, ways.date()) ?? 0;
    if (!(await ways.wait(Math.min(leftMs, Math.max(askedMs, job.everyMs))))) break;
    const asked = await ways.ask(place);
    if (asked.kind !== 'answer' || asked.verdict !== 'success') break;
    answer = asked.answer;
    const ended = endedAs(answer, job);
    if (ended === 'done') return { ...end, answer: resultOf(answer, job) };
    if (ended === 'failed') return failed(end, answer, job, rules);
  }
  return end;
}

/** A job that has failed, and yet gives the id of a record, contradicts itself. */
function failed(end: AnswerEnd, answer: Answer, job: Job, rules: AnswerRules): CallEnd {
  const result = resultOf(answer, job);
  const isMade = result.body.kind === 'json' && referenceIn(result.body.value, rules).id !== null;
  return isMade
    ? { ...end, answer: result, verdict: 'in-doubt' }
    : { ...end, answer: { ...answer, status: 200 }, verdict: 'rejected' };
}

/** Where the job is asked for, from the root of the origin on; `null` for nowhere, and for another origin. */
function placeOf({ headers }: Answer, value: unknown, job: Job, { address, path }: JobWays): string | null {
  const given = firstAt(value, job.address);
  const id = identifier(firstAt(value, job.id));
  if (typeof given !== 'string' && id !== null && job.path !== null) return address.below(job.path, id);
  const text = typeof given === 'string' ? given : headerOf(headers, job.header);
  const url = text === '' ? null : address.sameOrigin(text, path);
  return url === null ? null : url.pathname + url.search;
}

/** A job that is done may lead on to its record (303). */
function endedAs({ status, body }: Answer, { state, done, failed }: Job): 'done' | 'failed' | null {
  if (status === 303) return 'done';
  if (state === null) return status === 202 || status === 204 ? null : 'done';
  const said = body.kind === 'json' ? firstAt(body.value, [state]) : undefined;
  const isIn = (states: readonly unknown[]): boolean => states.includes(said);
  return isIn(done) ? 'done' : isIn(failed) ? 'failed' : null;
}

function resultOf(answer: Answer, { result }: Job): Answer {
  const { body, status } = answer;
  if (status === 303) return { ...answer, status: 200, body: { kind: 'empty' } };
  const value = body.kind === 'json' ? valuesAt(body.value, result)[0] : undefined;
  return { ...answer, status: 200, body: body.kind === 'json' ? { kind: 'json', value } : body };
}
