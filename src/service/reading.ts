/** Results of reading from the service: one record, the balances, its health. */
import { type AnswerRules, readRulesOf } from '../contract/answer-rules.ts';
import { firstAt, isObject, valuesAt } from '../contract/body-path.ts';
import type { ContractSettings } from '../contract/contract-settings.ts';
import { fieldsOf } from '../contract/fields.ts';
import type { RecordKind } from '../contract/record-kind.ts';
import { documentedBy, wirePathOf } from '../contract/rename.ts';
import type { Message } from '../messages/message.ts';
import { messageOf } from '../messages/text.ts';
import type { ServiceAddress } from './address.ts';
import { type Answer, headerOf, identifier, stanceOf } from './answer.ts';
import { networkFaults } from './circuit-breaker.ts';
import { type CallEnd, goodJsonIn } from './conversation.ts';
import type { StopReason } from './outcome.ts';
import { reasonIn, reasonOfAnswer, shapeOf } from './reason.ts';

interface FoundRecord {
  readonly path: string | null;
  readonly record: object | null;
  /** What the body is instead of the requested record; `null` when it is that record. */
  readonly noRecord: Message | null;
}

export type ReadResult =
  | ({
      readonly state: 'found';
      readonly httpStatus: number;
      /** The body as received, which keeps the digits of its numbers. */
      readonly bytes: Buffer;
    } & FoundRecord)
  | { readonly state: 'not-found'; readonly httpStatus: number; readonly message: Message }
  | {
      readonly state: 'failed';
      readonly httpStatus: number | null;
      readonly message: Message;
      /** Why further reads are pointless, or `null` when only this one failed. */
      readonly stopReason: StopReason | null;
    };

export interface KeptRequest {
  readonly query: readonly (readonly [name: string, value: string])[];
  /** The address of a further page. Its body, if it has one, has the query as before. */
  readonly page?: string;
}

export type KeptResult =
  | {
      readonly state: 'kept';
      /** Path and query that the body came from. */
      readonly path: string;
      /** The `rel="next"` target of the `Link` header, at any origin. */
      readonly nextPage: string | null;
      readonly total: number | null;
      readonly httpStatus: number;
      readonly headers: ReadonlyMap<string, string>;
      readonly about: Readonly<Record<string, string>>;
    }
  | Exclude<ReadResult, { state: 'found' }>;

export type HealthResult =
  | { readonly state: 'ok'; readonly httpStatus: number; readonly milliseconds: number }
  /** An answer, but not a healthy one. A load may continue. */
  | { readonly state: 'warning'; readonly httpStatus: number | null; readonly message: Message }
  | { readonly state: 'blocked'; readonly reason: StopReason };

export interface Asked {
  readonly stopReason: StopReason | null;
  readonly shown: (text: string) => string;
}

export function readResultOf(
  end: CallEnd,
  kind: RecordKind,
  id: string,
  contract: ContractSettings,
  asked: Asked,
): ReadResult {
  const value = goodJsonIn(end);
  if (end.kind !== 'answer' || end.answer.body.kind !== 'json' || value === undefined)
    return failedReadOf(end, readRulesOf(kind, contract.answers), asked);
  const { status, body } = end.answer;
  const found = foundIn(value, kind, id, contract, asked.shown);
  return { state: 'found', httpStatus: status, bytes: body.bytes, ...found };
}

export function keptResultOf(
  end: CallEnd,
  path: string,
  { address, contract }: { readonly address: ServiceAddress; readonly contract: ContractSettings },
  asked: Asked,
): KeptResult {
  if (end.kind !== 'answer' || end.means !== 'success' || end.answer.body.kind !== 'kept')
    return failedReadOf(end, readRulesOf(null, contract.answers), asked);
  const { answer } = end;
  const { headers, status } = answer;
  const [, range] = /\/(\d{1,12})$/.exec(headerOf(headers, 'content-range').trim()) ?? [];
  const counted = range ?? headerOf(headers, 'x-total-count').trim();
  const total = /^\d{1,12}$/.test(counted) ? Number(counted) : null;
  const isAboutPages = (name: string) => aboutPages.test(name) && !aboutLimits.test(name);
  const isOpenRange = (name: string) => total === null && name === 'content-range';
  const given = Object.keys(headers).map((name) => [name, headerOf(headers, name)] as const);
  return {
    state: 'kept',
    path,
    httpStatus: status,
    nextPage: nextPageOf(answer, path, address),
    total,
    headers: new Map(given),
    about: Object.fromEntries(given.filter(([name]) => isAboutPages(name) || isOpenRange(name))),
  };
}

