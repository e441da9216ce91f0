/**
 * Follows a job that an answer names, as a profile declares it, until it ends. Its one rule: a job that has not said how it ended
 * leaves its rows in doubt.
 */
import type { AnswerRules } from '../contract/answer-rules.ts';
import { firstAt, valuesAt } from '../contract/body-path.ts';
import { type Answer, headerOf, identifier, isJob, jsonIn, referenceIn } from './answer.ts';
import { jobCall } from './call.ts';
import { tellsOfRow } from './classify.ts';
import { type AnswerEnd, type CallEnd, Conversation, type Session } from './conversation.ts';
import { retryAfterMs } from './retry.ts';
import type { RowsCall } from './senders.ts';

type Job = NonNullable<AnswerRules['job']>;

/** The end of the call that began the job: with the job's own result, or unchanged when it is not known how it ended. */
export async function afterJob({ rules, call }: RowsCall, end: CallEnd, session: Session): Promise<CallEnd> {
  const { clock, limiter } = session;
  const { job } = rules;
  if (job === null || end.kind !== 'answer' || end.means !== 'success') return end;
  const value = jsonIn(end.answer);
  const place = isJob(value, end.answer.status, rules) ? placeOf(end.answer, job, call.path, session) : null;
  if (place === null) return end;
  const until = clock.now() + job.longestMs;
  let { answer } = end;
  for (let leftMs = job.longestMs; leftMs > 0; leftMs = until - clock.now()) {
    const askedMs = retryAfterMs(answer.headers, clock.date()) ?? 0;
    await limiter.sleep(Math.min(leftMs, Math.max(askedMs, job.everyMs)));
    if (session.ended !== null) break;
    const asked = await new Conversation(jobCall(place, session), session).run(false);
    if (asked.kind !== 'answer' || asked.means !== 'success') break;
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
  const value = jsonIn(result);
  return referenceIn(value, rules).id !== null || tellsOfRow(value, rules)
    ? { ...end, answer: result, means: 'in-doubt' }
    : { ...end, answer: { ...answer, status: 200 }, means: 'rejected' };
}

/** Where the job is asked for, from the root of the origin on; `null` for nowhere, and for another origin. */
function placeOf(answer: Answer, job: Job, path: string, { address }: Session): string | null {
  const value = jsonIn(answer);
  const given = firstAt(value, job.address);
  const id = identifier(firstAt(value, job.id));
  if (typeof given !== 'string' && id !== null && job.path !== null) return address.below(job.path, id);
  const text = typeof given === 'string' ? given : headerOf(answer.headers, job.header);
  const url = text === '' ? null : address.sameOrigin(text, path);
  return url === null ? null : url.pathname + url.search;
}

/** A job of several parts has ended with the last of them; one that is done may lead on to its record (303). */
function endedAs(answer: Answer, { state, done, failed }: Job): 'done' | 'failed' | null {
  const { status } = answer;
  if (status === 303) return 'done';
  if (state === null) return status === 202 || status === 204 ? null : 'done';
  const said = valuesAt(jsonIn(answer), state);
  if (said.length === 0 || !said.every((each) => [...done, ...failed].includes(each as never))) return null;
  return said.some((each) => done.includes(each as never)) ? 'done' : 'failed';
}

function resultOf(answer: Answer, { result }: Job): Answer {
  const { body, status } = answer;
  if (status === 303) return { ...answer, status: 200, body: { kind: 'empty' } };
  const told = body.kind === 'json' ? { ...body, value: valuesAt(body.value, result)[0] } : body;
  return { ...answer, status: 200, body: told };
}
