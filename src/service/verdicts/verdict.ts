/** From the end of a call to the outcome of its row: the table of what came back and what it means. */
import type { RecordKind } from '../../contract/record-kind.ts';
import { type Answer, type AnswerBody, hasAt, identifier, referenceIn, valueAt } from '../answers/answer.ts';
import { errorTextOf, reasonGivenIn } from '../answers/error-message.ts';
import { type Signs, standingAgainst } from '../answers/signs.ts';
import { isGoodStatus } from '../answers/values-of-answer.ts';
import type { Outcome } from '../records/outcome.ts';
import type { OutgoingRecord, Secret } from '../records/outgoing-record.ts';
import { aboutRow } from '../records/question.ts';
import type { CallEnd } from '../sending/call-end.ts';
import { type CallSettings, idOf, saysMade } from '../sending/calls.ts';
import { masked } from '../text/masking.ts';
import { plainText, shortened } from '../text/plain-text.ts';

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
  if (end.verdict === 'success') {
    const outcome = succeeded(kind, record, path, answer, attempts, secrets, settings);
    return afterEarlierTries(outcome, earlierDoubtOf(end, secrets));
  }
  const isCreate = kind.sending !== 'update';
  const isOpen = end.verdict === 'in-doubt' || (isCreate && saysMade(answer, kind, settings));
  const outcome = isOpen ? inDoubt(answer, attempts, secrets) : rejected(answer, attempts, secrets);
  const told = isCreate ? withGivenId(outcome, answer, secrets, settings) : outcome;
  return isOpen ? told : afterEarlierTries(told, earlierDoubtOf(end, secrets));
}

/** With the id that an answer gives which is no yes: by it a person finds the record. One that the row sent itself tells nothing. */
function withGivenId<Told extends Outcome>(
  outcome: Told,
  { body }: Answer,
  secrets: Secrets,
  settings: CallSettings,
): Told {
  const { id } = referenceIn(body.kind === 'json' ? body.value : null, settings.contract);
  if (id === null || !('message' in outcome)) return outcome;
  const shownId = shortened(plainText(id), longestShown);
  if (masked(id, secrets()) !== plainText(id)) return outcome;
  const next = outcome.state === 'rejected' ? ': if that is the record of this row, take the row out.' : '.';
  // Between quotes: rows that are refused in the same words are counted, whichever ids stand in them.
  return { ...outcome, message: `${outcome.message} It gives the id "${shownId.replaceAll('"', "'")}"${next}` };
}

/** What is told of earlier tries of a call that may have been applied, without values of rows; `null` when there were none. */
export function earlierDoubtOf(
  { earlierDoubt }: Extract<CallEnd, { kind: 'answer' }>,
  secrets: Secrets,
): string | null {
  return earlierDoubt === null ? null : masked(earlierDoubt, secrets());
}

/**
 * A no is the end of a row only when no earlier try of its request may have been applied.
 * @param earlier  see {@link earlierDoubtOf}
 */
export function afterEarlierTries(outcome: Outcome, earlier: string | null): Outcome {
  if (outcome.state !== 'rejected' || earlier === null) return outcome;
  const { attempts, httpStatus, message: refusal } = outcome;
  const message = `${earlier} The row was sent again, and the service refused it then: ${refusal} ${lookItUp}`;
  return { state: 'in-doubt', attempts, httpStatus, message };
}

/** The outcome of a row whose call ended without an answer. */
export function withoutAnswer(end: Extract<CallEnd, { kind: 'no-answer' }>, secrets: Secrets): Outcome {
  const { attempts, httpStatus } = end;
  const message = masked(end.message, secrets());
  if (end.applied === 'unknown') return { state: 'in-doubt', attempts, httpStatus, message: `${message} ${lookItUp}` };
  return { state: end.isStopped ? 'not-sent' : 'failed', attempts, httpStatus, message };
}

function rejected(answer: Answer, attempts: number, secrets: Secrets): Outcome {
  const { message, fields } = errorTextOf(answer.status, answer.body, secrets());
  return { state: 'rejected', attempts, httpStatus: answer.status, message, fields };
}

/**
 * The outcome of a row whose answer leaves open whether it is in.
 * @param why  the end of "The service answered 200", for an answer of a good status; a blank goes before it, unless it begins with a comma
 * @param reason  what the body gives as a reason, as it may be shown
 */
