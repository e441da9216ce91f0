/** From the end of a call to the outcome of each of its rows. */
import type { AnswerRules } from '../contract/answer-rules.ts';
import { valuesAt } from '../contract/body-path.ts';
import type { RecordKind } from '../contract/record-kind.ts';
import { sendingOf } from '../contract/request-rules.ts';
import type { Message } from '../messages/message.ts';
import { serviceMessage } from '../messages/service.ts';
import { idInAddress } from './address.ts';
import { type Answer, jsonIn } from './answer.ts';
import { identifier } from './answer-words.ts';
import { classify, type SentRow, type Verdict } from './classify.ts';
import type { AnswerEnd, CallEnd, Session } from './conversation.ts';
import type { Outcome, OutgoingRecord } from './outcome.ts';
import { shortened } from './plain-text.ts';
import { reasonIn, reasonOfAnswer } from './reason.ts';
import { redacted } from './redaction.ts';

export interface Judging extends Pick<Session, 'contract' | 'address' | 'secretsOf'> {
  readonly kind: RecordKind;
  readonly records: readonly OutgoingRecord[];
  /** The path of the request, for addresses that are relative to it. */
  readonly path: string;
}

/** One outcome for each row of the call, in their order. */
export function outcomesOf(end: CallEnd, judging: Judging, rules: AnswerRules): readonly Outcome[] {
  const { records } = judging;
  if (end.kind === 'no-answer') return records.map(() => withoutAnswer(end));
  const { means, answer } = end;
  const { isBatch, isUpdate } = sendingOf(judging.kind, judging.contract.requests);
  const located = isBatch || isUpdate ? null : idFromLocation(answer, judging, rules);
  const rows = records.map((record) => sentRow(judging.kind, record, rules));
  return classify({ ...answer, means, located }, rows, isBatch, rules).map((verdict, place) => {
    const outcome = outcomeOf(verdict, end, judging, records[place] as OutgoingRecord, rules);
    return afterEarlierTries(outcome, end.earlierDoubt);
  });
}

/** A no is the end of a row only when no earlier try of its request may have been applied. */
export function afterEarlierTries(outcome: Outcome, first: Message | null): Outcome {
  if (outcome.state !== 'rejected' || first === null) return outcome;
  const { attempts, httpStatus, message: refusal } = outcome;
  const message = serviceMessage('refused-after-doubt', { first, refusal });
  return { state: 'in-doubt', attempts, httpStatus, message };
}

function outcomeOf(
  verdict: Verdict,
  { answer, attempts }: AnswerEnd,
  { kind, path, address, secretsOf }: Judging,
  record: OutgoingRecord,
  rules: AnswerRules,
): Outcome {
  const { status } = answer;
  const sent = { attempts, httpStatus: status };
  if (verdict.is === 'yes') {
    const { id, companyId } = verdict;
    const state = kind.sending.isUpdate ? 'updated' : id === null ? 'accepted' : 'created';
    return { ...sent, state, id, companyId, url: verdict.url === null ? null : address.recordUrl(verdict.url, path) };
  }
  const secrets = secretsOf(record);
  const own = verdict.at === jsonIn(answer) ? null : reasonIn(verdict.at, rules.reason);
  const found = own ?? reasonOfAnswer(answer.body, rules.reason);
  const reason = found === null ? null : redacted(found, secrets);
  if (verdict.is === 'no')
    return { ...sent, state: 'rejected', message: serviceMessage('refused', { status, reason }) };
  // An id that repeats a value of the row tells nothing of the record, and may be what must not be shown.
  const isOwn = verdict.id === null || redacted(verdict.id, secrets) !== verdict.id;
  const id = isOwn ? null : shortened(verdict.id, longestId);
  return { ...sent, state: 'in-doubt', message: serviceMessage(`doubt-${verdict.why}`, { status, reason, id }) };
}

function withoutAnswer({ attempts, httpStatus, applied, isStopped, message }: Exclude<CallEnd, AnswerEnd>): Outcome {
  const sent = { attempts, httpStatus };
  if (applied === 'no') return { ...sent, state: isStopped ? 'not-sent' : 'failed', message };
  return { ...sent, state: 'in-doubt', message: serviceMessage('doubt-no-answer', { fault: message }) };
}

/** A service may count companies and deals by themselves: a documented id may equal that of the parent. */
export function sentRow(
  { references }: RecordKind,
  { body, pathId }: OutgoingRecord,
  { needsId }: AnswerRules,
): SentRow {
  const ownIds = (needsId ? [] : references).flatMap(({ fills }) =>
    valuesAt(body, fills).flatMap((id) => identifier(id) ?? []),
  );
  return { body, pathId, ownIds };
}

function idFromLocation({ headers }: Answer, { address, path }: Judging, { idInUrl }: AnswerRules): string | null {
  const { location } = headers;
  if (location === undefined) return null;
  return identifier(idInUrl === null ? address.idFromLocation(location, path) : idInAddress(location, idInUrl));
}

const longestId = 80;
