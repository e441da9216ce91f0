/** Turns the end of a call into one outcome per row. */
import type { AnswerRules } from '../contract/answer-rules.ts';
import { firstAt, isObject, valuesAt } from '../contract/body-path.ts';
import { sendingOf } from '../contract/contract-settings.ts';
import type { RecordKind, RecordKindName } from '../contract/record-kind.ts';
import { noRecord } from '../contract/row-state.ts';
import type { Message } from '../messages/message.ts';
import { digitsOf, shortened } from '../messages/plain-text.ts';
import { messageOf } from '../messages/text.ts';
import { decodedPart } from './address.ts';
import {
  type Answer,
  type AnswerBody,
  headerOf,
  identifier,
  isJob,
  jsonIn,
  referenceIn,
  tellsOfSome,
} from './answer.ts';
import { classify, doubt, mayHoldRows, type RowMeaning, sentRow } from './classify.ts';
import { type AnswerEnd, type CallEnd, converse, jobCall, type RowsCall, type Session } from './conversation.ts';
import type { Outcome, OutgoingRecord, Secret } from './outcome.ts';
import { reasonIn, reasonOfAnswer, redacted } from './reason.ts';
import { retryAfterMs } from './retry.ts';

type OutcomeContext = Pick<Session, 'contract' | 'address' | 'secretsOf'>;

export function outcomesOf(sent: RowsCall, end: CallEnd, session: OutcomeContext, ids: KnownIds): readonly Outcome[] {
  if (end.kind === 'no-answer') return sent.rows.map(() => withoutAnswer(end, sent.kind.sending));
  const { means, answer } = end;
  const { isBatch, isUpdate } = sendingOf(sent.kind, session.contract.requests);
  const { path, rules } = sent;
  const location = isBatch || isUpdate ? '' : headerOf(answer.headers, rules.header);
  const located = location === '' ? null : identifier(session.address.idFromLocation(location, path, rules.idInUrl));
  const rows = sent.rows.map((record) => sentRow(sent, record, session.contract));
  const tokens = session.secretsOf();
  const safe = classify({ means, located, ...answer }, rows, isBatch, sent.rules).map((meaning, place) =>
    withSafeReference(meaning, sent.rows[place] as OutgoingRecord, tokens),
  );
  return ids(sent, safe).map((meaning, place) => {
    const outcome = outcomeOf(meaning, sent, sent.rows[place] as OutgoingRecord, end, session);
    return afterEarlierTries(outcome, end.earlierDoubt, isUpdate);
  });
}

export function afterEarlierTries(outcome: Outcome, earlierDoubt: Message | null, isUpdate: boolean): Outcome {
  if (outcome.state !== 'rejected' || earlierDoubt === null) return outcome;
  const message = messageOf('refused-after-doubt', { first: earlierDoubt, refusal: outcome.message, isUpdate });
  return { ...outcome, state: 'in-doubt', message };
}

function outcomeOf(
  meaning: RowMeaning,
  { kind, path, rules, rows }: RowsCall,
  record: OutgoingRecord,
  { means, answer, attempts, jobState = '' }: AnswerEnd,
  { address, secretsOf }: OutcomeContext,
): Outcome {
  const { status } = answer;
  const { isUpdate } = kind.sending;
  if (meaning.is === 'yes') {
    const id = record.pathId ?? meaning.id;
    const state = isUpdate ? 'updated' : id === null ? 'accepted' : 'created';
    const url = meaning.url === null ? null : address.recordUrl(meaning.url, path);
    return { attempts, httpStatus: status, state, record: id, company: meaning.companyId, url, message: null };
  }
  const sent = { ...noRecord, attempts, httpStatus: status };
  const secrets = secretsOf([record]);
  // The rest of the answer may be about other rows, and this row's secrets do not hide their values.
  const isOfOther = meaning.is === 'doubt' && meaning.why === 'other-id';
  const found = isOfOther ? null : reasonOfRow(meaning.at, answer.body, rules);
  const reason = found === null ? null : redacted(found, secrets);
  const isOfAll = meaning.at === jsonIn(answer) || (means === 'rejected' && reason === null);
  const together = rows.length > 1 && isOfAll ? rows.length : null;
  if (meaning.is === 'no')
    return { ...sent, state: 'rejected', message: messageOf('refused', { status, reason, together }) };
  // An id that repeats a value of the row identifies nothing, and may be sensitive.
  const isOwn = meaning.id === null || redacted(meaning.id, secrets) !== meaning.id;
  const id = isOwn ? null : shortened(meaning.id, longestShown);
  const params = { isUpdate, status, reason, id, jobState: shortened(redacted(jobState, secrets), longestShown) };
  return { ...sent, state: 'in-doubt', message: messageOf(`doubt-${meaning.why}`, params) };
}

