/** From the end of a call to the outcome of each of its rows. */
import { type AnswerRules, answerRulesOf } from '../contract/answer-rules.ts';
import { valuesAt } from '../contract/body-path.ts';
import type { ContractSettings } from '../contract/contract-settings.ts';
import type { RecordKind } from '../contract/record-kind.ts';
import { sendingOf } from '../contract/request-rules.ts';
import type { Message } from '../messages/message.ts';
import { serviceMessage } from '../messages/service.ts';
import { idInAddress, type ServiceAddress } from './address.ts';
import type { Answer, AnswerBody } from './answer.ts';
import type { CallEnd } from './call-end.ts';
import {
  classifyBatch,
  classifyRecord,
  identifier,
  isJob,
  referenceIn,
  type SentRow,
  saysNo,
  saysYes,
  type Verdict,
} from './classify.ts';
import type { Outcome } from './outcome.ts';
import type { OutgoingRecord, Secrets } from './outgoing-record.ts';
import { shortened } from './plain-text.ts';
import { reasonIn, reasonOfAnswer } from './reason.ts';
import { redacted } from './redaction.ts';

export interface Judging {
  readonly kind: RecordKind;
  readonly records: readonly OutgoingRecord[];
  /** The path of the request, for addresses that are relative to it. */
  readonly path: string;
  readonly contract: ContractSettings;
  readonly address: ServiceAddress;
  /** What must not be repeated of a row. */
  readonly secretsOf: (record: OutgoingRecord) => Secrets;
}

type AnswerEnd = Extract<CallEnd, { kind: 'answer' }>;

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

/** Whether a body says yes as it is declared, whatever its status: such a record may have been made. */
export function saysMade({ body }: Answer, kind: RecordKind, contract: ContractSettings): boolean {
  if (body.kind !== 'json') return false;
  const rules = answerRulesOf(kind, contract.answers);
  if (rules.yes === '2xx' || saysNo(body.value, rules, rules.yes)) return false;
  return saysYes(body.value, rules.yes) && (!rules.needsId || referenceIn(body.value, rules).id !== null);
}

/** Whether a good answer can be judged, or the same request is to be made again where that is safe. */
export function isClear(end: Answer, judging: Judging): boolean {
  const rules = answerRulesOf(judging.kind, judging.contract.answers);
  const verdicts = verdictsOf({ verdict: 'success', answer: end }, judging, rules);
  return verdicts.every((verdict) => verdict.is !== 'doubt' || verdict.why === 'job');
}

type Judged =
  | Exclude<Verdict, { is: 'doubt' }>
  | { readonly is: 'doubt'; readonly why: DoubtCode; readonly at: unknown; readonly id: string | null };
type DoubtCode = Extract<Verdict, { is: 'doubt' }>['why'] | 'status' | 'page' | 'text' | 'empty' | 'unreadable';

function verdictsOf(
  { verdict, answer }: Pick<AnswerEnd, 'verdict' | 'answer'>,
  judging: Judging,
  rules: AnswerRules,
): readonly Judged[] {
  const { kind, records, contract } = judging;
  const all = (one: Judged): readonly Judged[] => records.map(() => one);
  const at = answer.body.kind === 'json' ? answer.body.value : undefined;
  if (verdict === 'rejected' && !saysMade(answer, kind, contract)) return all({ is: 'no', at });
  if (verdict !== 'success') return all({ is: 'doubt', why: 'status', at, id: idIn(answer.body, rules) });
  const sending = sendingOf(kind, contract.requests);
  const located = !sending.isUpdate && !sending.isBatch ? idFromLocation(answer, judging, rules) : null;
  const yes: Judged | null = located === null ? null : { is: 'yes', id: located, companyId: null, url: null };
  if (answer.body.kind !== 'json') return all(withoutJson(answer, records, yes, rules));
  const rows = records.map((record) => sentRow(kind, record, rules));
  if (sending.isBatch) return classifyBatch(at, answer.status, rows, rules);
  const found = classifyRecord(at, answer.status, rows[0] as SentRow, rules);
  return all(found.is === 'doubt' && found.why === 'without-id' && yes !== null ? yes : found);
}

function withoutJson(
  { status, body }: Answer,
  records: readonly OutgoingRecord[],
  located: Judged | null,
  rules: AnswerRules,
): Judged {
  const isUnderWay = isJob(undefined, status, rules);
  if (!isUnderWay && located !== null && body.kind !== 'html') return located;
  if (!isUnderWay && rules.yes === '2xx' && (body.kind === 'empty' || body.kind === 'text') && !rules.needsId) {
    return { is: 'yes', id: records[0]?.pathId ?? null, companyId: null, url: null };
  }
  const why = isUnderWay
    ? 'job'
    : body.kind === 'html'
      ? 'page'
      : body.kind === 'kept' || body.kind === 'json'
        ? 'unreadable'
        : body.kind;
  return { is: 'doubt', why, at: undefined, id: null };
}

function outcomeOf(
  verdict: Judged,
  { answer, attempts }: AnswerEnd,
  { kind, path, address, secretsOf }: Judging,
  record: OutgoingRecord,
  rules: AnswerRules,
): Outcome {
  const httpStatus = answer.status;
  if (verdict.is === 'yes') {
    const { id, companyId } = verdict;
    const state = kind.sending.isUpdate ? 'updated' : id === null ? 'accepted' : 'created';
    return {
      state,
      attempts,
      httpStatus,
      id,
      companyId,
      url: verdict.url === null ? null : address.recordUrl(verdict.url, path),
    };
  }
  const secrets = secretsOf(record)();
  const whole = answer.body.kind === 'json' && verdict.at === answer.body.value;
  const found =
    whole || verdict.at === undefined
      ? reasonOfAnswer(answer.body, rules.reason)
      : (reasonIn(verdict.at, rules.reason) ?? reasonOfAnswer(answer.body, rules.reason));
  const reason = found === null ? null : redacted(found, secrets);
  if (verdict.is === 'no') {
    return {
      state: 'rejected',
      attempts,
      httpStatus,
      message: serviceMessage('refused', { status: httpStatus, reason }),
    };
  }
  // An id that repeats a value of the row tells nothing of the record, and may be what must not be shown.
  const isOwn = verdict.id === null || redacted(verdict.id, secrets) !== verdict.id;
  const id = isOwn ? null : shortened(verdict.id, longestId);
  const message = serviceMessage(`doubt-${verdict.why}`, { status: httpStatus, reason, id });
  return { state: 'in-doubt', attempts, httpStatus, message };
}

function withoutAnswer({
  attempts,
  httpStatus,
  applied,
  isStopped,
  message,
}: Extract<CallEnd, { kind: 'no-answer' }>): Outcome {
  if (applied === 'unknown')
    return { state: 'in-doubt', attempts, httpStatus, message: serviceMessage('doubt-no-answer', { fault: message }) };
  return { state: isStopped ? 'not-sent' : 'failed', attempts, httpStatus, message };
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

function idIn(body: AnswerBody, rules: AnswerRules): string | null {
  return body.kind === 'json' ? referenceIn(body.value, rules).id : null;
}

function idFromLocation({ headers }: Answer, { address, path }: Judging, { idInUrl }: AnswerRules): string | null {
  const { location } = headers;
  if (location === undefined) return null;
  return identifier(idInUrl === null ? address.idFromLocation(location, path) : idInAddress(location, idInUrl));
}

const longestId = 80;