export function inDoubt(
  { status, body }: Answer,
  attempts: number,
  secrets: Secrets,
  why: string = endings[endingOf(body)],
  reason: string | null = reasonIn(body, secrets),
): Outcome {
  const said = reason === null ? '' : ` It said: ${reason}`;
  const ending = shownEnding(why, secrets);
  const answered = isGoodStatus(status) ? `${status}${ending.startsWith(',') ? '' : ' '}${ending}` : `${status}`;
  const message = `The service answered ${answered}.${said} ${lookItUp}`;
  return { state: 'in-doubt', attempts, httpStatus: status, message };
}

/** The end of a sentence as it may be shown: texts between quotes cut short, and the whole. */
export function shownEnding(ending: string, secrets: Secrets): string {
  const cut = masked(ending, secrets()).replace(
    /"([^"]*)"/g,
    (_, text: string) => `"${shortened(text, longestShown)}"`,
  );
  return shortened(cut, longestEnding);
}

/** What a body gives as a reason, without `secrets`; `null` when it gives none. */
export function reasonIn(body: AnswerBody, secrets: Secrets): string | null {
  if (body.kind === 'json') return reasonGivenIn(body.value, secrets())?.message ?? null;
  return body.kind === 'text' ? errorTextOf(0, body, secrets()).message : null;
}

function succeeded(
  kind: RecordKind,
  record: OutgoingRecord,
  path: string,
  answer: Answer,
  attempts: number,
  secrets: Secrets,
  settings: CallSettings,
): Outcome {
  const { status: httpStatus, body } = answer;
  const value = body.kind === 'json' ? body.value : null;
  const isUpdate = kind.sending === 'update';
  const { id: idInBody, companyId, url } = referenceIn(value, settings.contract);
  const id = isUpdate ? record.pathId : idOf(answer, path, settings);
  const signs = settings.signs.ofBody(body, aboutRow(kind, record, isUpdate ? idInBody : id));
  if (signs.saysNo && (isUpdate || (id === null && !signs.tellsOfSome))) return rejected(answer, attempts, secrets);
  const against = standingAgainst(signs, isUpdate ? idInBody : id);
  if (against.length > 0) return inDoubt(answer, attempts, secrets, contradictionOf(against, isUpdate ? null : id));
  if (isUpdate) return { state: 'updated', attempts, httpStatus, id, companyId, url };
  if (id !== null) return { state: 'created', attempts, httpStatus, id, companyId, url };
  const isUnclear = body.kind === 'unreadable' || (hasEmptyId(value, settings) && !signs.saysYes);
  if (kind.answersWithId || isUnclear) return inDoubt(answer, attempts, secrets);
  return { state: 'accepted', attempts, httpStatus, id, companyId, url };
}

/** Why an answer of a good status is no yes, as the end of "The service answered 200", not masked and at any length. */
export function contradictionOf(against: Signs['against'], id: string | null): string {
  const places = against.slice(0, mostTold).map(({ told }) => plainText(told));
  if (against.length > mostTold) places.push('and more');
  return `, but that is no plain yes: ${places.join(', ')}${althoughGiven(id)}`;
}

/** Behind a contradiction. */
export function althoughGiven(id: string | null): string {
  return id === null ? '' : `, although it gives the id ${plainText(id)}`;
}

/** Where an id should be there is something that is none: a zero, a null, an object. */
export function hasEmptyId(value: unknown, { contract }: Pick<CallSettings, 'contract'>): boolean {
  return contract.answers.id.some((path) => hasAt(value, path) && identifier(valueAt(value, [path])) === null);
}

/** Signs that are told; one is enough to look a row up. */
const mostTold = 4;
/** Of a text in the answer, and of all that stands against it. */
const longestShown = 40;
const longestEnding = 500;

export const lookItUp = 'The record may or may not be in: look it up in the service before it is sent again.';

const endings = {
  json: 'without the id of a record',
  text: 'with a text in place of a record',
  html: 'with a web page in place of a record',
  empty: 'with nothing in its body',
  kept: 'with something else in place of a record',
  cut: ', but the connection broke inside the answer',
  stalled: ', but the answer stopped half-way',
  'too-long': ', but with more than could be an answer',
  broken: ', but what it sent could not be read',
} as const;

function endingOf(body: AnswerBody): keyof typeof endings {
  return body.kind === 'unreadable' ? body.why : body.kind;
}