/** Of an item, its own reason, else one beside the list of items, which is about other rows too. */
function reasonOfRow(at: unknown, body: AnswerBody, { items, reason }: AnswerRules): string | null {
  if (body.kind !== 'json' || at === body.value) return reasonOfAnswer(body, reason);
  const lists = (items?.at ?? []).flatMap((path) => valuesAt(body.value, path)).filter(isObject);
  const holdsList = (held: unknown): boolean =>
    isObject(held) && (lists.includes(held) || Object.values(held).some(holdsList));
  const members = Object.entries(isObject(body.value) && !lists.includes(body.value) ? body.value : {});
  const beside = Object.fromEntries(members.filter(([, held]) => !holdsList(held)));
  return reasonIn(at, reason) ?? reasonIn(beside, reason) ?? reasonOfAnswer({ ...body, value: at }, []);
}

const longestShown = 80;

function withoutAnswer(
  { attempts, httpStatus, applied, isStopped, message }: Exclude<CallEnd, AnswerEnd>,
  { isUpdate }: RecordKind['sending'],
): Outcome {
  const sent = { attempts, httpStatus, ...noRecord };
  if (applied === 'no') return { ...sent, state: isStopped ? 'not-sent' : 'failed', message };
  return { ...sent, state: 'in-doubt', message: messageOf('doubt-no-answer', { fault: message, isUpdate }) };
}

/** Drops an address with the token or a sensitive value. Such an id counts as unusable. */
function withSafeReference(meaning: RowMeaning, row: OutgoingRecord, tokens: readonly Secret[]): RowMeaning {
  if (meaning.is !== 'yes') return meaning;
  const { id, companyId, url } = meaning;
  const safe = (text: string | null) => {
    const said = text === null ? '' : (decodedPart(text) ?? text);
    const isIn = ({ value }: Secret) => said.toUpperCase().includes(value.toUpperCase());
    const hasToken = tokens.some((each) => each.value.length >= shortestToken && isIn(each));
    return hasToken || holdsSensitive(said, row) ? null : text;
  };
  if (safe(id) !== id) return doubt('unusable-id', undefined);
  return { is: 'yes', id, companyId: safe(companyId), url: safe(url) };
}

/** In characters. A shorter token could be part of any id or address by chance. */
const shortestToken = 12;
/** An SSN has nine digits and a date eight. Shorter numbers occur anywhere. */
const fewestDigits = 8;

function holdsSensitive(text: string, { secrets }: OutgoingRecord): boolean {
  const said = digitsOf(text);
  if (said.length < fewestDigits) return false;
  return secrets('sensitive').some(({ value }) => holdsDigits(said, digitsOf(value)));
}

/** A date may have its parts in another order. */
function holdsDigits(said: string, digits: string): boolean {
  if (digits.length < fewestDigits) return false;
  const [year, month, day] = [digits.slice(0, 4), digits.slice(4, 6), digits.slice(6)];
  return [digits, month + day + year, day + month + year].some((order) => said.includes(order));
}

export type KnownIds = (
  sent: Pick<RowsCall, 'kind' | 'rows'>,
  meanings: readonly RowMeaning[],
) => readonly RowMeaning[];

/**
 * Checks ids against those that recent rows of this run got or named; the ledger has the final say. A repeated id leaves the row in
 * doubt. A short memory is enough, because a stray answer is at most a few requests late.
 * @param onStray  called after an answer to another row: every later answer of its connection may be another row's too
 */
export function knownIds(onStray: () => void): KnownIds {
  let [recent, before] = [new Set<string>(), new Set<string>()];
  const isKnown = (key: string): boolean => recent.has(key) || before.has(key);
  const isNew = (key: string): boolean => {
    if (isKnown(key)) return false;
    if (recent.size >= mostRecent) [before, recent] = [recent, new Set()];
    recent.add(key);
    return true;
  };
  return ({ kind, rows }, meanings) => {
    const given = meanings.map((meaning) => (meaning.is === 'yes' ? meaning.id : null));
    const checked = meanings.map((meaning, place) => {
      const id = given[place] ?? null;
      const pathId = rows[place]?.pathId ?? null;
      if (meaning.is === 'yes' && pathId !== null) isNew(keyOf('companies', pathId));
      if (id === null || id === pathId) return meaning;
      // An answer to an update may give any id, but not that of another company.
      const isOther = pathId !== null && isKnown(keyOf('companies', id));
      const isTaken = pathId === null && (!isNew(keyOf(kind.name, id)) || given.indexOf(id) !== given.lastIndexOf(id));
      return isOther || isTaken ? doubt('other-id', undefined, id) : meaning;
    });
    if (checked.every((meaning, place) => meaning === meanings[place])) return checked;
    onStray();
    // Without an id of its own, the whole answer may be that of another batch, and so may its no.
    const isOfOthers = checked.every(({ is }) => is !== 'yes');
    return checked.map((meaning) => (isOfOthers && meaning.is === 'no' ? doubt('other-id', undefined) : meaning));
  };
}

