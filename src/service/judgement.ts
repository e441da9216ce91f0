/** From the end of a call to the outcome of each of its rows. */
import { type AnswerRules, answerRulesOf } from '../contract/answer-rules.ts';
import { valuesAt } from '../contract/body-path.ts';
import type { ContractSettings } from '../contract/contract-settings.ts';
import type { RecordKind } from '../contract/record-kind.ts';
import { sendingOf } from '../contract/request-rules.ts';
import type { Message } from '../messages/message.ts';
import { serviceMessage } from '../messages/service.ts';
import { idInAddress } from './address.ts';
import { type Answer, jsonIn } from './answer.ts';
import {
  classifyBatch,
  classifyRecord,
  doubt,
  identifier,
  isJob,
  referenceIn,
  type SentRow,
  stanceOf,
  tellsOfRow,
  type Verdict,
} from './classify.ts';
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
  return verdictsOf(end, judging, rules).map((verdict, place) => {
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

/** Whether a body says yes as it is declared, whatever its status, to all or to one of its rows: such a record may have been made. */
export function saysMade(answer: Answer, kind: RecordKind, contract: ContractSettings): boolean {
  const value = jsonIn(answer);
  if (value === undefined) return false;
  const rules = answerRulesOf(kind, contract.answers);
  const isGood = answer.status < firstRedirect;
  const isYes = rules.yes === '2xx' ? isGood && rules.needsId : stanceOf(value, rules, rules.yes) === 'yes';
  return (isYes && (!rules.needsId || referenceIn(value, rules).id !== null)) || tellsOfRow(value, rules);
}

const firstRedirect = 300;

function verdictsOf({ verdict, answer }: AnswerEnd, judging: Judging, rules: AnswerRules): readonly Verdict[] {
  const { kind, records, contract } = judging;
  const all = (one: Verdict): readonly Verdict[] => records.map(() => one);
  const value = jsonIn(answer);
  if (verdict === 'rejected' && !saysMade(answer, kind, contract)) return all({ is: 'no', at: value });
  if (verdict !== 'success') return all(doubt('status', value, referenceIn(value, rules).id));
  const { isBatch, isUpdate } = sendingOf(kind, contract.requests);
  const located = isBatch || isUpdate ? null : idFromLocation(answer, judging, rules);
  if (value === undefined) return all(withoutJson(answer, records, located, rules));
  const rows = records.map((record) => sentRow(kind, record, rules));
  if (isBatch) return classifyBatch(value, answer.status, rows, rules);
  const found = classifyRecord(value, answer.status, rows[0] as SentRow, rules);
  return all(found.is === 'doubt' && found.why === 'without-id' && located !== null ? yes(located) : found);
}

/** A good status alone is a yes beside a plain text, and beside no document in another language: that may as well tell a no. */
function withoutJson(
  { status, body }: Answer,
  records: readonly OutgoingRecord[],
  located: string | null,
  rules: AnswerRules,
): Verdict {
  const { kind } = body;
  if (isJob(undefined, status, rules)) return doubt('job', undefined);
  if (kind === 'html') return doubt('page', undefined);
  if (located !== null) return yes(located);
  const isPlain = kind === 'empty' || kind === 'text';
  const isMarkup = kind === 'text' && body.text.trimStart().startsWith('<');
  if (isPlain && !isMarkup && rules.yes === '2xx' && !rules.needsId) return yes(records[0]?.pathId ?? null);
  return doubt(isPlain ? kind : 'unreadable', undefined);
}

function yes(id: string | null): Verdict {
  return { is: 'yes', id, companyId: null, url: null };
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