function failedReadOf(
  end: CallEnd,
  rules: Pick<AnswerRules, 'reason'>,
  { stopReason, shown }: Asked,
): Exclude<ReadResult, { state: 'found' }> {
  if (end.kind === 'no-answer')
    return { state: 'failed', httpStatus: end.httpStatus, message: end.message, stopReason };
  const { status, body } = end.answer;
  const isRefusal = end.means !== 'success';
  const message = isRefusal
    ? messageOf('refused', { status, reason: reasonFor(body, rules.reason, shown), together: null })
    : messageOf('read-unreadable', { status });
  if (isRefusal && (status === 404 || status === 410)) return { state: 'not-found', httpStatus: status, message };
  return { state: 'failed', httpStatus: status, message: stopReason?.message ?? message, stopReason };
}

function reasonFor(body: Answer['body'], paths: readonly string[], shown: Asked['shown']): string | null {
  const reason = reasonOfAnswer(body, paths);
  return reason === null ? null : shown(reason);
}

/** Names that count requests. */
const aboutLimits = /rate|limit|retry|attempt/;
const aboutPages = /\b(?:total|count|next|more|pages?|pagination|offset|cursor|continuation)\b/;

/** The target of `rel="next"` in a `Link` header. A target at another origin is returned as is, so that the refusal can name it. */
function nextPageOf({ headers }: Answer, path: string, address: ServiceAddress): string | null {
  for (const link of headerOf(headers, 'link').split(/,(?=\s*<)/)) {
    const [, target] = /^\s*<([^>]*)>/.exec(link) ?? [];
    if (target === undefined || !/;\s*rel\s*=\s*["']?(?:[^"';]*\s)?next(?=[\s"';]|$)/i.test(link)) continue;
    return address.sameOrigin(target, path)?.href ?? target;
  }
  return null;
}

export function healthResultOf(end: CallEnd, { stopReason, shown }: Asked, milliseconds: number): HealthResult {
  const isUnreached = stopReason !== null && stopReason.message.code in networkFaults;
  if (stopReason !== null && (stopReason.code === 'token-refused' || isUnreached))
    return { state: 'blocked', reason: stopReason };
  if (end.kind === 'no-answer') return { state: 'warning', httpStatus: end.httpStatus, message: end.message };
  const { status, body } = end.answer;
  if (end.means === 'success' && body.kind !== 'unreadable') return { state: 'ok', httpStatus: status, milliseconds };
  const message = messageOf('health-unclear', { reason: reasonFor(body, [], shown), status });
  return { state: 'warning', httpStatus: status, message };
}

/**
 * Finds the record in a body: the first place with one of its fields, else the first object. A no or another record is never taken
 * for it, because a found id settles the row.
 */
export function foundIn(
  body: unknown,
  kind: RecordKind,
  id: string,
  contract: ContractSettings,
  shown: Asked['shown'],
): FoundRecord {
  const rules = readRulesOf(kind, contract.answers);
  const { rename } = contract.requests[kind.name];
  const fields = fieldsOf(kind).flatMap(({ place, path }) =>
    place === 'body' ? (wirePathOf(path, rename) ?? []) : [],
  );
  const places = recordPaths(kind, rules.record).flatMap((path) => {
    const record = valuesAt(body, path)[0];
    if (!isObject(record) || Array.isArray(record)) return [];
    const holdsField = fields.some((field) => valuesAt(record, field).some(isFilled));
    return [{ path, record, holdsField, id: identifier(firstAt(record, rules.id))?.trim() ?? null }];
  });
  const best = places.find(({ holdsField }) => holdsField) ?? places[0];
  const record = best === undefined ? null : documentedBy(rename)(best.record);
  const found = (noRecord: Message | null): FoundRecord => ({ path: best?.path ?? null, record, noRecord });
  const stance = stanceOf(body, rules);
  if (stance === 'no' || stance === 'unclear')
    return found(messageOf('read-says-no', { said: shown(reasonIn(body, rules.reason) ?? shapeOf(body)) }));
  const given = places.flatMap((place) => place.id ?? []);
  // A service may return a GUID in another case.
  if (given.some((each) => each.toLowerCase() === id.toLowerCase())) return found(null);
  const [other] = given;
  if (other !== undefined) return found(messageOf('read-other-record', { other: shown(other) }));
  if (best?.holdsField === true) return found(null);
  return found(messageOf('read-without-record', { shape: shown(shapeOf(body)) }));
}

/** Candidate paths: declared places, then common envelopes and JSON:API attributes, then the body itself. Inner paths come first. */
function recordPaths({ singular }: RecordKind, declared: readonly string[]): readonly string[] {
  const within = ['data', 'record', 'result', 'response', 'payload'].flatMap((envelope) => [
    `${envelope}.attributes`,
    `${envelope}.${singular}`,
    envelope,
  ]);
  return [...declared.filter((path) => path !== '.'), ...within, singular, '.'];
}

function isFilled(value: unknown): boolean {
  return typeof value === 'string' ? value.trim() !== '' : typeof value === 'number';
}