const mostRecent = 10_000;

/** Numeric ids are scoped by kind, because a service may count deals and companies each from 1. */
function keyOf(kind: RecordKindName, id: string): string {
  return /^\d+$/.test(id) ? `${kind} ${id}` : id;
}

type Job = NonNullable<AnswerRules['job']>;

/** Polls the job that a call started. Nothing tells whose result it is if another call was given the same one meanwhile. */
export async function afterJob(sent: RowsCall, end: CallEnd, session: Session): Promise<CallEnd> {
  const { rules, path } = sent;
  const { job } = rules;
  if (job === null || end.kind !== 'answer' || end.means !== 'success') return end;
  const { answer } = end;
  // In `Location` there may be the record itself.
  const isNamed = job.header !== 'location' && headerOf(answer.headers, job.header) !== '';
  const isBegun = isJob(jsonIn(answer), answer.status, rules, isNamed);
  const begun = isBegun && isNamed ? { ...end, means: 'under-way' as const } : end;
  const place = isBegun ? placeOf(answer, job, path, session) : null;
  if (place === null) return begun;
  const asking = session.jobs.get(place) ?? { requests: 0, isShared: false };
  session.jobs.set(place, asking);
  asking.isShared ||= asking.requests > 0;
  asking.requests += 1;
  const ended = await endOfJob(place, job, sent, end, session);
  asking.requests -= 1;
  if (asking.requests === 0) session.jobs.delete(place);
  return asking.isShared || ended === end ? begun : ended;
}

/** Returns the end with the job's result, or with its last answer when its end stays unknown. */
async function endOfJob(place: string, job: Job, { rules, rows }: RowsCall, end: AnswerEnd, session: Session) {
  const { clock, limiter } = session;
  const until = clock.now() + job.longestMs;
  let { answer } = end;
  for (let leftMs = job.longestMs; leftMs > 0; leftMs = until - clock.now()) {
    const askedMs = retryAfterMs(answer.headers, clock.date()) ?? 0;
    await limiter.sleep(Math.min(leftMs, Math.max(askedMs, job.everyMs)));
    if (session.ended !== null) break;
    const asked = await converse(jobCall(place, session), session, false);
    if (asked.kind !== 'answer') break;
    answer = asked.answer;
    if (asked.means !== 'success') return { ...end, answer, means: 'in-doubt' as const };
    const ended = endedAs(answer, job);
    if (ended === 'done') return { ...end, answer: resultOf(answer, job) };
    if (ended === 'failed') return failed(end, answer, job, rules, rows.length);
  }
  const states = job.state === null ? [] : valuesAt(jsonIn(answer), job.state);
  const jobState = states.map((each) => (isObject(each) ? JSON.stringify(each) : String(each))).join(', ');
  return answer === end.answer ? end : { ...end, answer, means: 'under-way' as const, jobState };
}

/** A failed job that still gives a record id, or may tell of some of its rows, is in doubt. */
function failed(end: AnswerEnd, answer: Answer, job: Job, rules: AnswerRules, rows: number): CallEnd {
  const result = resultOf(answer, job);
  const value = jsonIn(result);
  const ofJob = [...job.id, ...job.address, job.state ?? '.', job.result];
  const known = { ...rules, unrelated: [...rules.unrelated, ...ofJob] };
  const hasId = referenceIn(value, rules).id !== null;
  const tellsMore = rows > 1 && job.result !== '.' && tellsOfSome(jsonIn(answer), { ...known, items: null }, rows);
  const isDoubt = hasId || tellsMore || mayHoldRows(value, rows, known);
  return { ...end, answer: hasId ? result : { ...answer, status: 200 }, means: isDoubt ? 'in-doubt' : 'rejected' };
}

/** Path and query at which to poll the job; `null` when there is none, or it is at another origin. */
function placeOf(answer: Answer, job: Job, path: string, { address }: Session): string | null {
  const value = jsonIn(answer);
  const given = firstAt(value, job.address);
  const id = identifier(firstAt(value, job.id));
  if (typeof given !== 'string' && id !== null && job.path !== null) return address.below(job.path, id);
  const text = typeof given === 'string' ? given : headerOf(answer.headers, job.header);
  const url = text === '' ? null : address.sameOrigin(text, path);
  return url === null ? null : url.pathname + url.search;
}

/** A job of several parts ends with its last part. A finished job may redirect (303) to its record. */
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
  const shown = body.kind === 'json' ? { ...body, value: valuesAt(body.value, result)[0] } : body;
  return { ...answer, status: 200, body: shown };
}
