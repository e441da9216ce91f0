/** From the end of a call to the outcome of its row: the table of what came back and what it means. */
import type { RecordKind } from '../contract/record-kind.ts';
import { type Answer, type AnswerBody, isObject, referenceIn, saysNo } from './answer.ts';
import { type CallSettings, idOf } from './calls.ts';
import type { CallEnd } from './conversation.ts';
import { errorTextOf } from './error-message.ts';
import { masked } from './masking.ts';
import type { Outcome } from './outcome.ts';
import type { OutgoingRecord, Secret } from './outgoing-record.ts';

/** What must not be repeated in a message; asked for when there is one. */
export type Secrets = () => readonly Secret[];

export function outcomeOf(
  kind: RecordKind,
  record: OutgoingRecord,
  path: string,
  end: CallEnd,
  secrets: Secrets,
  settings: CallSettings,
): Outcome {
  if (end.kind === 'no-answer') return withoutAnswer(end, secrets);
  const { answer, attempts } = end;
  if (end.verdict === 'rejected') return rejected(answer, attempts, secrets);
  if (end.verdict === 'in-doubt') return inDoubt(answer, attempts, secrets);
  return succeeded(kind, record.pathId, path, answer, attempts, secrets, settings);
}

/** The outcome of a row whose call ended without an answer. */
export function withoutAnswer(end: Extract<CallEnd, { kind: 'no-answer' }>, secrets: Secrets): Outcome {
  const { attempts, httpStatus } = end;
  const message = masked(end.message, secrets());
  if (end.applied === 'unknown') return { state: 'in-doubt', attempts, httpStatus, message: `${message} ${lookItUp}` };
  return { state: end.isStopped ? 'not-sent' : 'failed', attempts, httpStatus, message };
}

export function rejected(answer: Answer, attempts: number, secrets: Secrets): Outcome {
  const { message, fields } = errorTextOf(answer.status, answer.body, secrets());
  return { state: 'rejected', attempts, httpStatus: answer.status, message, fields };
}

/** The outcome of a row whose answer leaves open whether it is in. */
export function inDoubt({ status, body }: Answer, attempts: number, secrets: Secrets): Outcome {
  const said =
    body.kind === 'json' || body.kind === 'text' ? ` It said: ${errorTextOf(status, body, secrets()).message}` : '';
  const ending = isSuccess(status) ? endings[endingOf(body)] : '';
  const message = `The service answered ${status}${ending}.${said} ${lookItUp}`;
  return { state: 'in-doubt', attempts, httpStatus: status, message };
}

function succeeded(
  kind: RecordKind,
  pathId: string | null,
  path: string,
  answer: Answer,
  attempts: number,
  secrets: Secrets,
  settings: CallSettings,
): Outcome {
  const { status: httpStatus, body } = answer;
  const value = body.kind === 'json' ? body.value : null;
  if (saysNo(value, settings.contract)) return rejected(answer, attempts, secrets);
  const { companyId, url } = referenceIn(value, settings.contract);
  if (kind.sending === 'update') {
    return { state: 'updated', attempts, httpStatus, id: pathId, companyId, url };
  }
  const id = idOf(answer, path, settings);
  if (id !== null) return { state: 'created', attempts, httpStatus, id, companyId, url };
  if (kind.answersWithId || body.kind === 'unreadable' || tellsOfAnError(value))
    return inDoubt(answer, attempts, secrets);
  return { state: 'accepted', attempts, httpStatus, id, companyId, url };
}

/** A good status with an error in its body: both cannot be true. */
export function tellsOfAnError(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { error, errors } = value;
  return (
    (error !== undefined && error !== null && error !== false && error !== '') ||
    (Array.isArray(errors) && errors.length > 0)
  );
}

export const lookItUp = 'The record may or may not be in: look it up in the service before it is sent again.';

const endings = {
  json: ' without the id of a record',
  text: ' with a text in place of a record',
  html: ' with a web page in place of a record',
  empty: ' with nothing in its body',
  kept: ' with something else in place of a record',
  cut: ', but the connection broke inside the answer',
  stalled: ', but the answer stopped half-way',
  'too-long': ', but with more than could be an answer',
  broken: ', but what it sent could not be read',
} as const;

function endingOf(body: AnswerBody): keyof typeof endings {
  return body.kind === 'unreadable' ? body.why : body.kind;
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}
