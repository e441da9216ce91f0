/**
 * Follows a job that an answer names, as a profile declares it, until it ends. Its one rule: a job that has not said how it ended
 * leaves its rows in doubt.
 */
import type { AnswerRules } from '../contract/answer-rules.ts';
import { firstAt, valuesAt } from '../contract/body-path.ts';
import type { CallEnd } from './call-end.ts';
import { identifier } from './classify.ts';

type AnswerEnd = Extract<CallEnd, { kind: 'answer' }>;
type Job = NonNullable<AnswerRules['job']>;

export interface JobWays {
  /** Asks at a path or an address of the service. `null` for one at another origin. */
  readonly ask: (place: string) => Promise<CallEnd | null>;
  /** Waits; `false` when the run has ended meanwhile. */
  readonly wait: (milliseconds: number) => Promise<boolean>;
  readonly now: () => number;
}

/** The end of the call that began the job: with the job's own result, or unchanged when it is not known how it ended. */
export async function afterJob(end: CallEnd, job: Job | null, ways: JobWays): Promise<CallEnd> {
  if (job === null || job.done.length === 0 || end.kind !== 'answer' || end.verdict !== 'success') return end;
  const place = placeOf(end, job);
  if (place === null) return end;
  const began = ways.now();
  while (ways.now() - began < job.longestMs && (await ways.wait(job.everyMs))) {
    const asked = await ways.ask(place);
    if (asked === null || asked.kind !== 'answer' || asked.answer.body.kind !== 'json') return inDoubt(end);
    if (asked.verdict !== 'success') return inDoubt(end);
    const { value } = asked.answer.body;
    const state = firstAt(value, [job.state]);
    const isIn = (states: readonly unknown[]): boolean => states.includes(state);
    if (isIn(job.done)) return withResult(end, valuesAt(value, job.result)[0]);
    if (isIn(job.failed)) return { ...withResult(end, value), verdict: 'rejected' };
  }
  return inDoubt(end);
}

function placeOf({ answer: { body, headers } }: AnswerEnd, job: Job): string | null {
  const value = body.kind === 'json' ? body.value : undefined;
  const address = firstAt(value, job.address);
  if (typeof address === 'string' && address !== '') return address;
  const id = identifier(firstAt(value, job.id));
  if (id !== null && job.path !== null) return job.path.replace('{id}', () => encodeURIComponent(id));
  return headers.location ?? null;
}

function withResult(end: AnswerEnd, value: unknown): AnswerEnd {
  return { ...end, answer: { ...end.answer, status: 200, body: { kind: 'json', value } } };
}

function inDoubt(end: AnswerEnd): AnswerEnd {
  return { ...end, verdict: 'in-doubt' };
}
